package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// same: the output has the type of the first input.
func same(n *node) ([]array.Type, error) {
	return []array.Type{n.clone(0)}, nil
}

// clone returns a copy of the type of input i.
func (n *node) clone(i int) array.Type {
	return array.Type{DType: n.dtype(i), Shape: n.shape(i).Clone()}
}

// predicate: the output is a bool for each element of the first input.
func predicate(n *node) ([]array.Type, error) {
	return one(graph.Bool, n.shape(0).Clone()), nil
}

// matrices: as same, over the last two axes.
func matrices(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 2); err != nil {
		return nil, err
	}
	return same(n)
}

// reverseSequence: as same; each of the batch has its own length, in the second input.
func reverseSequence(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 2); err != nil {
		return nil, err
	}
	batch, err := n.axisAttr("batch_axis", 1, 0)
	if err != nil {
		return nil, err
	}
	if _, err := n.axisAttr("time_axis", 0, 0); err != nil {
		return nil, err
	}
	if err := n.wantVector(1, n.shape(0)[batch], "one length for each of the batch"); err != nil {
		return nil, err
	}
	return same(n)
}

// alongAxis: as same, with an axis attribute that must be one of the input's.
func alongAxis(def int64) rule {
	return func(n *node) ([]array.Type, error) {
		if n.rank(0) == 0 {
			return same(n)
		}
		if _, err := n.axisAttr("axis", def, 0); err != nil {
			return nil, err
		}
		return same(n)
	}
}

// arithmetic: operands of one element type are broadcast together.
func arithmetic(n *node) ([]array.Type, error) {
	shape, err := n.broadcastAll(0, n.own)
	if err != nil {
		return nil, err
	}
	return one(n.dtype(0), shape), nil
}

// power: as arithmetic, but the exponent may be of another type.
func power(n *node) ([]array.Type, error) {
	shape, err := n.broadcast(n.shape(0), 1)
	if err != nil {
		return nil, err
	}
	return one(n.dtype(0), shape), nil
}

// comparison: operands of one element type are broadcast together; the output is bool.
func comparison(n *node) ([]array.Type, error) {
	shape, err := n.broadcastAll(0, n.own)
	if err != nil {
		return nil, err
	}
	return one(graph.Bool, shape), nil
}

// where: condition, then and else are broadcast together; the last two are of one type.
func where(n *node) ([]array.Type, error) {
	if n.dtype(0) != graph.Bool {
		return nil, n.fault(diag.ElementTypeMismatch, "reads %s of %s elements as its condition, which must be bool. Add a Cast before it.", n.name(0), n.dtype(0))
	}
	shape, err := n.broadcastAll(1, 3)
	if err != nil {
		return nil, err
	}
	if shape, err = n.broadcast(shape, 0); err != nil {
		return nil, err
	}
	return one(n.dtype(1), shape), nil
}

// unidirectional: the second operand is broadcast to the first.
func unidirectional(n *node) ([]array.Type, error) {
	if err := n.broadcastTo(1, n.shape(0), n.operand(0)); err != nil {
		return nil, err
	}
	return same(n)
}

// cast: the type attribute "to" decides.
func cast(n *node) ([]array.Type, error) {
	if _, given := n.op.Attrs["to"]; !given {
		return nil, n.fault(diag.InvalidAttribute, "lacks the attribute to, the element type to cast to. Correct the op.")
	}
	d, err := n.typeAttr("to", graph.InvalidDType)
	return one(d, n.shape(0).Clone()), err
}

// castLike: the second input gives the element type.
func castLike(n *node) ([]array.Type, error) {
	return one(n.dtype(1), n.shape(0).Clone()), nil
}

// dropout: the output is as the input; the optional mask is bool.
func dropout(n *node) ([]array.Type, error) {
	return []array.Type{n.clone(0), {DType: graph.Bool, Shape: n.shape(0).Clone()}}, nil
}

// cumulativeSum: the axis is an input.
func cumulativeSum(n *node) ([]array.Type, error) {
	if v, err := n.s.value(n.op.Inputs[1]); err == nil && v != nil {
		axis, err := n.integer(1)
		if err != nil {
			return nil, err
		}
		if _, err := n.axis(axis, n.rank(0), n.operand(0)); err != nil {
			return nil, err
		}
	}
	return same(n)
}
