package opencl_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

// separableCase is a depthwise convolution and a pointwise one as one op.
type separableCase struct {
	n, c, oc, h, w, k, stride, dilation int
	last, bias                          bool
	between                             string
	fused                               []string
	// transposedWeights has the pointwise weights as channels of the data by those of the result.
	transposedWeights bool
}

func (c separableCase) rig() *rig {
	pad := c.dilation * (c.k - 1) / 2
	oh, ow := (c.h+2*pad-c.dilation*(c.k-1)-1)/c.stride+1, (c.w+2*pad-c.dilation*(c.k-1)-1)/c.stride+1
	op := &graph.Op{Name: "separable", Op: "Conv", Fused: []string{"Conv"}, Attrs: graph.Attrs{
		"group": int64(c.c), "strides": []int64{int64(c.stride), int64(c.stride)}, "dilations": []int64{int64(c.dilation), int64(c.dilation)},
		"pads":     []int64{int64(pad), int64(pad), int64(pad), int64(pad)},
		"Clip.min": float32(-1.5), "Clip.max": float32(6), "HardSigmoid.alpha": float32(0.25), "Swish.alpha": float32(1.5),
	}}
	shape := func(channels, h, w int) []int64 {
		if c.last {
			return []int64{int64(c.n), int64(h), int64(w), int64(channels)}
		}
		return []int64{int64(c.n), int64(channels), int64(h), int64(w)}
	}
	if c.last {
		op.Attrs[graph.AttrDataLayout] = "NHWC"
	}
	bias := func(n int) operand {
		if !c.bias {
			return operand{}
		}
		return input(int64(n)).constant()
	}
	pointwise := input(int64(c.oc), int64(c.c), 1, 1)
	if c.transposedWeights {
		op.Attrs["Conv.kernel_layout"] = "HWIO"
		pointwise = input(1, 1, int64(c.c), int64(c.oc))
	}
	r := &rig{op: op, inputs: []operand{input(shape(c.c, c.h, c.w)...), input(int64(c.c), 1, int64(c.k), int64(c.k)).constant(), bias(c.c), pointwise.constant(), bias(c.oc)}}
	if c.between != "" {
		op.Fused = append(op.Fused, c.between)
	}
	op.Fused = append(append(op.Fused, "Conv"), c.fused...)
	for _, name := range c.fused {
		switch name {
		case "Add", "Mul":
			r.inputs = append(r.inputs, input(shape(c.oc, oh, ow)...))
		case "PRelu":
			slope := []int64{int64(c.oc), 1, 1}
			if c.last {
				slope = []int64{1, 1, int64(c.oc)}
			}
			r.inputs = append(r.inputs, input(slope...).constant())
		}
	}
	r.outputs = []operand{output(graph.Float32, shape(c.oc, oh, ow)...)}
	return r
}

func TestSeparableConvolutionsAgreeWithTheHost(t *testing.T) {
	for name, c := range map[string]separableCase{
		"as in mobile networks":           {n: 1, c: 24, oc: 28, h: 16, w: 16, k: 5, bias: true, fused: []string{"Add", "Relu"}},
		"of several images":               {n: 2, c: 17, oc: 35, h: 7, w: 9, k: 3, bias: true, between: "Clip", fused: []string{"Add", "PRelu"}},
		"with a stride":                   {n: 1, c: 40, oc: 18, h: 21, w: 22, k: 3, stride: 2, bias: true, between: "HardSwish"},
		"with a dilation":                 {n: 1, c: 9, oc: 7, h: 12, w: 37, k: 3, dilation: 2, between: "Relu", fused: []string{"HardSwish"}},
		"of one pixel":                    {n: 3, c: 20, oc: 5, h: 1, w: 1, k: 3, bias: true, between: "Swish"},
		"with what no kernel does itself": {n: 1, c: 8, oc: 8, h: 5, w: 5, k: 3, between: "Sigmoid", fused: []string{"Mul", "Tanh"}},
		"with weights by data channels":   {n: 1, c: 33, oc: 65, h: 6, w: 11, k: 3, bias: true, transposedWeights: true, fused: []string{"Clip"}},
		"of more channels than are held":  {n: 1, c: 17000, oc: 3, h: 2, w: 3, k: 3, bias: true, between: "Relu", fused: []string{"Add"}},
	} {
		c.stride, c.dilation = max(c.stride, 1), max(c.dilation, 1)
		for _, c.last = range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, last=%v", name, c.last), func(t *testing.T) {
				c.rig().compare(t)
				if slices.Contains(c.fused, "Add") {
					r := c.rig()
					r.onto = 5
					r.compare(t)
				}
			})
		}
	}
}
