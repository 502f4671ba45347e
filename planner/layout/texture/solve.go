package texture

import (
	"context"
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner/layout"
)

// defaultNodes keeps the search of two thousand images well below a second.
const defaultNodes = 1 << 18

var algorithms = []struct {
	name  string
	store func(s *scene, work *budget) *packing
}{
	{"none", func(s *scene, work *budget) *packing { return s.run(s.line, alone, work) }},
	{"tvm_texture", func(s *scene, work *budget) *packing { return s.run(s.line, tvm, work) }},
	{"tflite_equality", func(s *scene, work *budget) *packing { return s.run(s.line, equal, work) }},
	{"auto", auto},
}

// Algorithms lists the names of the algorithms in the order of the documentation.
func Algorithms() []string {
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = a.name
	}
	return names
}

// Solve stores the images with the named algorithm. The error is for an invalid problem (see [Problem.Validate]) or an
// unknown algorithm; images that do not fit are a result with unplaced images. Effort counts storages that were looked
// at, 32 to a node, and 0 nodes stand for the default; an algorithm always finishes its first attempt, which costs
// O(images · storages). When ctx ends early, the best storages found by then are returned, and images that had not been
// looked at yet share with none. The result depends on nothing but the arguments as long as ctx does not end.
func Solve(ctx context.Context, p *Problem, algorithm string, effort layout.Effort) (*Result, error) {
	for _, a := range algorithms {
		if a.name != algorithm {
			continue
		}
		if err := p.Validate(); err != nil {
			return nil, err
		}
		work := &budget{ctx: ctx, limit: effort.Nodes}
		if work.limit <= 0 {
			work.limit = defaultNodes
		}
		s := newScene(p)
		return s.assemble(a.store(s, work), work), nil
	}
	return nil, fmt.Errorf("unknown texture algorithm %q: the algorithms are %s", algorithm, strings.Join(Algorithms(), ", "))
}
