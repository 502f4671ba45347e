package onnx

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// constantOf turns a tensor of the file into a constant. what names it in messages, as in `initializer "w"`. Faults are
// reported, and the result is then nil. Costs O(1) for data that the file holds as it is, else O(elements).
func (im *importer) constantOf(t *tensorProto, what string) *graph.AttrTensor {
	dtype, ok := im.dtypeOf(t.elem, what)
	if !ok {
		return nil
	}
	if t.segmented {
		im.report(diag.ONNXTensorData, "%s is a segment of a larger tensor. Only whole tensors can be read; export the model without segments.", what)
		return nil
	}
	shape, size, ok := im.constantShape(t.dims, dtype, what)
	if !ok {
		return nil
	}
	data := im.dataOf(t, dtype, size, what)
	if data == nil {
		return nil
	}
	return &graph.AttrTensor{DType: dtype, Shape: shape, Data: data}
}

// dtypeOf returns the graph's element type, or reports one that graphs cannot hold.
func (im *importer) dtypeOf(elem elemType, what string) (graph.DType, bool) {
	dtype := elem.dtype()
	if dtype == graph.InvalidDType {
		im.report(diag.ONNXElementType, "%s has elements of type %s. Elements need a numeric type of whole bytes; convert the model to one, such as float16 or int8.", what, elem)
	}
	return dtype, dtype != graph.InvalidDType
}

// constantShape returns the shape of dims and the bytes of a dense tensor of it.
func (im *importer) constantShape(dims []int64, dtype graph.DType, what string) (graph.Shape, int64, bool) {
	shape := append(graph.Shape{}, dims...)
	for axis, n := range shape {
		if n < 0 {
			im.report(diag.ONNXShape, "%s has size %d on axis %d of its shape. A size is at least 0; export the model again.", what, n, axis)
			return nil, 0, false
		}
	}
	size, ok := shape.Bytes(dtype)
	if !ok {
		im.report(diag.ONNXShape, "the size of %s overflows: its shape is %s of %s, and no tensor can exceed 2^63-1 bytes. Check its shape in the model.", what, shape, dtype)
	}
	return shape, size, ok
}

// dataOf finds the content of a tensor of size bytes: in another file, in raw_data, or in a typed field.
func (im *importer) dataOf(t *tensorProto, dtype graph.DType, size int64, what string) graph.Data {
	if t.external {
		return im.externalData(t, size, what)
	}
	got, err := t.typedSize(dtype)
	raw := err == nil && (got == 0 || len(t.raw) > 0)
	if raw {
		got = int64(len(t.raw))
	}
	switch {
	case err != nil:
		im.reportDataDamage(what, err)
		return nil
	case got != size:
		im.reportDataSize(what, size, got)
		return nil
	case raw:
		return graph.Bytes(t.raw)
	}
	data, err := t.typedData(dtype, size)
	if err != nil {
		im.reportDataDamage(what, err)
		return nil
	}
	return data
}

func (im *importer) reportDataDamage(what string, err error) {
	im.report(diag.ONNXTensorData, "the values of %s cannot be read: %s. The model is damaged; export or download it again.", what, err)
}

func (im *importer) reportDataSize(what string, want, got int64) {
	im.report(diag.ONNXTensorData, "%s needs %d bytes for its shape, and the file holds %d. The model is damaged or incomplete; export or download it again.", what, want, got)
}
