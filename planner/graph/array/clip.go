package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// clip is the kernel of Clip: the limits are optional inputs.
func clip(_ *graph.Op, outputs, inputs []*Array) error {
	out, in, lo, hi := outputs[0], inputs[0], input(inputs, 1), input(inputs, 2)
	if err := sameDType(out, in, lo, hi); err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	for _, limit := range []*Array{lo, hi} {
		if limit != nil && int64(len(limit.Data)) != limit.DType.Size() {
			return fmt.Errorf("a limit has shape %v, not one element", limit.Shape)
		}
	}
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	return n.clip(lo, hi, out, in)
}

func (of[T, A]) clip(lo, hi *Array, out, in *Array) error {
	low, high := limits[T]()
	if lo != nil {
		low = View[T](lo)[0]
	}
	if hi != nil {
		high = View[T](hi)[0]
	}
	clipRun(View[T](out), View[T](in), low, high)
	return nil
}

// clipRun clamps each element; high wins where low exceeds it.
func clipRun[T number](d, a []T, low, high T) {
	for i, v := range a[:len(d)] {
		d[i] = min(max(v, low), high)
	}
}

// clipAttributes is Clip as a fused activation, whose limits are attributes.
func clipAttributes[T number](p params) func(d, a []T) {
	low, high := limits[T]()
	if v, ok := p.attrs[p.prefix+"min"].(float32); ok {
		low = nearest(v, low, high)
	}
	if v, ok := p.attrs[p.prefix+"max"].(float32); ok {
		high = nearest(v, low, high)
	}
	return func(d, a []T) { clipRun(d, a, low, high) }
}

// nearest converts v to T, clamped to the limits.
func nearest[T number](v float32, low, high T) T {
	switch {
	case float64(v) <= float64(low):
		return low
	case float64(v) >= float64(high):
		return high
	}
	return T(v)
}

// prelu is LeakyRelu with a slope of its own for each element, broadcast to the input.
func prelu(_ *graph.Op, outputs, inputs []*Array) error {
	out, in, slope := outputs[0], inputs[0], inputs[1]
	if err := sameDType(out, in, slope); err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	return n.prelu(out, in, slope)
}

func (of[T, A]) prelu(out, in, slope *Array) error {
	return zipRuns(out, in, slope, func(d, a, b []T) {
		for i := range d {
			v := a[i]
			if v < 0 {
				v *= b[i]
			}
			d[i] = v
		}
	})
}
