package scope

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
)

// choices counts the solutions of a problem, stopping above a limit.
func (p *problem) choices(limit int) int {
	n := 1
	for i := range p.values {
		if n *= p.values[i].homes.size(); n > limit {
			return n
		}
	}
	for i := range p.nodes {
		if n *= len(p.nodes[i].forms); n > limit {
			return n
		}
	}
	return n
}

// cheapest tries every solution.
func (p *problem) cheapest() int64 {
	s := &solution{home: make([]label, len(p.values)), form: make([]int32, len(p.nodes))}
	best := int64(math.MaxInt64)
	var forms func(n int)
	forms = func(n int) {
		if n == len(p.nodes) {
			if p.valid(s) {
				best = min(best, p.total(s))
			}
			return
		}
		for f := range p.nodes[n].forms {
			s.form[n] = int32(f)
			forms(n + 1)
		}
	}
	var homes func(i int)
	homes = func(i int) {
		if i == len(p.values) {
			forms(0)
			return
		}
		for l := range labels {
			if p.values[i].homes.has(l) {
				s.home[i] = l
				homes(i + 1)
			}
		}
	}
	homes(0)
	return best
}

// valid reports whether each op writes its outputs where they are.
func (p *problem) valid(s *solution) bool {
	for n := range p.nodes {
		for k, id := range p.nodes[n].writes {
			if !p.nodes[n].forms[s.form[n]].writes[k].has(s.home[id]) {
				return false
			}
		}
	}
	return true
}

func TestMinCopyIsExactWhereEveryChoiceIsBetweenTwo(t *testing.T) {
	compared, withCost := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := posed(drawRequest(t, 4, []string{Global, Texture}, oneImage()))
		if p.choices(1<<12) > 1<<12 {
			return
		}
		if !p.binary() { // A wish can give a weight a third scope.
			return
		}
		best, exact := p.minCopy()
		require.True(t, p.valid(best))
		require.True(t, exact)
		cost := p.cheapest()
		require.Equal(t, cost, p.total(best))
		compared++
		if cost > 0 {
			withCost++
		}
	})
	t.Logf("%d compared, %d with a cost", compared, withCost)
	require.NotZero(t, withCost)
}

func TestMinCopyWithMoreChoicesIsNeverBelowTheTruthAndClaimsOnlyWhatIsTrue(t *testing.T) {
	compared, claimed, best := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := posed(drawRequest(t, 3, Names(), nil))
		if p.choices(1<<14) > 1<<14 {
			return
		}
		found, exact := p.minCopy()
		require.True(t, p.valid(found))
		truth, cost := p.cheapest(), p.total(found)
		require.GreaterOrEqual(t, cost, truth)
		if bound, ok := p.bound(); ok {
			require.LessOrEqual(t, bound, truth)
		}
		compared++
		if exact {
			require.Equal(t, truth, cost)
			claimed++
		}
		if cost == truth {
			best++
		}
	})
	t.Logf("%d compared, %d claimed exact, %d are", compared, claimed, best)
	require.NotZero(t, claimed)
}

// abstract draws a problem that comes from no graph: any sets, any forms.
func abstract(t *rapid.T) *problem {
	p := &problem{}
	anySet := rapid.Map(rapid.IntRange(1, int(anywhere)), func(n int) set { return set(n) })
	for range rapid.IntRange(1, 5).Draw(t, "values") {
		p.values = append(p.values, value{
			homes: anySet.Draw(t, "homes"), copies: anySet.Draw(t, "copies") | onlyFlat, bytes: rapid.Int64Range(0, 9).Draw(t, "bytes"),
			wished: rapid.Bool().Draw(t, "wished"), wish: label(rapid.IntRange(0, 3).Draw(t, "wish")), penalty: rapid.Int64Range(0, 9).Draw(t, "penalty"),
		})
	}
	written := map[int32]bool{}
	for range rapid.IntRange(1, 3).Draw(t, "nodes") {
		n := node{}
		for i := range int32(len(p.values)) {
			switch rapid.IntRange(0, 2).Draw(t, "use") {
			case 0:
				n.reads, n.inputs = append(n.reads, i), append(n.inputs, i)
			case 1:
				if !written[i] {
					written[i], n.writes = true, append(n.writes, i)
				}
			}
		}
		for range rapid.IntRange(1, 3).Draw(t, "forms") {
			f := form{}
			for range n.reads {
				f.reads = append(f.reads, anySet.Draw(t, "reads"))
			}
			for range n.writes {
				f.writes = append(f.writes, anySet.Draw(t, "writes"))
			}
			if p.canRead(&n, &f) && p.canWrite(&n, &f) {
				n.forms = append(n.forms, f)
			}
		}
		if len(n.forms) == 0 {
			continue
		}
		for k, id := range n.writes {
			all := set(0)
			for i := range n.forms {
				all |= n.forms[i].writes[k]
			}
			p.values[id].homes &= all
			for i := range n.forms {
				n.forms[i].writes[k] &= p.values[id].homes
			}
		}
		p.nodes = append(p.nodes, n)
	}
	for i := range p.nodes {
		for k, id := range p.nodes[i].reads {
			p.values[id].reads = append(p.values[id].reads, reading{int32(i), int32(k)})
		}
	}
	return p
}

