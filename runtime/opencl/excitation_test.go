package opencl_test

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

// excitationCase is a squeeze-and-excitation block on n images.
type excitationCase struct {
	n, c, squeezed, h, w int64
	last, bias           bool
	activations          [2]string
}

// rig is the block as one op.
func (c excitationCase) rig() *rig {
	op := &graph.Op{Name: "block", Op: "GlobalAveragePool", Fused: []string{"GlobalAveragePool"}, Attrs: graph.Attrs{
		"HardSigmoid.alpha": float32(0.25), "HardSigmoid.beta": float32(0.4), "Clip.min": float32(-1), "Clip.max": float32(0.75), "Swish.alpha": float32(1.5),
	}}
	shape := []int64{c.n, c.c, c.h, c.w}
	if c.last {
		op.Attrs[graph.AttrDataLayout] = "NHWC"
		shape = []int64{c.n, c.h, c.w, c.c}
	}
	r := &rig{op: op, inputs: []operand{input(shape...)}, outputs: []operand{output(graph.Float32, shape...)}}
	from := c.c
	for i, to := range []int64{c.squeezed, c.c} {
		bias := operand{}
		if c.bias {
			bias = input(to).constant()
		}
		r.inputs = append(r.inputs, input(to, from, 1, 1).constant(), bias)
		op.Fused = append(op.Fused, "Conv")
		if a := c.activations[i]; a != "" {
			op.Fused = append(op.Fused, a)
		}
		from = to
	}
	op.Fused = append(op.Fused, "Mul")
	r.again = len(r.inputs)
	r.inputs = append(r.inputs, r.inputs[0])
	return r
}

func TestSqueezeAndExcitationBlocksAgreeWithTheHost(t *testing.T) {
	for name, c := range map[string]excitationCase{
		"as in mobile networks":       {n: 1, c: 40, squeezed: 10, h: 3, w: 13, bias: true, activations: [2]string{"Relu", "HardSigmoid"}},
		"of several images":           {n: 3, c: 17, squeezed: 5, h: 4, w: 4, bias: true, activations: [2]string{"Relu", "Sigmoid"}},
		"without biases":              {n: 1, c: 33, squeezed: 20, h: 5, w: 5, activations: [2]string{"Swish", "Sigmoid"}},
		"without activations":         {n: 1, c: 3, squeezed: 1, h: 1, w: 1},
		"with limits":                 {n: 1, c: 100, squeezed: 35, h: 2, w: 9, bias: true, activations: [2]string{"HardSwish", "Clip"}},
		"more channels than items":    {n: 1, c: 200, squeezed: 50, h: 2, w: 17, bias: true, activations: [2]string{"Relu", "HardSigmoid"}},
		"larger than one group takes": {n: 2, c: 30, squeezed: 8, h: 41, w: 54, bias: true, activations: [2]string{"Relu", "HardSigmoid"}},
	} {
		for _, c.last = range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, last=%v", name, c.last), func(t *testing.T) {
				c.rig().compare(t)
				r := c.rig()
				r.inPlace = true
				r.compare(t)
			})
		}
	}
}
