package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

func TestImagesHaveTheBytesOfTheDocumentation(t *testing.T) {
	for name, c := range map[string]struct {
		scope, layout string
		shape         []int64
		align         int64
		width, height int64
		bytes         int64
	}{
		"a packed activation by its rows":             {"global.texture-nhwc", "", []int64{1, 22, 20, 20, 4}, 16, 400, 22, 140_800},
		"the same at a pitch of 64 texels":            {"global.texture-nhwc", "", []int64{1, 22, 20, 20, 4}, 64, 400, 22, 157_696},
		"channels are cut into fours":                 {"global.texture", "NCHW", []int64{2, 6, 5, 3}, 1, 3, 20, 3 * 20 * 16},
		"an axis without a name is ONNX's":            {"global.texture", "", []int64{2, 6, 5, 3}, 1, 3, 20, 3 * 20 * 16},
		"channels last":                               {"global.texture-nhwc", "NHWC", []int64{2, 5, 3, 6}, 1, 6, 10, 60 * 16},
		"a kernel's outputs are cut, as a weight":     {"global.texture-weight", "OIHW", []int64{9, 7, 3, 2}, 1, 42, 3, 126 * 16},
		"a kernel of TFLite is laid out as ONNX's":    {"global.texture-weight", "OHWI", []int64{9, 3, 2, 7}, 1, 42, 3, 126 * 16},
		"a depthwise kernel has one input":            {"global.texture-weight", "IHWO", []int64{1, 3, 2, 9}, 1, 6, 3, 18 * 16},
		"a packed layout of rank 3":                   {"global.texture-nhwc", "NW4n", []int64{6, 5, 4}, 1, 5, 6, 30 * 16},
		"an activation of rank 3 ends its rows alike": {"global.texture", "NW4n", []int64{6, 5, 4}, 8, 5, 6, 48 * 16},
	} {
		t.Run(name, func(t *testing.T) {
			width, height, texel, bytes, because := check.Image(&plan.Tensor{DType: "float32", Scope: c.scope, Layout: c.layout, Shape: c.shape}, c.align)
			require.Empty(t, because)
			require.Equal(t, []any{c.width, c.height, "rgba_float32", c.bytes}, []any{width, height, texel, bytes})
		})
	}
}

// drawShape draws what is, or nearly is, the shape of an image.
func drawShape(t *rapid.T, label string) ([]int64, string) {
	layout := rapid.SampledFrom(append(texture.Layouts(), "", "NCHW4c", "NHWC4c", "OIHW4o", "NWC4c", "N14c", "4c", "NCDHW", "CHW")).Draw(t, label+" layout")
	shape := rapid.SliceOfN(rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8, 9, 1 << 32}), 2, 6).Draw(t, label+" shape")
	if rapid.Bool().Draw(t, label+" four") {
		shape[len(shape)-1] = 4
	}
	if n := rapid.IntRange(3, 5).Draw(t, label+" rank"); len(shape) > n {
		shape = shape[:n]
	}
	return shape, layout
}

func TestTheCheckerAndThePlannerAgreeOnImages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape, layout := drawShape(t, "")
		dtype := rapid.SampledFrom([]graph.DType{graph.Float32, graph.Float16, graph.Int8, graph.Uint32, graph.Int64, graph.Bool}).Draw(t, "dtype")
		scope := rapid.SampledFrom(texture.Scopes()).Draw(t, "scope")
		align := rapid.SampledFrom([]int64{1, 4, 64}).Draw(t, "align")
		labelled := layout
		if layout == "" && len(shape) == 4 {
			labelled = "NCHW"
		}
		want, reason := texture.Pack(scope, shape, labelled, dtype)
		width, height, texel, bytes, because := check.Image(&plan.Tensor{DType: dtype.String(), Scope: string(scope), Layout: layout, Shape: shape}, align)
		require.Equal(t, reason == "", because == "", "%s, %s", reason, because)
		if reason != "" {
			return
		}
		wantBytes, ok := want.Bytes(align)
		require.Equal(t, []any{want.Width, want.Height, want.Texel}, []any{width, height, texel})
		if ok {
			require.Equal(t, wantBytes, bytes)
		}
	})
}

