package onnx

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// node is a node of the graph with all functions written out.
type node struct {
	nodeProto
	// opset is the version of ONNX's own operator set that the node is written for.
	opset int64
	// refused marks the call of a function that could not be written out. It was reported.
	refused bool
	// ins and outs are the values that inputs and outputs name, NoTensor for absent ones, without those at the end.
	ins, outs []graph.TensorID
}

// isConstant reports whether the node is a Constant, which becomes a tensor and no op.
func (n *node) isConstant() bool { return n.op == "Constant" && n.domain == "" }

// title names the node in messages, as in `operator "conv1" (Conv)`.
func (n *node) title() string { return fmt.Sprintf("operator %q (%s)", n.name, n.op) }

// results names the values that the node gives, as in `"y" and "mask"`.
func (n *node) results() string {
	names := make([]string, 0, len(n.outputs))
	for _, name := range n.outputs {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return diag.Quoted(names)
}
