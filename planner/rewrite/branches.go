package rewrite

import (
	"fmt"
	"maps"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// DepthwiseBranches lets a convolution in groups, such as a depthwise one, of a concatenation along the channels go through the
// pieces one by one, where nobody else reads the concatenation: one convolution for each piece, with its part of the weights and
// of the bias, and a concatenation of their results in the place of the one of its operands. No piece must wait for the others,
// and a convolution that reads the new concatenation may add up its pieces; see [PartialSums]. Every element is computed as before.
//
// Each piece must hold whole groups. Weights and biases that others read too, that are outputs of the graph or that fixed
// marks by tensor id, and convolutions that add an operand stay. The convolutions are called "<name>/part<number>", with
// apostrophes where that is taken; the concatenation and the result keep their names. The method is that of B. H. Ahn et al.,
// "Ordering Chaos" (MLSys 2020), kernel-wise partitioning. The result shares content with g, which is not changed; its ids are
// new. It costs O(tensors + uses).
func DepthwiseBranches(g *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []Note) {
	return parted(g, fixed, (*parter).branch)
}

// branch replaces the convolution in groups i by one for each piece of its input, and the concatenation before it by one after
// them.
func (p *parter) branch(i int) {
	conv := &p.Ops[i]
	group := conv.Attrs.Int("group", 1)
	concat, pieces := p.piecesOf(conv)
	if pieces == nil || group < 2 || len(conv.Inputs) > 3 || len(conv.Scratch) > 0 ||
		len(conv.Fused) > 1 && slices.ContainsFunc(conv.Fused[1:], func(name string) bool { return name != "Clip" && !array.IsActivation(name) }) {
		return
	}
	weights, bias, axis, ok := p.filters(conv)
	channels := p.Tensors[conv.Inputs[0]].Shape[p.channelAxis(conv, conv.Inputs[0])]
	if !ok || channels%group != 0 || weights.Shape[axis]%group != 0 ||
		slices.ContainsFunc(pieces, func(id graph.TensorID) bool { return p.channels(conv, id)%(channels/group) != 0 }) {
		return
	}
	result := p.Tensors[conv.Outputs[0]]
	from := int64(0)
	var parts []graph.Op
	joined := graph.Op{Name: p.Ops[concat].Name, Op: "Concat", Domain: p.Ops[concat].Domain, Attrs: p.Ops[concat].Attrs, Outputs: conv.Outputs}
	for k, piece := range pieces {
		groups := p.channels(conv, piece) / (channels / group)
		n := groups * (weights.Shape[axis] / group)
		part := graph.Op{Name: p.partName(conv, k), Op: conv.Op, Domain: conv.Domain, Fused: slices.Clone(conv.Fused), Attrs: maps.Clone(conv.Attrs)}
		part.Attrs["group"] = groups
		part.Inputs = []graph.TensorID{piece, p.cut(conv.Name, weights, axis, from, n, k)}
		if bias != nil {
			part.Inputs = append(part.Inputs, p.cut(conv.Name, bias, 0, from, n, k))
		}
		from += n
		shape := result.Shape.Clone()
		shape[p.channelAxis(conv, conv.Inputs[0])] = n
		y := p.add(graph.Tensor{Name: part.Name + ":0", Role: graph.Activation, DType: result.DType, Shape: shape, Layout: result.Layout, UpperBound: result.UpperBound})
		part.Outputs, joined.Inputs = []graph.TensorID{y}, append(joined.Inputs, y)
		parts = append(parts, part)
	}
	p.notes = append(p.notes, Note{Rewrite: "depthwise_branches", Op: conv.Name, Tensors: []string{p.Tensors[conv.Inputs[0]].Name},
		Because: fmt.Sprintf("it goes through the pieces of %q one by one", joined.Name)})
	*conv, p.parts[i], p.gone[concat] = joined, parts, true
}

// channels is the number of a piece's channels.
func (p *parter) channels(conv *graph.Op, piece graph.TensorID) int64 {
	return p.Tensors[piece].Shape[p.channelAxis(conv, piece)]
}

// filters are the weights of a convolution, with the axis of its results' channels, and its bias, nil when it has none; false when
// they cannot be cut.
func (p *parter) filters(conv *graph.Op) (weights, bias *graph.Tensor, axis int, ok bool) {
	own := func(id graph.TensorID) *graph.Tensor {
		t := p.constant(id)
		if t == nil || p.readers[id] != 1 {
			return nil
		}
		out := *t
		return &out
	}
	if weights = own(conv.Inputs[1]); weights == nil {
		return nil, nil, 0, false
	}
	if layout := conv.Attrs.String(graph.AttrKernelLayout, ""); layout != "" {
		axis = slices.Index([]byte(layout), 'O')
	}
	if axis < 0 || axis >= len(weights.Shape) {
		return nil, nil, 0, false
	}
	if len(conv.Inputs) == 3 && conv.Inputs[2] != graph.NoTensor {
		if bias = own(conv.Inputs[2]); bias == nil || len(bias.Shape) != 1 || bias.Shape[0] != weights.Shape[axis] {
			return nil, nil, 0, false
		}
	}
	return weights, bias, axis, true
}
