package form

import "math"

// fill works out the neighbours of each output position of an axis and their weights.
func (r *Resize) fill(ax *ResizeAxis) {
	ax.Taps = r.support(ax)
	ax.Index, ax.Weight = make([]int32, ax.Out*ax.Taps), make([]float32, ax.Out*ax.Taps)
	ax.Outside = make([]bool, ax.Out)
	weights := make([]float64, ax.Taps)
	for o := range ax.Out {
		x := r.coordinate(ax, o)
		ax.Outside[o] = r.coordinates == "tf_crop_and_resize" && (x < 0 || x > float64(ax.In-1))
		first := r.weigh(ax, x, weights)
		r.normalize(ax, first, weights)
		for k, w := range weights {
			ax.Index[o*ax.Taps+k] = int32(min(max(first+k, 0), ax.In-1))
			ax.Weight[o*ax.Taps+k] = float32(w)
		}
	}
}

// shrink is the factor by which antialiasing stretches a filter, 1 for none.
func (r *Resize) shrink(ax *ResizeAxis) float64 {
	if !r.antialias || ax.scale >= 1 {
		return 1
	}
	return ax.scale
}

// support is the number of neighbours that a position has.
func (r *Resize) support(ax *ResizeAxis) int {
	radius := map[string]float64{"nearest": 0, "linear": 1, "cubic": 2}[r.Mode]
	if radius == 0 {
		return 1
	}
	start := math.Floor(-radius/r.shrink(ax)) + 1
	return min(2-2*int(start), 2*(ax.In+4))
}

// weigh fills the weights of the neighbours of a coordinate and returns the first, which may be outside.
func (r *Resize) weigh(ax *ResizeAxis, x float64, weights []float64) int {
	if r.Mode == "nearest" {
		weights[0] = 1
		return r.round(x)
	}
	s := r.shrink(ax)
	first := int(math.Floor(x)) + 1 - len(weights)/2
	for k := range weights {
		d := math.Abs(x-float64(first+k)) * s
		if r.Mode == "linear" {
			weights[k] = max(1-d, 0)
		} else {
			weights[k] = cubicWeight(d, r.cubic)
		}
	}
	return first
}

// cubicWeight is Keys' kernel with the parameter a.
func cubicWeight(d, a float64) float64 {
	switch {
	case d <= 1:
		return ((a+2)*d-(a+3))*d*d + 1
	case d < 2:
		return ((a*d-5*a)*d+8*a)*d - 4*a
	}
	return 0
}

// normalize drops what lies outside, where asked to, and makes the weights of a stretched or shortened filter sum to 1.
func (r *Resize) normalize(ax *ResizeAxis, first int, weights []float64) {
	if r.Mode == "nearest" || !(r.excludeOutside || r.shrink(ax) != 1) {
		return
	}
	sum := 0.0
	for k := range weights {
		if r.excludeOutside && (first+k < 0 || first+k >= ax.In) {
			weights[k] = 0
		}
		sum += weights[k]
	}
	for k := range weights {
		weights[k] /= sum
	}
}
