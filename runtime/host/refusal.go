package host

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// refusal says that the device does not run a step. It becomes a diagnostic.
type refusal struct {
	id     diag.ID
	tensor string
	reason string
}

// Error returns the reason alone.
func (r *refusal) Error() string { return r.reason }

// refuse returns a refusal of the form of an op, for a reason that is a clause without a full stop.
func refuse(reason string, args ...any) error {
	return &refusal{id: diag.UnsupportedForm, reason: fmt.Sprintf(reason, args...)}
}

// refuseTensor is refuse with the operand at fault.
func refuseTensor(t *device.Tensor, reason string, args ...any) error {
	return &refusal{id: diag.UnsupportedForm, tensor: t.Name, reason: fmt.Sprintf(reason, args...)}
}

func (r *refusal) diagnostic(s *device.Step) diag.Diagnostic {
	tensor := r.tensor
	if tensor == "" {
		tensor = firstName(s)
	}
	next := "Run it on another device, or plan without running."
	return diag.New(r.id, "Step %d, op %q (%s), tensor %q: %s. %s", s.Index, s.Op.Name, opName(s.Op), tensor, r.reason, next)
}

// opName is the operator with the domain it comes from.
func opName(op *graph.Op) string {
	if op.Domain == "" {
		return op.Op
	}
	return op.Domain + "." + op.Op
}

// firstName is the name of the first result, or of the first operand of a step without results.
func firstName(s *device.Step) string {
	for _, list := range [][]*device.Tensor{s.Outputs, s.Inputs} {
		for _, t := range list {
			if t != nil {
				return t.Name
			}
		}
	}
	return ""
}
