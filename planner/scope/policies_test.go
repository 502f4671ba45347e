package scope

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
)

// outcome is what must not depend on the order of ops: scopes by name, what is copied where and for whom, and the sums.
func outcome(g *graph.Graph, r *Result) []string {
	lines := []string{fmt.Sprint(r.CopiedBytes, r.PenaltyBytes, r.Exact)}
	for i, t := range r.Tensors {
		lines = append(lines, fmt.Sprint(g.Tensors[i].Name, " ", t.Scope, t.Pools, t.Images, t.Excluded))
	}
	for _, c := range r.Copies {
		var readers []string
		for _, use := range c.Uses {
			readers = append(readers, fmt.Sprint(g.Ops[use.Op].Name, use.Input))
		}
		slices.Sort(readers)
		lines = append(lines, fmt.Sprint(c.Name, readers, c.Bytes))
	}
	slices.Sort(lines)
	return lines
}

// reordered draws another valid order of the ops.
func reordered(t *rapid.T, g *graph.Graph) *graph.Graph {
	out := *g
	out.Ops = nil
	producers, done := g.Producers(), make([]bool, len(g.Ops))
	for len(out.Ops) < len(g.Ops) {
		var ready []int
		for i := range g.Ops {
			waits := slices.ContainsFunc(g.Ops[i].Inputs, func(id graph.TensorID) bool { return producers[id] >= 0 && !done[producers[id]] })
			if !done[i] && !waits {
				ready = append(ready, i)
			}
		}
		next := rapid.SampledFrom(ready).Draw(t, "next")
		done[next] = true
		out.Ops = append(out.Ops, g.Ops[next])
	}
	return &out
}

func TestScopesDoNotDependOnTheOrderOfOpsNorOnRulesThatDoNotMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t, 12, Names(), nil)
		r.Policy = rapid.SampledFrom(Policies()).Draw(t, "policy")
		first, _ := Decide(r)
		want := outcome(r.Graph, first)

		other := r
		other.Graph = reordered(t, r.Graph)
		again, _ := Decide(other)
		require.Equal(t, want, outcome(other.Graph, again))

		other = r
		at := rapid.IntRange(0, len(r.Rules)).Draw(t, "at")
		other.Rules = slices.Insert(slices.Clone(r.Rules), at, Rule{Address: "scope_rule.idle", Tensor: []string{"nothing"}, Scope: Texture})
		again, _ = Decide(other)
		require.Equal(t, want, outcome(r.Graph, again))
	})
}

func TestNoPolicyCopiesLessThanMinCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t, 12, Names(), nil)
		if rapid.Bool().Draw(t, "packed") {
			pack(r.Graph)
		}
		r.Policy = MinCopy
		best, _ := Decide(r)
		for _, policy := range Policies() {
			r.Policy = policy
			other, _ := Decide(r)
			require.LessOrEqual(t, best.CopiedBytes+best.PenaltyBytes, other.CopiedBytes+other.PenaltyBytes, policy)
		}
	})
}

// pack gives every tensor of rank 4 the shape it has in texels.
func pack(g *graph.Graph) {
	for i := range g.Tensors {
		t := &g.Tensors[i]
		t.Layout = ""
		if s := t.Shape; len(s) == 4 {
			t.Shape = graph.Shape{s[0], (s[1] + 3) / 4, s[2], s[3], 4}
		}
	}
}

func TestEveryOpCanRunInTheGraphWithCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t, 12, Names(), nil)
		if rapid.Bool().Draw(t, "packed") {
			pack(r.Graph)
		}
		r.Policy = rapid.SampledFrom(Policies()).Draw(t, "policy")
		decided, diags := Decide(r)
		require.False(t, diags.HasErrors())
		g, result := InsertCopies(r.Graph, decided)
		require.NoError(t, g.Validate())
		require.Len(t, result.Tensors, len(g.Tensors))
		require.Len(t, result.OpScratch, len(g.Ops))
		for i := range g.Ops {
			requireKernel(t, g, &g.Ops[i], result)
		}
		copied, seen := int64(0), map[string]bool{}
		for _, c := range result.Copies {
			require.False(t, seen[c.Name], "copied twice")
			seen[c.Name] = true
			copied += c.Bytes
			require.Equal(t, g.Ops[c.Step].Outputs[0], c.Result)
			for k, use := range c.Uses {
				require.Equal(t, c.Result, g.Ops[use.Op].Inputs[use.Input])
				require.Greater(t, use.Op, c.Step)
				if k == 0 {
					for _, between := range g.Ops[c.Step+1 : use.Op] {
						require.Equal(t, graph.CopyOp, between.Op, "a copy stands directly before its first reader")
					}
				}
			}
		}
		require.Equal(t, decided.CopiedBytes, copied)
	})
}

// requireKernel checks that some variant, or the flat form, takes each operand where it is.
func requireKernel(t *rapid.T, g *graph.Graph, op *graph.Op, r *Result) {
	if op.Domain == graph.CopyDomain {
		return
	}
	variants := append(DefaultVariants(), Variant{Op: []string{"*"}})
	for _, v := range variants {
		if !slices.Contains(v.Op, op.Op) && !slices.Contains(v.Op, "*") || v.Packed && !packsInRelax(g, op) {
			continue
		}
		runs := true
		takes := func(operand string, id graph.TensorID) {
			scopes := v.Scopes[operand]
			if len(scopes) == 0 {
				scopes = []string{Global}
			}
			runs = runs && slices.Contains(scopes, r.Tensors[id].Scope)
		}
		for i, id := range op.Inputs {
			takes(operand(g, op, i), id)
		}
		for _, id := range op.Outputs {
			takes("output", id)
		}
		if runs {
			return
		}
	}
	t.Fatalf("no kernel for %s", op.Name)
}

func TestMinCopyIsFlatWhereNothingAsksForImages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t, 12, Names(), nil)
		r.Rules = nil
		got, diags := Decide(r)
		require.Empty(t, diags)
		require.Equal(t, MinCopy, got.Policy)
		require.True(t, got.Exact)
		for _, decision := range got.Tensors {
			require.Equal(t, Global, decision.Scope)
		}
	})
}

func TestVariantsByOp(t *testing.T) {
	k := kernelsOf([]Variant{{Op: []string{"Conv", "Conv"}}, {Op: []string{"*"}}, {Op: []string{"com.acme.Conv"}}})
	require.Equal(t, []int{0, 1}, k.of(&graph.Op{Op: "Conv"}))
	require.Equal(t, []int{1}, k.of(&graph.Op{Op: "Relu", Domain: "tvm"}))
	require.Equal(t, []int{1, 2}, k.of(&graph.Op{Op: "Conv", Domain: "com.acme"}))
	variants := DefaultVariants()
	require.Equal(t, []string{"Copy"}, variants[len(variants)-1].Op)
}
