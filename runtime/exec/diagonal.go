package exec

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// diagonals finds the results that are written over an operand from below, by name.
func diagonals(g *plan.Graph) map[string]*plan.Diagonal {
	out := map[string]*plan.Diagonal{}
	for i := range g.Tensors {
		if d := g.Tensors[i].Diagonal; d != nil {
			out[g.Tensors[i].Name] = d
		}
	}
	return out
}

// overlap tells a step which operand its result is written over, if any, and refuses what the device's kernels would destroy.
func (r *Runner) overlap(s *device.Step, over map[string]*plan.Diagonal) *diag.Diagnostic {
	if len(s.Outputs) == 0 || s.Outputs[0] == nil || over[s.Outputs[0].Name] == nil {
		return nil
	}
	y, d := s.Outputs[0], over[s.Outputs[0].Name]
	at := slices.IndexFunc(s.Inputs, func(t *device.Tensor) bool { return t != nil && t.Name == d.Operand })
	if at < 0 || s.Inputs[at].Place.Image >= 0 || y.Place.Image >= 0 || s.Inputs[at].Place.Pool != y.Place.Pool || s.Inputs[at].Place.Offset-y.Place.Offset < d.Distance {
		out := diag.New(diag.PlanGraphMismatch, "Step %d, op %q, writes %q over %q, which is to start %d bytes above it in the same pool, and does not. Make the plan again.",
			s.Index, s.Op.Name, y.Name, d.Operand, d.Distance)
		return &out
	}
	s.Diagonal = &device.Diagonal{Input: at, Distance: d.Distance}
	if orderly, ok := r.dev.(device.Orderly); !ok || !orderly.KeepsOrder(s) {
		out := diag.New(diag.OrderNotKept,
			"Step %d, op %q (%s), writes %q over its operand %q row by row, and the kernels of this device are not known to visit the rows in order. Plan for this device without the view \"diagonal\".",
			s.Index, s.Op.Name, s.Op.Op, y.Name, d.Operand)
		return &out
	}
	return nil
}
