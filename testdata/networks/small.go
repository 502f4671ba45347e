package networks

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// narrower divides the channels of small networks, rounded up.
const narrower = 16

// sides are the pictures of small networks, where 64 x 64 is too small for their windows.
var sides = map[string]int64{"inception_v3": 96, "ssd300_vgg16": 300}

// small is a network with a smaller picture and fewer channels, connected as it was, so that it can be run in a moment. What its
// outputs or their rows are computed with keeps its channels.
func small(build func() *graph.Graph) func() *graph.Graph {
	return func() *graph.Graph {
		s := &shrinker{Graph: build(), before: map[graph.TensorID]graph.Shape{}}
		for i := range s.Tensors {
			s.before[graph.TensorID(i)] = s.Tensors[i].Shape
		}
		side := int64(64)
		if given, ok := sides[s.Name]; ok {
			side = given
		}
		s.Name += "_small"
		s.Tensors[s.Inputs[0]].Shape = graph.Shape{1, 3, side, side}
		for i := range s.Ops {
			s.shrink(&s.Ops[i])
		}
		return s.Graph
	}
}

type shrinker struct {
	*graph.Graph
	before map[graph.TensorID]graph.Shape
}

// shrink gives the result of an op the shape that follows from those of its operands, and constants theirs. Tensors are
// [1, C, H, W].
func (s *shrinker) shrink(op *graph.Op) {
	x, y := s.Tensors[op.Inputs[0]].Shape, &s.Tensors[op.Outputs[0]]
	y.Shape = x.Clone()
	switch op.Op {
	case "Conv", "ConvTranspose":
		s.convolve(op, x, y)
	case "MaxPool", "AveragePool":
		s.slide(op, x, y)
	case "GlobalAveragePool":
		y.Shape[2], y.Shape[3] = 1, 1
	case "BatchNormalization":
		for _, id := range op.Inputs[1:] {
			s.Tensors[id].Shape = graph.Shape{x[1]}
		}
	case "Concat":
		axis := op.Attrs.Int("axis", 0)
		for _, id := range op.Inputs[1:] {
			y.Shape[axis] += s.Tensors[id].Shape[axis]
		}
	case "Resize":
		for axis := 2; axis < 4; axis++ {
			y.Shape[axis] = x[axis] * s.before[op.Outputs[0]][axis] / s.before[op.Inputs[0]][axis]
		}
		s.Tensors[op.Inputs[3]].Data = integers(y.Shape...)
	case "Transpose":
		for axis, from := range op.Attrs.Ints("perm") {
			y.Shape[axis] = x[from]
		}
	case "Reshape":
		n, _ := x.Elements()
		width := s.before[op.Outputs[0]][3]
		y.Shape = graph.Shape{1, 1, n / width, width}
		s.Tensors[op.Inputs[1]].Data = integers(y.Shape...)
	}
}

// convolve has as many results as channels before where it goes through channels one by one, else fewer, unless the network gives
// them out.
func (s *shrinker) convolve(op *graph.Op, x graph.Shape, y *graph.Tensor) {
	w := &s.Tensors[op.Inputs[1]]
	w.Shape = w.Shape.Clone()
	switch {
	case op.Op == "ConvTranspose":
		w.Shape[0], w.Shape[1] = x[1], (w.Shape[1]+narrower-1)/narrower
		y.Shape = graph.Shape{1, w.Shape[1], 2 * x[2], 2 * x[3]}
		return
	case op.Attrs.Int("group", 1) > 1:
		op.Attrs["group"], w.Shape[0] = x[1], x[1]
	default:
		w.Shape[1] = x[1]
		if !s.givenOut(op.Outputs[0]) {
			w.Shape[0] = (w.Shape[0] + narrower - 1) / narrower
		}
	}
	s.slide(op, x, y)
	y.Shape[1] = w.Shape[0]
	s.Tensors[op.Inputs[2]].Shape = graph.Shape{w.Shape[0]}
}

// givenOut reports whether a tensor is an output, or one but for its order.
func (s *shrinker) givenOut(id graph.TensorID) bool {
	return slices.Contains(s.Outputs, id) || slices.ContainsFunc(s.Ops, func(op graph.Op) bool { return op.Op == "Transpose" && op.Inputs[0] == id })
}

// slide is the shape that a window leaves.
func (s *shrinker) slide(op *graph.Op, x graph.Shape, y *graph.Tensor) {
	kernel, strides, pads := op.Attrs.Ints("kernel_shape"), op.Attrs.Ints("strides"), op.Attrs.Ints("pads")
	for i := range kernel {
		y.Shape[2+i] = (x[2+i]+pads[i]+pads[2+i]-kernel[i])/strides[i] + 1
	}
}
