package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/plan"
)

type peakStep struct {
	graph string
	step  int64
}

type event struct {
	at    int64
	bytes int64
}

// peakSteps finds for each pool the first step at which the most bytes are live in it, nil where every buffer is live
// always, and where graphs use it that may run at the same time: their steps have no order. It costs O(n log n) for n buffers.
func (p *pipeline) peakSteps() []*peakStep {
	events := make([][]event, len(p.pools))
	timed, timeless := make([]bool, len(p.pools)), make([]bool, len(p.pools))
	p.occupancy(func(g *planned, i, pool int, bytes int64, live layout.Span) {
		if bytes == 0 {
			return
		}
		timed[pool] = timed[pool] || !alwaysLive(&g.buffers[i])
		timeless[pool] = timeless[pool] || !alwaysLive(&g.buffers[i]) && len(p.concurrentUsers(g.first+i)) > 0
		events[pool] = append(events[pool], event{live.First, bytes}, event{live.Last, -bytes})
	})
	p.sharedBytes(func(pool int, bytes int64, live layout.Span) {
		events[pool] = append(events[pool], event{live.First, -bytes}, event{live.Last, bytes})
	})
	steps := make([]*peakStep, len(p.pools))
	for pool := range steps {
		if timed[pool] && !timeless[pool] {
			steps[pool] = p.locate(busiest(events[pool]))
		}
	}
	return steps
}

// busiest returns the first time of the highest sum. Releases come before arrivals at the same time: lifetimes are
// half-open.
func busiest(events []event) int64 {
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes)) })
	best, live, when := int64(0), int64(0), int64(0)
	for _, e := range events {
		live += e.bytes
		if live > best {
			best, when = live, e.at
		}
	}
	return when
}

func (p *pipeline) locate(at int64) *peakStep {
	s := p.stageAt(at)
	if s == nil {
		return nil
	}
	return &peakStep{graph: s.graphs[0].block.Name, step: at - s.graphs[0].start}
}

// spill says which candidates came before the pool that took a buffer.
func (p *pipeline) spill(candidates []int, pool int, size int64) *plan.Spill {
	taken := slices.Index(candidates, pool)
	if taken <= 0 {
		return nil
	}
	out := &plan.Spill{}
	for _, earlier := range candidates[:taken] {
		out.From = append(out.From, p.pools[earlier].name)
	}
	first := &p.pools[candidates[0]]
	out.Because = fmt.Sprintf("%d bytes did not fit into the %d bytes of pool %s beside the tensors placed there", size, first.limit(), first.name)
	return out
}

// Facts are the planned values that expressions of the configuration may use, for an editor.
func Facts(p *plan.Plan) config.Planned { return plannedFacts(p) }

// plannedFacts gives the configuration what its outputs and checks may refer to.
func plannedFacts(p *plan.Plan) config.Planned {
	facts := config.Planned{Pools: map[string]config.PoolFacts{}, Graphs: map[string]config.GraphFacts{}}
	for i := range p.Pools {
		pool := &p.Pools[i]
		capacity := layout.Unlimited
		if pool.Capacity != nil {
			capacity = *pool.Capacity
		}
		facts.Pools[pool.Name] = config.PoolFacts{Peak: pool.Peak, Bound: pool.Bound, Capacity: capacity, Used: pool.Used, Optimality: pool.Optimality}
	}
	for i := range p.Graphs {
		g := &p.Graphs[i]
		tensors := make(map[string]config.TensorFacts, len(g.Tensors))
		for j := range g.Tensors {
			t := &g.Tensors[j]
			tensors[t.Name] = tensorFacts(t)
		}
		facts.Graphs[g.Name] = config.GraphFacts{Tensors: tensors, Gone: g.Gone()}
	}
	return facts
}

func tensorFacts(t *plan.Tensor) config.TensorFacts {
	offset := config.NoOffset
	if t.Offset != nil {
		offset = *t.Offset
	}
	return config.TensorFacts{Scope: t.Scope, Pool: t.Pool, Offset: offset, Size: t.Size, First: t.First, Last: t.Last, Producer: t.Producer}
}
