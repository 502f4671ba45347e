package exact

import (
	"context"
	"sync"
	"sync/atomic"
)

// lane is one line of a portfolio: an order whose search goes on from round to round, or, when restarts is set, a new
// perturbed order each time, for as long as Luby's sequence says. share scales its nodes.
type lane struct {
	order
	share    int64
	restarts bool
}

// deciding are the lanes for one capacity that matters. The third is the strongest order known and gets as much as the
// others together, so that two workers are busy equally long. The first two, of which one often succeeds at once where that
// one is slow, come before it, so that nothing waits for its slice when they do.
var deciding = []lane{
	{order: order{keys: "SAT", again: true}, share: 1},
	{order: order{keys: "TCA"}, share: 1},
	{order: order{keys: "TWA", again: true}, share: 9},
	{order: order{keys: "TWA"}, share: 1},
	{order: order{keys: "CAT"}, share: 1},
	{order: order{keys: "LAT"}, share: 1},
	{order: order{keys: "OAT"}, share: 1},
	{order: order{keys: "WAT"}, share: 1},
	{restarts: true, share: 2},
}

// diving is the lane for a capacity that is tried in passing.
var diving = []lane{{order: order{keys: "TWA", again: true}, share: 4}}

// climbing are the lanes for the many capacities between bound and peak, where luck counts more than patience.
var climbing = []lane{
	{order: order{keys: "TWA", again: true}, share: 8},
	{restarts: true, share: 4},
	{order: order{keys: "UA", again: true}, share: 4},
	{order: order{keys: "WAT"}, share: 1},
	{order: order{keys: "CAT"}, share: 1},
	{order: order{keys: "OAT"}, share: 1},
	{order: order{keys: "UZ"}, share: 1},
}

// restartKeys are the orders that restarts perturb, in turn.
var restartKeys = []string{"TWA", "OA", "WA"}

const (
	// termDives is how often a Luby term of 1 could place all buffers.
	termDives = 8
	// firstSlice is the nodes of a share in the first round; each round doubles it up to longestSlice.
	firstSlice   = 512
	longestSlice = 16384
)

// portfolio decides one capacity for one model in rounds. In each round every lane gets a slice of nodes; slices depend on
// nothing but their own lane, so it does not matter which worker runs them or when. The first slice, in order of lanes,
// that ends its search decides.
type portfolio struct {
	m        *model
	lanes    []lane
	capacity int64
	workers  int
	engines  []*engine
	round    int
	// restarts counts the orders drawn by the lane of restarts, the only lane with any.
	restarts int
	nodes    int64
}

func newPortfolio(m *model, lanes []lane, capacity int64, workers int) *portfolio {
	return &portfolio{m: m, lanes: lanes, capacity: capacity, workers: workers, engines: make([]*engine, len(lanes))}
}

// stop ends all searches.
func (p *portfolio) stop() {
	for _, e := range p.engines {
		if e != nil {
			e.close()
		}
	}
}

// slice is the part of a round that one lane searches.
type slice struct {
	lane    int
	nodes   int64
	verdict verdict
	spent   int64
}

// run searches for up to that many nodes more and returns the offsets in bytes when it found a placement.
func (p *portfolio) run(ctx context.Context, nodes int64) (verdict, []int64) {
	for end := p.nodes + nodes; p.nodes < end && ctx.Err() == nil; p.round++ {
		slices := p.plan(end - p.nodes)
		winner := p.search(ctx, slices)
		for i := range slices {
			p.nodes += slices[i].spent
			if i == winner {
				return p.outcome(slices[i])
			}
		}
	}
	return stopped, nil
}

func (p *portfolio) outcome(s slice) (verdict, []int64) {
	if s.verdict == found {
		return found, p.engines[s.lane].offsets()
	}
	return failed, nil
}

// plan shares a round's nodes, at most that many, among the lanes.
func (p *portfolio) plan(nodes int64) []slice {
	unit := int64(firstSlice) << min(p.round, 30)
	unit = min(unit, longestSlice)
	var out []slice
	for i, l := range p.lanes {
		n := min(unit*l.share, nodes)
		if n == 0 {
			break
		}
		nodes -= n
		out = append(out, slice{lane: i, nodes: n, verdict: stopped})
	}
	return out
}

// search runs the slices and returns the first, by lane, that ended its search, or none. A slice behind a winner is cut
// short: nothing of it counts.
func (p *portfolio) search(ctx context.Context, slices []slice) int {
	var next, winner atomic.Int64
	winner.Store(int64(len(slices)))
	work := func() {
		for i := next.Add(1) - 1; i < int64(len(slices)); i = next.Add(1) - 1 {
			cancelled := func() bool { return winner.Load() < i || ctx.Err() != nil }
			p.searchSlice(&slices[i], cancelled)
			for slices[i].verdict != stopped {
				w := winner.Load()
				if w <= i || winner.CompareAndSwap(w, i) {
					break
				}
			}
		}
	}
	var group sync.WaitGroup
	for range min(p.workers, len(slices)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if w := int(winner.Load()); w < len(slices) {
		return w
	}
	return none
}

// searchSlice runs one slice. A lane of restarts drops its search for a new one whenever its term is over.
func (p *portfolio) searchSlice(s *slice, cancelled func() bool) {
	l := p.lanes[s.lane]
	for s.verdict == stopped && s.spent < s.nodes && !cancelled() {
		if l.restarts {
			p.restart(s.lane)
		}
		e := p.engines[s.lane]
		if e == nil {
			e = newEngine(p.m, l.order, p.capacity)
			p.engines[s.lane] = e
		}
		nodes, before := s.nodes-s.spent, e.nodes
		if l.restarts {
			nodes = min(nodes, p.term()-e.nodes)
		}
		s.verdict = e.run(nodes, cancelled)
		s.spent += e.nodes - before
	}
}

// restart replaces a search of perturbed order whose term is over.
func (p *portfolio) restart(lane int) {
	e := p.engines[lane]
	if e != nil && e.nodes < p.term() {
		return
	}
	if e != nil {
		e.close()
	}
	keys := restartKeys[p.restarts%len(restartKeys)]
	p.restarts++
	p.engines[lane] = newEngine(p.m, order{keys: keys, noise: uint64(p.restarts)}, p.capacity)
}

// term is how many nodes the current perturbed order gets.
func (p *portfolio) term() int64 { return luby(p.restarts) * termDives * int64(p.m.len()) }

// luby is the i-th term, from 1, of 1 1 2 1 1 2 4 ...: within a constant factor of the best restarts whatever the odds
// (Luby, Sinclair, Zuckerman 1993).
func luby(i int) int64 {
	for size := 1; ; size = 2*size + 1 {
		if i == size {
			return int64(size+1) / 2
		}
		if i < size {
			return luby(i - (size-1)/2)
		}
	}
}
