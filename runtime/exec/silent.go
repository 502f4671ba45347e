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
		if piece == nil || whole == nil || !liesAt(piece, whole, part.Offset) {
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

// liesAt reports whether a tensor in flat memory starts at a byte of another.
func liesAt(piece, whole *device.Tensor, offset int64) bool {
	return piece.Place.Image < 0 && whole.Place.Image < 0 && piece.Place.Pool == whole.Place.Pool && piece.Place.Offset == whole.Place.Offset+offset
}
