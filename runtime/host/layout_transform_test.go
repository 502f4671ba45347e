package host_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/require"
)

func transform(t *testing.T, from, to string, x []float32, in0, out graph.Shape) []float32 {
	t.Helper()
	op := &graph.Op{Name: "pack", Op: "LayoutTransform", Attrs: graph.Attrs{"src_layout": from, "dst_layout": to}}
	return one(t, 2, op, out, in("x", graph.Input, x, in0...))
}

func TestChannelsArePackedByFourAndBack(t *testing.T) {
	// [1, 5, 1, 2] NCHW: channel c has the values 10c and 10c+1.
	x := []float32{0, 1, 10, 11, 20, 21, 30, 31, 40, 41}
	packed := transform(t, "NCHW", "NCHW4c", x, graph.Shape{1, 5, 1, 2}, graph.Shape{1, 2, 1, 2, 4})
	require.Equal(t, []float32{0, 10, 20, 30, 1, 11, 21, 31, 40, 0, 0, 0, 41, 0, 0, 0}, packed)
	require.Equal(t, x, transform(t, "NCHW4c", "NCHW", packed, graph.Shape{1, 2, 1, 2, 4}, graph.Shape{1, 5, 1, 2}))
	last := transform(t, "NCHW4c", "NHWC", packed, graph.Shape{1, 2, 1, 2, 4}, graph.Shape{1, 1, 2, 5})
	require.Equal(t, []float32{0, 10, 20, 30, 40, 1, 11, 21, 31, 41}, last)
}
