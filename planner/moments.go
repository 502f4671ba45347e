package planner

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/liveness"
)

// Peak is a step at which the most bytes of a pool are live.
type Peak struct {
	Graph string
	Step  int64
	// Op is the name of the op that runs there, "" in an interval file.
	Op string
}

// Live is a tensor that is live at a peak.
type Live struct {
	Graph, Tensor string
	Bytes         int64
	// Use says why it is live: one of the words below.
	Use string
	// Until is the name of the op that reads it last, "" where none does.
	Until string
}

// Why a tensor is live at a step.
const (
	UseOperand = "operand" // the op reads it
	UseResult  = "result"  // the op writes it
	UseScratch = "scratch" // it is workspace of the op
	UseKept    = "kept"    // a keep list keeps it
	UseOutput  = "output"  // the caller reads it after the run
	UseState   = "state"   // it lasts between runs
	UseWaiting = "waiting" // a later op reads it
)

// moments are the times of the problem at which the most bytes of a pool are live: the first of them, ascending, and how many
// there are in all.
type moments struct {
	first []int64
	count int64
}

// mostMoments and mostListed bound what is listed of a pool.
const (
	mostMoments = 16
	mostListed  = 32
)

// peakMoments are those of a pool with lifetimes, none where graphs use it that run at the same time.
func (p *pipeline) peakMoments(pool int) moments {
	var events []event
	timed, timeless := false, false
	p.occupancy(func(g *planned, i, in int, bytes int64, live layout.Span) {
		if in != pool || bytes == 0 {
			return
		}
		changes := !alwaysLive(&g.buffers[i])
		timed, timeless = timed || changes, timeless || changes && len(p.concurrentUsers(g.first+i)) > 0
		events = append(events, event{live.First, bytes}, event{live.Last, -bytes})
	})
	if !timed || timeless {
		return moments{}
	}
	p.sharedBytes(func(in int, bytes int64, live layout.Span) {
		if in == pool {
			events = append(events, event{live.First, -bytes}, event{live.Last, bytes})
		}
	})
	return momentsOf(events)
}

// momentsOf finds the times of the highest sum. It costs O(n log n).
func momentsOf(events []event) moments {
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	best, live := int64(0), int64(0)
	var out moments
	for i := 0; i < len(events); {
		at := events[i].at
		for ; i < len(events) && events[i].at == at; i++ {
			live += events[i].bytes
		}
		if live > best {
			best, out = live, moments{}
		}
		if live == best && best > 0 && i < len(events) {
			out.add(at, events[i].at)
		}
	}
	return out
}

// add notes the times [from, to).
func (m *moments) add(from, to int64) {
	m.count += to - from
	for ; from < to && len(m.first) < mostMoments; from++ {
		m.first = append(m.first, from)
	}
}

// peakAt names a time of the problem.
func (p *pipeline) peakAt(time int64) Peak {
	g := p.stageAt(time).graphs[0]
	out := Peak{Graph: g.block.Name, Step: time - g.start}
	if out.Step >= 0 && out.Step < int64(len(g.graph.Ops)) {
		out.Op = g.graph.Ops[out.Step].Name
	}
	return out
}

// liveAt lists what is live in a pool at a time, largest first, and says how much there is in all: bytes that two of them share
// count once.
func (p *pipeline) liveAt(pool int, time int64) (list []Live, count int, bytes, shared int64) {
	type found struct {
		g     *planned
		b     *liveness.Buffer
		bytes int64
	}
	var all []found
	p.occupancy(func(g *planned, i, in int, size int64, live layout.Span) {
		if in == pool && size > 0 && live.First <= time && time < live.Last {
			all, bytes = append(all, found{g, &g.buffers[i], size}), bytes+size
		}
	})
	p.sharedBytes(func(in int, common int64, live layout.Span) {
		if in == pool && live.First <= time && time < live.Last {
			shared += common
		}
	})
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.bytes, a.bytes) })
	running := p.stageAt(time).graphs[0]
	for _, f := range all[:min(len(all), mostListed)] {
		use, until := f.g.use(f.b, time-running.start, f.g == running)
		list = append(list, Live{f.g.block.Name, f.b.Name, f.bytes, use, until})
	}
	return list, len(all), bytes - shared, shared
}

// use says why a buffer is live at a step of the running graph, which is its own or another, and which op reads it last.
func (g *planned) use(b *liveness.Buffer, step int64, running bool) (use, until string) {
	if b.Tensor == graph.NoTensor {
		return UseScratch, ""
	}
	members := g.members(b)
	member := make(map[graph.TensorID]bool, len(members))
	for _, id := range members {
		member[id] = true
	}
	touches := func(list []graph.TensorID) bool {
		return slices.ContainsFunc(list, func(id graph.TensorID) bool { return member[id] })
	}
	for i := range g.graph.Ops {
		if touches(g.graph.Ops[i].Inputs) {
			until = g.graph.Ops[i].Name
		}
	}
	if running && step >= 0 && step < int64(len(g.graph.Ops)) {
		op := &g.graph.Ops[step]
		switch {
		case touches(op.Outputs):
			return UseResult, until
		case touches(op.Inputs):
			return UseOperand, until
		}
	}
	switch {
	case b.Role == graph.State:
		return UseState, until
	case touches(g.keep), g.keepInputs && touches(g.graph.Inputs):
		return UseKept, until
	case slices.ContainsFunc(members, func(id graph.TensorID) bool { return g.graph.Tensors[id].Role == graph.Output }):
		return UseOutput, until
	}
	return UseWaiting, until
}