func TestAMoveNeverPromisesLessThanItCosts(t *testing.T) {
	exactMoves := 0
	rapid.Check(t, func(t *rapid.T) {
		p := abstract(t)
		start := p.flattest()
		if !p.valid(start) {
			return
		}
		home, form := p.otherHomes(start), p.otherForms(start)
		found, promised, exact := p.try(start, home, form)
		require.True(t, p.valid(found))
		require.LessOrEqual(t, p.total(found), promised)
		require.LessOrEqual(t, p.total(found), p.total(start))
		if exact {
			require.Equal(t, p.total(found), promised)
			exactMoves++
		}
	})
	require.NotZero(t, exactMoves)
}

func TestCopiesAreTheFewestScopesThatServeAllReaders(t *testing.T) {
	reads := func(sets ...set) *problem {
		p := &problem{values: []value{{homes: anywhere, copies: anywhere, bytes: 8}}}
		for i, s := range sets {
			p.nodes = append(p.nodes, node{reads: []int32{0}, forms: []form{{reads: []set{s}}}})
			p.values[0].reads = append(p.values[0].reads, reading{int32(i), 0})
		}
		return p
	}
	for _, c := range []struct {
		name   string
		p      *problem
		home   label
		needed set
	}{
		{"nobody needs a copy of what all read", reads(0b0001, 0b0011), 0, 0},
		{"two readers of one scope share a copy", reads(0b0010, 0b0010), 0, 0b0010},
		{"two readers of two scopes take two", reads(0b0010, 0b0100), 0, 0b0110},
		{"a scope that both take is copied to", reads(0b0110, 0b1100), 0, 0b0100},
		{"the least of several scopes is taken", reads(0b1100), 1, 0b0100},
		{"flat memory is a scope like any other", reads(0b0001, 0b0100), 1, 0b0101},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &solution{home: []label{c.home}, form: make([]int32, len(c.p.nodes))}
			require.Equal(t, c.needed, c.p.copiesOf(s, 0, c.home))
			copied, _ := c.p.cost(s)
			require.Equal(t, int64(8*c.needed.size()), copied)
		})
	}
}

func TestCostsBeyondCountingStopAtTheLargestNumber(t *testing.T) {
	p := &problem{values: []value{{homes: onlyFlat, copies: anywhere, bytes: math.MaxInt64 - 1}}}
	for i, s := range []set{0b0010, 0b0100} {
		p.nodes = append(p.nodes, node{reads: []int32{0}, forms: []form{{reads: []set{s}}}})
		p.values[0].reads = append(p.values[0].reads, reading{int32(i), 0})
	}
	copied, _ := p.cost(p.flattest())
	require.Equal(t, int64(math.MaxInt64), copied)
	_, exact := p.minCopy()
	require.False(t, exact)
}

func BenchmarkMinCopyOnAChain(b *testing.B) {
	for _, c := range []struct {
		name     string
		variants []Variant
	}{{"two choices", oneImage()}, {"four choices", nil}} {
		b.Run(c.name, func(b *testing.B) {
			r := chain(10_000)
			r.Variants = c.variants
			p := posed(r)
			for b.Loop() {
				p.minCopy()
			}
		})
	}
}

// chain is a chain of convolutions with a Softmax at every hundredth place and a wish for textures.
func chain(ops int) Request {
	g := &graph.Graph{Tensors: []graph.Tensor{{Name: "x", Role: graph.Input, DType: graph.Float32, Shape: graph.Shape{1, 8, 16, 16}}}, Inputs: []graph.TensorID{0}}
	for i := range ops {
		op := graph.Op{Name: "op", Op: "Relu", Inputs: []graph.TensorID{graph.TensorID(len(g.Tensors) - 1)}}
		if i%100 == 99 {
			op.Op = "Softmax"
		}
		g.Tensors = append(g.Tensors, graph.Tensor{Name: "t", Role: graph.Activation, DType: graph.Float32, Shape: graph.Shape{1, 8, 16, 16 + int64(i%7)}})
		op.Outputs = []graph.TensorID{graph.TensorID(len(g.Tensors) - 1)}
		g.Ops = append(g.Ops, op)
	}
	penalty := int64(300)
	return Request{
		Graph: g, Device: Device{Name: "gpu", Image2D: &Limits{MaxWidth: 4096, MaxHeight: 4096}},
		Pools: []Pool{{Name: "arena", Device: "gpu", Type: "flat", Holds: graph.Roles}, {Name: "images", Device: "gpu", Type: "texture", Holds: graph.Roles}},
		Rules: []Rule{{Address: "scope_rule.t", Scope: Texture, Penalty: &penalty}},
	}
}
