package planner_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
)

// pixelsFile has two concatenations of the channels of two pixels, the first in the second, and a split of what comes of them.
const pixelsFile = `{"format_version": "1.0", "name": "net", "tensors": [
 {"name": "x", "role": "input", "dtype": "float32", "shape": [1, 2, 1, 16]},
 {"name": "a", "dtype": "float32", "shape": [1, 2, 1, 16]}, {"name": "b", "dtype": "float32", "shape": [1, 2, 1, 16]},
 {"name": "ab", "dtype": "float32", "shape": [1, 2, 1, 32]}, {"name": "c", "dtype": "float32", "shape": [1, 2, 1, 32]},
 {"name": "abc", "dtype": "float32", "shape": [1, 2, 1, 64]}, {"name": "r", "dtype": "float32", "shape": [1, 2, 1, 64]},
 {"name": "sizes", "role": "constant", "dtype": "int64", "shape": [2], "data": "EAAAAAAAAAAwAAAAAAAAAA=="},
 {"name": "p", "dtype": "float32", "shape": [1, 2, 1, 16]}, {"name": "q", "dtype": "float32", "shape": [1, 2, 1, 48]},
 {"name": "y", "role": "output", "dtype": "float32", "shape": [1, 2, 1, 16]}, {"name": "z", "role": "output", "dtype": "float32", "shape": [1, 2, 1, 48]}],
 "ops": [{"name": "a", "op": "Exp", "inputs": ["x"], "outputs": ["a"]}, {"name": "b", "op": "Neg", "inputs": ["x"], "outputs": ["b"]},
 {"name": "ab", "op": "Concat", "inputs": ["a", "b"], "outputs": ["ab"], "attrs": {"axis": -1}},
 {"name": "c", "op": "Abs", "inputs": ["ab"], "outputs": ["c"]},
 {"name": "abc", "op": "Concat", "inputs": ["ab", "c"], "outputs": ["abc"], "attrs": {"axis": 3}},
 {"name": "r", "op": "Relu", "inputs": ["abc"], "outputs": ["r"]},
 {"name": "cut", "op": "Split", "inputs": ["r", "sizes"], "outputs": ["p", "q"], "attrs": {"axis": 3}},
 {"name": "y", "op": "Exp", "inputs": ["p"], "outputs": ["y"]}, {"name": "z", "op": "Exp", "inputs": ["q"], "outputs": ["z"]}]}`

func planPixels(t *testing.T, driver string) *planner.Result {
	cfg := config.Bare("net.json", nil)
	cfg.Devices[0].Driver = driver
	cfg.Planner.Order, cfg.Planner.Rewrite, cfg.Planner.Views = "source", []string{}, []string{"reshape", "inplace", "concat"}
	open := func(path string) (*source.File, error) { return source.FromBytes(path, []byte(pixelsFile)), nil }
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: open, Version: "test"})
	require.NoError(t, err)
	require.Empty(t, diags)
	return result
}

func row(t *testing.T, p *plan.Plan, name string) *plan.Tensor {
	i := slices.IndexFunc(p.Graphs[0].Tensors, func(x plan.Tensor) bool { return x.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return &p.Graphs[0].Tensors[i]
}

func TestChannelsLastLieInPlaceAsRows(t *testing.T) {
	p := planPixels(t, "host").Plan
	for name, want := range map[string]plan.Tensor{
		"a":  {ViewOffset: 0, Rows: &plan.Rows{Bytes: 64, Stride: 256}, Size: 320},
		"b":  {ViewOffset: 64, Rows: &plan.Rows{Bytes: 64, Stride: 256}, Size: 320},
		"ab": {ViewOffset: 0, Rows: &plan.Rows{Bytes: 128, Stride: 256}, Size: 384},
		"c":  {ViewOffset: 128, Rows: &plan.Rows{Bytes: 128, Stride: 256}, Size: 384},
		"r":  {ViewOffset: 0, Size: 512},
		"p":  {ViewOffset: 0, Rows: &plan.Rows{Bytes: 64, Stride: 256}, Size: 320},
		"q":  {ViewOffset: 64, Rows: &plan.Rows{Bytes: 192, Stride: 256}, Size: 448},
	} {
		got := row(t, p, name)
		require.NotNil(t, got.ViewOf, name)
		require.Equal(t, "abc", *got.ViewOf, name)
		require.Equal(t, want, plan.Tensor{ViewOffset: got.ViewOffset, Rows: got.Rows, Size: got.Size}, name)
	}
	require.Nil(t, row(t, p, "abc").ViewOf)
	for _, driver := range []string{"opencl", "none"} {
		for _, x := range planPixels(t, driver).Plan.Graphs[0].Tensors {
			require.Nil(t, x.Rows, "%s on %s, whose kernels are not known to find rows", x.Name, driver)
		}
	}
}

// The checker holds rows against the graph by itself, byte for byte.
func TestTheCheckerFindsRowsThatAreElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		of     string
		change func(*plan.Tensor)
	}{
		"on the rows of another": {"b", func(x *plan.Tensor) { x.ViewOffset -= 4; *x.Offset -= 4 }},
		"between its own":        {"c", func(x *plan.Tensor) { x.ViewOffset += 4; *x.Offset += 4 }},
		"at another stride":      {"a", func(x *plan.Tensor) { x.Rows.Stride = 128; x.Size = 192 }},
		"of another length":      {"a", func(x *plan.Tensor) { x.Rows.Bytes = 32; x.Size = 3*256 + 32 }},
		"as one run":             {"ab", func(x *plan.Tensor) { x.Rows, x.Size = nil, 256 }},
		"that do not hold it":    {"q", func(x *plan.Tensor) { x.Rows.Stride++ }},
		"that overlap":           {"q", func(x *plan.Tensor) { x.Rows.Stride = 1 }},
		"of no bytes":            {"q", func(x *plan.Tensor) { x.Rows.Bytes = 0 }},
		"of a tensor of its own": {"abc", func(x *plan.Tensor) { x.Rows = &plan.Rows{Bytes: 64, Stride: 128} }},
		"while they are free": {"abc", func(x *plan.Tensor) {
			x.Gaps = []plan.Gap{{First: 1, Last: 2, From: 256, To: 320}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			result := planPixels(t, "host")
			require.Empty(t, check.Verify(result.Plan, result.Graphs))
			x := row(t, result.Plan, c.of)
			offset := *x.Offset
			x.Offset = &offset
			c.change(x)
			require.True(t, check.Verify(result.Plan, result.Graphs).HasErrors())
		})
	}
}
