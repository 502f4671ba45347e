package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// totals recomputes what the plan says of each pool.
func (c *checker) totals() {
	peaks, used, live := make([]int64, len(c.plan.Pools)), make([]int64, len(c.plan.Pools)), make([][]event, len(c.plan.Pools))
	for i := range c.residents {
		r := &c.residents[i]
		if r.bytes <= 0 {
			continue
		}
		if r.space.image == flat {
			peaks[r.space.pool] = max(peaks[r.space.pool], r.hi)
		}
		for _, held := range r.held {
			bytes := r.bytes
			if r.pieces() {
				bytes = held.hi - held.lo
			}
			live[r.space.pool] = append(live[r.space.pool], event{held.first, bytes}, event{held.last, -bytes})
		}
	}
	for i := range c.plan.Storages {
		if k, ok := c.pools[c.plan.Storages[i].Pool]; ok {
			used[k] = sum(used[k], c.plan.Storages[i].Size)
		}
	}
	for k := range c.plan.Pools {
		c.poolTotals(&c.plan.Pools[k], k, peaks[k], used[k], mostLive(live[k]))
	}
}

func (c *checker) poolTotals(pool *plan.Pool, k int, peak, used, live int64) {
	wrong := func(what string, says, is int64) {
		c.report(diag.PlanTotalsWrong, "The plan says that pool %q has %s %d, and its tensors give %d. Plan again.", pool.Name, what, says, is)
	}
	if pool.Used != used {
		wrong("used", pool.Used, used)
	}
	if pool.Type == "texture" {
		peak = used
		if pool.Capacity != nil && used > *pool.Capacity {
			c.report(diag.PlanBeyondCapacity, "The images of pool %q take %d bytes in all, and it has %d. Plan again.", pool.Name, used, *pool.Capacity)
		}
	}
	if pool.Peak != peak {
		wrong("peak", pool.Peak, peak)
	}
	if pool.Gap != pool.Peak-pool.Bound {
		wrong("gap", pool.Gap, pool.Peak-pool.Bound)
	}
	if pool.Bound > peak || pool.Bound < live {
		c.report(diag.PlanTotalsWrong, "The plan says that pool %q needs at least %d bytes, but %d are live at once and its peak is %d. Plan again.", pool.Name, pool.Bound, live, peak)
	}
	if want := pool.Optimality; want != "best_found" && (want != "optimal" || pool.Gap != 0) {
		c.report(diag.PlanTotalsWrong, "The plan calls pool %q %q with a gap of %d bytes. Plan again.", pool.Name, pool.Optimality, pool.Gap)
	}
	c.peakStep(pool, k, live)
}

// peakStep checks that the moment named for the peak is one at which the most bytes are live.
func (c *checker) peakStep(pool *plan.Pool, k int, live int64) {
	if pool.PeakStep == nil {
		return
	}
	there, at := int64(0), c.numberOf(pool)
	for i := range c.residents {
		r := &c.residents[i]
		if r.space.pool != k {
			continue
		}
		for _, held := range r.held {
			switch {
			case held.first > at || at >= held.last:
			case r.pieces():
				there = sum(there, held.hi-held.lo)
			default:
				there = sum(there, r.bytes)
			}
		}
	}
	if there != live {
		c.report(diag.PlanTotalsWrong, "The plan says that the most bytes of pool %q are live at step %d of graph %q, but %d are live there and %d elsewhere. Plan again.",
			pool.Name, *pool.PeakStep, pool.PeakGraph, there, live)
	}
}

// numberOf is the number of the last moment that is not after the one named for a pool's peak.
func (c *checker) numberOf(pool *plan.Pool) int64 {
	g := slices.IndexFunc(c.plan.Graphs, func(g plan.Graph) bool { return g.Name == pool.PeakGraph })
	if g < 0 {
		return -1
	}
	i, found := slices.BinarySearchFunc(c.moments, moment{c.stages[g], *pool.PeakStep}, moment.compare)
	if !found {
		i--
	}
	return int64(i)
}

// sum adds numbers that are not negative; it stops at 2^63-1.
func sum(a, b int64) int64 {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// event is a change of the live bytes.
type event struct{ at, bytes int64 }

// mostLive is the largest sum of live bytes. What ends at a time is gone before what starts then.
func mostLive(events []event) int64 {
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes)) })
	most, live := int64(0), int64(0)
	for _, e := range events {
		live += e.bytes
		most = max(most, live)
	}
	return most
}
