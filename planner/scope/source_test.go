package scope_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// compiledGraph is a graph as TVM's compiler leaves it: scopes on all tensors, a function of which nothing is known but its
// operands, and a copy between scopes.
func compiledGraph() *net {
	n := new(net).
		tensor("data", graph.Input, graph.Float32, "NCHW4c", 1, 2, 10, 10, 4).
		tensor("p0", graph.Constant, graph.Float32, "OIHW4o", 2, 8, 3, 3, 4).
		tensor("conv", graph.Activation, graph.Float32, "NCHW4c", 1, 2, 8, 8, 4).
		tensor("copied", graph.Activation, graph.Float32, "NCHW4c", 1, 2, 8, 8, 4).
		tensor("out", graph.Output, graph.Float32, "NCHW4c", 1, 2, 8, 8, 4).
		op("mystery", []string{"data", "p0"}, "conv").
		op("Copy", []string{"conv"}, "copied").
		op("another", []string{"copied"}, "out")
	for i, name := range []string{a, w, h, g, g} {
		n.Tensors[i].Scope = name
	}
	for i := range n.Ops {
		n.Ops[i].Domain = "tvm"
	}
	return n
}

func TestScopesOfTheSourceAreKeptUnderEveryPolicy(t *testing.T) {
	for _, policy := range scope.Policies() {
		t.Run(policy, func(t *testing.T) {
			n := compiledGraph()
			r, diags := scope.Decide(adreno(&n.Graph, policy))
			require.Empty(t, diags)
			require.Empty(t, r.Copies, "the functions of the source run with its scopes")
			for i := range n.Tensors {
				require.Equal(t, n.Tensors[i].Scope, r.Tensors[i].Scope, n.Tensors[i].Name)
				require.Equal(t, scope.SourcePolicy, r.Tensors[i].Policy, n.Tensors[i].Name)
				require.Equal(t, -1, r.Tensors[i].Rule)
				require.Empty(t, r.Tensors[i].Excluded)
			}
		})
	}
}

func TestRulesGoBeforeTheSource(t *testing.T) {
	n := compiledGraph()
	r, diags := scope.Decide(adreno(&n.Graph, scope.MinCopy, scope.Rule{Address: "scope_rule.flat", Tensor: []string{"p0"}, Scope: g}, scope.Rule{Address: "scope_rule.pools", Tensor: []string{"conv"}, Pools: []int{1}}))
	require.Empty(t, diags)
	require.Equal(t, g, r.Tensors[1].Scope)
	require.Equal(t, 0, r.Tensors[1].Rule)
	require.Equal(t, h, r.Tensors[2].Scope, "a rule that gives pools only leaves the scope to the source")
	require.Equal(t, 1, r.Tensors[2].Rule)
	require.Equal(t, scope.SourcePolicy, r.Tensors[2].Policy)
	require.Len(t, r.Copies, 1, "the function takes its weights as an image: they are copied into one")
	require.Equal(t, "p0@"+w, r.Copies[0].Name)
}

func TestScopesOfTheSourceThatCannotBeAreReported(t *testing.T) {
	n := compiledGraph()
	req := adreno(&n.Graph, scope.MinCopy)
	req.Device.Image2D.MaxWidth = 64
	r, diags := scope.Decide(req)
	require.Len(t, diags, 1)
	require.Equal(t, "MP0509", string(diags[0].ID))
	require.Contains(t, diags[0].Detail, `The source of graph "net" asks for texture scopes for 2 tensors that stay in flat memory, first for "p0" (width 72 `)
	require.Equal(t, g, r.Tensors[1].Scope)
	require.Equal(t, w, r.Tensors[1].Excluded[0].Scope)
	require.Contains(t, r.Tensors[1].Excluded[0].Because, "72")
	require.Contains(t, r.Tensors[1].Excluded[0].Because, "64")
	require.Contains(t, diags[0].Detail, `"conv" (the kernel of mystery that writes global.texture-nhwc reads "p0" from global.texture-weight, and width 72 `, "its function takes weights as images only")

	req.Device.Image2D = nil
	r, diags = scope.Decide(req)
	require.Len(t, diags, 1, "once for a device without images")
	require.Equal(t, "MP0502", string(diags[0].ID))
	for i := range r.Tensors {
		require.Equal(t, g, r.Tensors[i].Scope)
	}
}

func TestManyScopesOfTheSourceThatCannotBeAreCounted(t *testing.T) {
	n := new(net)
	var names []string
	for i := range 23 {
		name := string(rune('a' + i))
		names = append(names, name)
		n.tensor(name, graph.Input, graph.Int64, "NCHW4c", 1, 2, 8, 8, 4)
		n.Tensors[i].Scope = a
	}
	n.tensor("out", graph.Output, graph.Float32, "", 4).op("mystery", names, "out")
	_, diags := scope.Decide(adreno(&n.Graph, scope.MinCopy))
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `for 23 tensors that stay in flat memory, first for "a", "b" and "c" (element type int64`)
}

func TestAScopeOfTheSourceThatDoesNotExistIsReported(t *testing.T) {
	n := compiledGraph()
	n.Tensors[0].Scope = "global.textur"
	_, diags := scope.Decide(adreno(&n.Graph, scope.MinCopy))
	require.Equal(t, "MP0500", string(diags[0].ID))
	require.Contains(t, diags[0].Detail, `Did you mean "global.texture"?`)
}
