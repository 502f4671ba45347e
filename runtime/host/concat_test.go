package host_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/stretchr/testify/require"
)

func TestAConcatenationOfAnEmptyBatchHasNothingToDo(t *testing.T) {
	r := newRig(t, 1)
	a, b := r.floats("a", graph.Input, graph.Shape{0, 2, 3}, nil), r.floats("b", graph.Input, graph.Shape{0, 1, 3}, nil)
	y := r.floats("y", graph.Output, graph.Shape{0, 3, 3}, nil)
	r.run(&graph.Op{Op: "Concat", Attrs: graph.Attrs{"axis": int64(1)}}, []*device.Tensor{y}, []*device.Tensor{a, b})
	require.Empty(t, r.read(y))
}
