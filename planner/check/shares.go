package check

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// shared is a row that is in the bytes of another tensor's.
type shared struct {
	pg *planned
	t  *plan.Tensor
}

// rowKey names a row of the plan.
type rowKey struct{ graph, tensor string }

// shares checks each tensor that is in the bytes of another one, and lets those live as long as the last of them.
func (c *checker) shares() {
	if len(c.shared) == 0 {
		return
	}
	rows, graphs := map[rowKey]*plan.Tensor{}, map[string]*planned{}
	for _, pg := range c.graphs {
		graphs[pg.p.Name] = pg
		for _, t := range rowsOf(pg.p) {
			if t.Role != string(graph.Scratch) {
				rows[rowKey{pg.p.Name, t.Name}] = t
			}
		}
	}
	residents := make(map[*plan.Tensor]int, len(c.residents))
	for i := range c.residents {
		residents[c.residents[i].t] = i
	}
	for _, s := range c.shared {
		from, target := graphs[s.t.Shares.Graph], rows[rowKey{s.t.Shares.Graph, s.t.Shares.Tensor}]
		if target == nil {
			c.report(diag.PlanShareWrong, "The tensor %q of graph %q is in the bytes of %q of graph %q, which the plan does not have. Plan again.", s.t.Name, s.pg.p.Name, s.t.Shares.Tensor, s.t.Shares.Graph)
			continue
		}
		c.sharedPlace(s, target)
		switch s.t.Shares.Because {
		case plan.SharesInput:
			c.sharedInput(s, from, target)
		case plan.SharesContent:
			c.sharedContent(s, from, target)
		default:
			c.report(diag.PlanShareWrong, "The tensor %q of graph %q is in the bytes of another because of %q, which is no reason. Plan again.", s.t.Name, s.pg.p.Name, s.t.Shares.Because)
		}
		c.prolong(s, c.rootOf(rows, from.p, target), residents)
	}
	c.passedOn(rows, graphs)
}

// sharedPlace checks that both stand at the same place.
func (c *checker) sharedPlace(s shared, target *plan.Tensor) {
	same := s.t.Pool == target.Pool && s.t.Storage == target.Storage && (s.t.Offset == nil) == (target.Offset == nil) && s.t.Size <= target.Size
	if same && s.t.Offset != nil {
		same = *s.t.Offset == *target.Offset
	}
	if !same || s.t.ViewOf != nil {
		c.report(diag.PlanShareWrong, "The tensor %s is said to be in the bytes of %s, and does not stand there. Plan again.", c.where(s.t), c.where(target))
	}
}

// sharedInput checks that an input is the output of a graph that has run before.
func (c *checker) sharedInput(s shared, from *planned, target *plan.Tensor) {
	wrong := func(why string) {
		c.report(diag.PlanShareWrong, "The tensor %q of graph %q is said to be %q of graph %q, but %s. Plan again.", s.t.Name, s.pg.p.Name, target.Name, from.p.Name, why)
	}
	switch {
	case !named(s.pg.g, s.pg.g.Inputs, s.t.Name):
		wrong("it is no input")
	case !named(from.g, from.g.Outputs, target.Name):
		wrong("that is no output")
	case c.stages[from.index] >= c.stages[s.pg.index]:
		wrong("that graph does not run before")
	case s.t.DType != target.DType || !slices.Equal(s.t.Shape, target.Shape) || s.t.Scope != target.Scope:
		wrong("the two differ in type, shape or scope")
	}
}

func named(g *graph.Graph, ids []graph.TensorID, name string) bool {
	return slices.ContainsFunc(ids, func(id graph.TensorID) bool { return g.Tensor(id) != nil && g.Tensor(id).Name == name })
}

