package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// scatterKernels copy data and then change the elements that indices name, in the order of the indices.
var scatterKernels = map[string]entry{
	"Scatter":         {kernel: scatterElements, needed: 3, most: 3, outputs: 1, halves: true},
	"ScatterElements": {kernel: scatterElements, needed: 3, most: 3, outputs: 1, halves: true},
	"ScatterND":       {kernel: scatterND, needed: 3, most: 3, outputs: 1, halves: true},
}

func scatterElements(op *graph.Op, outputs, inputs []*Array) error {
	data, index, updates := inputs[0], inputs[1], inputs[2]
	axis, err := elementAxis(op, data, index)
	if err != nil {
		return err
	}
	if !updates.Shape.Equal(index.Shape) {
		return fmt.Errorf("updates of shape %v for indices of shape %v", updates.Shape, index.Shape)
	}
	offsets, err := elementOffsets(data, index, axis)
	if err != nil {
		return err
	}
	return scatter(op, outputs[0], data, updates, offsets, 1)
}

func scatterND(op *graph.Op, outputs, inputs []*Array) error {
	data, index, updates := inputs[0], inputs[1], inputs[2]
	_, depth, err := tuples(data, index, 0)
	if err != nil {
		return err
	}
	want := append(index.Shape[:len(index.Shape)-1].Clone(), data.Shape[depth:]...)
	if !updates.Shape.Equal(want) {
		return fmt.Errorf("updates have shape %v, not %v", updates.Shape, want)
	}
	if len(updates.Data) == 0 {
		return scatter(op, outputs[0], data, updates, nil, 0)
	}
	offsets, err := tupleOffsets(data, index, 0, depth)
	if err != nil {
		return err
	}
	return scatter(op, outputs[0], data, updates, offsets, product(dims(data.Shape[depth:])))
}

// scatter copies data to out and combines slices of size elements of updates with those at offsets.
func scatter(op *graph.Op, out, data, updates *Array, offsets []int, size int) error {
	if err := wantShape(out, dims(data.Shape)); err != nil {
		return err
	}
	if err := sameDType(out, data, updates); err != nil {
		return err
	}
	copy(out.Data, data.Data)
	reduction := op.Attrs.String("reduction", "none")
	if reduction == "none" {
		bytes := size * int(out.DType.Size())
		for i, o := range offsets {
			copy(out.Data[o*bytes:(o+1)*bytes], updates.Data[i*bytes:(i+1)*bytes])
		}
		return nil
	}
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	return n.scatter(reduction, out, updates, offsets, size)
}

func (of[T, A]) scatter(reduction string, out, updates *Array, offsets []int, size int) error {
	var combine func(d, a, b []T)
	switch reduction {
	case "add":
		combine = addRun[T]
	case "mul":
		combine = mulRun[T]
	case "max":
		combine = maxRun[T]
	case "min":
		combine = minRun[T]
	default:
		return fmt.Errorf("unknown reduction %q", reduction)
	}
	d, u := View[T](out), View[T](updates)
	for i, o := range offsets {
		at := d[o*size : (o+1)*size]
		combine(at, at, u[i*size:(i+1)*size])
	}
	return nil
}
