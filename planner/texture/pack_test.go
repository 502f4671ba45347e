package texture_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

func TestAnImageHasTheSidesThatItsScopeSays(t *testing.T) {
	for name, tc := range map[string]struct {
		scope         texture.Scope
		shape         graph.Shape
		layout        string
		dtype         graph.DType
		packed        graph.Shape
		packedLayout  string
		width, height int64
		texel         string
		padding       int64
	}{
		"an activation keeps the width of its rows": {
			texture.Activation, graph.Shape{2, 8, 14, 15}, "NCHW", graph.Float32,
			graph.Shape{2, 2, 14, 15, 4}, "NCHW4c", 15, 56, "rgba_float32", 0},
		"channels are padded to a multiple of four": {
			texture.Activation, graph.Shape{1, 6, 3, 5}, "NCHW", graph.Float16,
			graph.Shape{1, 2, 3, 5, 4}, "NCHW4c", 5, 6, "rgba_float16", 2 * 15 * 2},
		"exactly four channels need no padding": {
			texture.Activation, graph.Shape{1, 4, 6, 6}, "NCHW", graph.Int8,
			graph.Shape{1, 1, 6, 6, 4}, "NCHW4c", 6, 6, "rgba_int8", 0},
		"channels last": {
			texture.NHWC, graph.Shape{2, 10, 12, 5}, "NHWC", graph.Float32,
			graph.Shape{2, 10, 12, 2, 4}, "NHWC4c", 24, 20, "rgba_float32", 3 * 240 * 4},
		"a packed shape of channels last has N*H rows of W*C": {
			texture.NHWC, graph.Shape{3, 5, 7, 11, 4}, "NHWC4c", graph.Uint8,
			graph.Shape{3, 5, 7, 11, 4}, "NHWC4c", 77, 15, "rgba_uint8", 0},
		"a packed shape may lack a layout": {
			texture.NHWC, graph.Shape{1, 22, 20, 20, 4}, "", graph.Float32,
			graph.Shape{1, 22, 20, 20, 4}, "", 400, 22, "rgba_float32", 0},
		"a packed shape of rank 3 has one axis of rows": {
			texture.NHWC, graph.Shape{9, 13, 4}, "NC4c", graph.Uint16,
			graph.Shape{9, 13, 4}, "NC4c", 13, 9, "rgba_uint16", 0},
		"a weight has a row for each block of outputs": {
			texture.Weight, graph.Shape{30, 16, 3, 3}, "OIHW", graph.Float32,
			graph.Shape{8, 16, 3, 3, 4}, "OIHW4o", 144, 8, "rgba_float32", 2 * 144 * 4},
		"a weight of another order of axes is packed alike": {
			texture.Weight, graph.Shape{30, 3, 5, 16}, "OHWI", graph.Float32,
			graph.Shape{8, 16, 3, 5, 4}, "OIHW4o", 240, 8, "rgba_float32", 2 * 240 * 4},
		"a depthwise weight has its channels as outputs": {
			texture.Weight, graph.Shape{1, 3, 3, 32}, "IHWO", graph.Float32,
			graph.Shape{8, 1, 3, 3, 4}, "OIHW4o", 9, 8, "rgba_float32", 0},
		"a weight with the outputs last": {
			texture.Weight, graph.Shape{5, 3, 7, 8}, "HWIO", graph.Int32,
			graph.Shape{2, 7, 5, 3, 4}, "OIHW4o", 105, 2, "rgba_int32", 0},
		"a weight of a transposed convolution": {
			texture.Weight, graph.Shape{7, 8, 5, 3}, "IOHW", graph.Int16,
			graph.Shape{2, 7, 5, 3, 4}, "OIHW4o", 105, 2, "rgba_int16", 0},
		"a depthwise weight with the inputs last": {
			texture.Weight, graph.Shape{5, 3, 8, 1}, "HWOI", graph.Uint32,
			graph.Shape{2, 1, 5, 3, 4}, "OIHW4o", 15, 2, "rgba_uint32", 0},
		"a weight may be an activation's image": {
			texture.Activation, graph.Shape{8, 2, 5, 3}, "OIHW", graph.Float32,
			graph.Shape{2, 2, 5, 3, 4}, "OIHW4o", 3, 20, "rgba_float32", 0},
	} {
		t.Run(name, func(t *testing.T) {
			g, reason := texture.Pack(tc.scope, tc.shape, tc.layout, tc.dtype)
			require.Empty(t, reason)
			require.Equal(t, texture.Geometry{
				Scope: tc.scope, Packed: tc.packed, Layout: tc.packedLayout, Width: tc.width, Height: tc.height,
				Texel: tc.texel, TexelBytes: 4 * tc.dtype.Size(), Padding: tc.padding,
			}, g)
		})
	}
}

