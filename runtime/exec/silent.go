package exec

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// silent reports whether a step has nothing to do, because the plan put its operands where it would copy them to: it only
// renames, or every piece that it would join or cut lies in its whole. A padding is left with its borders to fill.
func (r *Runner) silent(s *device.Step) bool {
	return silentView(s) || r.silentParts(s)
}

func (r *Runner) silentParts(s *device.Step) bool {
	parts := r.graph.Parts(s.Op)
	if len(parts) == 0 {
		return false
	}
	joined := int64(0)
	for _, part := range parts {
		piece, whole := r.placed(part.Piece), r.placed(part.Whole)
		if piece == nil || whole == nil || !liesIn(piece, whole, part) {
			return false
		}
		joined += piece.LogicalBytes
	}
	return s.Op.Op != "Pad" || joined == s.Outputs[0].LogicalBytes
}

func (r *Runner) placed(id graph.TensorID) *device.Tensor {
	t := r.graph.Tensor(id)
	if t == nil {
		return nil
	}
	return r.tensors[t.Name]
}

// liesIn reports whether a tensor in flat memory is the bytes of another one that a part says.
func liesIn(piece, whole *device.Tensor, part graph.Part) bool {
	if piece.Place.Image >= 0 || whole.Place.Image >= 0 || piece.Place.Pool != whole.Place.Pool {
		return false
	}
	at, row, stride, ok := placeOf(piece, whole, part)
	return ok && piece.Place.Offset == whole.Place.Offset+at && piece.Row == row && piece.Stride == stride
}

// placeOf is where the bytes of a part stand in the memory of its whole, which may have other bytes between its rows: the place of
// the first, and the rows that they are; false when rows of the part would be broken.
func placeOf(piece, whole *device.Tensor, part graph.Part) (at, row, stride int64, ok bool) {
	if !whole.Strided() {
		return part.Offset, part.Row, part.Stride, true
	}
	over := part.Offset % whole.Row
	at = part.Offset/whole.Row*whole.Stride + over
	switch {
	case !part.Strided() && over+piece.LogicalBytes <= whole.Row:
		return at, 0, 0, true
	case !part.Strided():
		return at, whole.Row, whole.Stride, over == 0 && piece.LogicalBytes%whole.Row == 0
	}
	return at, part.Row, part.Stride / whole.Row * whole.Stride, part.Stride%whole.Row == 0 && over+part.Row <= whole.Row
}
