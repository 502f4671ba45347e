package planner

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// piece is a tensor that may lie in place within another one.
type piece struct{ tensor, whole graph.TensorID }

// pieces says which tensors may lie in place.
type pieces map[piece]bool

// candidate is an op whose pieces could lie in place.
type candidate struct {
	result graph.TensorID
	pieces []piece
	// strided says that pieces are rows with other bytes between them, bytes is the size of the whole.
	strided bool
	bytes   int64
}

// dividing lists the ops whose pieces could lie in place on the graph's device, in their order.
func (g *planned) dividing() []candidate {
	if !slices.Contains(g.views, "concat") {
		return nil
	}
	var out []candidate
	for i := range g.rewritten.Ops {
		op := &g.rewritten.Ops[i]
		parts := g.rewritten.Parts(op)
		strided := slices.ContainsFunc(parts, graph.Part.Strided)
		if len(parts) == 0 || strided && !g.block.Device.TakesRows() {
			continue
		}
		c := candidate{result: op.Outputs[0], strided: strided}
		for _, part := range parts {
			c.pieces = append(c.pieces, piece{part.Piece, part.Whole})
		}
		whole := &g.rewritten.Tensors[parts[0].Whole]
		c.bytes, _ = whole.Shape.Bytes(whole.DType)
		out = append(out, c)
	}
	return out
}

// piecesOf has all pieces of candidates.
func piecesOf(list []candidate) pieces {
	out := pieces{}
	for _, c := range list {
		out.add(c.pieces)
	}
	return out
}

func (p pieces) add(list []piece) {
	for _, x := range list {
		p[x] = true
	}
}

func (p pieces) remove(list []piece) {
	for _, x := range list {
		delete(p, x)
	}
}

// has reports whether some of the pieces may lie in place.
func (p pieces) has(list []piece) bool {
	return slices.ContainsFunc(list, func(x piece) bool { return p[x] })
}

// inRuns leaves out candidates whose pieces are rows.
func inRuns(list []candidate) []candidate {
	return slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return c.strided })
}

// mostDivided bounds the choices that are tried for one list of candidates, and mostDividedOps those times the ops of the graph, each
// of which is gone through for each choice.
const (
	mostDivided    = 256
	mostDividedOps = 1 << 17
)

// divide chooses the pieces that lie in place in the present order, see between.
func (g *planned) divide(candidates []candidate) pieces {
	if len(candidates) == 0 {
		return pieces{}
	}
	return g.between(g.division(nil), g.division(piecesOf(candidates)), candidates).divided
}

// between chooses the pieces that lie in place in the present order: all of the candidates when that does not raise the peak over that of
// none and none of them are rows, else what fewer gives, from the first op to the last or from the one with the largest whole to
// the one with the smallest, whichever is better. The choice for one op depends on those for all others, so that only to try all sets
// would find the best one.
func (g *planned) between(none, all *division, candidates []candidate) *division {
	order := identity(len(g.rewritten.Ops))
	most, peak := none.cost.Peak(order), all.cost.Peak(order)
	if peak <= most && !slices.ContainsFunc(candidates, func(c candidate) bool { return c.strided }) {
		return all
	}
	best := all
	if peak > most {
		best, peak = none, most
	}
	bySize := slices.Clone(candidates)
	slices.SortStableFunc(bySize, func(a, b candidate) int { return cmp.Compare(b.bytes, a.bytes) })
	for i, list := range [][]candidate{candidates, bySize} {
		chosen, least := g.fewer(list, most)
		if least < peak || i == 0 && least == peak && best == none {
			best, peak = chosen, least
		}
	}
	return best
}

// fewer takes the candidates one after the other, as far as they do not raise the peak: all pieces of each, or, of a concatenation of
// rows where that is better, the one that is written last. The rows of the others would take all bytes of the whole from when the first is
// written; so they are copied in when the last has been.
func (g *planned) fewer(candidates []candidate, peak int64) (*division, int64) {
	order := identity(len(g.rewritten.Ops))
	producers := g.rewritten.Producers()
	chosen, have := pieces{}, g.division(nil)
	tried, most := 0, min(mostDivided, max(1, mostDividedOps/len(order)))
	for _, c := range candidates {
		choices := [][]piece{c.pieces}
		if c.strided && len(c.pieces) > 1 && c.pieces[0].whole == c.result {
			choices = append(choices, []piece{slices.MaxFunc(c.pieces, func(a, b piece) int { return cmp.Compare(producers[a.tensor], producers[b.tensor]) })})
		}
		var best pieces
		for _, list := range choices {
			if tried++; tried > most {
				return have, peak
			}
			next := maps.Clone(chosen)
			next.add(list)
			made := g.division(next)
			if after := made.cost.Peak(order); after < peak || after == peak && best == nil {
				best, have, peak = next, made, after
			}
		}
		if best != nil {
			chosen = best
		}
	}
	return have, peak
}
