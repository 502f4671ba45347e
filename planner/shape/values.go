package shape

import (
	"errors"
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// unknownValueError says that a rule needs a value that is not known before the graph runs.
type unknownValueError struct {
	tensor string
	// constant says that the tensor is one without content.
	constant bool
}

func (e unknownValueError) Error() string {
	if e.constant {
		return fmt.Sprintf("it depends on the constant %q, for which the file holds no content", e.tensor)
	}
	return fmt.Sprintf("it depends on the content of %q, which is known only when the graph runs", e.tensor)
}

// errTooLarge: a constant has more elements than steer a shape.
var errTooLarge = errors.New("too many elements")

// value returns the value of a tensor, nil when it depends on inputs or is too large. It fails when a constant cannot
// be read.
func (s *state) value(id graph.TensorID) (*array.Array, error) {
	if v := s.known[id]; v != nil {
		return v, nil
	}
	if v := s.constants[id]; v != nil {
		return v, nil
	}
	t := s.g.Tensor(id)
	if t == nil || t.Role != graph.Constant || t.Data == nil || s.status[id] != ready {
		return nil, nil
	}
	if count, ok := t.Shape.Elements(); !ok || count > maxValues {
		return nil, errTooLarge
	}
	data, err := t.Data.Read()
	if err != nil {
		return nil, err
	}
	if want, _ := t.Shape.Bytes(t.DType); int64(len(data)) != want {
		return nil, fmt.Errorf("%d bytes read where %d are needed", len(data), want)
	}
	v := &array.Array{DType: t.DType, Shape: t.Shape, Data: data}
	s.constants[id] = v
	return v, nil
}

// steering returns the value of input i, which must be given, for a rule whose result it steers.
func (n *node) steering(i int) (*array.Array, error) {
	v, err := n.s.value(n.op.Inputs[i])
	switch {
	case errors.Is(err, errTooLarge):
		return nil, n.fault(diag.InvalidOperandValue, "is steered by %s, which has more than %d elements. Correct that input.", n.operand(i), maxValues)
	case err != nil:
		return nil, n.fault(diag.UnreadableConstant, "is steered by %s, which cannot be read: %v. Export the model again.", n.name(i), err)
	case v == nil:
		return nil, unknownValueError{n.tensor(i).Name, n.tensor(i).Role == graph.Constant}
	}
	n.steers[i] = true
	return v, nil
}

// ints returns the integers of input i, which must be given.
func (n *node) ints(i int) ([]int64, error) {
	v, err := n.steering(i)
	if err != nil {
		return nil, err
	}
	list, err := v.Ints()
	if err != nil {
		return nil, n.fault(diag.ElementTypeMismatch, "is steered by %s of %s elements: %v. Make that input int64.", n.name(i), v.DType, err)
	}
	return list, nil
}

// vector returns the integers of input i, which must be given and have one axis.
func (n *node) vector(i int) ([]int64, error) {
	if err := n.wantRank(i, 1); err != nil {
		return nil, err
	}
	return n.ints(i)
}

// integer returns the single integer of input i, which must be given.
func (n *node) integer(i int) (int64, error) {
	list, err := n.ints(i)
	if err != nil {
		return 0, err
	}
	if len(list) != 1 {
		return 0, n.fault(diag.InvalidOperandValue, "is steered by %s, which must hold one number. Correct that input.", n.operand(i))
	}
	return list[0], nil
}

// floats returns the numbers of input i, which must be given.
func (n *node) floats(i int) ([]float64, error) {
	v, err := n.steering(i)
	if err != nil {
		return nil, err
	}
	list, err := v.Floats()
	if err != nil {
		return nil, n.fault(diag.ElementTypeMismatch, "is steered by %s: %v. Make that input float32.", n.name(i), err)
	}
	return list, nil
}

// evaluate computes the results of an op whose inputs are all known and small. An op that cannot be evaluated has
// results that are not known, which is no fault.
func (n *node) evaluate() {
	for i, v := range n.results {
		if v != nil {
			n.know(i, v)
		}
	}
	inputs, types, ok := n.evaluable()
	if !ok {
		return
	}
	outputs, err := array.Eval(n.op, inputs, types)
	if err != nil {
		return
	}
	for i, v := range outputs {
		n.know(i, v)
	}
}

// evaluable returns the inputs and output types when all are known and small.
func (n *node) evaluable() ([]*array.Array, []array.Type, bool) {
	if len(n.op.Fused) > 1 || len(n.op.Inputs) == 0 {
		return nil, nil, false
	}
	total := int64(0)
	types := make([]array.Type, len(n.op.Outputs))
	for i, id := range n.op.Outputs {
		t := n.s.g.Tensor(id)
		if t == nil || n.s.status[id] != ready || n.s.known[id] != nil {
			return nil, nil, false
		}
		types[i] = array.Type{DType: t.DType, Shape: t.Shape}
		count, _ := t.Shape.Elements()
		if total += min(count, maxValues+1); total > maxValues {
			return nil, nil, false
		}
	}
	inputs := make([]*array.Array, len(n.op.Inputs))
	for i := range n.op.Inputs {
		if !n.has(i) {
			continue
		}
		count, _ := n.shape(i).Elements()
		if total += min(count, maxValues+1); total > maxValues {
			return nil, nil, false
		}
		v, err := n.s.value(n.op.Inputs[i])
		if err != nil || v == nil {
			return nil, nil, false
		}
		inputs[i] = v
	}
	return inputs, types, true
}

// know keeps the value of output i.
func (n *node) know(i int, v *array.Array) {
	id := n.op.Outputs[i]
	if n.s.g.Tensor(id) == nil || n.s.status[id] != ready {
		return
	}
	n.s.known[id] = v
	for j, in := range n.op.Inputs {
		if n.has(j) && (n.tensor(j).UpperBound || n.s.tainted[in]) {
			n.s.tainted[id] = true
		}
	}
}
