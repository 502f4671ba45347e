package opencl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"pgregory.net/rapid"
)

// convCase is a convolution over two axes, or with transposed its reverse.
type convCase struct {
	n, groups, ic, oc      int
	h, w, kh, kw           int
	sh, sw, dh, dw         int
	top, left, bottom, end int
	transposed, last, bias bool
	kernelLayout           string
	fused                  []string
	// computed says that the weights are no constants.
	computed bool
}

func (c convCase) outSize() (int, int) {
	if c.transposed {
		return (c.h-1)*c.sh + (c.kh-1)*c.dh + 1 - c.top - c.bottom, (c.w-1)*c.sw + (c.kw-1)*c.dw + 1 - c.left - c.end
	}
	return (c.h+c.top+c.bottom-(c.kh-1)*c.dh-1)/c.sh + 1, (c.w+c.left+c.end-(c.kw-1)*c.dw-1)/c.sw + 1
}

func shapeIn(layout string, extent map[byte]int) []int64 {
	var s []int64
	for i := range len(layout) {
		s = append(s, int64(extent[layout[i]]))
	}
	return s
}

func (c convCase) layout() string {
	if c.last {
		return "NHWC"
	}
	return "NCHW"
}

func (c convCase) rig() *rig {
	oh, ow := c.outSize()
	x := map[byte]int{'N': c.n, 'C': c.groups * c.ic, 'H': c.h, 'W': c.w}
	y := map[byte]int{'N': c.n, 'C': c.groups * c.oc, 'H': oh, 'W': ow}
	w := map[byte]int{'O': c.groups * c.oc, 'I': c.ic, 'H': c.kh, 'W': c.kw}
	op := &graph.Op{Name: "conv", Op: "Conv", Attrs: graph.Attrs{
		graph.AttrDataLayout: c.layout(), graph.AttrKernelLayout: c.kernelLayout, "group": int64(c.groups),
		"strides": []int64{int64(c.sh), int64(c.sw)}, "dilations": []int64{int64(c.dh), int64(c.dw)},
		"pads":     []int64{int64(c.top), int64(c.left), int64(c.bottom), int64(c.end)},
		"Clip.min": float32(-1.5), "Clip.max": float32(6), "HardSigmoid.alpha": float32(0.25), "Swish.alpha": float32(1.5),
	}}
	if c.transposed {
		op.Op = "ConvTranspose"
		w['O'], w['I'] = c.oc, c.groups*c.ic
	}
	if len(c.fused) > 0 {
		op.Fused = append([]string{op.Op}, c.fused...)
	}
	weights := input(shapeIn(c.kernelLayout, w)...)
	r := &rig{op: op, inputs: []operand{input(shapeIn(c.layout(), x)...), weights, {}}}
	if !c.computed {
		r.inputs[1] = weights.constant()
	}
	if c.bias {
		r.inputs[2] = input(int64(y['C'])).constant()
	}
	for _, name := range c.fused {
		switch name {
		case "Add", "Mul":
			r.inputs = append(r.inputs, input(shapeIn(c.layout(), y)...))
		case "PRelu":
			slope := map[byte]int{'C': y['C'], 'H': 1, 'W': 1}
			r.inputs = append(r.inputs, input(shapeIn(strings.TrimPrefix(c.layout(), "N"), slope)...).constant())
		}
	}
	r.outputs = []operand{output(graph.Float32, shapeIn(c.layout(), y)...)}
	return r
}

// plain is a case without padding and with one of everything.
func plain(c convCase) convCase {
	for _, v := range []*int{&c.n, &c.groups, &c.ic, &c.oc, &c.h, &c.w, &c.kh, &c.kw, &c.sh, &c.sw, &c.dh, &c.dw} {
		*v = max(*v, 1)
	}
	if c.kernelLayout == "" {
		c.kernelLayout = "OIHW"
	}
	return c
}

