package scope

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/memplan/memplan/planner/graph"
)

// matches reports whether the rule speaks of a tensor that the given ops touch. The error is the condition's.
func (r *Rule) matches(g *graph.Graph, t *TensorFacts, uses []touch) (bool, error) {
	if !among(r.Role, string(t.Role)) || !among(r.DType, t.DType.String()) || !among(r.Rank, int64(t.Rank)) || !among(r.Layout, t.Layout) || !globbed(r.Tensor, t.Name) {
		return false, nil
	}
	if len(r.Op) == 0 && len(r.Operand) == 0 && !r.ConditionReadsOp {
		return r.holds(t, OpFacts{Index: -1})
	}
	for _, use := range uses {
		op := &g.Ops[use.op]
		if !among(r.Operand, use.operand) || !r.matchesOp(op) {
			continue
		}
		matched, err := r.holds(t, OpFacts{Index: int(use.op), Name: op.Name, Op: op.Op, Operand: use.operand, Attrs: op.Attrs})
		if matched || err != nil || !r.ConditionReadsOp {
			return matched, err
		}
	}
	return false, nil
}

func (r *Rule) holds(t *TensorFacts, op OpFacts) (bool, error) {
	if r.Condition == nil {
		return true, nil
	}
	return r.Condition(*t, op)
}

func (r *Rule) matchesOp(op *graph.Op) bool {
	return among(r.Op, op.Op) || slices.ContainsFunc(op.Fused, func(name string) bool { return slices.Contains(r.Op, name) })
}

// globbed reports whether one of the globs, none standing for everything, matches the name.
func globbed(patterns []string, name string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, name) })
}

// among reports whether a list, empty for everything, has the item.
func among[T comparable](list []T, item T) bool { return len(list) == 0 || slices.Contains(list, item) }
