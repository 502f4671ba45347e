package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// mostSeparable bounds the channels between the two convolutions: kernels hold those of a few pixels beside a processor.
const mostSeparable = 512

// Separable makes one op of a depthwise convolution and the pointwise one that alone reads its results (depthwise separable
// convolutions: A. Howard et al., "MobileNets", 2017). Kernels compute all channels of a few pixels between the two at a time, so
// that no tensor holds them. The op has the name and the place of the second; its operands are those of the first, the
// weights and the bias of the second, and what the second has more; see [graph.Op.Separable] for its attributes.
//
// What the first reads lives until the second is done. They are put together only where that is no more than before: where the
// tensor between them is no smaller than what the first reads, or no smaller than the result.
//
// It is for graphs that Fuse has gone over, and leaves what that leaves: tensors with other readers, outputs of the graph, what
// fixed marks by tensor id, and state. Kernels compute on flat memory: ops with an operand or a result among the images stay as they
// are. The result shares content with g, which is not changed; its ids are new. It costs O(tensors + uses).
func Separable(g *graph.Graph, fixed, images map[graph.TensorID]bool) (*graph.Graph, []Note) {
	f := newFuser(g, fixed)
	f.images = images
	f.startOrder()
	for i := range f.Ops {
		f.separate(i)
		for _, id := range f.Ops[i].Outputs {
			if id >= 0 {
				f.writer[id] = i
			}
		}
	}
	if len(f.notes) == 0 {
		return g, nil
	}
	return f.result(), f.notes
}

// separate puts op i together with the depthwise convolution before it, when it is a pointwise one.
func (f *fuser) separate(i int) {
	second := &f.Ops[i]
	if !f.isPointwise(second) || f.onImages(second) {
		return
	}
	between := second.Inputs[0]
	at, ok := f.part(between, "Conv")
	if !ok || !f.isDepthwise(&f.Ops[at]) || f.onImages(&f.Ops[at]) || !f.livesNoLonger(&f.Ops[at], second) {
		return
	}
	first := &f.Ops[at]
	attrs, ok := joinAttrs(first, second)
	if !ok {
		return
	}
	inputs := padded(first.Inputs, 3)
	inputs = append(inputs, padded(second.Inputs, 3)[1:]...)
	fused := append(slices.Clone(started(first)), started(second)...)
	f.note(first, f.Tensors[between].Name, fmt.Sprintf("%q computes it a few pixels at a time", second.Name))
	f.order[f.at[at]] = -1
	second.Inputs, second.Fused, second.Attrs = inputs, fused, attrs
}

// started is what an op does, in order.
func started(op *graph.Op) []string {
	if len(op.Fused) == 0 {
		return []string{op.Op}
	}
	return op.Fused
}

// padded is a copy of operands with at least n of them.
func padded(ids []graph.TensorID, n int) []graph.TensorID {
	out := slices.Clone(ids)
	for len(out) < n {
		out = append(out, graph.NoTensor)
	}
	return out
}

// isPointwise reports whether an op is a convolution of one pixel each, all channels with all.
func (f *fuser) isPointwise(op *graph.Op) bool {
	if !f.convolves(op) || op.Separable() > 0 || op.Attrs.Int("group", 1) != 1 || !f.plainConstants(op.Inputs[1:min(3, len(op.Inputs))]) {
		return false
	}
	moves := func(n int64) bool { return n != 1 }
	x, w, y := f.Tensor(op.Inputs[0]), f.Tensor(op.Inputs[1]), f.Tensor(op.Outputs[0])
	channels, axis := f.channels(op)
	count, ok := w.Shape.Elements()
	return ok && len(x.Shape) == len(y.Shape) && count == x.Shape[axis]*channels && !slices.ContainsFunc(op.Attrs.Ints("strides"), moves) &&
		!slices.ContainsFunc(op.Attrs.Ints("pads"), func(n int64) bool { return n != 0 }) && samePixels(x.Shape, y.Shape, axis)
}

// convolves reports whether an op is a convolution of float32 tensors of known shapes whose channels are not packed.
func (f *fuser) convolves(op *graph.Op) bool {
	if op.Op != "Conv" || !plainDomain(op) || len(op.Outputs) != 1 || len(op.Scratch) > 0 || len(op.Inputs) < 2 {
		return false
	}
	for _, id := range []graph.TensorID{op.Inputs[0], op.Inputs[1], op.Outputs[0]} {
		t := f.Tensor(id)
		if t == nil || t.DType != graph.Float32 || !t.Shape.Known() || len(t.Shape) < 3 || t.Role == graph.State || strings.ContainsAny(t.Layout, "0123456789") {
			return false
		}
	}
	_, axis := f.channels(op)
	return axis < len(f.Tensors[op.Inputs[0]].Shape)
}

func samePixels(x, y graph.Shape, axis int) bool {
	for i := range x {
		if i != axis && x[i] != y[i] {
			return false
		}
	}
	return true
}

// isDepthwise reports whether an op is a convolution of each channel by itself, with one activation at most.
func (f *fuser) isDepthwise(op *graph.Op) bool {
	if !f.convolves(op) || len(op.Inputs) > 3 || !f.plainConstants(op.Inputs[1:]) {
		return false
	}
	if len(op.Fused) > 2 || len(op.Fused) == 2 && !slices.Contains(vectorActivations, op.Fused[1]) {
		return false
	}
	channels, axis := f.channels(op)
	return channels > 1 && channels <= mostSeparable && f.Tensors[op.Inputs[0]].Shape[axis] == channels && op.Attrs.Int("group", 1) == channels
}

// livesNoLonger reports whether what the first reads and the result together are no more than either is with the tensor between.
func (f *fuser) livesNoLonger(first, second *graph.Op) bool {
	bytes := func(id graph.TensorID) int64 {
		n, _ := f.Tensors[id].Shape.Bytes(graph.Float32)
		return n
	}
	x, between, y := bytes(first.Inputs[0]), bytes(second.Inputs[0]), bytes(second.Outputs[0])
	return between >= min(x, y)
}

// joinAttrs are the attributes of two convolutions as one op; false when those of an activation that both have differ, since ops
// fused to one have theirs by name, or when the axes of their data do.
func joinAttrs(first, second *graph.Op) (graph.Attrs, bool) {
	if first.Attrs.String(graph.AttrDataLayout, "NCHW") != second.Attrs.String(graph.AttrDataLayout, "NCHW") {
		return nil, false
	}
	for _, name := range started(first)[1:] {
		if slices.Contains(second.Fused, name) && !maps.EqualFunc(withPrefix(first.Attrs, name), withPrefix(second.Attrs, name), equalValue) {
			return nil, false
		}
	}
	joined := maps.Clone(first.Attrs)
	if joined == nil {
		joined = graph.Attrs{}
	}
	for _, name := range second.Attrs.Names() {
		if strings.Contains(name, ".") {
			joined[name] = second.Attrs[name]
		} else {
			joined["Conv."+name] = second.Attrs[name]
		}
	}
	return joined, true
}
