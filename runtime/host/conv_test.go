package host_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func floatBytes(values []float32) []byte {
	if values == nil {
		return nil
	}
	data := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	}
	return data
}

func floatsOf(data []byte) []float32 {
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

// small makes values that multiply and add exactly in float32, so that results are compared bit for bit.
func small(n, seed int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32((i*7+seed*13)%11 - 5)
	}
	return values
}

// convCase is a two-dimensional convolution, or with transposed its reverse.
type convCase struct {
	n, groups, ic, oc      int
	h, w, kh, kw           int
	sh, sw, dh, dw         int
	top, left, bottom, end int
	transposed, last, bias bool
	kernelLayout           string
	relu                   bool
}

func (c convCase) outSize() (int, int) {
	if c.transposed {
		return (c.h-1)*c.sh + (c.kh-1)*c.dh + 1 - c.top - c.bottom, (c.w-1)*c.sw + (c.kw-1)*c.dw + 1 - c.left - c.end
	}
	return (c.h+c.top+c.bottom-(c.kh-1)*c.dh-1)/c.sh + 1, (c.w+c.left+c.end-(c.kw-1)*c.dw-1)/c.sw + 1
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
		n: small("n", 2), groups: small("groups", 3), ic: small("ic", 10), oc: small("oc", 18),
		h: small("h", 9), w: small("w", 20), kh: small("kh", 4), kw: small("kw", 5), sh: small("sh", 3), sw: small("sw", 3),
		dh: small("dh", 2), dw: small("dw", 2), top: pad("top"), left: pad("left"), bottom: pad("bottom"), end: pad("end"),
		transposed: rapid.Bool().Draw(t, "transposed"), last: rapid.Bool().Draw(t, "last"), bias: rapid.Bool().Draw(t, "bias"),
		relu: rapid.Bool().Draw(t, "relu"),
	}
	if rapid.Bool().Draw(t, "depthwise") {
		c.groups, c.ic, c.oc = small("channels", 20), 1, 1
	}
	c.kernelLayout = rapid.SampledFrom([]string{"OIHW", "IOHW", "OHWI", "IHWO", "HWIO"}).Draw(t, "layout")
	return c
}

// at is the place of an element in a tensor whose axes are named by layout, given the extent and index of each name.
func at(layout string, extent, index map[byte]int) int {
	place := 0
	for i := range len(layout) {
		place = place*extent[layout[i]] + index[layout[i]]
	}
	return place
}

func (c convCase) dataLayout() string {
	if c.last {
		return "NHWC"
	}
	return "NCHW"
}

func shapeIn(layout string, extent map[byte]int) graph.Shape {
	s := graph.Shape{}
	for i := range len(layout) {
		s = append(s, int64(extent[layout[i]]))
	}
	return s
}

// extents returns those of data, weights and result by axis letter.
func (c convCase) extents() (x, w, y map[byte]int) {
	oh, ow := c.outSize()
	x = map[byte]int{'N': c.n, 'C': c.groups * c.ic, 'H': c.h, 'W': c.w}
	y = map[byte]int{'N': c.n, 'C': c.groups * c.oc, 'H': oh, 'W': ow}
	w = map[byte]int{'O': c.groups * c.oc, 'I': c.ic, 'H': c.kh, 'W': c.kw}
	if c.transposed {
		w['O'], w['I'] = c.oc, c.groups*c.ic
	}
	return x, w, y
}

// reference is the definition, one loop for each index; transposed cases scatter.
func (c convCase) reference(x, w, bias []float32) []float32 {
	ex, ew, ey := c.extents()
	data := c.dataLayout()
	y := make([]float32, c.n*ey['C']*ey['H']*ey['W'])
	for n := range c.n {
		for g := range c.groups {
			for o := range c.oc {
				for i := range c.ic {
					c.plane(n, g, o, i, func(yh, yw, xh, xw, kh, kw int) {
						iw := map[byte]int{'O': g*c.oc + o, 'I': i, 'H': kh, 'W': kw}
						if c.transposed {
							iw['O'], iw['I'] = o, g*c.ic+i
						}
						py := at(data, ey, map[byte]int{'N': n, 'C': g*c.oc + o, 'H': yh, 'W': yw})
						px := at(data, ex, map[byte]int{'N': n, 'C': g*c.ic + i, 'H': xh, 'W': xw})
						y[py] += x[px] * w[at(c.kernelLayout, ew, iw)]
					})
				}
			}
		}
	}
	for i := range y {
		channel := i % ey['C']
		if !c.last {
			channel = i / (ey['H'] * ey['W']) % ey['C']
		}
		if bias != nil {
			y[i] += bias[channel]
		}
		if c.relu && y[i] < 0 {
			y[i] = 0
		}
	}
	return y
}

