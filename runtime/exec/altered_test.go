package exec_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// altered is a plan of one graph that is changed tensor by tensor.
type altered struct {
	t *rapid.T
	p *plan.Plan
	g *plan.Graph
}

// alterations are changes of a plan after which it may or may not be one that can run.
var alterations = map[string]func(*altered){
	"another offset":       (*altered).move,
	"another life":         (*altered).live,
	"a view more":          (*altered).view,
	"other rows":           (*altered).rows,
	"two views exchanged":  (*altered).exchange,
	"over an operand":      (*altered).over,
	"a gap wider":          (*altered).widen,
	"a view somewhat away": (*altered).shift,
}

// pick draws one of the tensors that change and suit, nil when none does.
func (a *altered) pick(suits func(*plan.Tensor) bool) *plan.Tensor {
	var list []int
	for i := range a.g.Tensors {
		if t := &a.g.Tensors[i]; t.Role != "constant" && t.Offset != nil && suits(t) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return &a.g.Tensors[rapid.SampledFrom(list).Draw(a.t, "tensor")]
}

func (a *altered) draw(name string, from, to int64) int64 {
	return rapid.Int64Range(from, to).Draw(a.t, name)
}

func ownBytes(t *plan.Tensor) bool { return t.ViewOf == nil }
func viewed(t *plan.Tensor) bool   { return t.ViewOf != nil }

// place puts a tensor with bytes of its own somewhere, and its views with it.
func (a *altered) place(x *plan.Tensor, offset int64) {
	for i := range a.p.Storages {
		if s := &a.p.Storages[i]; s.ID == x.Storage {
			s.Offset = &offset
		}
	}
	for i := range a.g.Tensors {
		if t := &a.g.Tensors[i]; t == x || t.ViewOf != nil && *t.ViewOf == x.Name {
			at := offset + t.ViewOffset
			t.Offset = &at
		}
	}
}

func (a *altered) move() {
	x := a.pick(ownBytes)
	if y := a.pick(ownBytes); a.draw("beside", 0, 1) == 1 {
		a.place(x, max(0, *y.Offset+4*a.draw("words", -2, 2)*a.draw("far", 1, 16)))
		return
	}
	a.place(x, 4*a.draw("offset", 0, a.p.Pools[0].Peak/4))
}

func (a *altered) live() {
	x := a.pick(func(*plan.Tensor) bool { return true })
	if a.draw("end", 0, 1) == 1 {
		x.Last--
	} else {
		x.First++
	}
}

func (a *altered) view() {
	y, x := a.pick(ownBytes), a.pick(ownBytes)
	if x == y || x.Pool != y.Pool || y.Size > x.Size {
		return
	}
	at := 4 * a.draw("at", 0, (x.Size-y.Size)/4)
	name, old := x.Name, y.Storage
	for i := range a.g.Tensors {
		if t := &a.g.Tensors[i]; t == y || t.ViewOf != nil && *t.ViewOf == y.Name {
			t.ViewOf, t.ViewOffset, t.Storage = &name, t.ViewOffset+at, x.Storage
		}
	}
	x.First, x.Last = min(x.First, y.First), max(x.Last, y.Last)
	if a.draw("gaps", 0, 1) == 0 {
		x.Gaps = nil
	}
	y.Gaps = nil
	a.p.Storages = slices.DeleteFunc(a.p.Storages, func(s plan.Storage) bool { return s.ID == old })
	a.place(x, *x.Offset)
}

func (a *altered) rows() {
	x := a.pick(viewed)
	if x == nil {
		return
	}
	r := plan.Rows{Bytes: 4 * a.draw("row", 1, 16)}
	r.Stride = r.Bytes + 4*a.draw("between", 0, 16)
	if x.Rows != nil && a.draw("one of both", 0, 2) > 0 {
		r = *x.Rows
		r.Bytes *= a.draw("times", 1, 4)
		r.Stride *= a.draw("times", 1, 4)
	}
	if span, ok := r.Span(x.LogicalSize); ok {
		x.Rows, x.Size = &r, span
	} else {
		x.Rows, x.Size = nil, x.LogicalSize
	}
}

func (a *altered) base(x *plan.Tensor) *plan.Tensor {
	return &a.g.Tensors[slices.IndexFunc(a.g.Tensors, func(t plan.Tensor) bool { return t.Name == *x.ViewOf })]
}

func (a *altered) exchange() {
	x := a.pick(viewed)
	if x == nil {
		return
	}
	y := a.pick(func(t *plan.Tensor) bool { return t.ViewOf != nil && *t.ViewOf == *x.ViewOf })
	x.ViewOffset, y.ViewOffset = y.ViewOffset, x.ViewOffset
	a.place(a.base(x), *a.base(x).Offset)
}

func (a *altered) shift() {
	x := a.pick(viewed)
	if x == nil {
		return
	}
	x.ViewOffset = max(0, x.ViewOffset+4*a.draw("words", -8, 8))
	a.place(a.base(x), *a.base(x).Offset)
}

// over says of a result that it lies over an operand from below.
func (a *altered) over() {
	y := a.pick(func(t *plan.Tensor) bool { return t.Producer != "" })
	if y == nil {
		return
	}
	step := a.g.Steps[slices.IndexFunc(a.g.Steps, func(s plan.Step) bool { return s.Name == y.Producer })]
	name := rapid.SampledFrom(step.Inputs).Draw(a.t, "operand")
	at := slices.IndexFunc(a.g.Tensors, func(t plan.Tensor) bool { return t.Name == name })
	if at < 0 || a.g.Tensors[at].Offset == nil || a.g.Tensors[at].Role == "constant" {
		return
	}
	x, distance := &a.g.Tensors[at], 4*a.draw("distance", -1, 24)
	y.Diagonal = &plan.Diagonal{Operand: name, Distance: distance}
	lower, upper := y, x
	if lower.ViewOf != nil {
		lower = a.base(lower)
	}
	if upper.ViewOf != nil {
		upper = a.base(upper)
	}
	if a.draw("which", 0, 1) == 1 {
		a.place(lower, max(0, *x.Offset-distance-y.ViewOffset))
	} else {
		a.place(upper, max(0, *y.Offset+distance-x.ViewOffset))
	}
}

func (a *altered) widen() {
	x := a.pick(func(t *plan.Tensor) bool { return len(t.Gaps) > 0 })
	if x == nil {
		x = a.pick(ownBytes)
		x.Gaps = []plan.Gap{{First: x.First, Last: x.First + 1, From: 0, To: min(x.Size, 4*a.draw("to", 1, 16))}}
		return
	}
	gap := &x.Gaps[rapid.IntRange(0, len(x.Gaps)-1).Draw(a.t, "gap")]
	switch a.draw("side", 0, 3) {
	case 0:
		gap.First = max(x.First, gap.First-1)
	case 1:
		gap.Last = min(x.Last, gap.Last+1)
	case 2:
		gap.From = max(0, gap.From-4*a.draw("words", 1, 8))
	case 3:
		gap.To = min(x.Size, gap.To+4*a.draw("words", 1, 8))
	}
}

// settled makes the totals fit what was changed: that they do not is found by itself, and would hide what else is wrong.
func (a *altered) settled() {
	for i := range a.p.Pools {
		pool := &a.p.Pools[i]
		for _, s := range a.p.Storages {
			if s.Pool == pool.Name && s.Offset != nil {
				pool.Peak = max(pool.Peak, *s.Offset+s.Size)
			}
		}
	}
}

// drawShared plans a small network with all that may share bytes, at an alignment of one element.
func drawShared(t *rapid.T) (*graph.Graph, *planner.Result) {
	draw := rapid.SampledFrom([]func(*rapid.T) *graph.Graph{
		func(t *rapid.T) *graph.Graph { return drawPixels(t, 7) }, drawWindows, func(t *rapid.T) *graph.Graph { return drawNetwork(t, 7) },
	}).Draw(t, "graphs")
	g := draw(t)
	out := planGraph(t, g, func(p *config.Planner) {
		p.Order, p.Rewrite = "source", []string{}
		p.Views = rapid.SampledFrom([][]string{{"reshape"}, {"reshape", "inplace", "concat"}, {"reshape", "inplace", "concat", "diagonal"}}).Draw(t, "views")
	})
	for i := range out.Plan.Devices {
		out.Plan.Devices[i].BaseAlignment = 4
	}
	for i := range out.Plan.Pools {
		out.Plan.Pools[i].Alignment = 4
	}
	for i := range out.Plan.Graphs[0].Tensors {
		out.Plan.Graphs[0].Tensors[i].Alignment = 4
	}
	return g, out
}

// verified reports whether nothing but totals is wrong with a plan.
func verified(p *plan.Plan, graphs []*graph.Graph) bool {
	return !slices.ContainsFunc(check.Verify(p, graphs), func(d diag.Diagnostic) bool { return d.ID != diag.PlanTotalsWrong })
}

// What verification lets pass runs, and gives the outputs of the plan in which no tensors share bytes. Bytes that die are poisoned.
func TestAnAlteredPlanThatIsVerifiedGivesTheOutputs(t *testing.T) {
	repeatable(t, "600")
	passed := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g, shared := drawShared(t)
		a := &altered{t, shared.Plan, &shared.Plan.Graphs[0]}
		before := encodedPlan(t, a.p)
		var done []string
		for range rapid.IntRange(1, 3).Draw(t, "alterations") {
			done = append(done, rapid.SampledFrom(slices.Sorted(maps.Keys(alterations))).Draw(t, "alteration"))
			alterations[done[len(done)-1]](a)
		}
		a.settled()
		after := encodedPlan(t, a.p)
		if before == after || !verified(a.p, shared.Graphs) {
			return
		}
		for _, name := range done {
			passed[name]++
		}
		plain := planGraph(t, g, plainly)
		inputs := inputsOf(g)
		want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
		got := runPoisoned(t, holding, a.p, shared.Graphs[0], inputs)
		for name := range want {
			require.Equal(t, floatsOf(want[name]), floatsOf(got[name]), "%s after %v\n%s\n%s", name, done, before, after)
		}
	})
	require.Greater(t, passed["another offset"], 1, "%v", passed)
	require.Greater(t, passed["a view more"], 1, "%v", passed)
}
