package graph

import (
	"encoding/binary"
	"slices"
)

// Part says that a tensor is some of the bytes of another one, by the meaning of an op that would copy them otherwise: one run of
// them, or rows of which each starts Stride bytes after the one before.
type Part struct {
	// Piece is the shorter tensor, Whole the one that it is some of.
	Piece, Whole TensorID
	// Offset counts bytes from the start of Whole.
	Offset int64
	// Row is the bytes of a row, Stride those from the start of a row to that of the next; both are 0 for one run.
	Row, Stride int64
}

// Strided reports whether there are other bytes of the whole between those of the piece.
func (p Part) Strided() bool { return p.Stride != 0 }

// Parts lists what the op would have nothing to copy for if its operands lay so: the inputs of a concatenation or of a
// padding within its result, the results of a split or a slice within its input. A piece is one run of bytes where the axes
// outside of the one that is cut have extent 1, else rows: one axis is cut, and maybe the outermost of those that count. Other
// boxes, and paddings that are no run, have no part. It costs O(operands · rank) and reads the bounds of slices and
// pads, which must be constants.
func (g *Graph) Parts(op *Op) []Part {
	if op.Domain != "" && op.Domain != "ai.onnx" && op.Domain != "tflite.quantized" || len(op.Fused) > 1 || len(op.Inputs) == 0 || len(op.Outputs) == 0 {
		return nil
	}
	switch op.Op {
	case "Concat":
		return g.along(op, op.Inputs, op.Outputs[0], 0)
	case "Split":
		return g.along(op, op.Outputs, op.Inputs[0], 0)
	case "Slice":
		return g.sliced(op)
	case "Pad":
		return g.padded(op)
	}
	return nil
}

// along places pieces one after the other on an axis of the whole.
func (g *Graph) along(op *Op, pieces []TensorID, whole TensorID, otherwise int64) []Part {
	w := g.Tensor(whole)
	if w == nil || !w.Shape.Known() {
		return nil
	}
	axis := op.Attrs.Int("axis", otherwise)
	if axis < 0 {
		axis += int64(len(w.Shape))
	}
	if axis < 0 || axis >= int64(len(w.Shape)) {
		return nil
	}
	total, known := w.Shape.Bytes(w.DType)
	outer, counted := w.Shape[:axis].Elements()
	if !known || !counted || outer == 0 {
		return nil
	}
	var out []Part
	at := int64(0)
	for _, id := range pieces {
		p := g.Tensor(id)
		if p == nil || p.DType != w.DType || len(p.Shape) != len(w.Shape) {
			return nil
		}
		size, ok := p.Shape.Bytes(p.DType)
		if !ok {
			return nil
		}
		if !p.Shape[:axis].Equal(w.Shape[:axis]) {
			return nil
		}
		if size > 0 {
			out = append(out, rowsOf(Part{Piece: id, Whole: whole, Offset: at}, size/outer, total/outer, outer))
		}
		at += size / outer
	}
	if at != total/outer {
		return nil
	}
	return out
}

// rowsOf completes a part of so many rows, which are one run where there is one of them or nothing is between them.
func rowsOf(part Part, row, stride, rows int64) Part {
	if rows > 1 && row < stride {
		part.Row, part.Stride = row, stride
	}
	return part
}

// sliced is the result of a slice by steps of 1 within its input.
func (g *Graph) sliced(op *Op) []Part {
	in, out := g.Tensor(op.Inputs[0]), g.Tensor(op.Outputs[0])
	starts, ok := g.integers(op, 1)
	if !ok || in == nil || out == nil || in.DType != out.DType || len(in.Shape) != len(out.Shape) {
		return nil
	}
	axes, given := g.axes(op, 3, len(starts))
	steps, known := g.integers(op, 4)
	if !given || !known && len(op.Inputs) > 4 && op.Inputs[4] != NoTensor || len(axes) != len(starts) || known && len(steps) != len(starts) {
		return nil
	}
	first := make([]int64, len(in.Shape))
	for i, axis := range axes {
		if axis < 0 {
			axis += int64(len(in.Shape))
		}
		if axis < 0 || axis >= int64(len(in.Shape)) || known && steps[i] != 1 {
			return nil
		}
		at := starts[i]
		if at < 0 {
			at += in.Shape[axis]
		}
		first[axis] = max(0, min(at, in.Shape[axis]))
	}
	return within(in, out, first, Part{Piece: op.Outputs[0], Whole: op.Inputs[0]})
}

