package check

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// diagonals checks each result that is said to be written over an operand from below, and takes the bytes that the two have
// in common at the op's step from the operand: there and then they are the result's.
func (c *checker) diagonals() {
	residents := make(map[*plan.Tensor]int, len(c.residents))
	for i := range c.residents {
		residents[c.residents[i].t] = i
	}
	for _, pg := range c.graphs {
		for _, id := range pg.lastWrittenFirst() {
			row := pg.rows[id]
			if row == nil || row.Diagonal == nil {
				continue
			}
			if because := c.diagonal(pg, id, row, residents); because != "" {
				c.report(diag.PlanDiagonalWrong, "The tensor %s is said to be written over %q at a distance of %d bytes or more, and %s. Plan again.",
					c.where(row), row.Diagonal.Operand, row.Diagonal.Distance, because)
			}
		}
	}
}

// diagonal checks one such result. It says what is wrong, or yields the operand's bytes.
func (c *checker) diagonal(pg *planned, id graph.TensorID, row *plan.Tensor, residents map[*plan.Tensor]int) (because string) {
	step := pg.needs[id].producer
	op := &pg.g.Ops[step]
	operand, known := pg.idOf[row.Diagonal.Operand]
	if !known || pg.rows[operand] == nil {
		return "the plan has no such tensor"
	}
	above := pg.rows[operand]
	position := slices.Index(op.Inputs, operand)
	switch {
	case position < 0 || op.Outputs[0] != id:
		return "the op that writes it does not read that"
	case slices.ContainsFunc(op.Outputs[1:], func(id graph.TensorID) bool { return id != graph.NoTensor }):
		return "the op has another result"
	case row.Rows != nil || above.Rows != nil:
		return "the bytes of one of them have others between them"
	}
	for i, other := range op.Inputs {
		if i != position && pg.g.Tensor(other) != nil && pg.rows[other] != nil && baseName(pg.rows[other]) == baseName(above) {
			return fmt.Sprintf("the op reads %q in the same bytes", pg.rows[other].Name)
		}
	}
	needed, why := pg.distance(op, position)
	switch {
	case why != "":
		return why
	case row.Diagonal.Distance < needed:
		return fmt.Sprintf("the op needs %d bytes", needed)
	}
	return c.yield(pg, step, row, above, residents)
}

// yield takes the bytes of a result from those of the operand above it, unless somebody wants them still.
func (c *checker) yield(pg *planned, step int, row, above *plan.Tensor, residents map[*plan.Tensor]int) (because string) {
	lower, upper := c.baseResident(pg, row, residents), c.baseResident(pg, above, residents)
	stage := c.stages[pg.index]
	switch {
	case lower == nil || upper == nil || lower == upper || lower.space != upper.space || row.Scope != "global" || above.Scope != "global":
		return "the two are not in bytes of their own in one flat pool"
	case *above.Offset-*row.Offset < row.Diagonal.Distance:
		return fmt.Sprintf("it starts %d bytes below that", *above.Offset-*row.Offset)
	case lower.always || upper.always || lower.t.First != int64(step) || upper.until != moment{stage, int64(step) + 1}:
		return "the one does not end at the step at which the other starts"
	}
	for id, other := range pg.rows[:len(pg.g.Tensors)] {
		switch lived := pg.lived[id]; {
		case other == nil || other == row:
		case baseName(other) == upper.t.Name && lived.last > int64(step)+1:
			return fmt.Sprintf("the bytes of %q are needed later", other.Name)
		case baseName(other) == lower.t.Name && lived.first <= int64(step) && lived.first < lived.last:
			// An input, which is there before the first step: that starts no earlier than the result of it.
			return fmt.Sprintf("%q is in the bytes of the result before", other.Name)
		}
	}
	upper.yields = true
	var taken, left []box
	for _, held := range lower.held {
		if held.first == lower.first {
			taken = append(taken, box{lo: held.lo, hi: held.hi, first: lower.first, last: upper.last})
		}
	}
	for _, held := range upper.held {
		left = append(left, held.without(taken)...)
	}
	upper.held = left
	return ""
}

// baseResident is the resident that has the bytes of a row, nil when they are not its graph's own.
func (c *checker) baseResident(pg *planned, row *plan.Tensor, residents map[*plan.Tensor]int) *resident {
	id, ok := pg.idOf[baseName(row)]
	if !ok || row.Offset == nil {
		return nil
	}
	i, ok := residents[pg.rows[id]]
	if !ok || c.residents[i].space.image != flat || c.pictures[c.residents[i].t] != nil || len(c.residents[i].readers) > 0 {
		return nil
	}
	return &c.residents[i]
}

// pieces reports whether what the resident holds is less than its bytes at some times.
func (r *resident) pieces() bool { return r.yields || len(r.t.Gaps) > 0 }
