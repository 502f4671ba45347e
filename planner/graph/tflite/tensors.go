package tflite

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// checkNumbers checks every tensor number of the model, so that later steps can index with them. An operand that is
// absent has the number -1.
func (im *importer) checkNumbers() bool {
	n := int32(len(im.m.tensors))
	ok := true
	check := func(where string, ids []int32, lowest int32) {
		for _, id := range ids {
			if id < lowest || id >= n {
				ok = false
				im.report(diag.TFLiteOperands, "%s of %s refer to tensor number %d, but the model has %d tensors. "+
					"Convert the model again.", where, im.file.Name(), id, n)
				return
			}
		}
	}
	check("The graph inputs", im.m.inputs, 0)
	check("The graph outputs", im.m.outputs, 0)
	for _, c := range im.m.calls {
		check("The inputs of a "+c.kind.String()+" operator", c.inputs, -1)
		check("The outputs of a "+c.kind.String()+" operator", c.outputs, 0)
	}
	return ok
}

// addTensors adds every tensor of the file to the graph under its own number, with its role.
func (im *importer) addTensors() {
	used := im.usedTensors()
	im.g.Tensors = make([]graph.Tensor, len(im.m.tensors))
	for i := range im.m.tensors {
		info := &im.m.tensors[i]
		_, dtype := elementType(info.code)
		im.g.Tensors[i] = graph.Tensor{Name: info.name, Role: graph.Activation, DType: dtype, Shape: shapeOf(info)}
		if used[i] {
			im.checkTensor(info)
		}
	}
	im.g.Inputs = im.interfaceTensors(im.m.inputs, graph.Input)
	for i := range im.m.tensors {
		if used[i] {
			im.addSource(int32(i))
		}
	}
	im.g.Outputs = im.interfaceTensors(im.m.outputs, graph.Output)
}

func (im *importer) usedTensors() []bool {
	used := make([]bool, len(im.m.tensors))
	mark := func(ids []int32) {
		for _, id := range ids {
			if id >= 0 {
				used[id] = true
			}
		}
	}
	mark(im.m.inputs)
	mark(im.m.outputs)
	for _, c := range im.m.calls {
		mark(c.inputs)
		mark(c.outputs)
	}
	return used
}

// shapeOf returns the shape; without one the tensor is a scalar.
func shapeOf(info *tensorInfo) graph.Shape {
	shape := make(graph.Shape, len(info.shape))
	for i, n := range info.shape {
		shape[i] = int64(n)
	}
	return shape
}

func (im *importer) checkTensor(info *tensorInfo) {
	if name, dtype := elementType(info.code); dtype == graph.InvalidDType {
		im.report(diag.TFLiteTensorType, "Tensor %q has the element type %s, which cannot be planned. "+
			"Convert the model with another type for it.", info.name, name)
	}
	for axis, n := range info.shape {
		if n < 0 {
			im.report(diag.TFLiteNegativeAxis, "Tensor %q has %d elements on axis %d of its shape %s. "+
				"Convert the model again with a fixed input shape.", info.name, n, axis, shapeOf(info))
			return
		}
	}
}

// interfaceTensors marks the graph's inputs or outputs and returns each once, in the model's order. What is an input,
// a constant or state already keeps that role.
func (im *importer) interfaceTensors(numbers []int32, role graph.Role) []graph.TensorID {
	seen := make(map[int32]bool, len(numbers))
	ids := make([]graph.TensorID, 0, len(numbers))
	for _, n := range numbers {
		if seen[n] {
			continue
		}
		seen[n] = true
		ids = append(ids, graph.TensorID(n))
		if t := &im.g.Tensors[n]; t.Role == graph.Activation {
			t.Role = role
		}
	}
	return ids
}

// addSource gives a tensor that no call writes its content: the role of state, or that of a constant with its data.
func (im *importer) addSource(n int32) {
	info, t := &im.m.tensors[n], &im.g.Tensors[n]
	switch {
	case t.Role == graph.Input:
	case info.variable:
		t.Role = graph.State
	case im.producer[n] == nil:
		im.addConstant(info, t)
	}
}

// addConstant attaches the bytes of the tensor's buffer. A tensor without any stays an activation, which the check of
// the order finds to be written by nobody.
func (im *importer) addConstant(info *tensorInfo, t *graph.Tensor) {
	content := im.bufferBytes(info.buffer)
	elements, ok := t.Shape.Elements()
	empty := ok && elements == 0
	if len(content) == 0 && !empty && !info.sparsity.present() || !t.Shape.Known() || t.DType == graph.InvalidDType {
		return
	}
	t.Role = graph.Constant
	if info.sparsity.present() {
		im.addSparse(info, t, content)
		return
	}
	want, ok := t.Shape.Bytes(t.DType)
	if !ok || want != int64(len(content)) {
		im.report(diag.TFLiteConstantSize, "Constant %q of shape %s and type %s holds %d bytes instead of %d. "+
			"Export or download the file again.", t.Name, t.Shape, t.DType, len(content), want)
		return
	}
	t.Data = graph.Bytes(content)
}

// bufferBytes returns the content of a buffer: inside of the flatbuffer, or behind it in models above 2 GB.
func (im *importer) bufferBytes(number uint32) []byte {
	if number == 0 {
		return nil
	}
	if int64(number) >= int64(len(im.m.buffers)) {
		im.r.fail("a tensor refers to buffer %d of %d", number, len(im.m.buffers))
		return nil
	}
	b := im.m.buffers[number]
	// The schema calls an offset valid when it is above 1.
	if offset := b.u64(bufferOffset); offset > 1 {
		size, all := b.u64(bufferSize), im.file.Bytes()
		if length := uint64(len(all)); offset > length || size > length-offset {
			im.r.fail("buffer %d has %d bytes at offset %d, but the file has only %d", number, size, offset, length)
			return nil
		}
		return all[offset : offset+size : offset+size]
	}
	return b.vector(bufferData, 1)
}
