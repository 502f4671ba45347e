package host

import "math"

// fill works out the neighbours of each output position of an axis and their weights.
func (r *resize) fill(ax *resizeAxis) {
	ax.taps = r.support(ax)
	ax.index, ax.weight = make([]int32, ax.out*ax.taps), make([]float32, ax.out*ax.taps)
	ax.outside = make([]bool, ax.out)
	weights := make([]float64, ax.taps)
	for o := range ax.out {
		x := r.coordinate(ax, o)
		ax.outside[o] = r.coordinates == "tf_crop_and_resize" && (x < 0 || x > float64(ax.in-1))
		first := r.weigh(ax, x, weights)
		r.normalize(ax, first, weights)
		for k, w := range weights {
			ax.index[o*ax.taps+k] = int32(min(max(first+k, 0), ax.in-1))
			ax.weight[o*ax.taps+k] = float32(w)
		}
	}
}

// shrink is the factor by which antialiasing stretches a filter, 1 for none.
func (r *resize) shrink(ax *resizeAxis) float64 {
	if !r.antialias || ax.scale >= 1 {
		return 1
	}
	return ax.scale
}

// support is the number of neighbours that a position has.
func (r *resize) support(ax *resizeAxis) int {
	radius := map[string]float64{"nearest": 0, "linear": 1, "cubic": 2}[r.mode]
	if radius == 0 {
		return 1
	}
	start := math.Floor(-radius/r.shrink(ax)) + 1
	return min(2-2*int(start), 2*(ax.in+4))
}

// weigh fills the weights of the neighbours of a coordinate and returns the first, which may be outside.
func (r *resize) weigh(ax *resizeAxis, x float64, weights []float64) int {
	if r.mode == "nearest" {
		weights[0] = 1
		return r.round(x)
	}
	s := r.shrink(ax)
	first := int(math.Floor(x)) + 1 - len(weights)/2
	for k := range weights {
		d := math.Abs(x-float64(first+k)) * s
		if r.mode == "linear" {
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
func (r *resize) normalize(ax *resizeAxis, first int, weights []float64) {
	if r.mode == "nearest" || !(r.excludeOutside || r.shrink(ax) != 1) {
		return
	}
	sum := 0.0
	for k := range weights {
		if r.excludeOutside && (first+k < 0 || first+k >= ax.in) {
			weights[k] = 0
		}
		sum += weights[k]
	}
	for k := range weights {
		weights[k] /= sum
	}
}
