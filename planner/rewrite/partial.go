package rewrite

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// PartialSums lets a convolution of a concatenation along the channels read the pieces themselves, where nobody else reads the
// concatenation: one convolution for each piece, with its part of the weights, each of which adds its sums to those of the one
// before in their place. The concatenation is gone. The products are the same; a sum for each result and piece is added, which
// is less than a hundredth of them for kernels that read at least 100 elements, and results are rounded in between.
//
// Convolutions in groups, with weights that others read too, that are outputs of the graph or that fixed marks by tensor id, or
// that add an operand already, stay. The last convolution has the name and what was fused to the old one; the others are called
// "<name>/part<number>", with apostrophes where that is taken. The method is that of B. H. Ahn et al., "Ordering Chaos" (MLSys
// 2020), channel-wise partitioning. The result shares content with g, which is not changed; its ids are new. It costs O(tensors +
// uses).
func PartialSums(g *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []Note) {
	return parted(g, fixed, (*parter).sum)
}

// parted goes through the ops in order and puts a convolution for each piece in the place of those that read a concatenation, as
// split does it.
func parted(g *graph.Graph, fixed map[graph.TensorID]bool, split func(p *parter, i int)) (*graph.Graph, []Note) {
	p := &parter{fuser: newFuser(g, fixed), writer: map[graph.TensorID]int{}, parts: map[int][]graph.Op{}, gone: map[int]bool{}}
	for i := range p.Ops {
		split(p, i)
		for _, id := range p.Ops[i].Outputs {
			if id >= 0 {
				p.writer[id] = i
			}
		}
	}
	return p.parted(), p.notes
}

type parter struct {
	*fuser
	writer map[graph.TensorID]int
	// parts are the convolutions that stand before an op now; gone marks concatenations.
	parts map[int][]graph.Op
	gone  map[int]bool
	// opNames are those of the ops, nil until one is added.
	opNames map[string]bool
}

// partName names the convolution of the piece k.
func (p *parter) partName(conv *graph.Op, k int) string {
	if p.opNames == nil {
		p.opNames = make(map[string]bool, len(p.Ops))
		for i := range p.Ops {
			p.opNames[p.Ops[i].Name] = true
		}
	}
	return newName(p.opNames, fmt.Sprintf("%s/part%d", conv.Name, k))
}

// sum replaces the convolution i by one for each piece of its input, which add up.
func (p *parter) sum(i int) {
	conv := &p.Ops[i]
	concat, pieces := p.piecesOf(conv)
	if pieces == nil || conv.Attrs.Int("group", 1) != 1 || len(conv.Fused) > 1 && conv.Fused[1] == "Add" {
		return
	}
	weights, axis := p.inputAxis(conv)
	if weights == nil {
		return
	}
	from, sum := int64(0), graph.NoTensor
	var parts []graph.Op
	for k, piece := range pieces {
		part := graph.Op{Name: conv.Name, Op: conv.Op, Domain: conv.Domain, Attrs: conv.Attrs}
		n := p.Tensors[piece].Shape[p.channelAxis(conv, piece)]
		part.Inputs = []graph.TensorID{piece, p.cut(conv.Name, weights, axis, from, n, k), graph.NoTensor}
		from += n
		if k == 0 && len(conv.Inputs) > 2 {
			part.Inputs[2] = conv.Inputs[2]
		}
		if k > 0 {
			part.Inputs = append(part.Inputs, sum)
			part.Fused = []string{conv.Op, "Add"}
		}
		if k == len(pieces)-1 {
			part.Outputs, part.Scratch = conv.Outputs, conv.Scratch
			if len(conv.Fused) > 1 {
				part.Fused = append(part.Fused, conv.Fused[1:]...)
			}
			part.Inputs = append(part.Inputs, conv.Inputs[min(3, len(conv.Inputs)):]...)
			*conv = part
			break
		}
		part.Name = p.partName(conv, k)
		y := p.Tensors[conv.Outputs[0]]
		sum = p.add(graph.Tensor{Name: part.Name + ":0", Role: graph.Activation, DType: y.DType, Shape: y.Shape.Clone(), Layout: y.Layout, UpperBound: y.UpperBound})
		part.Outputs = []graph.TensorID{sum}
		parts = append(parts, part)
	}
	p.parts[i], p.gone[concat] = parts, true
	p.notes = append(p.notes, Note{Rewrite: "partial_sums", Op: p.Ops[concat].Name, Tensors: []string{}, Because: fmt.Sprintf("%q adds up its pieces", conv.Name)})
}