// padded is the input of a padding by a constant within its result.
func (g *Graph) padded(op *Op) []Part {
	in, out := g.Tensor(op.Inputs[0]), g.Tensor(op.Outputs[0])
	if in == nil || out == nil || in.DType != out.DType || len(in.Shape) != len(out.Shape) || op.Attrs.String("mode", "constant") != "constant" {
		return nil
	}
	before, after, ok := g.Pads(op)
	if !ok || slices.ContainsFunc(slices.Concat(before, after), func(n int64) bool { return n < 0 }) {
		return nil
	}
	parts := within(out, in, before, Part{Piece: op.Inputs[0], Whole: op.Outputs[0]})
	return slices.DeleteFunc(parts, Part.Strided)
}

// Pads reads how many elements a Pad adds before and after each axis of its input, less than none where it cuts some off; false
// when its operands are not constant.
func (g *Graph) Pads(op *Op) (before, after []int64, ok bool) {
	in := g.Tensor(op.Inputs[0])
	pads, ok := g.integers(op, 1)
	if in == nil || !ok {
		return nil, nil, false
	}
	axes, given := g.axes(op, 3, len(in.Shape))
	if !given || len(pads) != 2*len(axes) {
		return nil, nil, false
	}
	before, after = make([]int64, len(in.Shape)), make([]int64, len(in.Shape))
	for i, axis := range axes {
		if axis < 0 {
			axis += int64(len(in.Shape))
		}
		if axis < 0 || axis >= int64(len(in.Shape)) {
			return nil, nil, false
		}
		before[axis], after[axis] = pads[i], pads[i+len(axes)]
	}
	return before, after, true
}

// within completes the part of a box that starts at the given element of the whole; nil when it is neither a run nor rows. From
// the innermost axis on, a row takes all of each axis and some of the first that is cut; then come axes of which the box has one
// position, whatever the whole has; then the rows, which take all of each axis and some of the last. Further out the box
// has one position again.
func within(whole, piece *Tensor, first []int64, part Part) []Part {
	size, ok := piece.Shape.Bytes(piece.DType)
	all, known := whole.Shape.Bytes(whole.DType)
	if !ok || !known || size == 0 {
		return nil
	}
	inner := whole.DType.Size()
	row, stride, rows := inner, int64(0), int64(1)
	cut, bounded := false, false
	for axis := len(whole.Shape) - 1; axis >= 0; axis-- {
		extent, n := piece.Shape[axis], whole.Shape[axis]
		switch {
		case first[axis]+extent > n || bounded && extent != 1:
			return nil
		case !cut:
			row, cut = row*extent, extent != n
		case rows > 1:
			rows, bounded = rows*extent, bounded || extent != n
		case extent > 1:
			stride, rows, bounded = inner, extent, extent != n
		}
		part.Offset += first[axis] * inner
		inner *= n
	}
	if part = rowsOf(part, row, stride, rows); part.Offset+part.span(size) > all {
		return nil
	}
	return []Part{part}
}

// span is the bytes from the first of a piece of so many to its last.
func (p Part) span(size int64) int64 {
	if !p.Strided() {
		return size
	}
	return (size/p.Row-1)*p.Stride + p.Row
}

// axes are those of an operand, or the first ones when it is absent.
func (g *Graph) axes(op *Op, operand, count int) ([]int64, bool) {
	if len(op.Inputs) > operand && op.Inputs[operand] != NoTensor {
		return g.integers(op, operand)
	}
	list := make([]int64, count)
	for i := range list {
		list[i] = int64(i)
	}
	return list, true
}

// mostIntegers bounds what is read of an operand that lists bounds: no tensor has as many axes.
const mostIntegers = 64

// integers reads a short constant operand.
func (g *Graph) integers(op *Op, operand int) ([]int64, bool) {
	if len(op.Inputs) <= operand {
		return nil, false
	}
	t := g.Tensor(op.Inputs[operand])
	if t == nil || t.Role != Constant || t.Data == nil || t.Data.Size() > mostIntegers*8 {
		return nil, false
	}
	data, err := t.Data.Read()
	if err != nil {
		return nil, false
	}
	var list []int64
	switch t.DType {
	case Int64:
		for ; len(data) >= 8; data = data[8:] {
			list = append(list, int64(binary.LittleEndian.Uint64(data)))
		}
	case Int32:
		for ; len(data) >= 4; data = data[4:] {
			list = append(list, int64(int32(binary.LittleEndian.Uint32(data))))
		}
	default:
		return nil, false
	}
	return list, true
}
