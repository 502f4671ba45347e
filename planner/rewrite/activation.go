package rewrite

import (
	"fmt"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// activations replaces activations that a model spells out in simpler ops by the one op that they are, where nobody else reads
// what is computed in between: HardSigmoid, HardSwish, Swish, Gelu and Mish, with their scales and offsets in any order of
// factors and summands. Results are rounded at other places than before. Larger ones are found before their parts. It costs
// O(ops).
func (f *fuser) activations() {
	for id, op := range f.Ops {
		for _, y := range op.Outputs {
			if y >= 0 {
				f.writer[y] = id
			}
		}
	}
	for i := range slices.Backward(f.Ops) {
		if f.order[f.at[i]] < 0 || len(f.Ops[i].Outputs) != 1 || f.Ops[i].Outputs[0] < 0 {
			continue
		}
		s := &spelled{f: f}
		if op, ok := s.activation(f.Ops[i].Outputs[0]); ok && len(s.ops) > 1 {
			f.replace(i, op, s.ops)
		}
	}
	clear(f.writer)
}

// replace puts an op in the place of op i, the last of those that compute what it does.
func (f *fuser) replace(i int, op graph.Op, gone []int) {
	for _, k := range gone {
		for _, id := range f.Ops[k].Inputs {
			if id >= 0 {
				f.readers[id]--
			}
		}
	}
	f.readers[op.Inputs[0]]++
	for _, k := range gone {
		if k == i {
			continue
		}
		f.order[f.at[k]] = -1
		f.note(&f.Ops[k], f.Tensors[f.Ops[k].Outputs[0]].Name, fmt.Sprintf("with others it is the %s %q", op.Op, f.Ops[i].Name))
	}
	op.Name, op.Outputs = f.Ops[i].Name, f.Ops[i].Outputs
	f.Ops[i] = op
}

// spelled reads expressions backwards from their results; ops are those that it went through.
type spelled struct {
	f   *fuser
	ops []int
}

// line is scale·of + offset.
type line struct {
	of            graph.TensorID
	scale, offset float64
}

// producer is the op of one of the names that computes a float32 tensor, nil for others. Of tensors other than the expression's
// result nobody else may see anything.
func (s *spelled) producer(id graph.TensorID, names ...string) *graph.Op {
	i, ok := s.f.writer[id]
	if !ok || s.f.Tensors[id].DType != graph.Float32 || len(s.ops) > 0 && !s.f.free(id) {
		return nil
	}
	op := &s.f.Ops[i]
	if s.f.order[s.f.at[i]] < 0 || !slices.Contains(names, op.Op) || op.Domain != "" && op.Domain != "ai.onnx" || len(op.Fused) > 1 || len(op.Outputs) != 1 || len(op.Inputs) == 0 {
		return nil
	}
	return op
}

// through goes through an op.
func (s *spelled) through(op *graph.Op) { s.ops = append(s.ops, s.f.writer[op.Outputs[0]]) }

// scalar is the value of a constant of one number.
func (s *spelled) scalar(id graph.TensorID) (float64, bool) {
	values, ok := s.f.floats(id)
	if !ok || len(values) != 1 {
		return 0, false
	}
	return float64(values[0]), true
}

// withScalar is the operand of a function of two numbers that is no scalar constant, the scalar, and whether that comes first.
// The operand has the shape of the result.
func (s *spelled) withScalar(op *graph.Op) (x graph.TensorID, value float64, first, ok bool) {
	if len(op.Inputs) != 2 {
		return 0, 0, false, false
	}
	x = op.Inputs[0]
	if value, ok = s.scalar(op.Inputs[1]); !ok {
		value, ok = s.scalar(x)
		x, first = op.Inputs[1], true
	}
	t := s.f.Tensor(x)
	return x, value, first, ok && t != nil && t.Shape.Equal(s.f.Tensors[op.Outputs[0]].Shape)
}

// line takes sums and products with scalars off a tensor.
func (s *spelled) line(id graph.TensorID) line {
	l := line{id, 1, 0}
	for {
		op := s.producer(l.of, "Add", "Sub", "Mul", "Div")
		if op == nil {
			return l
		}
		x, v, first, ok := s.withScalar(op)
		switch {
		case !ok || first && op.Op == "Div":
			return l
		case op.Op == "Add":
			l.offset += l.scale * v
		case op.Op == "Sub" && first:
			l.offset, l.scale = l.offset+l.scale*v, -l.scale
		case op.Op == "Sub":
			l.offset -= l.scale * v
		case op.Op == "Mul":
			l.scale *= v
		case op.Op == "Div":
			l.scale /= v
		}
		s.through(op)
		l.of = x
	}
}

// activation is the op that computes the tensor.
func (s *spelled) activation(y graph.TensorID) (graph.Op, bool) {
	if op, ok := s.gated(y); ok {
		return op, true
	}
	s.ops = s.ops[:0]
	return s.hardSigmoid(y)
}

// bounded is a line of a clamped line: scale·clip(inner, low, high) + offset.
func (s *spelled) bounded(l line) (inner line, low, high float64, ok bool) {
	op := s.producer(l.of, "Clip")
	if op == nil {
		return line{}, 0, 0, false
	}
	limits, ok := s.f.limits(op)
	if !ok {
		return line{}, 0, 0, false
	}
	low = float64(limits.Float("min", float32(math.Inf(-1))))
	high = float64(limits.Float("max", float32(math.Inf(1))))
	s.through(op)
	return s.line(op.Inputs[0]), low, high, true
}

// hardSigmoid finds clip(αx + β, 0, 1).
func (s *spelled) hardSigmoid(y graph.TensorID) (graph.Op, bool) {
	outer := s.line(y)
	inner, low, high, ok := s.bounded(outer)
	if !ok || !same(outer.scale*low+outer.offset, 0) || !same(outer.scale*high+outer.offset, 1) || !s.sees(inner.of, y) {
		return graph.Op{}, false
	}
	return graph.Op{Op: "HardSigmoid", Inputs: []graph.TensorID{inner.of}, Attrs: graph.Attrs{
		"alpha": float32(outer.scale * inner.scale), "beta": float32(outer.scale*inner.offset + outer.offset),
	}}, true
}

// sees reports whether an activation of x may have the result y. It reads x where the last of its parts did: state may be
// written before.
func (s *spelled) sees(x, y graph.TensorID) bool {
	t := s.f.Tensor(x)
	return t != nil && t.Role != graph.State && t.DType == graph.Float32 && t.Shape.Equal(s.f.Tensors[y].Shape)
}

// gated finds products of x and a function of x, and a scale.
func (s *spelled) gated(y graph.TensorID) (graph.Op, bool) {
	scale, factors := s.factors(y)
	if len(factors) != 2 {
		return graph.Op{}, false
	}
	steps := len(s.ops)
	for i, x := range factors {
		s.ops = s.ops[:steps]
		if !s.sees(x, y) {
			continue
		}
		gate := s.line(factors[1-i])
		gate.scale, gate.offset = gate.scale*scale, gate.offset*scale
		if op, ok := s.gate(x, gate); ok {
			op.Inputs = []graph.TensorID{x}
			return op, true
		}
	}
	return graph.Op{}, false
}

// factors takes a product apart, as far as two factors that are no scalars.
func (s *spelled) factors(y graph.TensorID) (scale float64, list []graph.TensorID) {
	scale, list = 1, []graph.TensorID{y}
	for i := 0; i < len(list); {
		op := s.producer(list[i], "Mul", "Div")
		if op == nil || len(op.Inputs) != 2 {
			i++
			continue
		}
		x, v, first, ok := s.withScalar(op)
		switch {
		case ok && op.Op == "Mul":
			scale, list[i] = scale*v, x
		case ok && !first:
			scale, list[i] = scale/v, x
		case !ok && op.Op == "Mul" && len(list) == 1:
			list = slices.Clone(op.Inputs)
		default:
			i++
			continue
		}
		s.through(op)
	}
	return scale, list
}

// gate tells which activation x times a line of a function of x is.
func (s *spelled) gate(x graph.TensorID, l line) (graph.Op, bool) {
	if inner, low, high, ok := s.bounded(l); ok {
		return graph.Op{Op: "HardSwish"}, inner.of == x && same(l.scale*low+l.offset, 0) && same(l.scale*high+l.offset, 1) &&
			same(l.scale*inner.scale, 1.0/6) && same(l.scale*inner.offset+l.offset, 0.5)
	}
	op := s.producer(l.of, "HardSigmoid", "Sigmoid", "Erf", "Tanh")
	if op == nil {
		return graph.Op{}, false
	}
	s.through(op)
	switch op.Op {
	case "HardSigmoid":
		a, b := float64(op.Attrs.Float("alpha", 0.2)), float64(op.Attrs.Float("beta", 0.5))
		return graph.Op{Op: "HardSwish"}, op.Inputs[0] == x && same(l.scale, 1) && l.offset == 0 && same(a, 1.0/6) && same(b, 0.5)
	case "Sigmoid":
		inner := s.line(op.Inputs[0])
		return graph.Op{Op: "Swish", Attrs: graph.Attrs{"alpha": float32(inner.scale)}}, inner.of == x && inner.offset == 0 && same(l.scale, 1) && l.offset == 0
	case "Erf":
		inner := s.line(op.Inputs[0])
		return graph.Op{Op: "Gelu"}, inner.of == x && inner.offset == 0 && same(inner.scale, math.Sqrt2/2) && same(l.scale, 0.5) && same(l.offset, 0.5)
	}
	plus := s.producer(op.Inputs[0], "Softplus")
	if plus == nil {
		return graph.Op{}, false
	}
	s.through(plus)
	return graph.Op{Op: "Mish"}, plus.Inputs[0] == x && same(l.scale, 1) && l.offset == 0
}

// same reports whether two numbers of size 1 are equal but for the rounding of float32 constants that they are made of.
func same(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
