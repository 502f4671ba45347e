package opencl

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// after is what the kernels of sums do with each sum: the first fused ops, as far as the kernels know them.
type after struct {
	// stages are the digits of kernels/lanes.cl; limits those of its two clamps, the second pair also the numbers that a
	// stage with attributes takes.
	stages int
	limits [4]float32
	// add is the second operand of an addition, which summand is too, and slope that of a PRelu; nil for none.
	add            *flat
	summand, slope *operand
}

// The stages of kernels/lanes.cl.
const (
	stageClamp = 1 + iota
	stageClampAgain
	stageAdd
	stageSlope
	stageHardSwish
	stageHardSigmoid
	stageSigmoid
	stageSwish

	// stageAdds tells that one of the stages is stageAdd.
	stageAdds = 1 << 28
)

// maxStages is the number of digits that the kernels read.
const maxStages = 6

// absorb takes the first fused ops of a step, as far as the kernels do them, and marks them as done; y is the result,
// channels its axis of channels.
func (b *site) absorb(y *operand, channels int) (after, error) {
	var a after
	next := ownOperands[b.op.Op]
	for i := 1; i < len(b.op.Fused) && i <= maxStages; i++ {
		op := &graph.Op{Op: b.op.Fused[i], Domain: b.op.Domain, Attrs: form.OwnAttrs(b.op.Attrs, b.op.Fused[i]+".")}
		own := fusedOperands(op.Op)
		stage, err := a.stage(b, op, next, y, channels)
		if err != nil || stage == 0 {
			return a, err
		}
		a.stages |= stage << (4 * (i - 1))
		b.fused, next = i, next+own
	}
	return a, nil
}

// stage returns the stage that does an op, 0 for none; next is the number of the op's own operand.
func (a *after) stage(b *site, op *graph.Op, next int, y *operand, channels int) (int, error) {
	switch op.Op {
	case "Add":
		o := b.input(next)
		if o == nil || a.add != nil || !o.shape().Equal(y.shape()) {
			return 0, nil
		}
		var err error
		a.add, err = b.floatsOf(o)
		a.summand = o
		a.stages |= stageAdds
		return stageAdd, err
	case "PRelu":
		o := b.input(next)
		if o == nil || a.slope != nil || !perChannel(o.shape(), y.shape(), channels) {
			return 0, nil
		}
		a.slope = o
		return stageSlope, nil
	}
	return a.unary(op), nil
}

// unary returns the stage that does an op of one operand, 0 for none.
func (a *after) unary(op *graph.Op) int {
	switch op.Op {
	case "Relu":
		return a.clamp(0, float32(math.Inf(1)))
	case "Clip":
		return a.clamp(op.Attrs.Float("min", float32(math.Inf(-1))), op.Attrs.Float("max", float32(math.Inf(1))))
	case "HardSwish":
		return stageHardSwish
	case "HardSigmoid":
		return a.numbered(stageHardSigmoid, op.Attrs.Float("alpha", 0.2), op.Attrs.Float("beta", 0.5))
	case "Sigmoid":
		return stageSigmoid
	case "Swish":
		return a.numbered(stageSwish, op.Attrs.Float("alpha", 1), 0)
	}
	return 0
}

// clamp takes one of the two pairs of limits, if one is left.
func (a *after) clamp(low, high float32) int {
	switch {
	case !(low <= high):
		return 0
	case hasStage(a.stages, stageClamp):
		return a.numbered(stageClampAgain, low, high)
	}
	a.limits[0], a.limits[1] = low, high
	return stageClamp
}

// numbered takes the second pair of numbers for a stage, if no other has it.
func (a *after) numbered(stage int, first, second float32) int {
	for _, other := range []int{stageClampAgain, stageHardSigmoid, stageSwish} {
		if hasStage(a.stages, other) {
			return 0
		}
	}
	a.limits[2], a.limits[3] = first, second
	return stage
}

// hasStage reports whether a stage is among the digits.
func hasStage(digits, stage int) bool {
	for i := range maxStages {
		if digits>>(4*i)&15 == stage {
			return true
		}
	}
	return false
}

// perChannel reports whether a shape broadcasts to y with one value in all, or one for each channel.
func perChannel(s, y graph.Shape, channels int) bool {
	if len(s) > len(y) {
		return false
	}
	for i, n := range s {
		axis := i + len(y) - len(s)
		if n != 1 && (axis != channels || n != y[axis]) {
			return false
		}
	}
	return true
}

// resultAfter is resultFloats for kernels that do the stages: they read an element of the summand just before they write
// the same element of the result, which may be in its place.
func (b *site) resultAfter(y *operand, a *after) (*flat, error) {
	others := &site{}
	for _, o := range b.in {
		if o != a.summand {
			others.in = append(others.in, o)
		}
	}
	return b.resultFloats(y, a.summand != nil && !others.overlaps(y, false))
}

// other is the argument for the second operand of an addition: any memory when there is none.
func (a *after) other(y *flat) *flat {
	if a.add != nil {
		return a.add
	}
	return y
}
