package planner

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/layout"
)

// stage is what runs at one time: one graph, or several that may run at the same time. It has the half-open range
// [start, start+length) of the problem's time. The steps of graphs that may run at the same time lie upon each other, which
// says nothing of which of them meet: see conflicts.
type stage struct {
	graphs        []*planned
	start, length int64
}

// concurrent reports whether several graphs run at the same time.
func (s *stage) concurrent() bool { return len(s.graphs) > 1 }

// arrangeStages gives every graph its place in the problem's time: graphs run in order, those that are concurrent at one
// time. It returns the length of the whole.
func (p *pipeline) arrangeStages() int64 {
	p.stages = nil
	together := p.cfg.Planner.Concurrent
	for _, g := range p.graphs {
		last := len(p.stages) - 1
		if last >= 0 && slices.Contains(together, g.block) && slices.Contains(together, p.stages[last].graphs[0].block) {
			p.stages[last].graphs = append(p.stages[last].graphs, g)
		} else {
			p.stages = append(p.stages, &stage{graphs: []*planned{g}})
		}
	}
	total := int64(0)
	for _, s := range p.stages {
		s.start, s.length = total, 0
		for _, g := range s.graphs {
			first, last := span(g.buffers)
			g.stage, g.start, s.length = s, total-first, max(s.length, last-first)
		}
		total += s.length
	}
	return total
}

// lifetime is when the bytes of a buffer are in use: from its own first step to the last use by whatever is in its bytes.
// Constants and state are always live.
func (p *pipeline) lifetime(index int, total int64) layout.Span {
	g, i := p.bufferOf(index)
	b := &g.buffers[i]
	if alwaysLive(b) {
		return layout.Span{First: 0, Last: total}
	}
	live := layout.Span{First: b.First + g.start, Last: b.Last + g.start}
	for _, reader := range p.readers[index] {
		other, k := p.bufferOf(reader)
		live.Last = max(live.Last, other.buffers[k].Last+other.start)
	}
	return live
}

// bufferOf returns the graph and the number of a buffer, by its number among all.
func (p *pipeline) bufferOf(index int) (*planned, int) {
	// The last graph that begins there or before: graphs without buffers begin where the next one does.
	at, _ := slices.BinarySearchFunc(p.graphs, index+1, func(g *planned, index int) int { return cmp.Compare(g.first, index) })
	return p.graphs[at-1], index - p.graphs[at-1].first
}

// stageAt returns the stage at a time of the problem, nil before the first.
func (p *pipeline) stageAt(time int64) *stage {
	for _, s := range slices.Backward(p.stages) {
		if time >= s.start {
			return s
		}
	}
	return nil
}

// conflicts lists for each buffer of the flat problem those before it that it may not overlap where one pool may hold both: whatever
// lives with it while graphs run one after the other, and, since it is not known which of their steps meet, everything of
// the graphs that may run at the same time as one that uses it. It costs O(n²) for n buffers, and is nil when no graphs
// run at the same time: lifetimes say it all then.
func (p *pipeline) conflicts() [][]int {
	if !slices.ContainsFunc(p.stages, (*stage).concurrent) {
		return nil
	}
	buffers := p.problem.Buffers
	out, users := make([][]int, len(buffers)), make([][]*planned, len(buffers))
	for i := range buffers {
		users[i] = p.concurrentUsers(p.owners[i])
		for k := range i {
			a, b := &buffers[i], &buffers[k]
			if meet := a.Live.First < b.Live.Last && b.Live.First < a.Live.Last; (meet || differ(users[i], users[k])) && haveCommon(a.Pools, b.Pools) {
				out[i] = append(out[i], k)
			}
		}
	}
	return out
}

// concurrentUsers lists the graphs that use a buffer and may run at the same time as others.
func (p *pipeline) concurrentUsers(index int) []*planned {
	var users []*planned
	for _, i := range append([]int{index}, p.readers[index]...) {
		if g, _ := p.bufferOf(i); g.stage.concurrent() && !slices.Contains(users, g) {
			users = append(users, g)
		}
	}
	return users
}

// differ reports whether one of the users of a buffer is another graph than one of those of the other.
func differ(a, b []*planned) bool {
	return len(a) > 0 && len(b) > 0 && (len(a) > 1 || len(b) > 1 || a[0] != b[0])
}

func haveCommon(a, b []int) bool {
	return slices.ContainsFunc(a, func(pool int) bool { return slices.Contains(b, pool) })
}
