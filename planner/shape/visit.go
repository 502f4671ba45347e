package shape

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// errNoRule: no rule serves the op.
var errNoRule = errors.New("no rule serves the op")

// visit settles the outputs of an op, from its rule or from what the file states.
func (s *state) visit(op *graph.Op) {
	n := newNode(s, op)
	if !n.inputsReady() {
		n.settleStated()
		return
	}
	types, err := n.apply()
	var unknown unknownValueError
	switch {
	case errors.As(err, &unknown):
		n.reason = unknown.Error()
		types = make([]array.Type, n.outputs())
	case errors.Is(err, errNoRule):
		types = make([]array.Type, n.outputs())
	case err != nil:
		s.reportError(err)
		n.settleStated()
		return
	}
	n.settleInferred(types)
	n.evaluate()
}

// inputsReady reports whether all inputs have types. An input that has none because the op comes too early is a fault.
func (n *node) inputsReady() bool {
	ok := true
	for i, id := range n.op.Inputs {
		if !n.has(i) || n.s.status[id] == ready {
			continue
		}
		ok = false
		if n.s.status[id] == pending {
			n.s.fail(id, diag.New(diag.UseBeforeWrite, "%s reads %s, which is written only by a later operator. Export the model again.", n, n.name(i)))
		}
	}
	return ok
}

// apply runs the rule of the op.
func (n *node) apply() ([]array.Type, error) {
	spec, ok := lookup(n.op)
	if !ok || n.packed() {
		return nil, errNoRule
	}
	if err := n.checkOperands(spec); err != nil {
		return nil, err
	}
	if n.own = len(n.op.Inputs); spec.most >= 0 {
		n.own = min(n.own, spec.most)
	}
	return spec.rule(n)
}

// packed reports whether an operand has channels packed into a last axis, as "NCHW4c" has: rules read plain layouts.
func (n *node) packed() bool {
	for _, list := range [][]graph.TensorID{n.op.Inputs, n.op.Outputs} {
		for _, id := range list {
			if t := n.s.g.Tensor(id); t != nil && strings.ContainsAny(t.Layout, "0123456789") {
				return true
			}
		}
	}
	return false
}

// checkOperands checks the number of inputs and outputs. Fused ops may have more inputs, for the ops that follow.
func (n *node) checkOperands(spec spec) error {
	for i := range spec.least {
		if !n.has(i) {
			return n.fault(diag.MissingOperand, "has %d inputs, and number %d, which it needs, is absent. Correct the op.", len(n.op.Inputs), i+1)
		}
	}
	if spec.most >= 0 && len(n.op.Inputs) > spec.most && len(n.op.Fused) < 2 {
		return n.fault(diag.OperandCount, "has %d inputs, the most it takes is %d. Correct the op.", len(n.op.Inputs), spec.most)
	}
	if spec.outputs >= 0 && n.outputs() > spec.outputs {
		return n.fault(diag.OperandCount, "has %d outputs, the most it writes is %d. Correct the op.", n.outputs(), spec.outputs)
	}
	if n.outputs() == 0 {
		return n.fault(diag.OperandCount, "has no outputs. Remove the op.")
	}
	return nil
}

// settleStated settles the outputs as the file states them after a fault was reported. What the file leaves open is
// broken.
func (n *node) settleStated() {
	for _, id := range n.op.Outputs {
		if n.s.g.Tensor(id) == nil || n.s.status[id] != pending {
			continue
		}
		if stated := n.s.stated[id]; stated.Shape.Known() && stated.DType.Size() > 0 {
			n.s.settle(id, stated, n.s.bounded[id], n)
			continue
		}
		n.s.status[id] = broken
	}
}

// settleInferred settles the outputs with the inferred types, completed by what the file states.
func (n *node) settleInferred(types []array.Type) {
	bounded := n.bounded()
	for i, id := range n.op.Outputs {
		if n.s.g.Tensor(id) == nil {
			continue
		}
		var inferred array.Type
		if i < len(types) {
			inferred = types[i]
		}
		if n.s.status[id] != pending {
			n.checkState(id, inferred)
			continue
		}
		open := !inferred.Shape.Known()
		typ := n.complete(id, inferred)
		if d, ok := n.openAxis(id, typ.Shape); ok {
			n.s.fail(id, d)
			continue
		}
		n.s.settle(id, typ, bounded || open && n.s.bounded[id], n)
	}
}

