package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// quantizeKernels go between floats and scaled integers.
var quantizeKernels = map[string]entry{
	"QuantizeLinear":   {kernel: quantize, needed: 2, most: 3, outputs: 1, halves: true},
	"DequantizeLinear": {kernel: dequantize, needed: 2, most: 3, outputs: 1, halves: true},

	"DynamicQuantizeLinear": {kernel: dynamicQuantize, needed: 1, most: 1, outputs: -1},
}

// scales are the parameters of quantisation: one pair for all elements, for each index on an axis, or for each block of
// indices on it.
type scales struct {
	scale []float32
	zero  []int64
	// The array has outer * n * inner elements, n of them on the axis.
	outer, n, inner int
	// block is the number of indices on the axis that share a pair and blocks the number of blocks; n and 1 for a
	// single pair. within says that pairs differ inside of the axis, too.
	block, blocks int
	within        bool
}

// oneScale has one pair for all of count elements.
func oneScale(count int, scale float32, zero int64) scales {
	return scales{scale: []float32{scale}, zero: []int64{zero}, outer: 1, n: 1, inner: count, block: 1, blocks: 1}
}

// at returns the position of the first pair of a run of inner elements, and the step to the next element's pair.
func (s scales) at(outer, i int) (first, step int) {
	b := i / s.block
	if s.within {
		return (outer*s.blocks + b) * s.inner, 1
	}
	return b, 0
}

// scalesOf reads inputs 1 and 2 for an array of the shape.
func scalesOf(op *graph.Op, shape graph.Shape, inputs []*Array) (scales, error) {
	scale, zero := inputs[1], input(inputs, 2)
	if zero != nil && !zero.Shape.Equal(scale.Shape) {
		return scales{}, fmt.Errorf("zero points of shape %v for scales of shape %v", zero.Shape, scale.Shape)
	}
	s := scales{outer: 1, n: 1, inner: product(dims(shape)), block: 1, blocks: 1}
	count, err := s.scale0(scale, zero)
	if err != nil {
		return scales{}, err
	}
	if count == 1 && len(scale.Shape) <= 1 {
		return s, nil
	}
	axis, err := axisOf(op.Attrs.Int("axis", 1), len(shape))
	if err != nil {
		return scales{}, err
	}
	s.outer, s.n, s.inner = lanes(dims(shape), axis)
	if len(scale.Shape) == 1 {
		if count != s.n {
			return scales{}, fmt.Errorf("%d scales for %d on axis %d", count, s.n, axis)
		}
		s.blocks = s.n
		return s, nil
	}
	size := op.Attrs.Int("block_size", 0)
	if size < 1 || len(scale.Shape) != len(shape) {
		return scales{}, fmt.Errorf("scales of shape %v with block_size %d for shape %v", scale.Shape, size, shape)
	}
	for i, d := range shape {
		want := d
		if i == axis && d > 0 {
			want = (d-1)/size + 1
		}
		if scale.Shape[i] != want {
			return scales{}, fmt.Errorf("scales of shape %v with block_size %d for shape %v", scale.Shape, size, shape)
		}
	}
	s.block, s.blocks, s.within = int(min(size, max(shape[axis], 1))), int(scale.Shape[axis]), true
	return s, nil
}

// scale0 reads the scales and zero points, 0 where those are absent, and returns their number.
func (s *scales) scale0(scale, zero *Array) (int, error) {
	wide := New(Type{graph.Float32, scale.Shape})
	points := New(Type{graph.Int64, scale.Shape})
	if wide == nil || points == nil {
		return 0, fmt.Errorf("scales of shape %v cannot be allocated", scale.Shape)
	}
	if err := convert(wide, scale); err != nil {
		return 0, err
	}
	if zero != nil {
		if err := convert(points, zero); err != nil {
			return 0, err
		}
	}
	s.scale, s.zero = View[float32](wide), View[int64](points)
	return len(s.scale), nil
}

