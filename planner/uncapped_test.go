package planner_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The pieces of "op1" take fewer bytes apart than in place, which shows only once everything has a place.
const piecesApart = `{
  "format_version": "1.0",
  "tensors": [
    {"name": "x0", "role": "input", "dtype": "float32", "shape": [1, 1, 3, 3]},
    {"name": "op0", "dtype": "float32", "shape": [1, 1, 3, 3]},
    {"name": "op1", "dtype": "float32", "shape": [4, 1, 3, 3]},
    {"name": "op2", "role": "output", "dtype": "float32", "shape": [1, 3, 3, 3]},
    {"name": "op3", "role": "output", "dtype": "float32", "shape": [2, 1, 3, 3]}
  ],
  "ops": [
    {"name": "op0", "op": "Relu", "inputs": ["x0"], "outputs": ["op0"]},
    {"name": "op1", "op": "Concat", "inputs": ["op0", "op0", "op0", "op0"], "outputs": ["op1"], "attrs": {"axis": 0}},
    {"name": "op2", "op": "Concat", "inputs": ["x0", "x0", "x0"], "outputs": ["op2"], "attrs": {"axis": 1}},
    {"name": "op3", "op": "Concat", "inputs": ["op0", "x0"], "outputs": ["op3"], "attrs": {"axis": 0}}
  ]
}`

func TestAPoolAsLargeAsThePlanNeedsIsLargeEnough(t *testing.T) {
	sized := func(size string) world {
		return world{"main.hcl": "device \"d\" {}\npool \"arena\" {\n  device = device.d\n" + size + "}\ngraph \"g\" {\n  source = \"g.json\"\n  device = device.d\n  keep = [\"op0\"]\n}\n", "g.json": piecesApart}
	}
	peak := sized("").must(t).Pools[0].Peak
	result, diags := sized(fmt.Sprintf("  size = %d\n", peak)).plan(t)
	require.False(t, diags.HasErrors(), diags)
	require.Equal(t, peak, result.Plan.Pools[0].Peak)
	_, diags = sized(fmt.Sprintf("  size = %d\n", peak-1)).plan(t)
	require.True(t, diags.HasErrors(), "nothing smaller is known")
	require.Contains(t, diags[0].Detail, fmt.Sprintf("needs %d bytes", peak))
}
