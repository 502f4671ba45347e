package scope_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// network is image -> Conv(w, b) -> mid -> Gather(index) -> out, with scratch memory in the Conv and an unused constant.
func network() *graph.Graph {
	tensor := func(name string, role graph.Role, dtype graph.DType, shape ...int64) graph.Tensor {
		return graph.Tensor{Name: name, Role: role, DType: dtype, Shape: shape}
	}
	return &graph.Graph{
		Name: "net", Inputs: []graph.TensorID{0}, Outputs: []graph.TensorID{5},
		Tensors: []graph.Tensor{
			tensor("image", graph.Input, graph.Float32, 1, 3, 8, 8), tensor("block1/w", graph.Constant, graph.Float32, 4, 3, 3, 3),
			tensor("block1/b", graph.Constant, graph.Float32, 4), tensor("block1/mid", graph.Activation, graph.Float32, 1, 4, 6, 6),
			tensor("index", graph.Constant, graph.Int64, 2), tensor("out", graph.Output, graph.Float32, 1, 2, 6, 6), tensor("unused", graph.Constant, graph.Float32, 9),
		},
		Ops: []graph.Op{
			{Name: "conv", Op: "Conv", Inputs: []graph.TensorID{0, 1, 2}, Outputs: []graph.TensorID{3}, Fused: []string{"Conv", "Relu"}, Scratch: []graph.ScratchBuffer{{Name: "im2col", Bytes: 64}}},
			{Name: "gather", Op: "Gather", Inputs: []graph.TensorID{3, 4}, Outputs: []graph.TensorID{5}},
		},
	}
}

var changing = []graph.Role{graph.Input, graph.Output, graph.Activation, graph.Scratch, graph.State}

func request(rules ...scope.Rule) scope.Request {
	return scope.Request{Graph: network(), Device: scope.Device{Name: "gpu"}, Rules: rules, Pools: []scope.Pool{
		{Name: "fast", Device: "gpu", Type: "flat", Holds: changing}, {Name: "textures", Device: "gpu", Type: "texture", Holds: graph.Roles},
		{Name: "elsewhere", Device: "cpu", Type: "flat", Holds: graph.Roles}, {Name: "slow", Device: "gpu", Type: "flat", Holds: graph.Roles},
	}}
}

// decided lists the tensors that the first rule decides.
func decided(r *scope.Result) []string {
	var names []string
	for i, t := range network().Tensors {
		if r.Tensors[i].Rule == 0 {
			names = append(names, t.Name)
		}
	}
	return names
}

func TestWithoutRulesRolesChooseThePools(t *testing.T) {
	r, diags := scope.Decide(request())
	require.Empty(t, diags)
	for i, want := range [][]int{{0, 3}, {3}, {3}, {0, 3}, {3}, {0, 3}, nil} {
		require.Equal(t, scope.Decision{Scope: "global", Rule: -1, Policy: "flat", Pools: want}, r.Tensors[i])
	}
	require.Equal(t, []int{0, 3}, r.Scratch)
	require.Equal(t, [][]scope.Decision{{{Scope: "global", Rule: -1, Policy: "flat", Pools: []int{0, 3}}}, nil}, r.OpScratch)
}

func TestWhatRulesMatch(t *testing.T) {
	for _, c := range []struct {
		name string
		rule scope.Rule
		want []string
	}{
		{"everything that is used", scope.Rule{}, []string{"image", "block1/w", "block1/b", "block1/mid", "index", "out"}},
		{"what an op touches", scope.Rule{Op: []string{"Conv"}}, []string{"image", "block1/w", "block1/b", "block1/mid"}},
		{"what a fused op touches", scope.Rule{Op: []string{"Relu"}}, []string{"image", "block1/w", "block1/b", "block1/mid"}},
		{"an operand of any op", scope.Rule{Operand: []string{"data"}}, []string{"image", "block1/mid"}},
		{"operand and op of the same use", scope.Rule{Op: []string{"Gather"}, Operand: []string{"output"}}, []string{"out"}},
		{"weights and indexes", scope.Rule{Operand: []string{"weight", "index"}}, []string{"block1/w", "index"}},
		{"biases", scope.Rule{Operand: []string{"bias"}}, []string{"block1/b"}},
		{"an element type", scope.Rule{DType: []string{"int64"}}, []string{"index"}},
		{"a role", scope.Rule{Role: []string{"input", "output"}}, []string{"image", "out"}},
		{"a glob of one level", scope.Rule{Tensor: []string{"*"}}, []string{"image", "index", "out"}},
		{"a glob of all levels", scope.Rule{Tensor: []string{"block*/**"}}, []string{"block1/w", "block1/b", "block1/mid"}},
		{"a condition on the tensor", scope.Rule{Condition: func(t scope.TensorFacts, op scope.OpFacts) (bool, error) {
			return t.Bytes >= 500 && op.Index == -1, nil
		}}, []string{"image", "block1/mid"}},
		{"a condition on any op that touches the tensor", scope.Rule{ConditionReadsOp: true, Condition: func(_ scope.TensorFacts, op scope.OpFacts) (bool, error) {
			return op.Name == "gather", nil
		}}, []string{"block1/mid", "index", "out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, diags := scope.Decide(request(c.rule))
			require.Empty(t, diags)
			require.Equal(t, c.want, decided(r))
			require.Equal(t, []bool{true}, r.Decided)
		})
	}
}

