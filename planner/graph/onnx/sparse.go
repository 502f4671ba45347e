package onnx

import (
	"encoding/binary"
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// maxDense is the largest dense form of a sparse tensor in bytes. A few bytes of a file can claim any shape, and the
// dense form is allocated when it is read.
const maxDense = 4 << 30

// sparseConstant turns a sparse tensor into a constant whose dense form is made when it is read. Positions are checked
// here: within the shape, ascending, and as many as there are values. It costs O(values · rank).
func (im *importer) sparseConstant(s *sparseProto, what string) *graph.AttrTensor {
	values := im.constantOf(&s.values, "the values of "+what)
	indices := im.constantOf(&s.indices, "the indices of "+what)
	if values == nil || indices == nil {
		return nil
	}
	shape, size, ok := im.constantShape(s.dims, values.DType, what)
	if !ok {
		return nil
	}
	if size > maxDense {
		im.report(diag.ONNXSparseTensor, "%s would fill %d bytes in dense form, above the limit of %d. Check its shape in the model.", what, size, int64(maxDense))
		return nil
	}
	at, err := sparsePositions(values, indices, shape)
	if err != nil {
		im.report(diag.ONNXSparseTensor, "%s: %s. Export the model again, or with a dense tensor.", what, err)
		return nil
	}
	return &graph.AttrTensor{DType: values.DType, Shape: shape, Data: densify(values.Data, at, values.DType.Size(), size)}
}

// densify returns data of size bytes, zero but for the items of itemSize bytes at the positions.
func densify(values graph.Data, positions []int64, itemSize, size int64) graph.Data {
	return &graph.Lazy{Bytes: size, Compute: func() ([]byte, error) {
		items, err := values.Read()
		if err != nil {
			return nil, err
		}
		dense := make([]byte, size)
		for i, at := range positions {
			copy(dense[at*itemSize:(at+1)*itemSize], items[int64(i)*itemSize:])
		}
		return dense, nil
	}}
}

// sparsePositions returns the place of each value in the row-major dense form. Indices are either [values] of places
// or [values, rank] of coordinates.
func sparsePositions(values, indices *graph.AttrTensor, shape graph.Shape) ([]int64, error) {
	count := values.Data.Size() / values.DType.Size()
	linear := len(indices.Shape) == 1 && indices.Shape[0] == count
	coordinates := len(indices.Shape) == 2 && indices.Shape[0] == count && indices.Shape[1] == int64(len(shape))
	if len(values.Shape) != 1 || indices.DType != graph.Int64 || !(linear || coordinates) {
		return nil, fmt.Errorf("its values are %s and its indices %s of %s, but values need rank 1 and indices, of int64, a row for each",
			values.Shape, indices.Shape, indices.DType)
	}
	content, err := indices.Data.Read()
	if err != nil {
		return nil, fmt.Errorf("its indices cannot be read: %w", err)
	}
	rows := shape
	if linear {
		total, _ := shape.Elements()
		rows = graph.Shape{total}
	}
	return placesOf(content, count, rows)
}

// placesOf reads count rows of coordinates within shape and returns their row-major places, which must ascend.
func placesOf(content []byte, count int64, shape graph.Shape) ([]int64, error) {
	places := make([]int64, count)
	last := int64(-1)
	for i := range places {
		place := int64(0)
		for axis, n := range shape {
			at := int64(binary.LittleEndian.Uint64(content[8*(i*len(shape)+axis):]))
			if at < 0 || at >= n {
				return nil, fmt.Errorf("the index %d of value %d on axis %d is outside the shape %s", at, i, axis, shape)
			}
			place = place*n + at
		}
		if place <= last {
			return nil, fmt.Errorf("value %d does not come after the one before it", i)
		}
		places[i], last = place, place
	}
	return places, nil
}
