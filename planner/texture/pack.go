package texture

import (
	"fmt"
	"math"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

const (
	// texelChannels is how many channels one texel holds.
	texelChannels = 4
	// plainRank is the rank of a shape that can be packed, and packedRank what it becomes.
	plainRank  = 4
	packedRank = plainRank + 1
)

// Pack returns the image that a tensor becomes in a texture scope. The second result is empty, or else says as a clause
// without a full stop, as in "rank 3, and an image needs ...", why the tensor cannot be one; it gives the values seen.
//
//   - A shape of rank 5 whose last axis is 4 is packed already and taken as it is. So is one of rank 3 or more whose
//     layout ends in 4 and a lower-case letter ("NWC4c") and whose last axis is 4.
//   - A shape of rank 4 in one of [Layouts] is packed: NCHW to [N, ceil(C/4), H, W, 4], NHWC to [N, H, W, ceil(C/4), 4],
//     and kernels of any order of axes to [ceil(O/4), I, H, W, 4]. Element c of the channels is component c%4 of block
//     c/4, and what is missing to four is padding. Fewer than 4 channels are refused: most of each texel would be padding.
//   - Without a layout, rank 4 is refused, because the channels are not known. A caller that takes an unlabelled tensor
//     for an activation says so by passing "NCHW".
//
// Limits of a device are a matter of [Geometry.Fits].
func Pack(scope Scope, shape graph.Shape, layout string, dtype graph.DType) (Geometry, string) {
	if _, ok := scope.Separator(packedRank); !ok {
		return Geometry{}, fmt.Sprintf("scope %s is not a texture", scope)
	}
	texel, ok := texelOf(dtype)
	if !ok {
		return Geometry{}, fmt.Sprintf("element type %s has no texel format; textures hold %s", dtype, texelTypes())
	}
	packed, name, reason := packShape(shape, layout)
	if reason != "" {
		return Geometry{}, reason
	}
	g := Geometry{Scope: scope, Packed: packed, Layout: name, Texel: texel, TexelBytes: texelChannels * dtype.Size()}
	g.Width, g.Height, ok = scope.sides(packed)
	stored, fits := packed.Bytes(dtype)
	if !ok || !fits {
		return Geometry{}, fmt.Sprintf("shape %s takes more than 2^63-1 bytes", shape)
	}
	dense, _ := shape.Bytes(dtype)
	g.Padding = stored - dense
	return g, ""
}

// packShape returns the packed shape and the name of its layout, or a reason.
func packShape(shape graph.Shape, layout string) (graph.Shape, string, string) {
	rank := len(shape)
	switch {
	case !shape.Known():
		return nil, "", fmt.Sprintf("shape %s is not fully known", shape)
	case emptyAxis(shape):
		return nil, "", fmt.Sprintf("shape %s has no elements, and an image has at least one texel", shape)
	case (rank == packedRank || rank >= 3 && isPacked(layout)) && shape[rank-1] == texelChannels:
		return shape.Clone(), layout, ""
	case rank == packedRank || rank >= 3 && isPacked(layout):
		return nil, "", fmt.Sprintf("last axis is %d, and a packed shape such as %s ends in a texel's 4 channels", shape[rank-1], shape)
	case rank != plainRank:
		return nil, "", fmt.Sprintf("rank %d, and an image needs rank 4 in a known layout or rank 5 with a last axis of 4", rank)
	case layout == "":
		return nil, "", fmt.Sprintf("layout of %s is not known, so its channels are not", shape)
	}
	plain, ok := blockings[layout]
	if !ok {
		return nil, "", fmt.Sprintf("layout %s cannot be packed; images are made of %s", layout, strings.Join(Layouts(), ", "))
	}
	packed, channels := plain.pack(shape, layout)
	if channels < texelChannels {
		return nil, "", fmt.Sprintf("%s %d < %d, the channels of one texel", plain.channels, channels, texelChannels)
	}
	return packed, plain.name, ""
}

func emptyAxis(shape graph.Shape) bool {
	n, ok := shape.Elements()
	return ok && n == 0
}

// Geometry is a tensor as an image.
type Geometry struct {
	Scope Scope
	// Packed is the shape with the texel's channels as the last axis, of extent 4.
	Packed graph.Shape
	// Layout is the meaning of the packed axes, as in "NCHW4c"; the source's own, maybe "", when it was packed already.
	Layout string
	// Width and Height are in texels, each at least 1.
	Width, Height int64
	// Texel is the format, as in "rgba_float32", and TexelBytes its size.
	Texel      string
	TexelBytes int64
	// Padding is the bytes that fill the channels up to a multiple of 4. Padding of rows is not in it.
	Padding int64
}

// RowPitch returns the bytes from one row to the next on a device whose rows start at multiples of pitchAlignment
// texels, which is at least 1. The second result is false beyond 2^63-1.
func (g Geometry) RowPitch(pitchAlignment int64) (int64, bool) {
	texels, ok := roundUp(g.Width, pitchAlignment)
	if !ok {
		return 0, false
	}
	return multiply(texels, g.TexelBytes)
}

// Bytes returns the size of the image: height rows of [Geometry.RowPitch] bytes. The second result is false beyond
// 2^63-1.
func (g Geometry) Bytes(pitchAlignment int64) (int64, bool) {
	pitch, ok := g.RowPitch(pitchAlignment)
	if !ok {
		return 0, false
	}
	return multiply(pitch, g.Height)
}

// roundUp is the smallest multiple of a positive step that is at least n.
func roundUp(n, step int64) (int64, bool) {
	if step < 1 {
		return 0, false
	}
	rest := n % step
	if rest == 0 {
		return n, true
	}
	if n > math.MaxInt64-(step-rest) {
		return 0, false
	}
	return n + step - rest, true
}

// multiply multiplies two numbers that are not negative.
func multiply(a, b int64) (int64, bool) {
	if b > 0 && a > math.MaxInt64/b {
		return 0, false
	}
	return a * b, true
}
