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
	return lower(ctx, p, opts, func(c *climb) {
		if opts.Incumbent == nil {
			c.dive()
		}
		for nodes := int64(firstStage); !c.done() && c.left(); nodes *= 2 {
			c.pass(nodes)
			c.rungs++
		}
	})
}

// Dive looks for a low placement in a short time: with a few searches of a few thousand nodes, the first at the bound. Its
// result means what that of Minimise does.
func Dive(ctx context.Context, p *Problem, opts Options) (Result, error) {
	return lower(ctx, p, opts, (*climb).dive)
}

// lower lowers the peaks of the groups, the one with the highest bound first.
func lower(ctx context.Context, p *Problem, opts Options, search func(*climb)) (Result, error) {
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
		if v := e.lowerGroup(g, max(s.peak, groups[0].bound), search); v == failed || worst == found {
			worst = v
		}
		s.take(g)
	}
	return s.result(e, worst)
}

// lowerGroup lowers a group's peak to its bound, or to floor, below which nothing is gained because other groups are that
// high.
func (e *effort) lowerGroup(g *group, floor int64, search func(*climb)) verdict {
	if g.model == nil || g.offsets == nil {
		if v := e.anyPlacement(g); v != found {
			return v
		}
	}
	if g.peak <= max(g.bound, floor) || g.model == nil {
		return found
	}
	c := &climb{effort: e, group: g, floor: floor, heights: newHeights(g.model, g.peak), rungs: fewestRungs}
	defer c.close()
	search(c)
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
	p := newPortfolio(g.model, deciding, capacity, e.workers)
	defer p.stop()
	v, offsets := e.advance(p, e.nodes-e.spent)
	if v == found {
		g.improve(offsets)
	}
	return v
}

// firstStage is the nodes that each capacity gets in the first pass; each pass doubles it.
const firstStage = 40_000

// climb closes the gap between a group's bound and its peak: from below by refuting capacities, from above by placements.
// A capacity that a budget left undecided stays undecided.
type climb struct {
	*effort
	*group
	heights
	floor int64
	// lowest is the search at the lowest capacity that is not refuted; it goes on as long as that does not change.
	lowest *portfolio
	// rungs is how many equal steps the ladder of a pass has between the bound and the peak; another number each pass, so
	// that other capacities are met.
	rungs int64
}

const fewestRungs = 8

func (c *climb) done() bool { return c.peak <= max(c.bound, c.floor) }

func (c *climb) close() {
	if c.lowest != nil {
		c.lowest.stop()
	}
}

const (
	// diveNodes is what a dive spends at the lowest capacity, a round of its first lanes, unless that is more than half of all.
	diveNodes = 11 * firstSlice
	// stepNodes is what it spends at each of the others, where a search succeeds soon or late.
	stepNodes = 3 * firstSlice
	// diveGap divides the peak: a dive ends when what failed and what is known are that near.
	diveGap = 128
)

// dive tries the lowest capacity for a short time, then halves the gap between what failed and the peak.
func (c *climb) dive() {
	low, ok := c.lowestPeak()
	if !ok {
		return
	}
	c.conclude(c.resume(low, min(diveNodes, (c.nodes-c.spent)/2)))
	for undecided := low; !c.done() && c.left() && c.peak-undecided > c.peak/diveGap; {
		target := c.heights.below(undecided + (c.peak-undecided)/2)
		if target <= undecided {
			return
		}
		if c.attempt(target, diving, stepNodes) {
			undecided = target
		}
	}
}

// pass gives the lowest capacity that is not refuted its nodes, then each rung of a ladder above it, then halves the gap
// between the highest capacity left undecided and the peak until there is nothing between them. A search can be lucky at
// one capacity and lost at a higher one, which halving alone would not meet.
func (c *climb) pass(nodes int64) {
	low, ok := c.lowestPeak()
	if !ok {
		return
	}
	c.conclude(c.resume(low, nodes))
	gap, undecided := c.peak-low, low
	for k := int64(1); k < c.rungs; k++ {
		target := c.heights.below(low + gap/c.rungs*k)
		if target <= undecided || target >= c.peak || !c.attempt(target, climbing, nodes) {
			continue
		}
		undecided = target
	}
	for {
		target := c.heights.below(undecided + (c.peak-undecided)/2)
		if target <= undecided {
			target = c.heights.from(undecided + 1)
		}
		if target >= c.peak || c.done() || !c.left() {
			return
		}
		if c.attempt(target, climbing, nodes) {
			undecided = target
		}
	}
}

// lowestPeak is the lowest peak that is worth trying; false when there is none below the one known, which proves that one.
func (c *climb) lowestPeak() (int64, bool) {
	low := c.heights.from(c.bound)
	if enough := c.heights.below(c.floor); enough > low {
		low = enough
	}
	if low < c.peak {
		return low, true
	}
	c.group.bound = max(c.bound, c.peak)
	return low, false
}

// attempt spends nodes on a capacity; true when it holds no placement or none was found.
func (c *climb) attempt(target int64, lanes []lane, nodes int64) bool {
	if c.done() || !c.left() {
		return true
	}
	p := newPortfolio(c.model, lanes, target, c.workers)
	defer p.stop()
	v, offsets := c.advance(p, nodes)
	c.conclude(target, v, offsets)
	return v != found
}

// resume goes on with the search at the lowest capacity until it has had that many nodes.
func (c *climb) resume(target, nodes int64) (int64, verdict, []int64) {
	if c.lowest == nil || c.lowest.capacity != target {
		c.close()
		c.lowest = newPortfolio(c.model, deciding, target, c.workers)
	}
	v, offsets := c.advance(c.lowest, nodes-c.lowest.nodes)
	return target, v, offsets
}

// conclude takes in what was learnt about a capacity.
func (c *climb) conclude(target int64, v verdict, offsets []int64) {
	switch v {
	case found:
		c.improve(offsets)
	case failed:
		c.group.bound = max(c.bound, min(c.peak, c.heights.from(target+1)))
	}
}
