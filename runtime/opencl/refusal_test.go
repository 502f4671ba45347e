package opencl_test

import (
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

// refusals are steps that the device does not run, with the tensor and a part of the reason that it gives. The host runs
// those whose shape operands are computed in the run: kernels of this device are set up before.
var refusals = []struct {
	opCase
	id             diag.ID
	tensor, reason string
}{
	{opCase{name: "by a computed list", op: "Slice", inputs: inputs(input(5), list(1), whole(graph.Int64, []int64{3}, 1)), outputs: outputs(float(2))}, diag.UnsupportedForm, "in2", "needs a constant here"},
	{opCase{name: "by computed numbers", op: "Pad", inputs: inputs(input(5), whole(graph.Int64, []int64{1, 1}, 2)), outputs: outputs(float(7))}, diag.UnsupportedForm, "in1", "needs a constant here"},
	{opCase{name: "over computed axes", op: "ReduceSum", inputs: inputs(input(5, 2), whole(graph.Int64, []int64{0}, 1)), outputs: outputs(float(1, 2))}, diag.UnsupportedForm, "in1", "needs a constant here"},
	{opCase{name: "along a computed axis", op: "CumSum", inputs: inputs(input(5, 2), whole(graph.Int64, []int64{0})), outputs: outputs(float(5, 2))}, diag.UnsupportedForm, "in1", "needs a constant here"},
	{opCase{name: "by computed lengths", op: "Split", inputs: inputs(input(5), whole(graph.Int64, []int64{2, 3}, 2)), outputs: outputs(float(2), float(3))}, diag.UnsupportedForm, "in1", "needs a constant here"},
	{opCase{name: "by computed scales", op: "Resize", inputs: inputs(input(4), operand{}, floats([]float32{2}, 1)), outputs: outputs(float(8))}, diag.UnsupportedForm, "in2", "needs a constant here"},
	{opCase{name: "of two types", op: "Add", inputs: inputs(input(4), counted(graph.Int32, 4)), outputs: outputs(float(4))}, diag.UnsupportedForm, "out0", "operands of type float32 and int32 do not give float32"},
	{opCase{name: "of bools", op: "Mul", inputs: inputs(counted(graph.Bool, 4), counted(graph.Bool, 4)), outputs: outputs(output(graph.Bool, 4))}, diag.UnsupportedForm, "in0", "elements of type bool are not supported"},
	{opCase{name: "of bools", op: "Neg", inputs: inputs(counted(graph.Bool, 4)), outputs: outputs(output(graph.Bool, 4))}, diag.UnsupportedForm, "in0", "elements of type bool are not supported"},
	{opCase{name: "of shapes that do not broadcast", op: "Add", inputs: inputs(input(4), input(3)), outputs: outputs(float(4))}, diag.UnsupportedForm, "out0", "do not broadcast to [4]"},
	{opCase{name: "by no permutation", op: "Transpose", attrs: graph.Attrs{"perm": []int64{0, 0}}, inputs: inputs(input(2, 2)), outputs: outputs(float(2, 2))}, diag.UnsupportedForm, "out0", "is no permutation"},
	{opCase{name: "on an axis that does not exist", op: "Softmax", attrs: graph.Attrs{"axis": int64(2)}, inputs: inputs(input(2, 2)), outputs: outputs(float(2, 2))}, diag.UnsupportedForm, "out0", "axis 2 does not exist in rank 2"},
	{opCase{name: "of quantised values", op: "FloorDiv", domain: "tflite", inputs: inputs(counted(graph.Int8, 4), small(graph.Int8, 4)), outputs: outputs(output(graph.Int8, 4))}, diag.UnsupportedForm, "out0", "may hold quantised values"},
	{opCase{name: "with parameters of its own", op: "RNN", attrs: graph.Attrs{"activation_alpha": []float32{1}}, inputs: inputs(input(1, 1, 1), input(1, 1, 1), input(1, 1, 1)), outputs: outputs(float(1, 1, 1, 1))}, diag.UnsupportedForm, "out0", "with parameters of their own"},
	{opCase{name: "of more launches than a step may have", op: "SpaceToBatchNd", domain: "tflite", inputs: inputs(input(1, 1, 1, 1), list(4096, 4096), whole(graph.Int64, []int64{0, 4095, 0, 4095}, 2, 2).constant()), outputs: outputs(float(4096*4096, 1, 1, 1))}, diag.UnsupportedForm, "out0", "the step takes 16777216 kernel launches or more, and 16384 is the limit of a step"},
	{opCase{name: "of blocks whose product overflows", op: "BatchToSpaceNd", domain: "tflite", inputs: inputs(input(1, 1, 1, 1, 1, 1), list(32768, 32768, 32768, 32768, 32768), whole(graph.Int64, make([]int64, 10), 5, 2).constant()), outputs: outputs(float(1, 1, 1, 1, 1, 1))}, diag.UnsupportedForm, "out0", "is the limit of a step"},
	{opCase{name: "of more steps than a step of the plan has launches", op: "RNN", inputs: inputs(input(opencl.MaxLaunches+1, 1, 1), input(1, 1, 1), input(1, 1, 1)), outputs: outputs(float(opencl.MaxLaunches+1, 1, 1, 1))}, diag.UnsupportedForm, "out0", "the step takes 16385 kernel launches or more"},
	{opCase{name: "of a long lane", op: "TopK", inputs: inputs(input(1<<16+1), list(1)), outputs: outputs(float(1), output(graph.Int64, 1))}, diag.UnsupportedForm, "in0", "axis 0 has 65537 elements, and the kernel, which compares each with each, takes 65536"},
	{opCase{name: "", op: "Einsum", inputs: inputs(input(2)), outputs: outputs(float(2))}, diag.NoKernel, "out0", "no kernel for the operator \"Einsum\""},
}

func TestWhatCannotRunIsRefused(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.op+" "+c.name, func(t *testing.T) {
			dev := opencltest.Connect(t).NewDevice()
			defer func() { require.NoError(t, dev.Close()) }()
			p := (&rig{op: &graph.Op{Name: "op", Op: c.op, Domain: c.domain, Attrs: c.attrs}, inputs: c.inputs, outputs: c.outputs}).place(t)
			_, diags := p.prepare(t, dev)
			require.Len(t, diags, 1)
			require.Equal(t, c.id, diags[0].ID)
			require.Contains(t, diags[0].Detail, "tensor \""+c.tensor+"\"")
			require.Contains(t, diags[0].Detail, c.reason)
		})
	}
}