func TestATensorThatCannotBeAnImageSaysWhy(t *testing.T) {
	for name, tc := range map[string]struct {
		scope  texture.Scope
		shape  graph.Shape
		layout string
		dtype  graph.DType
		reason string
	}{
		"a scope that is no texture": {texture.Global, graph.Shape{1, 8, 6, 6}, "NCHW", graph.Float32, "scope global is not a texture"},
		"fewer channels than a texel": {
			texture.Activation, graph.Shape{1, 3, 6, 6}, "NCHW", graph.Float32, "channels 3 < 4, the channels of one texel"},
		"fewer outputs than a texel": {
			texture.Weight, graph.Shape{3, 1, 1, 16}, "OHWI", graph.Float32, "output channels 3 < 4, the channels of one texel"},
		"the rank": {
			texture.Activation, graph.Shape{8, 6, 6}, "", graph.Float32, "rank 3, and an image needs rank 4 in a known layout or rank 5 with a last axis of 4"},
		"a scalar": {
			texture.Activation, graph.Shape{}, "", graph.Float32, "rank 0, and an image needs rank 4 in a known layout or rank 5 with a last axis of 4"},
		"the last axis of five": {
			texture.Activation, graph.Shape{1, 2, 6, 6, 8}, "", graph.Float32, "last axis is 8, and a packed shape such as [1, 2, 6, 6, 8] ends in a texel's 4 channels"},
		"a layout that is not known": {
			texture.Activation, graph.Shape{1, 8, 6, 6}, "", graph.Float32, "layout of [1, 8, 6, 6] is not known, so its channels are not"},
		"a layout that cannot be packed": {
			texture.Activation, graph.Shape{1, 8, 6, 6}, "TNCH", graph.Float32, "layout TNCH cannot be packed; images are made of NCHW, NHWC, OIHW, IOHW, OHWI, IHWO, HWIO, HWOI"},
		"the element type": {
			texture.Activation, graph.Shape{1, 8, 6, 6}, "NCHW", graph.Int64,
			"element type int64 has no texel format; textures hold float32, float16, int8, int16, int32, uint8, uint16, uint32"},
		"an open axis": {
			texture.Activation, graph.Shape{graph.Unknown, 8, 6, 6}, "NCHW", graph.Float32, "shape [?, 8, 6, 6] is not fully known"},
		"an unknown rank": {texture.Activation, nil, "NCHW", graph.Float32, "shape [...] is not fully known"},
		"no elements": {
			texture.Activation, graph.Shape{1, 8, 0, 6}, "NCHW", graph.Float32, "shape [1, 8, 0, 6] has no elements, and an image has at least one texel"},
		"a size beyond counting": {
			texture.Activation, graph.Shape{1 << 31, 8, 1 << 31, 6}, "NCHW", graph.Float32, "shape [2147483648, 8, 2147483648, 6] takes more than 2^63-1 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			g, reason := texture.Pack(tc.scope, tc.shape, tc.layout, tc.dtype)
			require.Equal(t, tc.reason, reason)
			require.Zero(t, g)
		})
	}
}

func TestBytesCountRowsOfWholePitches(t *testing.T) {
	g, reason := texture.Pack(texture.NHWC, graph.Shape{1, 22, 20, 20, 4}, "", graph.Float32)
	require.Empty(t, reason)
	for _, tc := range []struct{ pitch, row, bytes int64 }{{1, 6400, 140800}, {16, 6400, 140800}, {64, 7168, 157696}} {
		row, ok := g.RowPitch(tc.pitch)
		require.True(t, ok)
		require.Equal(t, tc.row, row)
		bytes, ok := g.Bytes(tc.pitch)
		require.True(t, ok)
		require.Equal(t, tc.bytes, bytes)
	}
}

func TestBytesBeyondCountingAreRefused(t *testing.T) {
	g := texture.Geometry{Width: 401, Height: 22, TexelBytes: 16}
	for _, pitch := range []int64{math.MaxInt64, math.MaxInt64 / 2, 1 << 58, 0, -1} {
		_, ok := g.Bytes(pitch)
		require.False(t, ok, "pitch %d", pitch)
	}
	g.Width = math.MaxInt64
	_, ok := g.RowPitch(2)
	require.False(t, ok)
}

func TestASideEqualToTheLimitFits(t *testing.T) {
	g := texture.Geometry{Width: 9072, Height: 400}
	for name, tc := range map[string]struct {
		limits  texture.Limits
		because string
	}{
		"both sides equal":     {texture.Limits{MaxWidth: 9072, MaxHeight: 400}, ""},
		"the width is too far": {texture.Limits{MaxWidth: 8192, MaxHeight: 400}, "width 9072 exceeds max_width 8192"},
		"the height is too":    {texture.Limits{MaxWidth: 9072, MaxHeight: 399}, "height 400 exceeds max_height 399"},
		"both are":             {texture.Limits{MaxWidth: 16, MaxHeight: 16}, "width 9072 exceeds max_width 16 and height 400 exceeds max_height 16"},
	} {
		t.Run(name, func(t *testing.T) {
			ok, because := g.Fits(tc.limits)
			require.Equal(t, tc.because, because)
			require.Equal(t, tc.because == "", ok)
		})
	}
}

func TestTexelsHoldTheTensorAndItsPadding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom(texture.Layouts()).Draw(t, "layout")
		scope := rapid.SampledFrom(texture.Scopes()).Draw(t, "scope")
		shape := make(graph.Shape, 4)
		for i := range shape {
			shape[i] = rapid.Int64Range(1, 40).Draw(t, "axis")
		}
		channel := strings.IndexAny(layout, "CO")
		shape[channel] += 3
		g, reason := texture.Pack(scope, shape, layout, graph.Float16)
		if reason != "" {
			t.Fatalf("%s of %s: %s", shape, layout, reason)
		}
		dense, _ := shape.Bytes(graph.Float16)
		bytes, ok := g.Bytes(1)
		if !ok || bytes != dense+g.Padding || bytes != g.Width*g.Height*8 {
			t.Fatalf("%d bytes for %d and %d of padding", bytes, dense, g.Padding)
		}
		if missing := (4 - shape[channel]%4) % 4; g.Padding != missing*(dense/shape[channel]) {
			t.Fatalf("%d bytes of padding for %d missing channels of %d bytes", g.Padding, missing, dense/shape[channel])
		}
		again, reason := texture.Pack(scope, g.Packed, g.Layout, graph.Float16)
		if reason != "" || again.Width != g.Width || again.Height != g.Height || again.Padding != 0 {
			t.Fatalf("packed again: %+v %s", again, reason)
		}
	})
}