// plane visits every product of one pair of channels.
func (c convCase) plane(_, _, _, _ int, visit func(yh, yw, xh, xw, kh, kw int)) {
	oh, ow := c.outSize()
	bh, bw, fh, fw := oh, ow, c.h, c.w
	if c.transposed {
		bh, bw, fh, fw = c.h, c.w, oh, ow
	}
	for a := range bh {
		for b := range bw {
			for kh := range c.kh {
				for kw := range c.kw {
					h, w := a*c.sh-c.top+kh*c.dh, b*c.sw-c.left+kw*c.dw
					if h < 0 || h >= fh || w < 0 || w >= fw {
						continue
					}
					if c.transposed {
						visit(h, w, a, b, kh, kw)
					} else {
						visit(a, b, h, w, kh, kw)
					}
				}
			}
		}
	}
}

func (c convCase) op() *graph.Op {
	op := &graph.Op{Name: "conv", Op: "Conv", Attrs: graph.Attrs{
		graph.AttrDataLayout: c.dataLayout(), graph.AttrKernelLayout: c.kernelLayout, "group": int64(c.groups),
		"strides": []int64{int64(c.sh), int64(c.sw)}, "dilations": []int64{int64(c.dh), int64(c.dw)},
		"pads": []int64{int64(c.top), int64(c.left), int64(c.bottom), int64(c.end)},
	}}
	if c.transposed {
		op.Op = "ConvTranspose"
	}
	if c.relu {
		op.Fused = []string{op.Op, "Relu"}
	}
	return op
}

// compute runs the case on a device with so many workers.
func (c convCase) compute(t testing.TB, workers int, x, w, bias []float32) []float32 {
	ex, ew, ey := c.extents()
	r := newRig(t, workers)
	inputs := []*device.Tensor{
		r.floats("x", graph.Input, shapeIn(c.dataLayout(), ex), x),
		r.floats("w", graph.Constant, shapeIn(c.kernelLayout, ew), w),
		nil,
	}
	if bias != nil {
		inputs[2] = r.floats("bias", graph.Constant, graph.Shape{int64(len(bias))}, bias)
	}
	y := r.floats("y", graph.Output, shapeIn(c.dataLayout(), ey), nil)
	r.run(c.op(), []*device.Tensor{y}, inputs)
	return floatsOf(r.read(y))
}

func TestConvolutionsMatchTheirDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawConv(rt)
		ex, ew, ey := c.extents()
		x := small(c.n*ex['C']*c.h*c.w, 1)
		w := small(ew['O']*ew['I']*c.kh*c.kw, 2)
		var bias []float32
		if c.bias {
			bias = small(ey['C'], 3)
		}
		want := c.reference(x, w, bias)
		require.Equal(t, want, c.compute(t, 1, x, w, bias), "%+v", c)
		require.Equal(t, want, c.compute(t, 3, x, w, bias), "%+v", c)
	})
}

func TestAConvolutionHasTheSameBitsOnAnyNumberOfCores(t *testing.T) {
	for _, last := range []bool{false, true} {
		for _, groups := range []int{1, 40} {
			t.Run(fmt.Sprintf("last=%v groups=%d", last, groups), func(t *testing.T) {
				c := convCase{n: 1, groups: groups, ic: 40 / groups, oc: 40 / groups, h: 19, w: 23, kh: 3, kw: 3, sh: 1, sw: 1,
					dh: 1, dw: 1, top: 1, left: 1, bottom: 1, end: 1, last: last, kernelLayout: "OIHW"}
				x, w := make([]float32, 40*19*23), make([]float32, 40*40/groups*9)
				for i := range x {
					x[i] = float32(math.Sin(float64(i)))
				}
				for i := range w {
					w[i] = float32(math.Cos(float64(i) * 1.7))
				}
				one := c.compute(t, 1, x, w, nil)
				for workers := 2; workers <= 8; workers++ {
					require.Equal(t, one, c.compute(t, workers, x, w, nil), "%d workers", workers)
				}
			})
		}
	}
}
