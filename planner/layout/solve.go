package layout

import (
	"context"
	"fmt"
	"strings"
)

// Effort limits a search.
type Effort struct {
	// Nodes is the number of placements that may be tried, looking at 32 neighbours counting as one more; 0 stands for
	// the algorithm's default. An algorithm always finishes its first attempt, whatever the limit.
	Nodes int64
	// Decide asks for any placement of all buffers, or the proof that there is none, instead of the best one.
	Decide bool
	// Report, when not nil, is told of the sum of the pools' peaks and of their proved bounds whenever a better placement
	// is found. It must be quick and changes nothing.
	Report func(peak, bound int64)
	// Spent, when not nil, is told now and then how many nodes were spent so far. It must be quick and changes nothing.
	Spent func(nodes int64)
}

const (
	// defaultNodes keeps the search of an ordinary network near a tenth of a second and that of 100,000 buffers below one.
	defaultNodes = 1 << 19
	// autoNodes is half a second of search. exactNodes is for those who ask for a search by name.
	autoNodes, exactNodes = 1 << 19, 1 << 23
	// climbNodes is enough for all attempts of TVM's hill climb on ordinary networks.
	climbNodes = 1 << 26
)

// algorithm places the buffers of a scene whose legal pins are placed and leaves its best placement in it.
type algorithm interface {
	place(s *scene, work *budget)
}

// entry is an algorithm with its name and its default effort for a problem. Those that stand for other systems place everything
// anew, as these do; the others keep hints, and begin with the default effort of greedy on top of their own.
type entry struct {
	name      string
	algorithm algorithm
	nodes     int64
	ours      bool
}

var algorithms = []entry{
	{"none", none{}, defaultNodes, false},
	{"tvm_greedy_by_size", tvmGreedy{tvmBySize}, defaultNodes, false},
	{"tvm_greedy_by_conflicts", tvmGreedy{tvmByConflicts}, defaultNodes, false},
	{"tvm_hill_climb", tvmHillClimb{}, climbNodes, false},
	{"tvm_graph", tvmGraph{}, defaultNodes, false},
	{"tflite_greedy", tfliteGreedy{}, defaultNodes, false},
	{"greedy", greedy{}, 0, true},
	{"exact", auto{}, exactNodes, true},
	autoEntry,
}

var autoEntry = entry{"auto", auto{climbs: true}, autoNodes, true}

// Algorithms lists the names of the algorithms in the order of the documentation.
func Algorithms() []string {
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = a.name
	}
	return names
}

// Solve places the buffers with the named algorithm. The error is for an invalid problem (see [Problem.Validate]) or an
// unknown algorithm; a problem that does not fit is a result with unplaced buffers. When ctx ends early the best
// placement found by then is returned, which always covers what fits by simple stacking. The result depends on nothing
// but the arguments as long as ctx does not end.
//
// greedy, exact and auto keep hints: a part of the problem that overlaps no other part in time and that can stand where its
// hints say does so, and a part that was changed keeps to them as far as it can, unless that raises the peak of a pool or
// moves bytes to worse candidates.
func Solve(ctx context.Context, p *Problem, algorithm string, effort Effort) (*Result, error) {
	for _, a := range algorithms {
		if a.name != algorithm {
			continue
		}
		if err := p.Validate(); err != nil {
			return nil, err
		}
		return solve(ctx, p, &a, effort)
	}
	return nil, fmt.Errorf("unknown layout algorithm %q: the algorithms are %s", algorithm, strings.Join(Algorithms(), ", "))
}

func solve(ctx context.Context, p *Problem, a *entry, effort Effort) (*Result, error) {
	work := &budget{ctx: ctx, limit: effort.Nodes, report: effort.Report, told: effort.Spent, standard: effort.Nodes <= 0}
	all := scenes(p)
	left := a.nodes
	for i, s := range all {
		share := work.left() / int64(len(all)-i)
		if work.standard {
			share = left / int64(len(all)-i)
			if a.ours {
				share += greedyNodes(int(s.len()))
			}
		}
		before := work.spent
		s.decide = effort.Decide
		s.placePins(work)
		work.further(share, func() {
			if !a.ours || !s.placeByModules(a, work) {
				a.algorithm.place(s, work)
			}
		})
		left -= min(left, work.spent-before)
		if a.ours {
			s.keepHints(work)
		}
		if s.fault != nil {
			return nil, fmt.Errorf("layout: %w", s.fault)
		}
	}
	return assemble(p, all, work.spent), nil
}
