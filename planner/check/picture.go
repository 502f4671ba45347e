package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// imageScopes has for each scope of images how many axes of n, the channels of a texel left out, make its rows.
var imageScopes = map[string]func(n int) int{
	"global.texture":        func(n int) int { return n - 1 },
	"global.texture-nhwc":   func(n int) int { return min(2, n-1) },
	"global.texture-weight": func(int) int { return 1 },
}

// elementBytes are the element types that images have, with their sizes.
var elementBytes = map[string]int64{
	"float32": 4, "float16": 2, "int8": 1, "int16": 2, "int32": 4, "uint8": 1, "uint16": 2, "uint32": 4,
}

// channels is how many elements one texel holds.
const channels = 4

// picture is a tensor as an image.
type picture struct {
	// width and height are texels.
	width, height int64
	texel         string
	texelBytes    int64
	elements      grid
}

// pictureOf recomputes the image of a tensor from its scope, shape, layout and type. The second result says why there is
// none, "" when there is one.
func pictureOf(t *plan.Tensor) (*picture, string) {
	size, ok := elementBytes[t.DType]
	if !ok {
		return nil, fmt.Sprintf("no texel holds %s", t.DType)
	}
	g, because := gridOf(t.Shape, t.Layout)
	if because != "" {
		return nil, because
	}
	rows := imageScopes[t.Scope](len(g.loops))
	p := &picture{width: count(g.loops[rows:]), height: count(g.loops[:rows]), texel: "rgba_" + t.DType, texelBytes: channels * size, elements: g}
	if product(product(p.width, p.height), p.texelBytes) == math.MaxInt64 {
		return nil, "it takes more than 2^63-1 bytes"
	}
	return p, ""
}

// texelSize is the bytes of a texel of a format such as "rgba_float32", 0 for an unknown one.
func texelSize(format string) int64 {
	element, ok := strings.CutPrefix(format, "rgba_")
	if !ok {
		return 0
	}
	return channels * elementBytes[element]
}

// pitch is the bytes of a row of so many texels where rows start at multiples of align texels.
func pitch(width, align, texelBytes int64) int64 {
	align = max(1, align)
	rows := (width-1)/align + 1
	return product(product(rows, align), texelBytes)
}

// product multiplies numbers that are not negative; it stops at 2^63-1.
func product(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// grid says which element of a dense tensor each channel of each texel holds.
type grid struct {
	// loops run over the texels, outermost first.
	loops []loop
	// lane is the elements from one channel of a texel to the next.
	lane int64
	// blocks is the loop over texels of the axis that was cut into fours, which has depth elements; -1 when none was.
	blocks int
	depth  int64
}

// loop is an axis: its extent, and the elements from one index to the next.
type loop struct{ extent, stride int64 }

// gridOf cuts a shape into texels. The last axis of a packed one is the texel; of a plain one of rank 4, the channels
// are cut, or the outputs of a kernel, whose axes are then taken in the order of OIHW whatever their own.
func gridOf(shape []int64, layout string) (grid, string) {
	rank := len(shape)
	if slices.ContainsFunc(shape, func(n int64) bool { return n < 1 }) {
		return grid{}, fmt.Sprintf("shape %v has an axis without elements", shape)
	}
	loops := make([]loop, rank)
	stride := int64(1)
	for i := rank - 1; i >= 0; i-- {
		loops[i] = loop{shape[i], stride}
		stride = product(stride, shape[i])
	}
	switch {
	case stride == math.MaxInt64:
		return grid{}, "it takes more than 2^63-1 bytes"
	case rank == 5 || rank >= 3 && endsInTexel(layout):
		if shape[rank-1] != channels {
			return grid{}, fmt.Sprintf("the last axis of %v is not a texel's %d channels", shape, channels)
		}
		return grid{loops: loops[:rank-1], lane: 1, blocks: -1}, ""
	case rank != 4:
		return grid{}, fmt.Sprintf("shape %v has neither rank 4 nor packed channels", shape)
	}
	return cut(loops, layout)
}

// endsInTexel reports whether a layout is one of packed channels, such as "NCHW4c".
func endsInTexel(layout string) bool {
	head, ok := strings.CutSuffix(strings.TrimRight(layout, "abcdefghijklmnopqrstuvwxyz"), "4")
	return ok && len(layout) == len(head)+2 && len(head) > 1 && !strings.ContainsAny(head[len(head)-1:], "0123456789")
}

// cut cuts the channels of a plain tensor of rank 4.
func cut(loops []loop, layout string) (grid, string) {
	order, channel := layout, "C"
	switch {
	case layout == "":
		layout, order = "NCHW", "NCHW"
	case permutes(layout, "OIHW"):
		order, channel = "OIHW", "O"
	case layout != "NCHW" && layout != "NHWC":
		return grid{}, fmt.Sprintf("the axes of layout %q are not known", layout)
	}
	g := grid{blocks: strings.Index(order, channel)}
	for _, axis := range order {
		g.loops = append(g.loops, loops[strings.IndexRune(layout, axis)])
	}
	c := &g.loops[g.blocks]
	if c.extent < channels {
		return grid{}, fmt.Sprintf("%d channels do not fill a texel of %d", c.extent, channels)
	}
	g.depth, g.lane = c.extent, c.stride
	*c = loop{(g.depth + channels - 1) / channels, channels * c.stride}
	return g, ""
}

func permutes(layout, axes string) bool {
	a, b := []byte(layout), []byte(axes)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// count is the number of texels that loops run over.
func count(loops []loop) int64 {
	n := int64(1)
	for _, l := range loops {
		n = product(n, l.extent)
	}
	return n
}

// normal is a form in which grids of as many texels are equal exactly when each texel holds the same elements: loops that
// are one longer loop are joined. Padding keeps the loop over blocks apart, because it comes once in each of its rounds.
func (g *grid) normal() [][]loop {
	if g.blocks < 0 || g.depth%channels == 0 {
		return [][]loop{joined(append(slices.Clone(g.loops), loop{channels, g.lane}))}
	}
	return [][]loop{joined(g.loops[:g.blocks]), {{g.depth, g.lane}}, joined(g.loops[g.blocks+1:])}
}

// joined leaves out loops of one round and joins each with the next inner one where that one ends on the next step of the
// outer.
func joined(loops []loop) []loop {
	var out []loop
	for _, l := range slices.Backward(loops) {
		if n := len(out) - 1; l.extent > 1 && n >= 0 && l.stride == product(out[n].extent, out[n].stride) {
			out[n].extent = product(out[n].extent, l.extent)
		} else if l.extent > 1 {
			out = append(out, l)
		}
	}
	return out
}

// same reports whether two images hold the same bytes.
func (p *picture) same(o *picture) bool {
	return p.width == o.width && p.height == o.height && p.texel == o.texel &&
		slices.EqualFunc(p.elements.normal(), o.elements.normal(), slices.Equal[[]loop])
}
