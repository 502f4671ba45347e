package explain

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/plan"
)

// Apart names the operands of the concatenation that makes a tensor which lie elsewhere than in it, so that it copies them.
type Apart struct {
	Tensors []string `json:"tensors"`
	Because string   `json:"because"`
}

// apart is nil for what no concatenation makes in flat memory, and for one whose operands are all where they belong.
func (ix *index) apart(row *graphIndex, t *plan.Tensor) *Apart {
	at, ok := row.producers[t.Name]
	if !ok || at < 0 || at >= int64(len(row.g.Steps)) || row.g.Steps[at].Op != "Concat" || t.Offset == nil {
		return nil
	}
	out := &Apart{Tensors: []string{}}
	rows := false
	for _, name := range row.g.Steps[at].Inputs {
		x := row.tensors[name]
		if x == nil || baseOf(x) == baseOf(t) || slices.Contains(out.Tensors, name) {
			continue
		}
		out.Tensors = append(out.Tensors, name)
		rows = rows || joinedInRows(x.Shape, t.Shape)
	}
	if len(out.Tensors) == 0 {
		return nil
	}
	driver := ix.drivers[ix.devices[t.Pool]]
	switch {
	case !ix.inPlace:
		out.Because = "the settings do not have the view \"concat\""
	case rows && driver != "host":
		out.Because = fmt.Sprintf("in place they would be rows with other bytes between them, and kernels of the driver %q are not known to find rows", driver)
	case rows:
		out.Because = "in place they would be rows with other bytes between them, which an op that reads or writes them cannot have, or which would take more memory"
	default:
		out.Because = "they are needed elsewhere, or would take more memory in place"
	}
	return out
}

// joinedInRows reports whether an operand of a concatenation belongs into the result as more than one run of bytes: the axis along which
// they differ has others outside of it.
func joinedInRows(x, whole []int64) bool {
	outer := int64(1)
	for axis, n := range whole {
		if axis >= len(x) || x[axis] != n {
			break
		}
		outer *= n
	}
	return outer > 1
}

// setsInPlace reports whether the settings of a plan put pieces in place on some device.
func setsInPlace(p *plan.Plan) bool {
	switch list := p.Settings["planner.views"].Value.(type) {
	case []string:
		return slices.Contains(list, "concat")
	case []any:
		return slices.Contains(list, any("concat"))
	}
	return true
}
