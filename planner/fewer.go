package planner

import (
	"cmp"
	"context"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// mostLeftOut bounds the ops whose pieces are tried apart, one after the other.
const mostLeftOut = 8

// mostTried bounds how often all graphs are placed again to try one: with many graphs, each time takes long.
const mostTried = 32

// fewerInPlace looks for something better than an attempt that takes more memory than is live at once: buffers of many pieces are
// hard to place around. The ops whose pieces lie in place are tried without that, those with the largest wholes first, and
// what does better stays so. An attempt that fails is returned with its error. When ctx ends, so does the search.
func (p *pipeline) fewerInPlace(ctx context.Context, best *attempt) *attempt {
	tried := 0
	for i := range p.graphs {
		for _, c := range best.p.graphs[i].largestInPlace() {
			if tried++; tried > mostTried || ctx.Err() != nil || best.p.err != nil || best.failed() || best.p.changing() <= best.p.mostLive() {
				return best
			}
			other := p.choosing(best.p)
			g := other.p.graphs[i]
			g.divided.remove(c.pieces)
			other.diags = other.p.placeOnce(ctx)
			if other.p.err == nil && other.compare(best) >= 0 {
				continue
			}
			if other.p.err == nil {
				other.p.err = g.boundAgain(ctx)
			}
			best = other
		}
	}
	return best
}

// largestInPlace lists ops whose pieces lie in place, by the bytes of the buffers that those are in, largest first.
func (g *planned) largestInPlace() []candidate {
	bytes := map[graph.TensorID]int64{}
	for i := range g.buffers {
		if b := &g.buffers[i]; len(b.Gaps) > 0 {
			for _, id := range g.members(b) {
				bytes[id] = b.Size
			}
		}
	}
	out := slices.DeleteFunc(g.dividing(), func(c candidate) bool { return bytes[c.result] == 0 || !g.divided.has(c.pieces) })
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(bytes[b.result], bytes[a.result]), cmp.Compare(a.result, b.result))
	})
	return out[:min(len(out), mostLeftOut)]
}

// mostLive is the most bytes that any of the graphs has live at a step.
func (p *pipeline) mostLive() int64 {
	most := int64(0)
	for _, g := range p.graphs {
		most = max(most, g.mostLive())
	}
	return most
}