func TestConvolutionsAgreeWithTheHost(t *testing.T) {
	cases := []struct {
		name string
		c    convCase
	}{
		{"one pixel of many channels", convCase{ic: 67, oc: 35, bias: true}},
		{"pointwise on more pixels than a tile", convCase{ic: 24, oc: 28, h: 13, w: 11, bias: true}},
		{"pointwise with two images", convCase{n: 2, ic: 9, oc: 17, h: 5, w: 7}},
		{"same padding of a window of 3", convCase{ic: 5, oc: 11, h: 17, w: 19, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1}},
		{"uneven padding with a stride of 2", convCase{ic: 3, oc: 24, h: 32, w: 32, kh: 5, kw: 5, sh: 2, sw: 2, top: 1, left: 1, bottom: 2, end: 2, bias: true}},
		{"rows longer than several tiles", convCase{ic: 3, oc: 9, h: 5, w: 100, kh: 3, kw: 3, sh: 2, sw: 2, bottom: 1, end: 1}},
		{"images of one row", convCase{n: 2, ic: 3, oc: 5, h: 1, w: 33, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1}},
		{"images of one column", convCase{ic: 3, oc: 5, h: 33, w: 1, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1}},
		{"one pixel in a window of 3", convCase{ic: 6, oc: 7, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1}},
		{"dilation", convCase{ic: 4, oc: 6, h: 20, w: 21, kh: 3, kw: 3, dh: 2, dw: 3, top: 2, left: 3, bottom: 2, end: 3}},
		{"a stride of 3", convCase{ic: 4, oc: 6, h: 20, w: 41, kh: 3, kw: 2, sh: 3, sw: 3}},
		{"groups", convCase{n: 2, groups: 3, ic: 5, oc: 18, h: 9, w: 10, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1, bias: true}},
		{"pointwise groups", convCase{groups: 4, ic: 8, oc: 20, h: 9, w: 10, bias: true}},
		{"two outputs for each channel", convCase{groups: 10, ic: 1, oc: 2, h: 9, w: 10, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1}},
		{"depthwise", convCase{n: 2, groups: 42, ic: 1, oc: 1, h: 17, w: 18, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1, bias: true}},
		{"depthwise on small images", convCase{groups: 19, ic: 1, oc: 1, h: 3, w: 3, kh: 5, kw: 5, top: 2, left: 2, bottom: 2, end: 2, bias: true}},
		{"depthwise with a stride of 2", convCase{groups: 21, ic: 1, oc: 1, h: 16, w: 16, kh: 5, kw: 5, sh: 2, sw: 2, top: 1, left: 1, bottom: 2, end: 2}},
		{"depthwise transposed", convCase{groups: 21, ic: 1, oc: 1, h: 7, w: 6, kh: 3, kw: 3, sh: 2, sw: 2, top: 1, left: 1, transposed: true, kernelLayout: "IOHW"}},
		{"transposed", convCase{ic: 7, oc: 20, h: 7, w: 13, kh: 2, kw: 2, sh: 2, sw: 2, transposed: true, bias: true, kernelLayout: "IOHW"}},
		{"transposed in groups", convCase{n: 2, groups: 2, ic: 7, oc: 5, h: 5, w: 6, kh: 3, kw: 4, sh: 2, sw: 3, top: 1, end: 1, transposed: true, bias: true, kernelLayout: "IOHW"}},
		{"transposed by one pixel", convCase{ic: 7, oc: 5, h: 4, w: 5, transposed: true, kernelLayout: "IOHW"}},
		{"weights computed during the run", convCase{ic: 7, oc: 5, h: 4, w: 5, kh: 2, kw: 2, computed: true, bias: true}},
	}
	for _, c := range cases {
		for _, c.c.last = range []bool{false, true} {
			t.Run(fmt.Sprintf("%s in %s", c.name, c.c.layout()), func(t *testing.T) { plain(c.c).rig().compare(t) })
		}
	}
}

