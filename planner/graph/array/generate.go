package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// generateKernels make arrays from little or nothing.
var generateKernels = map[string]entry{
	"ConstantOfShape": {kernel: constantOfShape, needed: 1, most: 1, outputs: 1},
	"Range":           {kernel: arange, needed: 3, most: 3, outputs: 1},
	"EyeLike":         {kernel: eyeLike, needed: 1, most: 1, outputs: 1},
	"Shape":           {kernel: shapeOf, needed: 1, most: 1, outputs: 1},
	"Size":            {kernel: sizeOf, needed: 1, most: 1, outputs: 1},
}

func constantOfShape(op *graph.Op, outputs, inputs []*Array) error {
	out := outputs[0]
	shape, err := inputs[0].Ints()
	if err != nil {
		return err
	}
	if want := append(graph.Shape{}, shape...); !out.Shape.Equal(want) {
		return fmt.Errorf("the result has shape %v where %v was planned", want, out.Shape)
	}
	value, ok := op.Attrs["value"].(*graph.AttrTensor)
	if !ok {
		if out.DType != graph.Float32 {
			return fmt.Errorf("the result has element type float32 where %v was planned", out.DType)
		}
		clear(out.Data)
		return nil
	}
	if value.DType != out.DType || value.Data == nil {
		return fmt.Errorf("the result has element type %v where %v was planned", value.DType, out.DType)
	}
	element, err := value.Data.Read()
	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	if int64(len(element)) != out.DType.Size() {
		return fmt.Errorf("value has shape %v, not one element", value.Shape)
	}
	fillPattern(out.Data, element)
	return nil
}

// arange counts from input 0 up to input 1, without it, in steps of input 2.
func arange(_ *graph.Op, outputs, inputs []*Array) error {
	out := outputs[0]
	if err := sameDType(out, inputs...); err != nil {
		return err
	}
	if out.DType.IsFloat() {
		return arangeFloats(out, inputs)
	}
	var v [3]int64
	for i := range v {
		var err error
		if v[i], err = intOf(inputs, i, 0); err != nil {
			return err
		}
	}
	n, err := rangeCount(v[0], v[1], v[2])
	if err != nil {
		return err
	}
	if len(out.Shape) != 1 || uint64(out.Shape[0]) != n {
		return fmt.Errorf("the result has %d elements where %v was planned", n, out.Shape)
	}
	values := make([]int64, n)
	for i := range values {
		values[i] = v[0] + int64(i)*v[2]
	}
	if !storeIntegers(out, 0, values) {
		return fmt.Errorf("there is no range of %v", out.DType)
	}
	return nil
}

// rangeCount is max(0, ceil((limit-start)/delta)), exactly.
func rangeCount(start, limit, delta int64) (uint64, error) {
	switch {
	case delta == 0:
		return 0, fmt.Errorf("delta is 0")
	case delta > 0 && limit > start:
		return (uint64(limit)-uint64(start)-1)/uint64(delta) + 1, nil
	case delta < 0 && limit < start:
		return (uint64(start)-uint64(limit)-1)/-uint64(delta) + 1, nil
	}
	return 0, nil
}

func arangeFloats(out *Array, inputs []*Array) error {
	var v [3]float64
	for i := range v {
		values, err := inputs[i].Floats()
		if err != nil {
			return err
		}
		if len(values) != 1 {
			return fmt.Errorf("input %d holds %d values, not 1", i, len(values))
		}
		v[i] = values[0]
	}
	n := max(0, math.Ceil((v[1]-v[0])/v[2]))
	if len(out.Shape) != 1 || float64(out.Shape[0]) != n {
		return fmt.Errorf("the result has %v elements where %v was planned", n, out.Shape)
	}
	values := make([]float64, out.Shape[0])
	for i := range values {
		values[i] = v[0] + float64(i)*v[2]
	}
	if !storeFloats(out, 0, values) {
		return fmt.Errorf("there is no range of %v", out.DType)
	}
	return nil
}

// eyeLike has ones on the k-th diagonal of a matrix of the input's shape.
func eyeLike(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if len(in.Shape) != 2 {
		return fmt.Errorf("shape %v is no matrix", in.Shape)
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	one := &Array{DType: out.DType, Shape: graph.Shape{}, Data: make([]byte, out.DType.Size())}
	if err := convert(one, &Array{DType: graph.Bool, Shape: graph.Shape{}, Data: []byte{1}}); err != nil {
		return err
	}
	clear(out.Data)
	if len(out.Data) == 0 {
		return nil
	}
	rows, cols, size := int(in.Shape[0]), int(in.Shape[1]), len(one.Data)
	k := int(min(max(op.Attrs.Int("k", 0), int64(-rows)), int64(cols)))
	for row := max(0, -k); row < rows && row+k < cols; row++ {
		copy(out.Data[(row*cols+row+k)*size:], one.Data)
	}
	return nil
}

// shapeOf lists the extents of the axes from start to end.
func shapeOf(op *graph.Op, outputs, inputs []*Array) error {
	rank := int64(len(inputs[0].Shape))
	start, end := op.Attrs.Int("start", 0), op.Attrs.Int("end", rank)
	if start < 0 {
		start += rank
	}
	if end < 0 {
		end += rank
	}
	start, end = min(max(start, 0), rank), min(max(end, 0), rank)
	extents := inputs[0].Shape[start:max(start, end)]
	if err := wantShape(outputs[0], []int{len(extents)}); err != nil {
		return err
	}
	if !storeIntegers(outputs[0], 0, []int64(extents)) {
		return fmt.Errorf("there is no shape of %v", outputs[0].DType)
	}
	return nil
}

func sizeOf(_ *graph.Op, outputs, inputs []*Array) error {
	if err := wantShape(outputs[0], nil); err != nil {
		return err
	}
	n, _ := inputs[0].Shape.Elements()
	if !storeIntegers(outputs[0], 0, []int64{n}) {
		return fmt.Errorf("there is no size of %v", outputs[0].DType)
	}
	return nil
}
