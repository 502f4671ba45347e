package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// SqueezeExcite makes one op of a squeeze-and-excitation block (J. Hu et al., "Squeeze-and-Excitation Networks", CVPR 2018): x
// times a factor for each channel, which two convolutions compute of the channels' means. Five ops on a handful of numbers, most
// of them, become one that reads x twice, in the place and with the name of the last; its own operands are x and those of the
// convolutions, in order, and x again.
//
// It is for graphs that Fuse has gone over, and leaves what that leaves: tensors with other readers, outputs of the graph, what
// fixed marks by tensor id, and state. Kernels compute on flat memory: blocks with a tensor among the images stay as they are. The
// result shares content with g, which is not changed; its ids are new. It costs O(tensors + uses).
func SqueezeExcite(g *graph.Graph, fixed, images map[graph.TensorID]bool) (*graph.Graph, []Note) {
	if !anyOp(g, "Mul") {
		return g, nil
	}
	f := newFuser(g, fixed)
	f.images = images
	f.startOrder()
	for i := range f.Ops {
		f.excite(i)
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

// excite replaces op i, when it is the product at the end of a block.
func (f *fuser) excite(i int) {
	mul := &f.Ops[i]
	if mul.Op != "Mul" || !plainDomain(mul) || len(mul.Fused) > 1 || len(mul.Scratch) > 0 || len(mul.Inputs) != 2 || len(mul.Outputs) != 1 {
		return
	}
	for k, x := range mul.Inputs {
		block, ok := f.block(mul, x, mul.Inputs[1-k])
		if !ok || f.onImages(mul) || slices.ContainsFunc(block.parts, func(at int) bool { return f.onImages(&f.Ops[at]) }) {
			continue
		}
		for _, at := range block.parts {
			f.note(&f.Ops[at], f.Tensors[f.Ops[at].Outputs[0]].Name, fmt.Sprintf("with others it is the squeeze-and-excitation %q", mul.Name))
			f.order[f.at[at]] = -1
		}
		block.op.Name, block.op.Outputs = mul.Name, mul.Outputs
		f.Ops[i] = block.op
		return
	}
}

// exciting is a block as one op, and the ops that it is made of but for the last.
type exciting struct {
	op    graph.Op
	parts []int
}

// block reads a block backwards from the factors of its channels.
func (f *fuser) block(mul *graph.Op, x, factors graph.TensorID) (exciting, bool) {
	in, y := f.Tensor(x), f.Tensor(mul.Outputs[0])
	if in == nil || y == nil || in.Role == graph.State || in.DType != graph.Float32 || !in.Shape.Known() || !in.Shape.Equal(y.Shape) || in.Layout != y.Layout {
		return exciting{}, false
	}
	excite, ok := f.vectorConvolution(factors)
	if !ok {
		return exciting{}, false
	}
	squeeze, ok := f.vectorConvolution(f.Ops[excite].Inputs[0])
	if !ok {
		return exciting{}, false
	}
	pool, ok := f.part(f.Ops[squeeze].Inputs[0], "GlobalAveragePool")
	if !ok || len(f.Ops[pool].Fused) > 1 || f.Ops[pool].Inputs[0] != x {
		return exciting{}, false
	}
	b := exciting{parts: []int{pool, squeeze, excite}}
	return b, f.joinBlock(&b.op, x, b.parts)
}

// part is the op of a kind that alone makes a tensor, for one reader.
func (f *fuser) part(id graph.TensorID, kind string) (int, bool) {
	i, ok := f.writer[id]
	if !ok || !f.free(id) {
		return 0, false
	}
	op := &f.Ops[i]
	return i, op.Op == kind && plainDomain(op) && len(op.Outputs) == 1 && len(op.Scratch) == 0 && f.Tensors[id].DType == graph.Float32
}

// vectorConvolution is a convolution of a single pixel with constants, and an activation perhaps, which makes a tensor.
func (f *fuser) vectorConvolution(id graph.TensorID) (int, bool) {
	i, ok := f.part(id, "Conv")
	if !ok {
		return 0, false
	}
	op := &f.Ops[i]
	if len(op.Inputs) < 2 || len(op.Inputs) > 3 || len(op.Fused) > 2 || op.Attrs.Int("group", 1) != 1 || slices.ContainsFunc(op.Attrs.Ints("pads"), func(n int64) bool { return n != 0 }) {
		return 0, false
	}
	if len(op.Fused) == 2 && !slices.Contains(vectorActivations, op.Fused[1]) {
		return 0, false
	}
	return i, f.plainConstants(op.Inputs[1:]) && f.isMatrix(op)
}

// plainConstants reports whether operands, where they are there, are float32 constants whose channels are not packed.
func (f *fuser) plainConstants(ids []graph.TensorID) bool {
	return !slices.ContainsFunc(ids, func(id graph.TensorID) bool {
		t := f.Tensor(id)
		return t != nil && (t.Role != graph.Constant || t.DType != graph.Float32 || strings.ContainsAny(t.Layout, "0123456789"))
	})
}

// vectorActivations are the activations that kernels of blocks do.
var vectorActivations = []string{"Relu", "Clip", "HardSwish", "HardSigmoid", "Sigmoid", "Swish"}

// isMatrix reports whether the weights of a convolution are a matrix of a row for each output channel, of its input's channels.
func (f *fuser) isMatrix(op *graph.Op) bool {
	x, w, y := f.Tensor(op.Inputs[0]), f.Tensor(op.Inputs[1]), f.Tensor(op.Outputs[0])
	layout := op.Attrs.String(graph.AttrKernelLayout, "OIHW")
	if x == nil || w == nil || len(w.Shape) < 2 || len(layout) > 0 && layout[0] != 'O' || !x.Shape.Known() || !w.Shape.Known() || !y.Shape.Known() || x.Shape[0] == 0 {
		return false
	}
	elements, ok := w.Shape.Elements()
	in, known := x.Shape.Elements()
	out, counted := y.Shape.Elements()
	return ok && known && counted && elements == (in/x.Shape[0])*(out/x.Shape[0]) && w.Shape[0] == out/x.Shape[0]
}

// joinBlock fills in the op of a block; false when its activations cannot be told apart by their attributes.
func (f *fuser) joinBlock(op *graph.Op, x graph.TensorID, parts []int) bool {
	pool := &f.Ops[parts[0]]
	*op = graph.Op{Op: pool.Op, Domain: pool.Domain, Inputs: []graph.TensorID{x}, Fused: []string{pool.Op}, Attrs: maps.Clone(pool.Attrs)}
	if op.Attrs == nil {
		op.Attrs = graph.Attrs{}
	}
	for _, at := range parts[1:] {
		conv := &f.Ops[at]
		if conv.Attrs.String(graph.AttrDataLayout, "NCHW") != pool.Attrs.String(graph.AttrDataLayout, "NCHW") {
			return false
		}
		bias := graph.NoTensor
		if len(conv.Inputs) > 2 {
			bias = conv.Inputs[2]
		}
		op.Inputs = append(op.Inputs, conv.Inputs[1], bias)
		op.Fused = append(op.Fused, "Conv")
		if len(conv.Fused) == 2 {
			name := conv.Fused[1]
			own := withPrefix(conv.Attrs, name)
			if slices.Contains(op.Fused, name) && !maps.EqualFunc(own, withPrefix(op.Attrs, name), equalValue) {
				return false
			}
			maps.Copy(op.Attrs, own)
			op.Fused = append(op.Fused, name)
		}
	}
	op.Inputs, op.Fused = append(op.Inputs, x), append(op.Fused, "Mul")
	return true
}

// withPrefix are the attributes of a fused op.
func withPrefix(attrs graph.Attrs, name string) graph.Attrs {
	own := graph.Attrs{}
	for _, key := range attrs.Names() {
		if strings.HasPrefix(key, name+".") {
			own[key] = attrs[key]
		}
	}
	return own
}

// equalValue compares the attributes of activations, which are numbers.
func equalValue(a, b graph.Attr) bool {
	x, ok := a.(float32)
	y, same := b.(float32)
	return ok && same && x == y
}

// plainDomain reports whether an op is ONNX's, or one of TensorFlow Lite's that means the same.
func plainDomain(op *graph.Op) bool {
	return op.Domain == "" || op.Domain == "ai.onnx" || op.Domain == "tflite"
}
