package texture_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

// elementsOf lists what each channel of each texel holds, the texels in row-major order: an element of the dense array, -1
// for padding.
func elementsOf(o texture.Order) []int64 {
	var list []int64
	index := make([]int64, len(o.Extents))
	for {
		for lane := range int64(4) {
			at := lane * o.Lane
			for axis, i := range index {
				at += i * o.Strides[axis]
			}
			if o.Cut >= 0 && 4*index[o.Cut]+lane >= o.Channels {
				at = -1
			}
			list = append(list, at)
		}
		axis := len(index) - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < o.Extents[axis] {
				break
			}
			index[axis] = 0
		}
		if axis < 0 {
			return list
		}
	}
}

func order(t require.TestingT, layout string, shape ...int64) texture.Order {
	o, reason := texture.OrderOf(shape, layout)
	require.Empty(t, reason)
	return o
}

func TestTexelsHoldFourChannelsOfOnePlace(t *testing.T) {
	require.Equal(t, []int64{0, 2, 4, 6, 1, 3, 5, 7, 8, -1, -1, -1, 9, -1, -1, -1}, elementsOf(order(t, "NCHW", 1, 5, 1, 2)))
	require.Equal(t, []int64{0, 1, 2, 3, 4, -1, -1, -1, 5, 6, 7, 8, 9, -1, -1, -1}, elementsOf(order(t, "NHWC", 1, 1, 2, 5)))
	require.Equal(t, []int64{0, 2, 4, 6, 1, 3, 5, 7}, elementsOf(order(t, "HWOI", 1, 1, 4, 2)), "a texel has four outputs for one input")
	require.Equal(t, []int64{0, 1, 2, 3, 4, 5, 6, 7}, elementsOf(order(t, "", 1, 1, 2, 1, 4)))
}

func TestAPackedTensorHasItsPlainOrder(t *testing.T) {
	shape, layout, o, ok := texture.Unpack(graph.Shape{1, 2, 1, 2, 4}, "NCHW4c")
	require.True(t, ok)
	require.Equal(t, graph.Shape{1, 8, 1, 2}, shape)
	require.Equal(t, "NCHW", layout)
	require.Equal(t, order(t, "NCHW", 1, 8, 1, 2), o)
	shape, layout, _, ok = texture.Unpack(graph.Shape{3, 3, 8, 2, 4}, "HWIO4o")
	require.True(t, ok)
	require.Equal(t, graph.Shape{3, 3, 8, 8}, shape)
	require.Equal(t, "HWIO", layout)
	for _, layout := range []string{"NCHW", "NCHW4x", "NCHW8c", "NNCHW4c", "NCH4c", "NCCW4c", ""} {
		_, _, _, ok = texture.Unpack(graph.Shape{1, 2, 1, 2, 4}, layout)
		require.False(t, ok, layout)
	}
}

func TestEqualSidesAreNotEnoughForAView(t *testing.T) {
	x := order(t, "NCHW", 1, 8, 14, 14)
	require.True(t, x.Same(order(t, "NCHW", 2, 4, 14, 14)))
	require.True(t, x.Same(order(t, "NCHW", 1, 8, 14, 14)))
	require.False(t, x.Same(order(t, "NCHW", 1, 16, 7, 14)))
	require.False(t, x.Same(order(t, "NHWC", 1, 8, 14, 14)))
	require.True(t, order(t, "NCHW", 1, 6, 4, 4).Same(order(t, "NCHW", 1, 6, 2, 8)))
	require.False(t, order(t, "NCHW", 2, 6, 4, 4).Same(order(t, "NCHW", 1, 12, 4, 4)), "one of them has padding")
}

func TestOrdersAreTheSameWhenTheirTexelsAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layouts := append(texture.Layouts(), "")
		draw := func(name string) texture.Order {
			extent := rapid.SampledFrom([]int64{1, 1, 2, 3, 4, 5, 8})
			for {
				shape := graph.Shape(rapid.SliceOfN(extent, 4, 4).Draw(t, name))
				layout := rapid.SampledFrom(layouts).Draw(t, name+" layout")
				if layout == "" {
					shape = append(shape, 4)
				}
				if o, reason := texture.OrderOf(shape, layout); reason == "" {
					return o
				}
			}
		}
		a, b := draw("a"), draw("b")
		ea, eb := elementsOf(a), elementsOf(b)
		same := len(ea) == len(eb)
		for i := 0; same && i < len(ea); i++ {
			same = ea[i] == eb[i]
		}
		if got := a.Same(b); got {
			require.True(t, same, "%v and %v", a, b)
		} else if same {
			require.NotZero(t, a.Channels%4, "only orders with padding may be taken for different: %v and %v", a, b)
		}
	})
}
