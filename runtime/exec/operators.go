package exec

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// operators are those that a device has no kernel for. Each is reported for its first step alone: a model that has one
// has it many times.
type operators map[[2]string]*missing

// missing is an operator without a kernel: where it is reported, and how many steps more have it.
type missing struct{ at, more int }

// add appends what a device said of a step, unless it is that it has no kernel for an operator reported before.
func (o operators) add(diags diag.Diagnostics, op *graph.Op, said diag.Diagnostics) diag.Diagnostics {
	if len(said) != 1 || said[0].ID != diag.NoKernel {
		return append(diags, said...)
	}
	key := [2]string{op.Domain, op.Op}
	if known := o[key]; known != nil {
		known.more++
		return diags
	}
	o[key] = &missing{at: len(diags)}
	return append(diags, said...)
}

// count completes the diagnostics that add appended.
func (o operators) count(diags diag.Diagnostics) {
	for _, operator := range o {
		switch operator.more {
		case 0:
		case 1:
			diags[operator.at].Detail += " One step more has this operator."
		default:
			diags[operator.at].Detail += fmt.Sprintf(" %d steps more have this operator.", operator.more)
		}
	}
}
