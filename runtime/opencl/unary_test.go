package opencl_test

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/opencl"
)

func TestFunctionsOfOneNumberAgreeWithTheHost(t *testing.T) {
	for _, name := range opencl.UnaryOperators() {
		t.Run(name, func(t *testing.T) {
			op := &graph.Op{Name: "f", Op: name}
			if name == "Rsqrt" || name == "Square" {
				op.Domain = "tflite"
			}
			for _, n := range []int64{1, 16, 37, 5000} {
				(&rig{op: op, inputs: []operand{input(n)}, outputs: []operand{output(graph.Float32, n)}}).compare(t)
			}
			(&rig{op: op, inputs: []operand{input(37).with(math.NaN())}, outputs: []operand{output(graph.Float32, 37)}}).compare(t)
			(&rig{op: op, inputs: []operand{input(100)}, outputs: []operand{output(graph.Float32, 100)}, inPlace: true}).compare(t)
			image := input(1, 6, 5, 7).in(texture.Activation, "NCHW")
			result := output(graph.Float32, 1, 6, 5, 7).in(texture.NHWC, "NCHW")
			(&rig{op: op, inputs: []operand{image}, outputs: []operand{result}}).compare(t)
			(&rig{op: op, inputs: []operand{input(1, 6, 5, 7).with(math.NaN()).in(texture.Activation, "NCHW")}, outputs: []operand{result}}).compare(t)
		})
	}
}

func TestAttributesReachTheKernel(t *testing.T) {
	for name, attrs := range map[string]graph.Attrs{
		"LeakyRelu": {"alpha": float32(0.3)}, "Selu": {"alpha": float32(1.1), "gamma": float32(2)}, "Gelu": {"approximate": "tanh"},
		"HardSigmoid": {"alpha": float32(0.5), "beta": float32(0.1)}, "Shrink": {"bias": float32(0.2), "lambd": float32(1)},
	} {
		t.Run(name, func(t *testing.T) {
			op := &graph.Op{Name: "f", Op: name, Attrs: attrs}
			(&rig{op: op, inputs: []operand{input(99)}, outputs: []operand{output(graph.Float32, 99)}}).compare(t)
		})
	}
}

func TestClipTakesItsLimitsFromWhereTheyAre(t *testing.T) {
	op := &graph.Op{Name: "clip", Op: "Clip"}
	one := func(v float32) operand { return floats([]float32{v}) }
	for name, inputs := range map[string][]operand{
		"constants": {input(50), one(-1).constant(), one(0.5).constant()},
		"inputs":    {input(50), one(-1), one(0.5)},
		"no lower":  {input(50), {}, one(0.5)},
		"no upper":  {input(50), one(-0.5).constant()},
		"crossed":   {input(50), one(1), one(-1)},
	} {
		t.Run(name, func(t *testing.T) {
			(&rig{op: op, inputs: inputs, outputs: []operand{output(graph.Float32, 50)}}).compare(t)
		})
	}
}

func TestIntegersAreComputedAsIntegers(t *testing.T) {
	for _, dtype := range []graph.DType{graph.Int8, graph.Int32, graph.Int64} {
		data := make([]byte, 40*dtype.Size())
		for i := range data {
			data[i] = byte(i * 57)
		}
		x := operand{role: graph.Input, dtype: dtype, shape: graph.Shape{40}, data: data}
		for _, name := range []string{"Neg", "Abs", "Sign", "Relu", "Clip"} {
			t.Run(name+" of "+dtype.String(), func(t *testing.T) {
				(&rig{op: &graph.Op{Name: "f", Op: name}, inputs: []operand{x}, outputs: []operand{output(dtype, 40)}}).compare(t)
			})
		}
	}
}

func TestShortFloatsAreWidenedAndRounded(t *testing.T) {
	for _, dtype := range []graph.DType{graph.Float16, graph.BFloat16, graph.Float64} {
		t.Run(dtype.String(), func(t *testing.T) {
			x := operand{role: graph.Input, dtype: dtype, shape: graph.Shape{64}, data: make([]byte, 64*dtype.Size())}
			for i := range x.data {
				x.data[i] = byte(i*29) & 0x3f
			}
			(&rig{op: &graph.Op{Name: "f", Op: "Sigmoid"}, inputs: []operand{x}, outputs: []operand{output(dtype, 64)}}).compare(t)
		})
	}
}
