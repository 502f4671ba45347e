package liveness

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

const (
	// mostRelated bounds the ops for which ancestors are known: 4096 ops take 2 MiB.
	mostRelated = 4096
	// mostCompared bounds the pairs of tensors that are compared for one graph; pieces that come later are copied.
	mostCompared = 1 << 26
)

// succeeds reports whether the whole of a part can take over the bytes of all that shares bytes with the piece, although not
// all of that is part of it: wherever two of them would lie on each other, one is dead before the other is written, in any order
// of execution, or they are the same content. So nested skips need no copies: of concat(a, u), then concat(a, b, v), u dies
// before b is written over it.
func (a *analysis) succeeds(part graph.Part, parts []graph.Part) bool {
	if len(a.g.Ops) > mostRelated {
		return false
	}
	from, to := a.base[part.Piece], a.base[part.Whole]
	moved, _ := a.moved(part)
	if a.compared += len(a.members[from]) * (len(a.members[to]) + len(parts)); a.compared > mostCompared {
		return false
	}
	for _, x := range a.members[from] {
		at, ok := a.lies[x].within(moved, a.bytes(x))
		for _, y := range a.members[to] {
			switch {
			case !a.used[x] || !a.used[y] || ok && !meet(at, a.bytes(x), a.lies[y], a.bytes(y)):
			case y == part.Whole && a.shown(x, moved, part.Whole, parts):
			case a.dies(x, y) || a.dies(y, x):
			default:
				return false
			}
		}
	}
	return true
}

// shown reports whether a tensor, in a base that is moved, is a piece of the whole and comes to lie where it belongs.
func (a *analysis) shown(x graph.TensorID, moved place, whole graph.TensorID, parts []graph.Part) bool {
	return slices.ContainsFunc(parts, func(p graph.Part) bool {
		at, ok := a.moved(p)
		return ok && p.Piece == x && p.Whole == whole && at == moved
	})
}

// dies reports whether all ops that touch a tensor run before the one that writes the other, in any order.
func (a *analysis) dies(x, before graph.TensorID) bool {
	if a.persisting(x) || a.producer[before] < 0 {
		return false
	}
	if a.ancestors == nil {
		a.relate()
	}
	return !slices.ContainsFunc(a.touchingOps()[x], func(op int32) bool { return !a.ancestors[a.producer[before]].has(int(op)) })
}

// relate finds for each op those that run before it in any order. It costs O(operands · ops / 64).
func (a *analysis) relate() {
	n := len(a.g.Ops)
	a.ancestors = make([]opSet, n)
	for step := range a.g.Ops {
		a.ancestors[step] = make(opSet, (n+63)/64)
		for _, id := range a.g.Ops[step].Inputs {
			if a.g.Tensor(id) == nil || a.producer[id] < 0 || a.producer[id] >= step {
				continue
			}
			for i, w := range a.ancestors[a.producer[id]] {
				a.ancestors[step][i] |= w
			}
			a.ancestors[step][a.producer[id]>>6] |= 1 << (a.producer[id] & 63)
		}
	}
}

// opSet is a set of ops, one bit each.
type opSet []uint64

func (s opSet) has(op int) bool { return s[op>>6]>>(op&63)&1 == 1 }
