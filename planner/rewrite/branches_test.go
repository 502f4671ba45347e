package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

func TestDepthwiseConvolutionsOneAfterTheOtherAllGoThroughTheBranches(t *testing.T) {
	b := &netBuilder{}
	shape := func(channels int64) []int64 { return []int64{1, channels, 4, 4} }
	p, q := b.tensor("p", graph.Input, shape(1)...), b.tensor("q", graph.Input, shape(2)...)
	joined, first, second := b.tensor("joined", graph.Activation, shape(3)...), b.tensor("first", graph.Activation, shape(3)...), b.tensor("second", graph.Activation, shape(3)...)
	w, v := b.constant("w", []int64{3, 1, 1, 1}, 1, 2, 3), b.constant("v", []int64{3, 1, 1, 1}, 4, 5, 6)
	b.op("Concat", []graph.TensorID{joined}, p, q)
	b.op("Conv", []graph.TensorID{first}, joined, w)
	b.op("Conv", []graph.TensorID{second}, first, v)
	b.Ops[0].Attrs["axis"], b.Ops[1].Attrs["group"], b.Ops[2].Attrs["group"] = int64(1), int64(3), int64(3)
	b.output(second)
	g, notes := rewrite.DepthwiseBranches(&b.Graph, nil)
	require.NoError(t, g.Validate())
	require.Len(t, notes, 2)
	var names []string
	for i := range g.Ops {
		names = append(names, g.Ops[i].Name)
	}
	require.Equal(t, []string{"Conv1/part0", "Conv1/part1", "Conv2/part0", "Conv2/part1", "Concat0"}, names)
}
