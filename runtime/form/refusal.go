package form

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Refusal says that the device does not run a step. It becomes a diagnostic.
type Refusal struct {
	ID diag.ID
	// Tensor is the operand at fault, "" for the first result.
	Tensor string
	// Reason is a clause without a full stop.
	Reason string
}

// Error returns the reason alone.
func (r *Refusal) Error() string { return r.Reason }

// Refuse returns a refusal of the form of an op, for a reason that is a clause without a full stop.
func Refuse(reason string, args ...any) error {
	return &Refusal{ID: diag.UnsupportedForm, Reason: fmt.Sprintf(reason, args...)}
}

// RefuseTensor is Refuse with the operand at fault.
func RefuseTensor(t *device.Tensor, reason string, args ...any) error {
	return &Refusal{ID: diag.UnsupportedForm, Tensor: t.Name, Reason: fmt.Sprintf(reason, args...)}
}

// Diagnostic names the step, the op and the tensor.
func (r *Refusal) Diagnostic(s *device.Step) diag.Diagnostic {
	tensor := r.Tensor
	if tensor == "" {
		tensor = FirstName(s)
	}
	next := "Run it on another device, or plan without running."
	return diag.New(r.ID, "Step %d, op %q (%s), tensor %q: %s. %s", s.Index, s.Op.Name, OpName(s.Op), tensor, r.Reason, next)
}

// OpName is the operator with the domain it comes from.
func OpName(op *graph.Op) string {
	if op.Domain == "" {
		return op.Op
	}
	return op.Domain + "." + op.Op
}

// FirstName is the name of the first result, or of the first operand of a step without results.
func FirstName(s *device.Step) string {
	for _, list := range [][]*device.Tensor{s.Outputs, s.Inputs} {
		for _, t := range list {
			if t != nil {
				return t.Name
			}
		}
	}
	return ""
}