func TestFusedOpsFollowEachConvolution(t *testing.T) {
	kinds := map[string]convCase{
		"pointwise": {n: 2, ic: 9, oc: 21, h: 5, w: 7, bias: true},
		"window":    {ic: 5, oc: 18, h: 6, w: 7, kh: 3, kw: 3, top: 1, left: 1},
		"depthwise": {groups: 21, ic: 1, oc: 1, h: 9, w: 11, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1, bias: true},
	}
	tails := [][]string{
		{"Relu"}, {"Clip"}, {"PRelu"}, {"Add"}, {"Add", "Relu"}, {"Relu", "Add", "Clip"}, {"Add", "PRelu"}, {"HardSwish", "Add"},
		{"Relu", "Clip", "Relu"}, {"Sigmoid", "Relu"}, {"Relu", "Sigmoid"}, {"Add", "Add"}, {"Mul", "Relu"},
		{"HardSigmoid", "Add"}, {"Swish", "Clip"}, {"Add", "Swish", "HardSigmoid"}, {"Clip", "Clip", "Swish"}, {"Tanh", "Relu"},
	}
	for kind, c := range kinds {
		for _, c.last = range []bool{false, true} {
			for _, c.fused = range tails {
				t.Run(fmt.Sprintf("%v after %s in %s", c.fused, kind, c.layout()), func(t *testing.T) { plain(c).rig().compare(t) })
			}
		}
	}
}

// drawConv draws a case whose result is not empty.
func drawConv(t *rapid.T) convCase {
	return rapid.Custom(anyConv).Filter(func(c convCase) bool {
		h, w := c.outSize()
		return h > 0 && w > 0
	}).Draw(t, "case")
}

func anyConv(t *rapid.T) convCase {
	small := func(name string, high int) int { return rapid.IntRange(1, high).Draw(t, name) }
	pad := func(name string) int { return rapid.IntRange(0, 2).Draw(t, name) }
	c := convCase{
		n: small("n", 2), groups: small("groups", 3), ic: small("ic", 10), oc: small("oc", 36),
		h: small("h", 9), w: small("w", 40), kh: small("kh", 4), kw: small("kw", 5), sh: small("sh", 3), sw: small("sw", 3),
		dh: small("dh", 2), dw: small("dw", 2), top: pad("top"), left: pad("left"), bottom: pad("bottom"), end: pad("end"),
		transposed: rapid.Bool().Draw(t, "transposed"), last: rapid.Bool().Draw(t, "last"), bias: rapid.Bool().Draw(t, "bias"),
	}
	if rapid.Bool().Draw(t, "depthwise") {
		c.groups, c.ic, c.oc = small("channels", 40), 1, 1
	}
	c.kernelLayout = rapid.SampledFrom([]string{"OIHW", "IOHW", "OHWI", "IHWO", "HWIO"}).Draw(t, "layout")
	c.fused = rapid.SampledFrom([][]string{nil, {"Relu"}, {"Add", "Relu"}, {"PRelu"}}).Draw(t, "fused")
	return c
}

func TestAnyConvolutionAgreesWithTheHost(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawConv(rt)
		defer func() {
			if t.Failed() {
				// The test fails at once, so what is logged to the draw would be lost.
				t.Logf("%+v", c)
			}
		}()
		c.rig().compare(t)
	})
}

func TestAConvolutionMayTakeThePlaceOfItsSummand(t *testing.T) {
	for _, last := range []bool{false, true} {
		for _, fused := range [][]string{{"Add"}, {"Add", "Relu"}, {"Relu", "Add"}, {"Tanh", "Add"}} {
			for name, c := range map[string]convCase{
				"pointwise": {ic: 9, oc: 21, h: 5, w: 7, bias: true},
				"window":    {ic: 5, oc: 18, h: 6, w: 7, kh: 3, kw: 3, top: 1, left: 1},
				"depthwise": {groups: 21, ic: 1, oc: 1, h: 9, w: 11, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1},
			} {
				c.last, c.fused = last, fused
				t.Run(fmt.Sprintf("%v after %s in %s", fused, name, c.layout()), func(t *testing.T) {
					r := plain(c).rig()
					r.onto = 3
					r.compare(t)
				})
			}
		}
	}
}
