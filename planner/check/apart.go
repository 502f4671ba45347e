package check

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// arrange numbers the times at which graphs run: those that may run at the same time have one number.
func (c *checker) arrange() {
	c.stages = make([]int, len(c.plan.Graphs))
	stage, last := -1, false
	for i := range c.plan.Graphs {
		together := slices.Contains(c.plan.Concurrent, c.plan.Graphs[i].Name)
		if !together || !last {
			stage++
		}
		if together && !last && slices.ContainsFunc(c.plan.Graphs[:i], func(g plan.Graph) bool { return slices.Contains(c.plan.Concurrent, g.Name) }) {
			c.report(diag.PlanGraphsDiffer, "The graph %q may run at the same time as others, and does not stand beside them in the plan. Plan again.", c.plan.Graphs[i].Name)
		}
		c.stages[i], last = stage, together
	}
}

// apart reports bytes that two graphs use which may run at the same time: whatever their steps, any two of them may meet.
// What outlasts the time of both is found with all others.
func (c *checker) apart() {
	if len(c.plan.Concurrent) < 2 {
		return
	}
	spaces := map[space][]footprint{}
	var order []space
	for i := range c.residents {
		r := &c.residents[i]
		owner, counts := c.userOf(r)
		if !counts || r.lo >= r.hi || r.always {
			continue
		}
		if spaces[r.space] == nil {
			order = append(order, r.space)
		}
		if owner < 0 {
			owner = -1 - i
		}
		spaces[r.space] = append(spaces[r.space], footprint{r.lo, r.hi, owner, i})
	}
	for _, at := range order {
		c.compareFootprints(spaces[at])
	}
}

// footprint is bytes [lo, hi) that one graph uses, or with a negative user several.
type footprint struct {
	lo, hi   int64
	user     int
	resident int
}

// userOf returns the one concurrent graph that uses a resident, -1 when there are several. The second result is false when
// none does.
func (c *checker) userOf(r *resident) (int, bool) {
	user, found := -1, false
	for _, g := range append([]int{r.graph}, r.readers...) {
		if !slices.Contains(c.plan.Concurrent, c.plan.Graphs[g].Name) || found && user == g {
			continue
		}
		if found {
			return -1, true
		}
		user, found = g, true
	}
	return user, found
}

// compareFootprints finds footprints of different users that overlap. It sweeps over the bytes and keeps of those met so far
// the one that reaches furthest, and the one of another user that does.
func (c *checker) compareFootprints(prints []footprint) {
	slices.SortFunc(prints, func(a, b footprint) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.resident, b.resident)) })
	var far, other *footprint
	for i := range prints {
		f := &prints[i]
		for _, before := range []*footprint{far, other} {
			if before != nil && before.user != f.user && before.hi > f.lo {
				c.report(diag.PlanOverlap, "The tensors %s of graph %q and %s of graph %q share bytes, and the graphs may run at the same time. Plan again.",
					c.where(c.residents[before.resident].t), c.plan.Graphs[c.residents[before.resident].graph].Name, c.where(c.residents[f.resident].t), c.plan.Graphs[c.residents[f.resident].graph].Name)
				break
			}
		}
		switch {
		case far == nil || far.user == f.user && f.hi > far.hi:
			far = f
		case far.user == f.user:
		case f.hi > far.hi:
			far, other = f, far
		case other == nil || f.hi > other.hi:
			other = f
		}
	}
}

// callersOwn checks a tensor without a pool: its memory is the caller's.
func (c *checker) callersOwn(pg *planned, t *plan.Tensor) {
	name := t.Name
	if t.ViewOf != nil {
		name = *t.ViewOf
	}
	seen := pg.callers[name]
	if io := c.plan.Settings["planner.io"].Value; io != "external" || !seen.input && !seen.output || t.Scope != "global" || t.Offset != nil || t.Shares != nil {
		c.report(diag.PlanPoolUnknown, "The tensor %q of graph %q has no pool, as if its memory were the caller's, and that is only so for flat inputs and outputs with io = \"external\". Plan again.", t.Name, pg.p.Name)
	}
}
