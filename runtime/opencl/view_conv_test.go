package opencl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/host"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
)

// scopes are where a kernel's data, weights and result stand; "" is flat memory.
type scopes struct{ x, w, y texture.Scope }

// inImages puts the operands of a convolution into images.
func (c convCase) inImages(at scopes) *rig {
	r := c.rig()
	put := func(o *operand, scope texture.Scope, layout string) {
		if scope != "" {
			*o = o.in(scope, layout)
		}
	}
	put(&r.inputs[0], at.x, c.layout())
	put(&r.inputs[1], at.w, c.kernelLayout)
	put(&r.outputs[0], at.y, c.layout())
	if len(r.inputs) > 3 && c.fused[0] == "Add" {
		put(&r.inputs[3], at.y, c.layout())
	}
	return r
}

func TestConvolutionsComputeOnTexels(t *testing.T) {
	for _, c := range []struct {
		name string
		c    convCase
		at   scopes
	}{
		{"pointwise", convCase{n: 2, ic: 12, oc: 8, h: 5, w: 7, bias: true}, scopes{picture, weight, picture}},
		{"pointwise with channels to spare", convCase{ic: 7, oc: 9, h: 5, w: 6, bias: true}, scopes{rows, weight, rows}},
		{"same padding of a window of 3", convCase{n: 2, ic: 5, oc: 6, h: 9, w: 11, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1}, scopes{picture, weight, rows}},
		{"a stride of 2 from flat memory", convCase{ic: 3, oc: 24, h: 16, w: 16, kh: 5, kw: 5, sh: 2, sw: 2, top: 1, left: 1, bottom: 2, end: 2, bias: true}, scopes{"", weight, picture}},
		{"into flat memory", convCase{ic: 10, oc: 7, h: 6, w: 9, kh: 3, kw: 3, dh: 2, dw: 1, top: 2, left: 1, bottom: 2, end: 1}, scopes{picture, weight, ""}},
		{"flat weights", convCase{ic: 6, oc: 10, h: 6, w: 9, kh: 2, kw: 3}, scopes{weight, "", weight}},
		{"groups of whole blocks", convCase{groups: 3, ic: 4, oc: 8, h: 6, w: 5, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1, bias: true}, scopes{picture, weight, picture}},
		{"depthwise", convCase{n: 2, groups: 10, ic: 1, oc: 1, h: 9, w: 10, kh: 3, kw: 3, top: 1, left: 1, bottom: 1, end: 1, bias: true}, scopes{picture, weight, picture}},
		{"depthwise with a stride of 2", convCase{groups: 13, ic: 1, oc: 1, h: 8, w: 8, kh: 5, kw: 5, sh: 2, sw: 2, top: 1, left: 1, bottom: 2, end: 2}, scopes{rows, "", rows}},
		{"transposed", convCase{ic: 7, oc: 5, h: 4, w: 6, kh: 3, kw: 2, sh: 2, sw: 2, top: 1, transposed: true, bias: true, kernelLayout: "IOHW"}, scopes{picture, "", picture}},
		{"a fused clamp", convCase{ic: 5, oc: 6, h: 4, w: 5, fused: []string{"Clip"}}, scopes{picture, weight, picture}},
		{"a fused addition and slopes", convCase{ic: 5, oc: 6, h: 4, w: 5, bias: true, fused: []string{"Add", "PRelu"}}, scopes{picture, weight, rows}},
		{"weights computed during the run", convCase{ic: 5, oc: 6, h: 4, w: 5, kh: 2, kw: 2, computed: true}, scopes{picture, weight, picture}},
	} {
		for _, c.c.last = range []bool{false, true} {
			t.Run(fmt.Sprintf("%s in %s", c.name, c.c.layout()), func(t *testing.T) { plain(c.c).inImages(c.at).compareDirect(t) })
		}
	}
}

// compareDirect is compare for a step that one kernel computes on its operands where they stand.
func (r *rig) compareDirect(t *testing.T) {
	t.Helper()
	r.compareIn(t, 1)
}

// compareIn is compare for a step of so many launches, which stage nothing.
func (r *rig) compareIn(t *testing.T, launches int) {
	t.Helper()
	reference, err := host.New(host.Options{Workers: 1})
	require.NoError(t, err)
	defer func() { require.NoError(t, reference.Close()) }()
	want := r.place(t).run(t, reference)
	dev := opencltest.Connect(t).NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	got := r.place(t).run(t, dev)
	require.Equal(t, launches, opencl.Launches(dev, 0), "nothing is staged")
	for i := range want {
		requireClose(t, want[i], got[i], 1e-3)
	}
}