func TestTheFirstMatchingRuleDecidesAndItsPoolsComeInItsOrder(t *testing.T) {
	r, diags := scope.Decide(request(
		scope.Rule{Tensor: []string{"out"}, Pools: []int{3, 0}},
		scope.Rule{Role: []string{"output", "input"}, Scope: "global"},
	))
	require.Empty(t, diags)
	require.Equal(t, scope.Decision{Scope: "global", Rule: 0, Pools: []int{3, 0}}, r.Tensors[5])
	require.Equal(t, scope.Decision{Scope: "global", Rule: 1, Pools: []int{0, 3}}, r.Tensors[0])
}

func TestARuleSpeaksOnlyToTheDevicesOfItsPools(t *testing.T) {
	r, diags := scope.Decide(request(scope.Rule{Address: "scope_rule.cpu", Pools: []int{2}}))
	require.Empty(t, diags)
	require.Empty(t, decided(r))
	require.Equal(t, []bool{false}, r.Decided)
}

func TestAPinWinsOverPoolsAndHolds(t *testing.T) {
	q := request(scope.Rule{Tensor: []string{"out"}, Pools: []int{0}})
	q.Pins = map[graph.TensorID]scope.Pin{5: {Address: `place "out"`, Pool: 3}, 1: {Address: `place "w"`, Pool: 0}}
	r, diags := scope.Decide(q)
	require.Empty(t, diags)
	require.Equal(t, []int{3}, r.Tensors[5].Pools)
	require.Equal(t, `place "out"`, r.Tensors[5].Pinned)
	require.Equal(t, []int{0}, r.Tensors[1].Pools)
}

func TestScratchMemoryMeetsRules(t *testing.T) {
	r, diags := scope.Decide(request(scope.Rule{Role: []string{"scratch"}, Op: []string{"Conv"}, Tensor: []string{"conv/*"}, Pools: []int{3}}))
	require.Empty(t, diags)
	require.Equal(t, scope.Decision{Scope: "global", Rule: 0, Pools: []int{3}}, r.OpScratch[0][0])
}

func TestSpellingsOfAScope(t *testing.T) {
	for given, want := range map[string]string{"": "global", "global": "global", "global.texture": "global.texture", "globe": ""} {
		got, ok := scope.Canonical(given)
		require.Equal(t, want, got)
		require.Equal(t, want != "", ok)
	}
}

func TestDiagnostics(t *testing.T) {
	texture := request(scope.Rule{Address: "scope_rule.t", Scope: "global.texture", Role: []string{"constant"}})
	homeless := request()
	homeless.Pools = homeless.Pools[:1]
	onlyTextures := request(scope.Rule{Address: "scope_rule.t", Pools: []int{1}, Tensor: []string{"out"}})
	pinned := request()
	pinned.Pins = map[graph.TensorID]scope.Pin{5: {Address: `place "out"`, Pool: 1}}
	for _, c := range []struct {
		id, says string
		q        scope.Request
	}{
		{"MP0500", `Did you mean "global.texture"?`, request(scope.Rule{Address: "scope_rule.t", Scope: "global.textur"})},
		{"MP0502", `first for the tensor "block1/w"`, texture},
		{"MP0503", `"block1/w" of role "constant" and 2 more`, homeless},
		{"MP0505", `scope_rule.t failed for the tensor "image": no axis 7`, request(scope.Rule{Address: "scope_rule.t",
			Condition: func(scope.TensorFacts, scope.OpFacts) (bool, error) { return false, errors.New("no axis 7") }})},
		{"MP0506", `"block[1"`, request(scope.Rule{Address: "scope_rule.t", Tensor: []string{"block[1"}})},
		{"MP0507", `place "out"`, pinned},
		{"MP0508", `scope_rule.t`, onlyTextures},
	} {
		t.Run(c.id, func(t *testing.T) {
			r, diags := scope.Decide(c.q)
			require.Len(t, diags, 1)
			require.Equal(t, c.id, string(diags[0].ID))
			require.Contains(t, diags[0].Detail, c.says)
			require.Len(t, r.Tensors, 7)
		})
	}
}

