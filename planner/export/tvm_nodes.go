package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// The functions of TVM's runtime itself.
const (
	tvmAlias = "__nop"
	tvmCopy  = "__copy"
)

// addArguments adds a node for each tensor from outside that something needs, in the order of the graph's tensors, and
// lists inputs before constants.
func (b *tvmBuilder) addArguments() error {
	needed := b.neededArguments()
	var nodes []int
	for id := range b.g.Tensors {
		if !needed[id] {
			continue
		}
		nodes = append(nodes, len(b.nodes))
		b.nodes = append(b.nodes, tvmNode{name: b.g.Tensors[id].Name})
		if err := b.addEntry(graph.TensorID(id)); err != nil {
			return err
		}
	}
	listed := make([]bool, len(b.nodes))
	add := func(node int) {
		if !listed[node] {
			listed[node] = true
			b.args = append(b.args, node)
		}
	}
	for _, id := range b.g.Inputs {
		// Whether an argument is an input is the plan's to say: a graph file of TVM cannot.
		if b.rows[id].Role != string(graph.Constant) {
			add(b.produced[id].node)
		}
	}
	for _, node := range nodes {
		add(node)
	}
	return nil
}

// neededArguments marks the tensors without a producer that the caller binds, reads or that a call reads.
func (b *tvmBuilder) neededArguments() []bool {
	needed := make([]bool, len(b.g.Tensors))
	for _, id := range b.g.Inputs {
		needed[id] = b.rows[id] == nil || b.rows[id].Role != string(graph.Constant)
	}
	for _, id := range b.g.Outputs {
		needed[id] = true
	}
	for step := range b.g.Ops {
		for _, id := range b.operands(&b.g.Ops[step]) {
			needed[id] = true
		}
	}
	for id, producer := range b.g.Producers() {
		needed[id] = needed[id] && producer < 0
	}
	return needed
}

// operands are what the call of an op reads. What passes bytes on needs no shape or axes to do so.
func (b *tvmBuilder) operands(op *graph.Op) []graph.TensorID {
	if b.passesOn(op) {
		return op.Inputs[:1]
	}
	return presentOf(op.Inputs)
}

// plainDomains are the operator sets whose names are known here.
var plainDomains = []string{"", "ai.onnx", "tvm"}

// passesOn reports whether the op's result always has the bytes of its first input.
func (b *tvmBuilder) passesOn(op *graph.Op) bool {
	if len(op.Fused) > 1 || !slices.Contains(plainDomains, op.Domain) && op.Op != "Copy" || len(op.Inputs) == 0 || len(presentOf(op.Outputs)) != 1 || op.Inputs[0] == graph.NoTensor {
		return false
	}
	switch op.Op {
	case "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Copy":
		return true
	case "Dropout", "Cast", "Transpose":
		return op.Domain != "tvm" && b.shares(op)
	}
	return false
}

// shares reports whether the plan gives the op's first input and result the same bytes, one as a view of the other.
func (b *tvmBuilder) shares(op *graph.Op) bool {
	in, out := b.rows[op.Inputs[0]], b.rows[presentOf(op.Outputs)[0]]
	if in == nil || out == nil || in.ViewOf == nil && out.ViewOf == nil || in.Size != out.Size {
		return false
	}
	return b.places.same(in, out)
}

// repacks reports whether the elements of the op's first input or result have another order in an image than in flat
// memory: moving them takes a function that knows it.
func (b *tvmBuilder) repacks(op *graph.Op) bool {
	for _, id := range []graph.TensorID{op.Inputs[0], presentOf(op.Outputs)[0]} {
		if row := b.rows[id]; row != nil && len(tvmShape(row)) != len(row.Shape) {
			return true
		}
	}
	return false
}

func (b *tvmBuilder) addCall(step int) error {
	op := &b.g.Ops[step]
	outputs := presentOf(op.Outputs)
	node := tvmNode{name: b.nodeName(step, outputs), attrs: map[string]string{"flatten_data": "0"}}
	if op.Domain == "tvm" {
		for name, value := range op.Attrs {
			if text, ok := value.(string); ok {
				node.attrs[name] = text
			}
		}
	}
	switch {
	case b.passesOn(op) && b.shares(op) && op.Op != "Copy":
		node.function = tvmAlias
	case b.passesOn(op) && !b.repacks(op):
		node.function = tvmCopy
	default:
		node.function = functionOf(op, node)
	}
	for _, id := range b.operands(op) {
		if b.produced[id].node < 0 {
			return fmt.Errorf("the op %q reads %q before that is produced: plan this graph again", op.Name, b.g.Tensors[id].Name)
		}
		node.inputs = append(node.inputs, b.produced[id])
	}
	b.nodes = append(b.nodes, node)
	for _, id := range outputs {
		if err := b.addEntry(id); err != nil {
			return err
		}
	}
	return nil
}

func functionOf(op *graph.Op, node tvmNode) string {
	if name := node.attrs["func_name"]; name != "" {
		return name
	}
	if op.Name != "" {
		return op.Name
	}
	return node.name
}

// nodeName names a node after its result, which is what its user knows. Several results have their own names in the
// file only when these are the node's with a number.
func (b *tvmBuilder) nodeName(step int, outputs []graph.TensorID) string {
	name := b.pg.Steps[step].Name
	if len(outputs) > 0 && b.rows[outputs[0]] != nil {
		first := b.rows[outputs[0]].Name
		if len(outputs) == 1 {
			return first
		}
		if base, ok := strings.CutSuffix(first, ":0"); ok || name == "" {
			return base
		}
	}
	return name
}
