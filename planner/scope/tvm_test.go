package scope_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// net builds packed graphs: tensors by name, ops by what they read and write.
type net struct{ graph.Graph }

func (n *net) tensor(name string, role graph.Role, dtype graph.DType, layout string, shape ...int64) *net {
	id := graph.TensorID(len(n.Tensors))
	n.Tensors = append(n.Tensors, graph.Tensor{Name: name, Role: role, DType: dtype, Layout: layout, Shape: shape})
	switch role {
	case graph.Input:
		n.Inputs = append(n.Inputs, id)
	case graph.Output:
		n.Outputs = append(n.Outputs, id)
	}
	return n
}

func (n *net) op(op string, inputs []string, outputs ...string) *net {
	ids := func(names []string) (out []graph.TensorID) {
		for _, name := range names {
			out = append(out, n.ByName(name))
		}
		return out
	}
	n.Ops = append(n.Ops, graph.Op{Name: "make_" + outputs[0], Op: op, Inputs: ids(inputs), Outputs: ids(outputs)})
	return n
}

// adreno is a device with sides of 16384 texels, a pool of buffers and one of images.
func adreno(g *graph.Graph, policy string, rules ...scope.Rule) scope.Request {
	return scope.Request{
		Graph: g, GraphName: "net", Policy: policy, Rules: rules,
		Device: scope.Device{Name: "gpu", Image2D: &scope.Limits{MaxWidth: 16384, MaxHeight: 16384, MaxLayers: 2048, PitchAlignment: 64}},
		Pools:  []scope.Pool{{Name: "arena", Device: "gpu", Type: "flat", Holds: graph.Roles}, {Name: "images", Device: "gpu", Type: "texture", Holds: graph.Roles}},
	}
}

const (
	g = "global"
	a = "global.texture"
	w = "global.texture-weight"
	h = "global.texture-nhwc"
)