// sharedContent checks that two constants are equal.
func (c *checker) sharedContent(s shared, from *planned, target *plan.Tensor) {
	a, b := constantOf(s.pg.g, s.t.Name), constantOf(from.g, target.Name)
	if a == nil || b == nil || target.Shares != nil || s.t.Scope != target.Scope {
		c.report(diag.PlanShareWrong, "The tensors %q of graph %q and %q of graph %q are said to be equal constants, and they are no two constants of one scope with bytes of their own content. Plan again.",
			s.t.Name, s.pg.p.Name, target.Name, from.p.Name)
		return
	}
	if imageScopes[s.t.Scope] != nil && !c.sameImage(s.t, target) {
		c.report(diag.PlanShareWrong, "The constants %q of graph %q and %q of graph %q are in one image, and as images they differ in type, shape, layout or picture. Plan again.", s.t.Name, s.pg.p.Name, target.Name, from.p.Name)
	}
	if !equal(a, b) {
		c.report(diag.PlanShareWrong, "The constants %q of graph %q and %q of graph %q are in the same bytes and differ in content. Plan again.", s.t.Name, s.pg.p.Name, target.Name, from.p.Name)
	}
}

// sameImage reports whether two tensors of equal content are the same image.
func (c *checker) sameImage(a, b *plan.Tensor) bool {
	p, q := c.pictures[a], c.pictures[b]
	return p != nil && q != nil && p.same(q) && a.DType == b.DType && a.Layout == b.Layout && slices.Equal(a.Shape, b.Shape)
}

func constantOf(g *graph.Graph, name string) graph.Data {
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Name == name && t.Role == graph.Constant && (graph.HasContent(t.Data) || graph.DigestOf(t.Data) != "") {
			return t.Data
		}
	}
	return nil
}

// equal compares contents: by what they are computed from where both say so in the same words, by the digests that stand for
// contents left out of their files, else byte by byte.
func equal(a, b graph.Data) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	x, isLazy := a.(*graph.Lazy)
	y, other := b.(*graph.Lazy)
	if isLazy && other && x.Recipe != nil && y.Recipe != nil && x.Recipe.Op == y.Recipe.Op {
		return slices.EqualFunc(x.Recipe.Inputs, y.Recipe.Inputs, equal)
	}
	if digest := graph.DigestOf(a); digest != "" {
		return a.Size() == b.Size() && digest == graph.DigestOf(b)
	}
	left, err := a.Read()
	if err != nil {
		return false
	}
	right, err := b.Read()
	return err == nil && bytes.Equal(left, right)
}

// rootOf follows views and shares to the row that has bytes of its own. There is a view and a share in each graph at most, and
// a share of a constant; a plan that goes in circles has none.
func (c *checker) rootOf(rows map[rowKey]*plan.Tensor, g *plan.Graph, t *plan.Tensor) *plan.Tensor {
	at := rowKey{g.Name, t.Name}
	for range 2*len(c.graphs) + 3 {
		switch t := rows[at]; {
		case t == nil:
			return nil
		case t.ViewOf != nil:
			at.tensor = *t.ViewOf
		case t.Shares != nil:
			at = rowKey{t.Shares.Graph, t.Shares.Tensor}
		default:
			return t
		}
	}
	return nil
}

// prolong lets the bytes of a tensor live until the last that is in them is no longer used.
func (c *checker) prolong(s shared, root *plan.Tensor, residents map[*plan.Tensor]int) {
	i, ok := residents[root]
	if !ok {
		return // reported: the row has no bytes
	}
	r := &c.residents[i]
	if s.t.Shares.Because != plan.SharesInput {
		return
	}
	if len(root.Gaps) > 0 {
		c.report(diag.PlanShareWrong, "The tensor %q of graph %q is in the bytes of %s, some of which the plan calls free in a part of its life. Plan again.", s.t.Name, s.pg.p.Name, c.where(root))
	}
	r.readers = append(r.readers, s.pg.index)
	if end := (moment{c.stages[s.pg.index], s.t.Last}); end.compare(r.until) > 0 {
		r.until = end
	}
}

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
