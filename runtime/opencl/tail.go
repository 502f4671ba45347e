package opencl

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// ownOperands is how many inputs an op has of its own; those of the ops fused to it follow.
var ownOperands = map[string]int{"Conv": 3, "ConvTranspose": 3, "Gemm": 3, "MatMul": 2}

// tail returns the launches of the fused ops that the kernel does not do itself, in place on the first output, by the
// builders of these ops.
func (b *site) tail() ([]launch, error) {
	extra := ownOperands[b.op.Op]
	var all []launch
	for i := 1; i < len(b.op.Fused); i++ {
		name := b.op.Fused[i]
		own := fusedOperands(name)
		if i > b.fused {
			stage, err := b.stage(name, extra, own)
			if err != nil {
				return nil, err
			}
			all = append(all, stage...)
		}
		extra += own
	}
	return all, nil
}

// fusedOperands is how many operands of its own a fused op takes.
func fusedOperands(name string) int {
	switch name {
	case "Add", "Sub", "Mul", "Div", "PRelu":
		return 1
	}
	return 0
}

// stage builds a fused op on the first output, with its own further operands from first on.
func (b *site) stage(name string, first, own int) ([]launch, error) {
	if b.y == nil {
		return nil, form.Refuse("the fused operator %q needs a result of float elements", name)
	}
	op := &graph.Op{Name: b.op.Name, Op: name, Domain: b.op.Domain, Attrs: form.OwnAttrs(b.op.Attrs, name+".")}
	build, ok := lookup(op)
	if !ok {
		return nil, &form.Refusal{ID: diag.NoKernel, Reason: fmt.Sprintf("the OpenCL device has no kernel for the fused operator %q", name)}
	}
	seen := *b.out[0].t
	seen.DType, seen.Role = graph.Float32, graph.Activation
	y := &operand{t: &seen, dense: b.y, float: b.y}
	sub := &site{d: b.d, step: b.step, op: op, in: []*operand{y}, out: []*operand{y}}
	for i := range own {
		o, err := b.need(first + i)
		if err != nil {
			return nil, err
		}
		sub.in = append(sub.in, o)
	}
	launches, err := build(sub)
	if err != nil {
		return nil, err
	}
	return append(append(sub.before, launches...), sub.after...), nil
}
