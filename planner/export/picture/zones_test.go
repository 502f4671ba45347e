package picture_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/export/picture"
	"github.com/memplan/memplan/planner/plan"
)

// Wherever in their base the rows of two tensors begin, their bands fill what they are put together to, the one after the other.
func TestBandsOfRowsFillWhatTheyArePutTogetherTo(t *testing.T) {
	const stride, rows, first = 32, 4, 12
	for at := range int64(2 * stride) {
		view := func(name string, from, size, row int64) plan.Tensor {
			out := plan.Tensor{Name: name, Pool: "arena", Offset: ptr(1000 + from), ViewOf: ptr("base"), ViewOffset: from, Size: size, LogicalSize: row * rows, Last: 1}
			if row < stride {
				out.Rows = &plan.Rows{Bytes: row, Stride: stride}
			}
			return out
		}
		total := at + stride*rows
		base := plan.Tensor{Name: "base", Pool: "arena", Offset: ptr(int64(1000)), Size: total, LogicalSize: total, Last: 1}
		g := &plan.Graph{Name: "net", Steps: make([]plan.Step, 1), Tensors: []plan.Tensor{
			base, view("second", at+first, (rows-1)*stride+stride-first, stride-first), view("whole", at, stride*rows, stride), view("first", at, (rows-1)*stride+first, first), view("before", 0, at, stride)}}
		bands := picture.Bands(&plan.Pool{Name: "arena"}, g)
		require.Equal(t, [2]int64{1000 + at, 1000 + at + first*rows}, bands["first"], at)
		require.Equal(t, [2]int64{1000 + at + first*rows, 1000 + total}, bands["second"], at)
		require.Equal(t, [2]int64{1000 + at, 1000 + total}, bands["whole"], at)
	}
}
