package shape

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// node is one op while its rule runs. Rules reach inputs, attributes and values through it, and make their faults with
// it, so that every message names the op.
type node struct {
	s  *state
	op *graph.Op
	// own is the number of inputs that the rule's own operator can have; those of fused ones follow.
	own int
	// steers marks the inputs whose values the rule has used.
	steers []bool
	// fixed says that the output shapes do not depend on the extents of the inputs.
	fixed bool
	// results are the outputs whose values the rule itself computed, nil for the others.
	results []*array.Array
	// reason says why an output shape has axes left unknown.
	reason string
	// limit is a bound for the unknown axis, 0 when there is none.
	limit int64
}

func newNode(s *state, op *graph.Op) *node {
	return &node{s: s, op: op, steers: make([]bool, len(op.Inputs)), results: make([]*array.Array, len(op.Outputs))}
}

// String is how messages call the op.
func (n *node) String() string {
	name := n.op.Op
	if n.op.Domain != "" {
		name = n.op.Domain + "." + name
	}
	return fmt.Sprintf("%s %q", name, n.op.Name)
}

// fault returns a diagnostic whose detail starts with the op: the format continues that sentence.
func (n *node) fault(id diag.ID, format string, args ...any) error {
	d := diag.New(id, "%s", n.String()+" "+diag.Format(format, args...))
	return &d
}

// has reports whether input i is given.
func (n *node) has(i int) bool {
	return i < len(n.op.Inputs) && n.s.g.Tensor(n.op.Inputs[i]) != nil
}

// tensor returns input i, which must be given.
func (n *node) tensor(i int) *graph.Tensor { return n.s.g.Tensor(n.op.Inputs[i]) }

// shape returns the shape of input i, which must be given; it must not be changed.
func (n *node) shape(i int) graph.Shape { return n.tensor(i).Shape }

// dtype returns the element type of input i, which must be given.
func (n *node) dtype(i int) graph.DType { return n.tensor(i).DType }

// rank returns the number of axes of input i, which must be given.
func (n *node) rank(i int) int { return len(n.shape(i)) }

// operand is how messages call input i: its name and shape.
func (n *node) operand(i int) string {
	t := n.tensor(i)
	return fmt.Sprintf("%q %s", t.Name, t.Shape)
}

// name is how messages call input i where its shape does not matter.
func (n *node) name(i int) string { return fmt.Sprintf("%q", n.tensor(i).Name) }

// outputs returns the number of outputs, those nobody wants included.
func (n *node) outputs() int { return len(n.op.Outputs) }

// statedOutput returns what the file says of output i.
func (n *node) statedOutput(i int) array.Type {
	if i < len(n.op.Outputs) {
		if id := n.op.Outputs[i]; n.s.g.Tensor(id) != nil {
			return n.s.stated[id]
		}
	}
	return array.Type{}
}

// indexType is the element type of output i of an op that writes indices or extents: int64 as in ONNX, or int32 where
// the file, of another format, says so.
func (n *node) indexType(i int) graph.DType {
	if n.s.g.Format != "onnx" && n.statedOutput(i).DType == graph.Int32 {
		return graph.Int32
	}
	return graph.Int64
}

// wantRank fails when input i has another number of axes.
func (n *node) wantRank(i, rank int) error {
	if n.rank(i) == rank {
		return nil
	}
	return n.fault(diag.RankMismatch, "reads %s, which has %d axes where %d are needed. Correct the shape of %s.",
		n.operand(i), n.rank(i), rank, n.name(i))
}

// wantMinRank fails when input i has fewer axes.
func (n *node) wantMinRank(i, rank int) error {
	if n.rank(i) >= rank {
		return nil
	}
	return n.fault(diag.RankMismatch, "reads %s, which has %d axes where at least %d are needed. Correct the shape of %s.",
		n.operand(i), n.rank(i), rank, n.name(i))
}

// wantExtent fails when an axis of input i has another extent than the reason asks for.
func (n *node) wantExtent(i, axis int, want int64, reason string) error {
	if got := n.shape(i)[axis]; got != want {
		return n.fault(diag.ExtentMismatch, "reads %s, which has %d elements on axis %d where %d are needed: %s. Correct one of the two.",
			n.operand(i), got, axis, want, reason)
	}
	return nil
}

// wantVector fails when input i, if given, is not one axis of the extent.
func (n *node) wantVector(i int, want int64, reason string) error {
	if !n.has(i) {
		return nil
	}
	if err := n.wantRank(i, 1); err != nil {
		return err
	}
	return n.wantExtent(i, 0, want, reason)
}

// wantInteger fails when the elements of input i are not integers.
func (n *node) wantInteger(i int) error {
	switch d := n.dtype(i); {
	case d.IsFloat(), d == graph.Complex64, d == graph.Complex128, d == graph.Bool:
		return n.fault(diag.ElementTypeMismatch, "reads %s of %s elements where integers are needed. Add a Cast before it.", n.name(i), d)
	}
	return nil
}

// wantSameType fails when two inputs differ in their element types.
func (n *node) wantSameType(i, j int) error {
	if n.dtype(i) == n.dtype(j) {
		return nil
	}
	return n.fault(diag.ElementTypeMismatch, "reads %s of %s and %s of %s elements, which must be of one type. Add a Cast before one of them.",
		n.name(i), n.dtype(i), n.name(j), n.dtype(j))
}

// one is the result of a rule with a single output type.
func one(d graph.DType, s graph.Shape) []array.Type {
	return []array.Type{{DType: d, Shape: s}}
}
