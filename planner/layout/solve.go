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
}

// defaultNodes keeps the search of an ordinary network near a tenth of a second and that of 100,000 buffers below one.
const defaultNodes = 1 << 19

// algorithm places the buffers of a scene whose legal pins are placed and leaves its best placement in it.
type algorithm interface {
	place(s *scene, work *budget)
}

var algorithms = []struct {
	name      string
	algorithm algorithm
}{
	{"none", none{}},
	{"tvm_greedy_by_size", tvmGreedy{tvmBySize}},
	{"tvm_greedy_by_conflicts", tvmGreedy{tvmByConflicts}},
	{"tvm_hill_climb", tvmHillClimb{}},
	{"tvm_graph", tvmGraph{}},
	{"tflite_greedy", tfliteGreedy{}},
	{"greedy", greedy{}},
	{"auto", auto{}},
}

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
func Solve(ctx context.Context, p *Problem, algorithm string, effort Effort) (*Result, error) {
	for _, a := range algorithms {
		if a.name != algorithm {
			continue
		}
		if err := p.Validate(); err != nil {
			return nil, err
		}
		return solve(ctx, p, a.algorithm, effort), nil
	}
	return nil, fmt.Errorf("unknown layout algorithm %q: the algorithms are %s", algorithm, strings.Join(Algorithms(), ", "))
}

func solve(ctx context.Context, p *Problem, a algorithm, effort Effort) *Result {
	work := &budget{ctx: ctx, limit: effort.Nodes}
	if work.limit <= 0 {
		work.limit = defaultNodes
	}
	all := scenes(p)
	for i, s := range all {
		s.placePins(work)
		work.within(len(all)-i, func() { a.place(s, work) })
	}
	return assemble(p, all, work.spent)
}