// small is a convolution of a graph input in flat memory that is repacked first, as TVM's tests have it.
func small(kernel ...int64) *net {
	return new(net).
		tensor("data", graph.Input, graph.Float32, "NCHW", 1, 32, 40, 40).
		tensor("packed", graph.Activation, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		tensor("weight", graph.Constant, graph.Float32, "OIHW4o", append([]int64{2, 32}, append(kernel, 4)...)...).
		tensor("conv", graph.Activation, graph.Float32, "NCHW4c", 1, 2, 38, 38, 4).
		tensor("out", graph.Output, graph.Float32, "NCHW", 1, 8, 38, 38).
		op("LayoutTransform", []string{"data"}, "packed").
		op("Conv", []string{"packed", "weight"}, "conv").
		op("LayoutTransform", []string{"conv"}, "out")
}

func TestScopesAndCopiesOfTVMsPolicies(t *testing.T) {
	float16 := small(3, 3)
	float16.Tensors[2].DType = graph.Float16
	hwio := small(3, 3)
	hwio.Tensors[1].Layout, hwio.Tensors[2].Layout, hwio.Tensors[2].Shape = "NHWC4c", "HWIO4o", graph.Shape{1, 3, 32, 2, 4}
	wrongLayout := small(3, 3)
	wrongLayout.Tensors[2].Layout = "IOHW4o"
	fused := small(3, 3)
	fused.Ops[1].Fused = []string{"Conv", "Add", "Relu"}
	consumers := func(second string) *net {
		n := new(net).
			tensor("x", graph.Input, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
			tensor("mid", graph.Activation, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
			tensor("one", graph.Output, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
			tensor("two", graph.Output, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
			tensor("three", graph.Output, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4)
		return n.op("Relu", []string{"x"}, "mid").op("Sigmoid", []string{"mid"}, "one").op(second, []string{"mid"}, "two").op("Tanh", []string{"mid"}, "three")
	}
	concat := new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		tensor("p", graph.Activation, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		tensor("q", graph.Activation, graph.Float32, "NCHW4c", 1, 16, 40, 40, 4).
		tensor("r", graph.Activation, graph.Float32, "NCHW4c", 1, 16, 40, 40, 4).
		tensor("y", graph.Output, graph.Float32, "NCHW4c", 1, 16, 40, 40, 4).
		op("Relu", []string{"x"}, "p").op("Concat", []string{"p", "p"}, "q").op("MaxPool", []string{"q"}, "r").op("Relu", []string{"r"}, "y")
	split := new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		tensor("p", graph.Activation, graph.Float32, "NCHW4c", 1, 4, 40, 40, 4).
		tensor("q", graph.Activation, graph.Float32, "NCHW4c", 1, 4, 40, 40, 4).
		tensor("y", graph.Output, graph.Float32, "NCHW4c", 1, 4, 40, 40, 4).
		op("Split", []string{"x"}, "p", "q").op("Add", []string{"p", "q"}, "y")
	bias := new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		tensor("bias", graph.Constant, graph.Float32, "NCHW4c", 1, 8, 1, 1, 4).
		tensor("y", graph.Output, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		op("Add", []string{"x", "bias"}, "y")
	transposed := new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW4c", 1, 8, 40, 40, 4).
		tensor("weight", graph.Constant, graph.Float32, "IOHW4o", 32, 8, 3, 3, 4).
		tensor("y", graph.Output, graph.Float32, "NCHW4c", 1, 8, 42, 42, 4).
		op("ConvTranspose", []string{"x", "weight"}, "y")

	for _, c := range []struct {
		name   string
		net    *net
		policy string
		scopes []string
		copies []string
	}{
		{"a constant kernel of 3x3 stays flat", small(3, 3), "tvm-relay", []string{g, a, g, g, g}, nil},
		{"one of 1x1 is a texture", small(1, 1), "tvm-relay", []string{g, a, w, g, g}, nil},
		{"one of 1x3 is a texture", small(1, 3), "tvm-relay", []string{g, a, h, g, g}, nil},
		{"one of float16 is a texture", float16, "tvm-relay", []string{g, a, h, g, g}, nil},
		{"spatial axes come first in HWIO4o", hwio, "tvm-relay", []string{g, a, h, g, g}, nil},
		{"a layout without a kernel leaves the convolution flat", wrongLayout, "tvm-relay", []string{g, g, g, g, g}, nil},
		{"what is fused behind a convolution changes nothing", fused, "tvm-relay", []string{g, a, g, g, g}, nil},
		{"all readers want a texture", consumers("Relu"), "tvm-relay", []string{a, a, g, g, g}, nil},
		{"one reader wants none: flat, and the others share a copy", consumers("Softmax"), "tvm-relay", []string{a, g, g, g, g}, []string{"mid@" + a}},
		{"two of three readers want a texture: the third reads a copy", consumers("MatMul"), "tvm-relax", []string{w, w, g, g, g}, []string{"mid@" + g}},
		{"a concat takes buffers, and what it makes is one", concat, "tvm-relay", []string{a, g, g, a, g}, []string{"q@" + a}},
		{"a concat takes textures in Relax", concat, "tvm-relax", []string{w, w, h, h, g}, nil},
		{"a split makes buffers in Relay", split, "tvm-relay", []string{g, g, g, g}, []string{"p@" + a, "q@" + a}},
		{"the outputs of a split are activations in Relax", split, "tvm-relax", []string{w, a, a, g}, nil},
		{"a bias is a weight by its shape", bias, "tvm-relay", []string{a, w, g}, nil},
		{"the kernel of a transposed convolution is a texture in Relay", transposed, "tvm-relay", []string{a, w, g}, nil},
		{"kernels are flat in Relax", transposed, "tvm-relax", []string{w, g, g}, nil},
		{"the policy flat leaves all flat", concat, "flat", []string{g, g, g, g, g}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, diags := scope.Decide(adreno(&c.net.Graph, c.policy))
			require.Empty(t, diags)
			var scopes, copies []string
			for _, decision := range r.Tensors {
				scopes = append(scopes, decision.Scope)
			}
			for _, copied := range r.Copies {
				copies = append(copies, copied.Name)
			}
			require.Equal(t, c.scopes, scopes)
			require.Equal(t, c.copies, copies)
			require.Equal(t, c.policy, r.Policy)
		})
	}
}

func TestThePublishedImageOfAnActivation(t *testing.T) {
	n := new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW4c", 1, 22, 20, 20, 4).
		tensor("y", graph.Output, graph.Float32, "NCHW4c", 1, 22, 20, 20, 4).op("Relu", []string{"x"}, "y")
	r, _ := scope.Decide(adreno(&n.Graph, "tvm-relay"))
	require.Equal(t, h, r.Tensors[0].Scope)
	require.Equal(t, []int64{400, 22}, []int64{r.Tensors[0].Geometry.Width, r.Tensors[0].Geometry.Height})
	bytes, _ := r.Tensors[0].Geometry.Bytes(16)
	require.Equal(t, int64(140800), bytes)
}
