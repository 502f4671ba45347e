package liveness

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// Over says that the op that writes a buffer first may write its result over an operand in another buffer, from below, while it
// reads it for the last time: see [graph.Graph.Diagonals].
type Over struct {
	// Operand and Result are the tensors, Distance how many bytes the operand starts above the result at least.
	Operand, Result graph.TensorID
	Distance        int64
	// Buffer is the index of the operand's buffer, Shift how many bytes it starts above the result's buffer at least.
	Buffer int
	Shift  int64
}

// findOvers finds for each buffer which other it may be written over, the one with the most bytes in common. index has the
// buffer of each base.
func (a *analysis) findOvers(buffers []Buffer, index []int) {
	for step := range a.g.Ops {
		op, most := &a.g.Ops[step], int64(0)
		for _, d := range a.g.Diagonals(op) {
			operand, result := op.Inputs[d.Operand], op.Outputs[0]
			x, y := a.base[operand], a.base[result]
			if a.last[x] != int64(step)+1 || a.first[y] != int64(step) || !a.mayLieOver(op, d.Operand) {
				continue
			}
			lower, shift := &buffers[index[y]], a.shift(d, operand, result)
			if shared := a.inCommon(operand, result, shift); shared > most {
				lower.Over, most = &Over{Operand: operand, Result: result, Distance: d.Distance, Buffer: index[x], Shift: shift}, shared
			}
		}
	}
}

// inCommon is the number of bytes that a result and an operand share when the operand's base starts shift bytes above the result's.
func (a *analysis) inCommon(operand, result graph.TensorID, shift int64) int64 {
	x, y := a.stretch(operand), a.stretch(result)
	return max(0, min(y.at+y.size, x.at+shift+x.size)-max(y.at, x.at+shift))
}

// shift is how far the operand's base must start above the result's. It does not start below.
func (a *analysis) shift(d graph.Diagonal, operand, result graph.TensorID) int64 {
	return max(0, d.Distance+a.lies[result].at-a.lies[operand].at)
}

// mayLieOver reports whether nobody else wants the bytes of an operand of the op, so that it depends on the lifetimes alone
// whether the result may be written over it from below. Distances are those of operands and results that are one run.
func (a *analysis) mayLieOver(op *graph.Op, operand int) bool {
	x, y := a.base[op.Inputs[operand]], a.base[op.Outputs[0]]
	if x == y || a.persists(x) || !a.movable(y) || a.persistsBefore(y) || a.lies[op.Inputs[operand]].strided() || a.lies[op.Outputs[0]].strided() {
		return false
	}
	return !slices.ContainsFunc(op.Inputs, func(id graph.TensorID) bool { return id >= 0 && id != op.Inputs[operand] && a.base[id] == x })
}

// persistsBefore reports whether a base holds what was there before the run.
func (a *analysis) persistsBefore(base graph.TensorID) bool {
	return slices.ContainsFunc(a.members[base], func(id graph.TensorID) bool {
		t := &a.g.Tensors[id]
		return t.Role == graph.State || t.Role == graph.Constant || t.Given != nil || a.input[id]
	})
}
