package exact

import (
	"cmp"
	"context"
	"slices"
)

// Minimise looks for the least peak. The result is Optimal when it is proved, Feasible with the gap between Bound and Peak
// when the budget ended first, Infeasible when the pins admit no placement, Unknown when none was found. Errors are as for
// Decide.
func Minimise(ctx context.Context, p *Problem, opts Options) (Result, error) {
	s, err := newSolution(p, opts)
	if err != nil {
		return Result{}, err
	}
	e := newEffort(ctx, opts)
	var groups []*group
	for _, ids := range s.groups {
		g := s.group(ids)
		groups = append(groups, g)
		if g.model != nil && !g.consistent() {
			s.take(g)
			return s.result(e, failed)
		}
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.bound, a.bound) })
	worst := found
	for _, g := range groups {
		if v := e.minimiseGroup(g, max(s.peak, groups[0].bound)); v == failed || worst == found {
			worst = v
		}
		s.take(g)
	}
	return s.result(e, worst)
}

// minimiseGroup lowers a group's peak to its bound, or to floor, below which nothing is gained because other groups are
// that high.
func (e *effort) minimiseGroup(g *group, floor int64) verdict {
	if g.model == nil || g.offsets == nil {
		if v := e.anyPlacement(g); v != found {
			return v
		}
	}
	if g.peak <= max(g.bound, floor) || g.model == nil {
		return found
	}
	c := &climb{effort: e, group: g, floor: floor, heights: newHeights(g.model, g.peak), tried: map[int64]int64{}}
	defer c.close()
	for nodes := int64(firstStage); !c.done() && e.left(); {
		if !c.pass(nodes) {
			nodes *= 4
		}
	}
	return found
}

// anyPlacement finds a first placement where every greedy one met a pin: with room for all buffers above all pins.
func (e *effort) anyPlacement(g *group) verdict {
	if g.model == nil {
		if g.offsets == nil {
			return stopped
		}
		return found
	}
	capacity := g.bound
	for b := range g.bytes {
		capacity += (g.size[b] + g.align[b]) * g.unit
	}
	p := newPortfolio(g.model, capacity, e.workers)
	defer p.stop()
	v, offsets := e.advance(p, e.nodes-e.spent)
	if v == found {
		g.improve(offsets)
	}
	return v
}

// firstStage is the nodes that each target gets at first; a pass without progress multiplies it by 4.
const firstStage = 20_000

// climb closes the gap between a group's bound and its peak: from below by refuting capacities, from above by placements.
// A capacity that a budget left undecided stays undecided.
type climb struct {
	*effort
	*group
	heights
	floor int64
	// lowest is the search at the lowest capacity that is not refuted; it goes on as long as that does not change.
	lowest *portfolio
	// tried holds the nodes already given to other capacities.
	tried map[int64]int64
}

func (c *climb) done() bool { return c.peak <= max(c.bound, c.floor) }

func (c *climb) close() {
	if c.lowest != nil {
		c.lowest.stop()
	}
}

// steps are the targets of a pass, as eighths of the gap above the bound.
var steps = []int64{0, 1, 2, 4, 8}

// pass tries targets from the bound to just below the peak; true as soon as one is decided.
func (c *climb) pass(nodes int64) bool {
	for _, eighths := range steps {
		low := c.heights.from(max(c.bound, c.floor))
		target := low
		if gap := c.peak - low; eighths > 0 {
			target = max(low, c.heights.below(min(c.peak-1, low+gap/8*eighths)))
		}
		if low >= c.peak {
			c.group.bound = c.peak
			return true
		}
		v, offsets := c.try(target, low, nodes)
		switch v {
		case found:
			c.improve(offsets)
			return true
		case failed:
			c.group.bound = min(c.peak, c.heights.from(target+1))
			return true
		}
	}
	return false
}

// try spends nodes on one target, those it already had included.
func (c *climb) try(target, low, nodes int64) (verdict, []int64) {
	if target != low {
		if c.tried[target] >= nodes {
			return stopped, nil
		}
		c.tried[target] = nodes
		p := newPortfolio(c.model, target, c.workers)
		defer p.stop()
		return c.advance(p, nodes)
	}
	if c.lowest == nil || c.lowest.capacity != target {
		c.close()
		c.lowest = newPortfolio(c.model, target, c.workers)
	}
	return c.advance(c.lowest, nodes-c.lowest.nodes)
}