func quantize(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := wantShape(out, dims(in.Shape)); err != nil || len(in.Data) == 0 {
		return err
	}
	wide := in
	if in.DType != graph.Float32 {
		if wide = New(Type{graph.Float32, in.Shape}); wide == nil {
			return fmt.Errorf("an array of float32 %v cannot be allocated", in.Shape)
		}
		if err := convert(wide, in); err != nil {
			return err
		}
	}
	s, err := scalesOf(op, in.Shape, inputs)
	if err != nil {
		return err
	}
	switch out.DType {
	case graph.Int8:
		quantizeTo(s, View[int8](out), View[float32](wide))
	case graph.Uint8:
		quantizeTo(s, View[uint8](out), View[float32](wide))
	case graph.Int16:
		quantizeTo(s, View[int16](out), View[float32](wide))
	case graph.Uint16:
		quantizeTo(s, View[uint16](out), View[float32](wide))
	case graph.Int32:
		quantizeTo(s, View[int32](out), View[float32](wide))
	default:
		return fmt.Errorf("there is no quantisation to %v", out.DType)
	}
	return nil
}

// quantizeTo rounds to the nearest, ties to even, and clamps.
func quantizeTo[T integer](s scales, d []T, a []float32) {
	low, high := limits[T]()
	least, most := float64(low), float64(high)
	at := 0
	for outer := range s.outer {
		for i := range s.n {
			first, step := s.at(outer, i)
			for range s.inner {
				v := math.RoundToEven(float64(a[at]/s.scale[first])) + float64(s.zero[first])
				switch {
				case v >= most:
					d[at] = high
				case v <= least:
					d[at] = low
				case v == v:
					d[at] = T(v)
				default:
					d[at] = 0
				}
				at++
				first += step
			}
		}
	}
}

// dynamicQuantize quantises to bytes with one scale, with which they reach from the least to the greatest element and hold 0
// exactly. Results are the bytes, the scale and the zero point. A NaN makes the scale one. Zeros alone have the scale 1.
func dynamicQuantize(_ *graph.Op, outputs, inputs []*Array) error {
	in := inputs[0]
	if in.DType != graph.Float32 {
		return fmt.Errorf("there is no quantisation of %v by its range", in.DType)
	}
	var low, high float32
	for _, v := range View[float32](in) {
		low, high = min(low, v), max(high, v)
	}
	scale := (high - low) / math.MaxUint8
	if scale == 0 {
		scale = 1
	}
	zero := []uint8{0}
	quantizeTo(oneScale(1, scale, 0), zero, []float32{-low})
	wants := []Type{{graph.Uint8, in.Shape}, {graph.Float32, graph.Shape{}}, {graph.Uint8, graph.Shape{}}}
	for i, out := range outputs {
		switch {
		case out == nil:
			continue
		case i >= len(wants) || out.DType != wants[i].DType || !out.Shape.Equal(wants[i].Shape):
			return fmt.Errorf("output %d of %v %v is not what quantising by a range gives", i, out.DType, out.Shape)
		}
		switch i {
		case 0:
			quantizeTo(oneScale(product(dims(in.Shape)), scale, int64(zero[0])), View[uint8](out), View[float32](in))
		case 1:
			View[float32](out)[0] = scale
		case 2:
			View[uint8](out)[0] = zero[0]
		}
	}
	return nil
}

func dequantize(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := wantShape(out, dims(in.Shape)); err != nil || len(in.Data) == 0 {
		return err
	}
	if out.DType != graph.Float32 {
		return fmt.Errorf("there is no dequantisation to %v", out.DType)
	}
	s, err := scalesOf(op, in.Shape, inputs)
	if err != nil {
		return err
	}
	d := View[float32](out)
	switch in.DType {
	case graph.Int8:
		dequantizeFrom(s, d, View[int8](in))
	case graph.Uint8:
		dequantizeFrom(s, d, View[uint8](in))
	case graph.Int16:
		dequantizeFrom(s, d, View[int16](in))
	case graph.Uint16:
		dequantizeFrom(s, d, View[uint16](in))
	case graph.Int32:
		dequantizeFrom(s, d, View[int32](in))
	default:
		return fmt.Errorf("there is no dequantisation of %v", in.DType)
	}
	return nil
}

func dequantizeFrom[T integer](s scales, d []float32, a []T) {
	at := 0
	for outer := range s.outer {
		for i := range s.n {
			first, step := s.at(outer, i)
			if step == 0 {
				scale, zero := s.scale[first], s.zero[first]
				to := d[at : at+s.inner]
				for j, v := range a[at : at+s.inner] {
					to[j] = float32(int64(v)-zero) * scale
				}
				at += s.inner
				continue
			}
			for range s.inner {
				d[at] = float32(int64(a[at])-s.zero[first]) * s.scale[first]
				at++
				first += step
			}
		}
	}
}
