package opencl_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"pgregory.net/rapid"
)

// poolCase is a pooling over two axes.
type poolCase struct {
	op                     string
	n, c, h, w             int64
	kh, kw, sh, sw, dh, dw int64
	top, left, bottom, end int64
	last, include          bool
	p                      int64
}

func (c poolCase) outSize() (int64, int64) {
	if c.op[0] == 'G' {
		return 1, 1
	}
	return (c.h+c.top+c.bottom-(c.kh-1)*c.dh-1)/c.sh + 1, (c.w+c.left+c.end-(c.kw-1)*c.dw-1)/c.sw + 1
}

func (c poolCase) rig() *rig {
	oh, ow := c.outSize()
	op := &graph.Op{Name: "pool", Op: c.op, Attrs: graph.Attrs{
		"kernel_shape": []int64{c.kh, c.kw}, "strides": []int64{c.sh, c.sw}, "dilations": []int64{c.dh, c.dw},
		"pads": []int64{c.top, c.left, c.bottom, c.end}, "p": c.p,
	}}
	if c.include {
		op.Attrs["count_include_pad"] = int64(1)
	}
	x, y := []int64{c.n, c.c, c.h, c.w}, []int64{c.n, c.c, oh, ow}
	if c.last {
		op.Attrs[graph.AttrDataLayout] = "NHWC"
		x, y = []int64{c.n, c.h, c.w, c.c}, []int64{c.n, oh, ow, c.c}
	}
	return &rig{op: op, inputs: []operand{input(x...)}, outputs: []operand{output(graph.Float32, y...)}}
}

func anyPool(t *rapid.T) poolCase {
	draw := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
	c := poolCase{
		op: rapid.SampledFrom([]string{"MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"}).Draw(t, "op"),
		n:  draw("n", 1, 2), c: draw("c", 1, 40), h: draw("h", 1, 9), w: draw("w", 1, 40),
		kh: draw("kh", 1, 4), kw: draw("kw", 1, 4), sh: draw("sh", 1, 3), sw: draw("sw", 1, 3), dh: draw("dh", 1, 2), dw: draw("dw", 1, 2),
		last: rapid.Bool().Draw(t, "last"), include: rapid.Bool().Draw(t, "include"), p: draw("p", 1, 3),
	}
	c.top, c.left, c.bottom, c.end = draw("top", 0, c.kh-1), draw("left", 0, c.kw-1), draw("bottom", 0, c.kh-1), draw("end", 0, c.kw-1)
	return c
}

func TestAnyPoolingAgreesWithTheHost(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := rapid.Custom(anyPool).Filter(func(c poolCase) bool {
			h, w := c.outSize()
			return h > 0 && w > 0
		}).Draw(rt, "case")
		if c.op == "AveragePool" && (c.dh > 1 || c.dw > 1) && !c.include {
			// A window of holes may meet no input at all.
			c.dh, c.dw = 1, 1
		}
		c.rig().compare(t)
	})
}

// countingUp is an operand of small numbers of an integer type.
func countingUp(dtype graph.DType, shape ...int64) operand {
	o := operand{role: graph.Input, dtype: dtype, shape: shape}
	n, _ := o.shape.Elements()
	for i := range n {
		o.data = append(o.data, binary.LittleEndian.AppendUint64(nil, uint64(i*37%101))[:dtype.Size()]...)
	}
	return o
}

func TestMaximaOfEachElementTypeAgreeWithTheHost(t *testing.T) {
	for _, dtype := range []graph.DType{graph.Int8, graph.Uint8, graph.Int32, graph.Int64} {
		for _, last := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v last=%v", dtype, last), func(t *testing.T) {
				r := poolCase{op: "MaxPool", n: 2, c: 3, h: 7, w: 9, kh: 3, kw: 2, sh: 2, sw: 1, dh: 1, dw: 1, top: 1, end: 1, last: last}.rig()
				r.inputs[0] = countingUp(dtype, r.inputs[0].shape...)
				r.outputs[0].dtype = dtype
				r.compare(t)
			})
		}
	}
}

func TestPlacesOfMaximaAgreeWithTheHost(t *testing.T) {
	for _, order := range []int64{0, 1} {
		r := poolCase{op: "MaxPool", n: 2, c: 3, h: 7, w: 9, kh: 3, kw: 3, sh: 2, sw: 2, dh: 1, dw: 1, top: 1, left: 1, bottom: 1, end: 1}.rig()
		r.op.Attrs["storage_order"] = order
		r.outputs = append(r.outputs, output(graph.Int64, r.outputs[0].shape...))
		r.compare(t)
	}
}

func TestANaNIsTheMaximumOfItsWindow(t *testing.T) {
	nan := float32(math.NaN())
	for _, last := range []bool{false, true} {
		for _, op := range []string{"MaxPool", "GlobalMaxPool"} {
			for at := range 4 {
				values := []float32{1, 3, 2, 0}
				values[at] = nan
				r := poolCase{op: op, n: 1, c: 1, h: 1, w: 4, kh: 1, kw: 4, sh: 1, sw: 1, dh: 1, dw: 1, last: last}.rig()
				r.inputs[0] = floats(values, r.inputs[0].shape...)
				r.compare(t)
			}
		}
	}
}
