package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// viewTail is what follows a kernel on texels: all fused ops of the step.
type viewTail struct {
	after
	// added is the second operand of an addition.
	added *operand
}

// viewTail reads the fused ops of a step with the result y; false when one of them has no stage.
func (b *site) viewTail(y *operand, channels int) (*viewTail, bool) {
	t := &viewTail{}
	next := ownOperands[b.op.Op]
	for i := 1; i < len(b.op.Fused); i++ {
		op := &graph.Op{Op: b.op.Fused[i], Domain: b.op.Domain, Attrs: form.OwnAttrs(b.op.Attrs, b.op.Fused[i]+".")}
		stage := t.stage(b, op, next, y, channels)
		if stage == 0 || i > maxStages {
			return nil, false
		}
		t.stages |= stage << (4 * (i - 1))
		next += fusedOperands(op.Op)
	}
	return t, true
}

func (t *viewTail) stage(b *site, op *graph.Op, next int, y *operand, channels int) int {
	o := b.input(next)
	switch op.Op {
	case "Add":
		if o != nil && t.added == nil && o.shape().Equal(y.shape()) {
			t.added = o
			t.stages |= stageAdds
			return stageAdd
		}
	case "PRelu":
		if o != nil && t.slope == nil && isConstant(o) && perChannel(o.shape(), y.shape(), channels) {
			t.slope = o
			return stageSlope
		}
	default:
		return t.unary(op)
	}
	return 0
}

// viewEnd is a tail that is bound: the view of what it adds, and the arguments of TAIL in view.cl.
type viewEnd struct {
	other *view
	args  []any
}

// endOf binds a tail to the result that its op computes; nil when the added operand cannot be viewed.
func (t *viewTail) endOf(b *site, out extents) (*viewEnd, error) {
	slopes, err := b.blocks(t.slope, out.count[out.lanes])
	if err != nil {
		return nil, err
	}
	other := &view{flat: slopes}
	if t.added != nil {
		if other = b.view(t.added, out, false); other == nil {
			return nil, nil
		}
	}
	return &viewEnd{other, append(append([]any{slopes}, other.args()...), t.stages, t.limits)}, nil
}