// piecesOf are the pieces of the concatenation that a convolution alone reads, nil when there is none.
func (p *parter) piecesOf(conv *graph.Op) (concat int, pieces []graph.TensorID) {
	if conv.Op != "Conv" || !plainDomain(conv) || len(conv.Outputs) != 1 {
		return 0, nil
	}
	x := conv.Inputs[0]
	at, ok := p.writer[x]
	if !ok || p.gone[at] || !p.free(x) {
		return 0, nil
	}
	op := &p.Ops[at]
	rank := int64(len(p.Tensors[x].Shape))
	axis := op.Attrs.Int("axis", 0)
	if axis < 0 {
		axis += rank
	}
	if op.Op != "Concat" || len(op.Fused) > 1 || len(op.Inputs) < 2 || axis != int64(p.channelAxis(conv, x)) || p.Tensors[x].DType != graph.Float32 {
		return 0, nil
	}
	for i, id := range op.Inputs {
		if t := p.Tensor(id); t == nil || t.Role == graph.State || len(t.Shape) != int(rank) || t.Shape[axis] < 1 || slices.Contains(op.Inputs[:i], id) {
			return 0, nil
		}
	}
	return at, op.Inputs
}

// channelAxis is the axis of the channels of a convolution's input.
func (p *parter) channelAxis(conv *graph.Op, x graph.TensorID) int {
	if layout := conv.Attrs.String(graph.AttrDataLayout, "NCHW"); layout != "" && layout[len(layout)-1] == 'C' {
		return len(p.Tensors[x].Shape) - 1
	}
	return 1
}

// inputAxis is the constant of a convolution's weights with the axis of the input channels, nil when they cannot be cut.
func (p *parter) inputAxis(conv *graph.Op) (*graph.Tensor, int) {
	t := p.constant(conv.Inputs[1])
	if t == nil || p.readers[conv.Inputs[1]] != 1 {
		return nil, 0
	}
	axis := 1
	if layout := conv.Attrs.String(graph.AttrKernelLayout, ""); layout != "" {
		axis = slices.Index([]byte(layout), 'I')
	}
	x := p.Tensors[conv.Inputs[0]].Shape
	if axis < 0 || axis >= len(t.Shape) || t.Shape[axis] != x[p.channelAxis(conv, conv.Inputs[0])] {
		return nil, 0
	}
	out := *t
	return &out, axis
}

// cut is a constant with the elements [from, from+n) of an axis of a convolution's weights or bias.
func (p *parter) cut(conv string, weights *graph.Tensor, axis int, from, n int64, k int) graph.TensorID {
	shape := weights.Shape.Clone()
	outer, inner, all := int64(1), int64(4), shape[axis]
	for i, extent := range shape {
		switch {
		case i < axis:
			outer *= extent
		case i > axis:
			inner *= extent
		}
	}
	shape[axis] = n
	old := weights.Data
	compute := func() ([]byte, error) {
		data, err := old.Read()
		if err != nil {
			return nil, err
		}
		if int64(len(data)) != outer*all*inner {
			return nil, fmt.Errorf("the weights of %s have %d bytes where their shape needs %d", conv, len(data), outer*all*inner)
		}
		out := make([]byte, 0, outer*n*inner)
		for o := range outer {
			at := (o*all + from) * inner
			out = append(out, data[at:at+n*inner]...)
		}
		return out, nil
	}
	return p.add(graph.Tensor{Name: fmt.Sprintf("%s/part%d", weights.Name, k), Role: graph.Constant, DType: graph.Float32, Shape: shape,
		Data: &graph.Lazy{Bytes: outer * n * inner, Compute: compute}})
}

// parted puts the new convolutions before the last of each. A concatenation that is gone may be one that stands for a
// convolution: the parts of that stay.
func (p *parter) parted() *graph.Graph {
	var ops []graph.Op
	for i := range p.Ops {
		ops = append(ops, p.parts[i]...)
		if !p.gone[i] {
			ops = append(ops, p.Ops[i])
		}
	}
	p.Ops = ops
	p.order = make([]int, len(ops))
	for i := range p.order {
		p.order[i] = i
	}
	return p.result()
}
