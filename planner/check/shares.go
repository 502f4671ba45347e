package check

import (
	"bytes"
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
