package check

import (
	"encoding/binary"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// run is a tensor that is, by the meaning of an op, n rows of bytes of another, each stride bytes after the one before.
type run struct {
	piece, whole graph.TensorID
	// offset counts bytes from the start of the whole.
	offset         int64
	row, stride, n int64
}

// runs lists the runs of an op that concatenates, splits, slices or pads, when they are rows at one stride; what is padded is one row.
func (pg *planned) runs(op *graph.Op) []run {
	if !slices.Contains([]string{"", "ai.onnx", "tflite.quantized"}, op.Domain) || len(op.Fused) > 1 || len(op.Inputs) == 0 || len(op.Outputs) == 0 {
		return nil
	}
	switch op.Op {
	case "Concat":
		return pg.rowOf(op, op.Inputs, op.Outputs[0])
	case "Split":
		return pg.rowOf(op, op.Outputs, op.Inputs[0])
	case "Slice":
		return pg.cutOut(op)
	case "Pad":
		return pg.setIn(op)
	}
	return nil
}

// rowOf places the pieces side by side along the axis of the op. The coordinates of all axes before it must be zero.
func (pg *planned) rowOf(op *graph.Op, pieces []graph.TensorID, whole graph.TensorID) []run {
	w := pg.g.Tensor(whole)
	if w == nil {
		return nil
	}
	axis := int(op.Attrs.Int("axis", 0))
	if axis < 0 {
		axis += len(w.Shape)
	}
	var out []run
	start := int64(0)
	for _, id := range pieces {
		p := pg.g.Tensor(id)
		if p == nil || len(p.Shape) != len(w.Shape) || axis < 0 || axis >= len(w.Shape) || p.DType != w.DType {
			return nil
		}
		at := make([]int64, len(w.Shape))
		at[axis] = start
		start += p.Shape[axis]
		if n := elements(p.Shape); n == 0 {
			continue
		}
		r, ok := pg.box(id, whole, at)
		if !ok {
			return nil
		}
		out = append(out, r)
	}
	return out
}

// cutOut is the run of a slice by steps of 1.
func (pg *planned) cutOut(op *graph.Op) []run {
	in := pg.g.Tensor(op.Inputs[0])
	starts := pg.list(op, 1)
	if in == nil || starts == nil {
		return nil
	}
	axes, steps := pg.list(op, 3), pg.list(op, 4)
	at := make([]int64, len(in.Shape))
	for i, start := range starts {
		axis := int64(i)
		if present(op, 3) {
			if len(axes) != len(starts) {
				return nil
			}
			axis = axes[i]
		}
		if axis < 0 {
			axis += int64(len(in.Shape))
		}
		if axis < 0 || axis >= int64(len(in.Shape)) || present(op, 4) && (len(steps) != len(starts) || steps[i] != 1) {
			return nil
		}
		if start < 0 {
			start += in.Shape[axis]
		}
		at[axis] = min(max(start, 0), in.Shape[axis])
	}
	if r, ok := pg.box(op.Outputs[0], op.Inputs[0], at); ok {
		return []run{r}
	}
	return nil
}

// setIn is the run of the input of a padding by a constant.
func (pg *planned) setIn(op *graph.Op) []run {
	in := pg.g.Tensor(op.Inputs[0])
	pads, axes := pg.list(op, 1), pg.list(op, 3)
	if in == nil || op.Attrs.String("mode", "constant") != "constant" {
		return nil
	}
	if !present(op, 3) {
		for i := range in.Shape {
			axes = append(axes, int64(i))
		}
	}
	if len(axes) == 0 || len(pads) != 2*len(axes) || slices.ContainsFunc(pads, func(n int64) bool { return n < 0 }) {
		return nil
	}
	at := make([]int64, len(in.Shape))
	for i, axis := range axes {
		if axis < 0 {
			axis += int64(len(in.Shape))
		}
		if axis < 0 || axis >= int64(len(in.Shape)) {
			return nil
		}
		at[axis] = pads[i]
	}
	if r, ok := pg.box(op.Inputs[0], op.Outputs[0], at); ok && r.n == 1 {
		return []run{r}
	}
	return nil
}

// box is the run of a piece whose first element is the given one of the whole. The axes along which it extends, innermost first,
// go on from where a row ends as long as their elements are as far apart as the row is long, then from where the rows end.
func (pg *planned) box(piece, whole graph.TensorID, at []int64) (run, bool) {
	p, w := pg.g.Tensor(piece), pg.g.Tensor(whole)
	if p == nil || w == nil || p.DType != w.DType || len(p.Shape) != len(w.Shape) || elements(p.Shape) <= 0 || elements(w.Shape) < 0 {
		return run{}, false
	}
	r := run{piece: piece, whole: whole, row: 1, n: 1}
	apart := int64(1)
	for i := len(w.Shape) - 1; i >= 0; i-- {
		extent := p.Shape[i]
		if at[i] < 0 || at[i]+extent > w.Shape[i] {
			return run{}, false
		}
		r.offset += product(at[i], apart)
		switch {
		case extent == 1:
		case r.n == 1 && apart == r.row:
			r.row *= extent
		case r.n == 1:
			r.stride, r.n = apart, extent
		case apart == r.stride*r.n:
			r.n *= extent
		default:
			return run{}, false
		}
		apart = product(apart, w.Shape[i])
	}
	size := p.DType.Size()
	r.offset, r.row, r.stride = product(r.offset, size), product(r.row, size), product(r.stride, size)
	return r, true
}

func elements(shape graph.Shape) int64 {
	n, ok := shape.Elements()
	if !ok {
		return -1
	}
	return n
}

func present(op *graph.Op, operand int) bool {
	return operand < len(op.Inputs) && op.Inputs[operand] != graph.NoTensor
}

// longestList is far more than any tensor has axes.
const longestList = 1024

// list reads the integers of a constant operand, nil when it has none.
func (pg *planned) list(op *graph.Op, operand int) []int64 {
	if !present(op, operand) {
		return nil
	}
	t := pg.g.Tensor(op.Inputs[operand])
	if t == nil || t.Role != graph.Constant || t.Data == nil || t.Data.Size() > longestList {
		return nil
	}
	data, err := t.Data.Read()
	width := int(t.DType.Size())
	if err != nil || t.DType != graph.Int64 && t.DType != graph.Int32 || len(data)%width != 0 {
		return nil
	}
	out := make([]int64, len(data)/width)
	for i := range out {
		if width == 8 {
			out[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		} else {
			out[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
	}
	return out
}