// checkState reports a state that is written with another type than it has from run to run.
func (n *node) checkState(id graph.TensorID, written array.Type) {
	if n.s.status[id] != ready || n.s.g.Tensor(id).Role != graph.State || written.Shape == nil || !differ(written, n.s.stated[id]) {
		return
	}
	n.s.reportError(n.fault(diag.ExtentMismatch, "writes %s to the state %q, which is %s from run to run. Correct the shape in the file.", written, n.s.g.Tensor(id).Name, n.s.stated[id]))
}

// bounded reports whether the shapes of the outputs depend on a dimension that is planned for its maximum.
func (n *node) bounded() bool {
	for i, id := range n.op.Inputs {
		if n.has(i) && (n.tensor(i).UpperBound && !n.fixed || n.steers[i] && n.s.tainted[id]) {
			return true
		}
	}
	return false
}

// complete fills what the rule left open from what the file states, and warns where the two differ.
func (n *node) complete(id graph.TensorID, inferred array.Type) array.Type {
	stated := n.s.stated[id]
	if inferred.DType == graph.InvalidDType {
		inferred.DType = stated.DType
	}
	if inferred.Shape == nil {
		inferred.Shape = stated.Shape.Clone()
	}
	if differ(inferred, stated) {
		n.s.stale[id] = true
		if n.readsStale() {
			return inferred
		}
		n.s.report(diag.New(diag.StaleShape, "The file states %s for %q, but %s writes %s, which is planned. Infer the shapes of the file again.",
			stated, n.s.g.Tensor(id).Name, n, inferred))
		return inferred
	}
	for axis, extent := range inferred.Shape {
		if extent < 0 && stated.Shape != nil {
			inferred.Shape[axis] = stated.Shape[axis]
		}
		if inferred.Shape[axis] == graph.Unknown {
			n.bindLate(id, inferred.Shape, axis)
		}
	}
	return inferred
}

// readsStale reports whether an input has a stale type: then that of the output follows, and is not worth a warning.
func (n *node) readsStale() bool {
	for i, id := range n.op.Inputs {
		if n.has(i) && n.s.stale[id] {
			return true
		}
	}
	return false
}

// bindLate gives an axis that is still open its extent from dims.
func (n *node) bindLate(id graph.TensorID, shape graph.Shape, axis int) {
	t := n.s.g.Tensor(id)
	if extent, limit, ok := n.s.binder.late(t, axis); ok {
		shape[axis] = extent
		n.s.bounded[id] = n.s.bounded[id] || limit
	}
}

// differ reports whether two types contradict each other in what both leave known.
func differ(a, b array.Type) bool {
	if b.DType != graph.InvalidDType && a.DType != b.DType {
		return true
	}
	if a.Shape == nil || b.Shape == nil {
		return false
	}
	if len(a.Shape) != len(b.Shape) {
		return true
	}
	for i := range a.Shape {
		if a.Shape[i] >= 0 && b.Shape[i] >= 0 && a.Shape[i] != b.Shape[i] {
			return true
		}
	}
	return false
}

// openAxis returns the fault of an output whose shape nothing tells.
func (n *node) openAxis(id graph.TensorID, shape graph.Shape) (diag.Diagnostic, bool) {
	if shape.Known() {
		return diag.Diagnostic{}, false
	}
	t := n.s.g.Tensor(id)
	where, next := "The shape", "Export the model with a shape for it"
	for axis, extent := range shape {
		if extent < 0 {
			where = fmt.Sprintf("Axis %d", axis)
			next = "Bind it to a bound: " + howToBound(axisName(t, axis), max(n.limit, 1))
			break
		}
	}
	if n.reason == "" {
		return diag.New(diag.NoShapeRule, "%s of %q cannot be inferred: memplan has no rule for its producer, %s. %s.", where, t.Name, n, next), true
	}
	return diag.New(diag.DataDependentShape, "%s of %q, written by %s, is not known: %s. %s.", where, t.Name, n, n.reason, next), true
}
