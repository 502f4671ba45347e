package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
)

func TestScratchNamesAreNobodyElses(t *testing.T) {
	scratch := func(names ...string) (list []graph.ScratchBuffer) {
		for _, name := range names {
			list = append(list, graph.ScratchBuffer{Name: name})
		}
		return list
	}
	g := &graph.Graph{
		Tensors: []graph.Tensor{{Name: "a/tmp"}, {Name: "a/tmp'"}, {Name: "x"}},
		Ops: []graph.Op{
			{Name: "a", Scratch: scratch("tmp", "im2col")},
			{Name: "b"},
			{Name: "a", Scratch: scratch("tmp", "tmp")},
			{Name: "a/b", Scratch: scratch("c")},
			{Name: "a", Scratch: scratch("b/c")},
		},
	}
	require.Equal(t, [][]string{{"a/tmp''", "a/im2col"}, nil, {"a/tmp'''", "a/tmp''''"}, {"a/b/c"}, {"a/b/c'"}}, g.ScratchNames())
}
