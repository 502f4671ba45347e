package check

import (
	"math"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// copyScope is the attribute of a copy between scopes for the scope that it writes.
const copyScope = "scope"

// copied is one copy between scopes.
type copied struct {
	tensor, to  string
	step, bytes int64
}

// copies holds the copies that the plan lists against the ops that make them, and these against the scopes that they join.
func (c *checker) copies(pg *planned) {
	made := map[copied]bool{}
	var order []copied
	for step := range pg.g.Ops {
		op := &pg.g.Ops[step]
		if op.Op != graph.CopyOp || op.Domain != graph.CopyDomain {
			continue
		}
		if len(op.Inputs) != 1 || len(op.Outputs) != 1 || pg.g.Tensor(op.Inputs[0]) == nil || pg.g.Tensor(op.Outputs[0]) == nil {
			c.report(diag.PlanCopyWrong, "The copy %q of graph %q does not read one tensor and write one. Plan again.", op.Name, pg.p.Name)
			continue
		}
		from, to := &pg.needs[op.Inputs[0]], &pg.needs[op.Outputs[0]]
		c.copyJoins(pg, op, from, to)
		x := copied{from.name, to.name, int64(step), from.bytes}
		made[x], order = true, append(order, x)
	}
	for _, row := range pg.p.Copies {
		x := copied{row.Tensor, row.To, row.Step, row.Bytes}
		if !made[x] {
			c.report(diag.PlanCopiesDiffer, "The plan lists a copy of %d bytes from %q to %q at step %d of graph %q, which no op makes once. Plan again.", x.bytes, x.tensor, x.to, x.step, pg.p.Name)
		}
		made[x] = false
	}
	for _, x := range order {
		if made[x] {
			c.report(diag.PlanCopiesDiffer, "The copy of %d bytes from %q to %q at step %d of graph %q is not among the plan's copies. Plan again.", x.bytes, x.tensor, x.to, x.step, pg.p.Name)
		}
	}
	c.copiedBytes(pg, order)
}

// copiedBytes holds the sum that the plan states against the ops that copy. It stops at 2^63-1, as the plan's does.
func (c *checker) copiedBytes(pg *planned, made []copied) {
	if pg.p.Scopes == nil {
		return
	}
	total := int64(0)
	for _, x := range made {
		total += min(x.bytes, math.MaxInt64-total)
	}
	if stated := pg.p.Scopes.CopiedBytes; stated != total {
		c.report(diag.PlanCopiesDiffer, "The plan says that graph %q copies %d bytes between scopes, and its ops copy %d. Plan again.", pg.p.Name, stated, total)
	}
}

// copyJoins checks that a copy writes the tensor that it reads in another scope, the one of its attribute, and is called
// after both. Apostrophes tell it from a tensor that had the name before.
func (c *checker) copyJoins(pg *planned, op *graph.Op, from, to *need) {
	scope := op.Attrs.String(copyScope, "")
	a, b := &pg.g.Tensors[from.tensor], &pg.g.Tensors[to.tensor]
	if rest, ok := strings.CutPrefix(b.Name, a.Name+"@"+scope); !ok || strings.Trim(rest, "'") != "" || a.DType != b.DType || !a.Shape.Equal(b.Shape) {
		c.report(diag.PlanCopyWrong, "The copy %q of graph %q reads %s %s %q and writes %s %s %q in scope %q, which is not the same tensor. Plan again.",
			op.Name, pg.p.Name, a.DType, a.Shape, a.Name, b.DType, b.Shape, b.Name, scope)
	}
	source, result := pg.rows[from.tensor], pg.rows[to.tensor]
	if source == nil || result == nil {
		return // reported as missing
	}
	if result.Scope != scope || source.Scope == scope {
		c.report(diag.PlanCopyWrong, "The copy %q of graph %q leads from scope %q to scope %q, and must lead from another scope to %q. Plan again.",
			op.Name, pg.p.Name, source.Scope, result.Scope, scope)
	}
}
