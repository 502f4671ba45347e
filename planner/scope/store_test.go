package scope_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// scaled is y = relu(x * w) with an integer shape tensor beside it.
func scaled() *graph.Graph {
	float := func(name string, role graph.Role) graph.Tensor {
		return graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: graph.Shape{2}}
	}
	w := float("w", graph.Constant)
	w.Data = graph.Bytes{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}
	ids := graph.Tensor{Name: "ids", Role: graph.Constant, DType: graph.Int64, Shape: graph.Shape{1}, Data: graph.Bytes(make([]byte, 8))}
	return &graph.Graph{
		Tensors: []graph.Tensor{float("x", graph.Input), w, float("t", graph.Activation), float("y", graph.Output), ids},
		Ops: []graph.Op{
			{Name: "mul", Op: "Mul", Inputs: []graph.TensorID{0, 1}, Outputs: []graph.TensorID{2}},
			{Name: "pick", Op: "Gather", Inputs: []graph.TensorID{2, 4}, Outputs: []graph.TensorID{3}},
		},
		Inputs: []graph.TensorID{0}, Outputs: []graph.TensorID{3},
	}
}

func storedBy(rules ...scope.Rule) *graph.Graph {
	g, _ := scope.Store(scope.Request{Graph: scaled(), GraphName: "g", Device: scope.Device{Name: "d"}, Rules: rules})
	return g
}

func TestARuleStoresActivationsAndConstantsNarrower(t *testing.T) {
	g := storedBy(scope.Rule{Address: "scope_rule.half", Store: graph.Float16})
	types := map[string]string{}
	for i := range g.Tensors {
		types[g.Tensors[i].Name] = g.Tensors[i].DType.String() + " as " + g.Tensors[i].ComputeDType().String()
	}
	require.Equal(t, map[string]string{
		"x": "float32 as float32", "w": "float16 as float32", "t": "float16 as float32", "y": "float32 as float32", "ids": "int64 as int64",
	}, types)
	content, err := g.Tensors[1].Data.Read()
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0x3c, 0, 0xc0}, content, "1 and -2 in float16")
}

func TestTheFirstMatchingRuleDecidesWhatIsStored(t *testing.T) {
	g := storedBy(
		scope.Rule{Address: "scope_rule.flat", Tensor: []string{"t"}, Scope: "global"},
		scope.Rule{Address: "scope_rule.half", Store: graph.Float16},
	)
	require.Equal(t, graph.Float32, g.Tensors[2].DType)
	require.Equal(t, graph.Float16, g.Tensors[1].DType)
}

func TestWithoutARuleThatStoresTheGraphIsTheSame(t *testing.T) {
	g := scaled()
	same, _ := scope.Store(scope.Request{Graph: g, Rules: []scope.Rule{{Scope: "global"}}})
	require.Same(t, g, same)
}

func TestARuleThatNarrowsNothingSaysWhichTensorsItDecides(t *testing.T) {
	for name, c := range map[string]struct {
		rule   scope.Rule
		detail string
	}{
		"inputs and outputs keep their type": {scope.Rule{Role: []string{"input", "output"}}, "keep their element type: 1 of input and 1 of output. Inputs,"},
		"only float32 is narrowed":           {scope.Rule{DType: []string{"int64"}}, "keep their element type: 1 of int64."},
		"one tensor narrowed is enough":      {scope.Rule{Role: []string{"input", "activation"}}, ""},
		"a rule without store":               {scope.Rule{Role: []string{"input"}, Scope: "global"}, ""},
		"a rule that decides nothing":        {scope.Rule{Tensor: []string{"nobody"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.rule.Address = "scope_rule.half"; c.rule.Scope == "" {
				c.rule.Store = graph.Float16
			}
			rules := []scope.Rule{c.rule}
			_, stored := scope.Store(scope.Request{Graph: scaled(), GraphName: "g", Device: scope.Device{Name: "d"}, Rules: rules})
			ds := scope.UnusedStores(rules, nil, stored)
			if c.detail == "" {
				require.Empty(t, ds)
				return
			}
			require.Len(t, ds, 1)
			require.Equal(t, "MP0513", string(ds[0].ID))
			require.Contains(t, ds[0].Detail, c.detail)
			require.Empty(t, scope.UnusedStores(rules, []bool{true}, stored), "presets are silent")
		})
	}
}