// elements lists which element each channel of each texel holds, -1 for padding, by the words of the documentation.
func elements(shape []int64, layout string) []int64 {
	if len(shape) == 5 {
		out := make([]int64, shape[0]*shape[1]*shape[2]*shape[3]*4)
		for i := range out {
			out[i] = int64(i)
		}
		return out
	}
	order := map[string]string{"NCHW": "NCHW", "NHWC": "NHWC"}[layout]
	if order == "" {
		order = "OIHW"
	}
	channel := strings.IndexAny(order, "CO")
	extent := func(axis int) int64 { return shape[strings.IndexByte(layout, order[axis])] }
	rounds := []int64{extent(0), extent(1), extent(2), extent(3)}
	rounds[channel] = (rounds[channel] + 3) / 4
	var out []int64
	index := make([]int64, 4)
	for a := range rounds[0] {
		for b := range rounds[1] {
			for c := range rounds[2] {
				for d := range rounds[3] {
					for lane := range int64(4) {
						copy(index, []int64{a, b, c, d})
						index[channel] = index[channel]*4 + lane
						at := int64(0)
						for i := range shape {
							at = at*shape[i] + index[strings.IndexByte(order, layout[i])]
						}
						if index[channel] >= extent(channel) {
							at = -1
						}
						out = append(out, at)
					}
				}
			}
		}
	}
	return out
}

func TestImagesAreTheSameWhenEachChannelOfEachTexelIs(t *testing.T) {
	same, different := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		factors := []int64{1, rapid.SampledFrom([]int64{1, 2, 3}).Draw(t, "first"), rapid.SampledFrom([]int64{1, 1, 2}).Draw(t, "second")}
		channel := rapid.SampledFrom([]int64{4, 5, 6, 8}).Draw(t, "channels")
		draw := func(label string) *plan.Tensor {
			layout := rapid.SampledFrom([]string{"NCHW", "NCHW", "NHWC", "OHWI", "IHWO", "NCHW4c"}).Draw(t, label+" layout")
			shape := rapid.Permutation(factors).Draw(t, label)
			if layout == "NCHW4c" {
				shape = append(shape, (channel+3)/4, 4)
			} else {
				depth := channel + 4*rapid.SampledFrom([]int64{0, 0, 0, 1}).Draw(t, label+" more")
				shape = slices.Insert(shape, strings.IndexAny(layout, "CO"), depth)
			}
			scope := rapid.SampledFrom([]string{"global.texture", "global.texture", "global.texture-nhwc", "global.texture-weight"}).Draw(t, label+" scope")
			return &plan.Tensor{DType: "int8", Scope: scope, Layout: layout, Shape: shape}
		}
		a, b := draw("a"), draw("b")
		w, h, _, _, _ := check.Image(a, 1)
		v, g, _, _, _ := check.Image(b, 1)
		want := w == v && h == g && slices.Equal(elements(a.Shape, a.Layout), elements(b.Shape, b.Layout))
		require.Equal(t, want, check.SameElements(a, b), "%v %s and %v %s", a.Shape, a.Layout, b.Shape, b.Layout)
		if want {
			same++
		} else if w == v && h == g {
			different++
		}
	})
	require.Positive(t, same)
	require.Positive(t, different)
}

func TestEqualSidesDoNotMakeEqualImages(t *testing.T) {
	image := func(shape ...int64) *plan.Tensor {
		return &plan.Tensor{DType: "float32", Scope: "global.texture", Layout: "NCHW", Shape: shape}
	}
	require.False(t, check.SameElements(image(1, 8, 14, 14), image(1, 16, 7, 14)))
	require.True(t, check.SameElements(image(1, 8, 14, 14), image(1, 8, 14, 14)))
	require.True(t, check.SameElements(image(2, 8, 1, 1), image(1, 16, 1, 1)))
	require.False(t, check.SameElements(image(2, 6, 1, 1), image(1, 16, 1, 1)), "padding is part of the image")
}
