package networks

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// channelsLast is a network of [1, C, H, W] tensors as converters to TensorFlow Lite write it: [1, H, W, C], with the weights of
// convolutions [O, H, W, I]. Transposes that moved the channels last have nothing left to do and are gone; a batch normalisation that
// no convolution stands before is a product and a sum.
func channelsLast(build func() *graph.Graph) func() *graph.Graph {
	return func() *graph.Graph {
		g := build()
		g.Name += "_nhwc"
		moved := map[graph.TensorID]bool{}
		move := func(id graph.TensorID) {
			s := g.Tensors[id].Shape
			g.Tensors[id].Shape, moved[id] = graph.Shape{s[0], s[2], s[3], s[1]}, true
		}
		for _, id := range g.Inputs {
			move(id)
		}
		var ops []graph.Op
		instead := map[graph.TensorID]graph.TensorID{}
		for _, op := range g.Ops {
			op.Inputs = slices.Clone(op.Inputs)
			for i, id := range op.Inputs {
				if other, ok := instead[id]; ok {
					op.Inputs[i] = other
				}
			}
			if op.Op == "Transpose" && moved[op.Inputs[0]] {
				instead[op.Outputs[0]] = op.Inputs[0]
				continue
			}
			switch op.Op {
			case "Conv":
				w := &g.Tensors[op.Inputs[1]]
				w.Shape = graph.Shape{w.Shape[0], w.Shape[2], w.Shape[3], w.Shape[1]}
				op.Attrs[graph.AttrDataLayout], op.Attrs[graph.AttrKernelLayout] = "NHWC", "OHWI"
			case "ConvTranspose":
				w := &g.Tensors[op.Inputs[1]]
				w.Shape = graph.Shape{w.Shape[1], w.Shape[2], w.Shape[3], w.Shape[0]}
				op.Attrs[graph.AttrDataLayout], op.Attrs[graph.AttrKernelLayout] = "NHWC", "OHWI"
			case "Concat":
				if moved[op.Inputs[0]] {
					op.Attrs = graph.Attrs{"axis": int64(3)}
				}
			case "MaxPool", "AveragePool":
				op.Attrs[graph.AttrDataLayout] = "NHWC"
			case "GlobalAveragePool":
				op.Attrs = graph.Attrs{graph.AttrDataLayout: "NHWC"}
			}
			if op.Op != "Reshape" && moved[op.Inputs[0]] {
				move(op.Outputs[0])
			}
			if op.Op == "BatchNormalization" {
				instead[op.Inputs[3]], instead[op.Inputs[4]] = graph.NoTensor, graph.NoTensor
				ops = append(ops, scaled(g, &op)...)
				continue
			}
			ops = append(ops, op)
		}
		g.Ops = ops
		return withoutUnused(g, instead)
	}
}

// scaled is a batch normalisation as a product and a sum.
func scaled(g *graph.Graph, norm *graph.Op) []graph.Op {
	y := g.Tensors[norm.Outputs[0]]
	g.Tensors = append(g.Tensors, graph.Tensor{Name: norm.Name + "_scaled:0", Role: graph.Activation, DType: y.DType, Shape: y.Shape.Clone()})
	product := []graph.TensorID{graph.TensorID(len(g.Tensors) - 1)}
	return []graph.Op{
		{Name: norm.Name + "_scaled", Op: "Mul", Inputs: norm.Inputs[:2:2], Outputs: product},
		{Name: norm.Name, Op: "Add", Inputs: []graph.TensorID{product[0], norm.Inputs[2]}, Outputs: norm.Outputs},
	}
}

// withoutUnused drops the tensors that nothing writes any more.
func withoutUnused(g *graph.Graph, gone map[graph.TensorID]graph.TensorID) *graph.Graph {
	to := make([]graph.TensorID, len(g.Tensors))
	var tensors []graph.Tensor
	for i := range g.Tensors {
		to[i] = graph.NoTensor
		if _, dropped := gone[graph.TensorID(i)]; !dropped {
			to[i] = graph.TensorID(len(tensors))
			tensors = append(tensors, g.Tensors[i])
		}
	}
	renumber := func(ids []graph.TensorID) {
		for i, id := range ids {
			if id >= 0 {
				ids[i] = to[id]
			}
		}
	}
	for i := range g.Ops {
		renumber(g.Ops[i].Inputs)
		renumber(g.Ops[i].Outputs)
	}
	renumber(g.Inputs)
	renumber(g.Outputs)
	g.Tensors = tensors
	return g
}
