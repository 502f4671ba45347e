package rewrite_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// paddedPool is x -> Relu -> a -> Pad -> p -> MaxPool -> y of one channel, padded by a line of zeros on top.
func paddedPool() *graph.Graph {
	g := &graph.Graph{Name: "net"}
	add := func(name string, role graph.Role, shape ...int64) graph.TensorID {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: shape})
		return graph.TensorID(len(g.Tensors) - 1)
	}
	x, a, p, y := add("x", graph.Input, 1, 1, 4, 4), add("a", graph.Activation, 1, 1, 4, 4), add("p", graph.Activation, 1, 1, 5, 4), add("y", graph.Output, 1, 1, 4, 3)
	pads := add("pads", graph.Constant, 8)
	var data []byte
	for _, v := range []int64{0, 0, 1, 0, 0, 0, 0, 0} {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	g.Tensors[pads].DType, g.Tensors[pads].Data = graph.Int64, graph.Bytes(data)
	g.Inputs, g.Outputs = []graph.TensorID{x}, []graph.TensorID{y}
	g.Ops = []graph.Op{
		{Name: "relu", Op: "Relu", Inputs: []graph.TensorID{x}, Outputs: []graph.TensorID{a}},
		{Name: "pad", Op: "Pad", Inputs: []graph.TensorID{a, pads}, Outputs: []graph.TensorID{p}},
		{Name: "pool", Op: "MaxPool", Inputs: []graph.TensorID{p}, Outputs: []graph.TensorID{y}, Attrs: graph.Attrs{"kernel_shape": []int64{2, 2}}},
	}
	return g
}

func TestAPoolingPadsWhatItReadsItself(t *testing.T) {
	g := paddedPool()
	folded, notes := rewrite.FoldPads(g, nil)
	require.NoError(t, folded.Validate())
	require.Len(t, folded.Ops, 2)
	require.Equal(t, []int64{1, 0, 0, 0}, folded.Ops[1].Attrs.Ints("pads"))
	require.Equal(t, graph.NoTensor, folded.ByName("p"))
	require.Equal(t, []rewrite.Note{{Rewrite: "fuse", Op: "pad", Tensors: []string{"p"}, Because: `"pool" pads what it reads itself`}}, notes)
	require.Nil(t, g.Ops[2].Attrs.Ints("pads"), "the graph itself stays")
}

func TestAPaddingStaysWhereItsResultWouldChangeOrIsWanted(t *testing.T) {
	for name, change := range map[string]func(g *graph.Graph){
		"negative values that zeros are larger than": func(g *graph.Graph) { g.Ops[0].Op = "Neg" },
		"activations of another domain":              func(g *graph.Graph) { g.Ops[0].Domain = "tflite.quantized" },
		"limits the wrong way round": func(g *graph.Graph) {
			g.Ops[0].Op, g.Ops[0].Attrs = "Clip", graph.Attrs{"min": float32(0), "max": float32(-1)}
		},
		"windows beyond the end":              func(g *graph.Graph) { g.Ops[2].Attrs["ceil_mode"] = int64(1) },
		"windows in padding alone":            func(g *graph.Graph) { g.Ops[2].Attrs["kernel_shape"] = []int64{1, 2} },
		"padding of its own by another value": func(g *graph.Graph) { g.Ops[2].Attrs["pads"] = []int64{0, 1, 0, 1} },
		"padding that follows from the shape": func(g *graph.Graph) { g.Ops[2].Attrs["auto_pad"] = "SAME_UPPER" },
		"places of the maxima":                func(g *graph.Graph) { g.Ops[2].Outputs = append(g.Ops[2].Outputs, graph.NoTensor) },
		"an output":                           func(g *graph.Graph) { g.Outputs = append(g.Outputs, g.ByName("p")) },
		"another reader": func(g *graph.Graph) {
			g.Ops = append(g.Ops, graph.Op{Name: "neg", Op: "Neg", Inputs: []graph.TensorID{g.ByName("p")}, Outputs: []graph.TensorID{g.ByName("y")}})
		},
		"a reflection": func(g *graph.Graph) { g.Ops[1].Attrs = graph.Attrs{"mode": "reflect"} },
		"no one's op":  func(g *graph.Graph) { g.Ops[2].Domain = "com.example" },
		"padded channels": func(g *graph.Graph) {
			g.Ops[2].Attrs[graph.AttrDataLayout] = "NHWC"
			g.Ops[1].Attrs = graph.Attrs{}
			g.Tensors[g.ByName("pads")].Data = graph.Bytes(append(make([]byte, 63), 0))
			g.Tensors[g.ByName("p")].Shape = graph.Shape{1, 1, 4, 5}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := paddedPool()
			change(g)
			folded, notes := rewrite.FoldPads(g, nil)
			require.Empty(t, notes)
			require.Same(t, g, folded)
		})
	}
	g := paddedPool()
	_, notes := rewrite.FoldPads(g, map[graph.TensorID]bool{g.ByName("p"): true})
	require.Empty(t, notes, "a tensor that the configuration names")
}
