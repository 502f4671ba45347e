package graph

import (
	"slices"
	"strings"
)

// Kernels that take strided tensors know for each pixel, or for each run of elements, where it starts: nothing is copied beside the
// memory of the plan but a few rows. What they can is a property of the form of an op, on devices that have such kernels:
//
//   - concatenations and splits read and write rows of any length;
//   - convolutions with the channels last read their data in rows of one pixel's channels, and write any rows;
//   - poolings with the channels last read such rows, and poolings in either layout write any rows;
//   - resizes write any rows;
//   - elementwise ops whose operands have the result's shape, are one element or lie along the last axis read and write any rows.
//
// All but the first compute with float32 alone.

// TakesRows reports whether such kernels of an op can have a tensor, wherever the op reads or writes it, as rows of so many bytes
// with other bytes between them. An op that does not touch it can.
func (g *Graph) TakesRows(op *Op, id TensorID, row int64) bool {
	find := func(ids []TensorID) []*Tensor {
		out := make([]*Tensor, len(ids))
		for i, id := range ids {
			out[i] = g.Tensor(id)
		}
		return out
	}
	inputs, outputs := find(op.Inputs), find(op.Outputs)
	for i := range op.Inputs {
		if op.Inputs[i] == id && !op.ReadsRows(i, inputs, outputs, row) {
			return false
		}
	}
	for i := range op.Outputs {
		if op.Outputs[i] == id && !op.WritesRows(i, inputs, outputs, row) {
			return false
		}
	}
	return true
}

// ReadsRows reports whether kernels of the op for strided tensors read its operand i in rows of so many bytes. Tensors are nil where
// the op has none.
func (o *Op) ReadsRows(i int, inputs, outputs []*Tensor, row int64) bool {
	switch {
	case o.joins():
		return true
	case !o.strides(inputs, outputs):
		return false
	case o.pointwise(inputs, outputs):
		return sameShape(inputs[i], outputs[0])
	}
	x := inputs[0]
	last, ok := channelsLast(o, x, outputs[0])
	if i != 0 || !ok || !last || len(x.Shape) < 3 || row != x.Shape[len(x.Shape)-1]*x.DType.Size() {
		return false
	}
	switch o.Op {
	case "Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool":
		return true
	case "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool":
		return len(o.Fused) < 2
	}
	return false
}

// WritesRows reports whether kernels of the op for strided tensors write its result i in rows of so many bytes.
func (o *Op) WritesRows(i int, inputs, outputs []*Tensor, row int64) bool {
	switch {
	case o.joins():
		return true
	case !o.strides(inputs, outputs):
		return false
	case o.pointwise(inputs, outputs):
		return true
	}
	last, ok := channelsLast(o, inputs[0], outputs[0])
	switch o.Op {
	case "Conv", "ConvTranspose":
		return ok && last && o.Separable() == 0 && o.finishesRows(inputs, outputs[0])
	case "MaxPool", "AveragePool", "LpPool", "Resize":
		return ok && activations(o.Fused)
	}
	return false
}

// joins reports whether the op copies runs of its operands to runs of its results and does nothing else.
func (o *Op) joins() bool {
	return (o.Op == "Concat" || o.Op == "Split") && len(o.Fused) < 2 && (o.Domain == "" || o.Domain == "tflite" || o.Domain == "ai.onnx" || o.Domain == "tflite.quantized")
}

// strides reports whether the op may be one with a kernel for strided tensors: it has one result, of float32 elements as its first
// operand has.
func (o *Op) strides(inputs, outputs []*Tensor) bool {
	if o.Domain != "" && o.Domain != "tflite" || len(inputs) == 0 || len(outputs) == 0 || slices.ContainsFunc(outputs[1:], func(t *Tensor) bool { return t != nil }) {
		return false
	}
	x, y := inputs[0], outputs[0]
	return x != nil && y != nil && x.DType == Float32 && y.DType == Float32 && x.Shape.Known() && y.Shape.Known() && len(y.Shape) > 0
}

// notAlone are ops of the table of elementwise ones whose operands are not read at the place of each element, or that have more
// than one result.
var notAlone = []string{"BatchNormalization", "PRelu", "Dropout"}

// pointwise reports whether each element of the result follows from those of the operands at its place, from single elements, and
// from runs along the last axis.
func (o *Op) pointwise(inputs, outputs []*Tensor) bool {
	if _, ok := elementwise[o.Op]; !ok || slices.Contains(notAlone, o.Op) || !activations(o.Fused) {
		return false
	}
	y := outputs[0]
	for _, x := range inputs {
		switch {
		case x == nil:
		case x.DType != y.DType || strings.ContainsAny(x.Layout+y.Layout, "0123456789"):
			return false
		case !sameShape(x, y) && !alongLast(x.Shape, y.Shape):
			return false
		}
	}
	return true
}

func sameShape(x, y *Tensor) bool {
	return x != nil && x.DType == y.DType && x.Shape.Equal(y.Shape)
}

// alongLast reports whether an operand is one element, or one for each position of the last axis of the result.
func alongLast(x, y Shape) bool {
	n, ok := x.Elements()
	return ok && (n == 1 || len(x) > 0 && len(x) <= len(y) && n == x[len(x)-1] && n == y[len(y)-1])
}

// finishesRows reports whether what is fused to a convolution is done as results are stored, or element by element afterwards.
func (o *Op) finishesRows(inputs []*Tensor, result *Tensor) bool {
	if at, ok := o.Residual(); ok {
		return sameShape(inputs[at], result) && activations(slices.Delete(slices.Clone(o.Fused), 1, 2))
	}
	return activations(o.Fused)
}

// activations reports whether all ops that are fused to the first are functions of one element.
func activations(fused []string) bool {
	return !slices.ContainsFunc(fused[min(1, len(fused)):], func(name string) bool {
		which, ok := elementwise[name]
		return !ok || which != 0 || name == "Pow" || slices.Contains(notAlone, name)
	})
}
