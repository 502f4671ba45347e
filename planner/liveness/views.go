package liveness

import "github.com/memplan/memplan/planner/graph"

// findViews points the output of each reshape-like op at the tensor that owns its input's bytes, so that chains end in
// one buffer. Ops are in execution order, which resolves chains in one pass.
//
// An output gets bytes of its own when sharing would not be safe or not be wanted:
//   - the bytes belong to state, which a later op changes while the view is still read;
//   - the bytes belong to a constant and the output is the graph's: the caller must not be handed the weights to keep;
//   - mergeable, unless it is nil, says that the op's input and output lie differently.
//
// An input that is reshaped into an output is shared: the caller sees one storage under both names.
func (a *analysis) findViews(mergeable func(input, output graph.TensorID) bool) {
	for step := range a.g.Ops {
		op := &a.g.Ops[step]
		if !reshapes(a.g, op) || a.dropoutMaskUsed(op) {
			continue
		}
		in, out := op.Inputs[0], op.Outputs[0]
		base := a.base[in]
		owner := a.g.Tensors[base].Role
		if base == out || owner == graph.State || a.g.Tensors[out].Role == graph.State || a.input[out] || a.g.Tensors[out].Role == graph.Constant {
			continue
		}
		if owner == graph.Constant && a.output[out] || a.g.Tensors[in].Given != nil || a.g.Tensors[out].Given != nil {
			continue
		}
		if mergeable != nil && !mergeable(in, out) {
			continue
		}
		a.base[out] = base
	}
}

// reshapes reports whether the op's output has the bytes of its first input, in the same order.
func reshapes(g *graph.Graph, op *graph.Op) bool {
	return len(op.Inputs) > 0 && len(op.Outputs) > 0 && op.IsReshape(g.Tensor(op.Inputs[0]), g.Tensor(op.Outputs[0]))
}

// dropoutMaskUsed reports whether somebody sees the second output of a Dropout, which is computed by a kernel.
func (a *analysis) dropoutMaskUsed(op *graph.Op) bool {
	if op.Op != "Dropout" || len(op.Outputs) < 2 || a.g.Tensor(op.Outputs[1]) == nil {
		return false
	}
	mask := op.Outputs[1]
	return a.output[mask] || a.kept[mask] || a.read[mask]
}