func TestATensorDeniedATextureStaysFlatAndSaysWhy(t *testing.T) {
	r, _ := scope.Decide(request(scope.Rule{Address: "scope_rule.t", Scope: "global.texture", Pools: []int{1}, Role: []string{"constant"}}))
	require.Equal(t, scope.Decision{Scope: "global", Rule: 0, Pools: []int{3}, Excluded: []scope.Exclusion{
		{Scope: "global.texture", Because: "device gpu has no image2d"}, {Scope: "global.texture", Because: "pool textures holds textures only"},
	}}, r.Tensors[1])
}

func TestRulesThatDecideNothingInAnyGraphAreReported(t *testing.T) {
	for name, c := range map[string]struct {
		rule scope.Rule
		says string
	}{
		"an operator in another case":          {scope.Rule{Op: []string{"conv"}}, `no operator is of the list op, "conv". Did you mean "Conv"?`},
		"an operator that resembles none":      {scope.Rule{Op: []string{"Softmax"}}, `no operator is of the list op, "Softmax". Correct`},
		"an operand that the operator has not": {scope.Rule{Op: []string{"Conv"}, Operand: []string{"index"}}, "its list operand leaves no tensor"},
		"a role with another type":             {scope.Rule{DType: []string{"float32"}, Role: []string{"state"}}, "its list role leaves no tensor"},
		"a glob":                               {scope.Rule{Tensor: []string{"nowhere/**"}}, "its list tensor leaves no tensor"},
		"a graph":                              {scope.Rule{Graph: []string{"other"}}, "it speaks of no graph"},
		"a condition":                          {scope.Rule{Condition: func(scope.TensorFacts, scope.OpFacts) (bool, error) { return false, nil }}, "meets its match block and its condition"},
	} {
		t.Run(name, func(t *testing.T) {
			c.rule.Address, c.rule.Scope = "scope_rule.b", "global"
			rules := []scope.Rule{c.rule, {Address: "scope_rule.all", Scope: "global"}, {Address: "scope_rule.silent", Scope: "global"}}
			r, _ := scope.Decide(request(rules...))
			diags := scope.Unused(rules, []bool{false, false, true}, r, r)
			require.Len(t, diags, 1)
			require.Equal(t, "MP0504", string(diags[0].ID))
			require.Equal(t, diag.Warning, diags[0].Severity)
			require.Contains(t, diags[0].Detail, c.says)
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	g := &graph.Graph{}
	for i := range 10_000 {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: fmt.Sprintf("stage%d/block%d/out", i%7, i), Role: graph.Activation, DType: graph.Float32, Shape: graph.Shape{1, 64, 8, 8}})
		if i > 0 {
			g.Ops = append(g.Ops, graph.Op{Op: "Conv", Inputs: []graph.TensorID{graph.TensorID(i - 1)}, Outputs: []graph.TensorID{graph.TensorID(i)}})
		}
	}
	q := request()
	q.Graph = g
	for i := range 48 {
		q.Rules = append(q.Rules, scope.Rule{Op: []string{"Conv"}, Operand: []string{"data"}, DType: []string{"float32"}, Tensor: []string{fmt.Sprintf("stage*/**/x%d", i)}})
	}
	penalty := int64(1000)
	q.Rules = append(q.Rules,
		scope.Rule{Tensor: []string{"stage3/block*1/**"}, Scope: "global.texture-nhwc"},
		scope.Rule{Tensor: []string{"stage{1,2,3,4,5}/**"}, Scope: "global.texture", Penalty: &penalty})
	b.Run("on a device without images", func(b *testing.B) {
		for b.Loop() {
			scope.Decide(q)
		}
	})
	q.Device.Image2D = &scope.Limits{MaxWidth: 16384, MaxHeight: 16384, MaxLayers: 2048, PitchAlignment: 64}
	for _, policy := range scope.Policies() {
		q.Policy = policy
		b.Run(policy, func(b *testing.B) {
			for b.Loop() {
				scope.Decide(q)
			}
		})
	}
}
