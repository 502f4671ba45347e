package layout

import (
	"runtime"

	"github.com/memplan/memplan/planner/layout/exact"
)

const (
	// mostDived is the most buffers of a part that is dived for.
	mostDived = 1 << 11
	// allDives is the effort for all dives of a scene together; those that succeed take little of it.
	allDives = 20 << 10
	// diveToDecide is the effort for finding any placement.
	diveToDecide = 1 << 15
)

// beforeDive is what orders may take before, some eight attempts at least: the parts that they place best have mostly met their
// bounds by then.
func (s *scene) beforeDive() int64 { return max(1<<11, 8*int64(s.len())) }

// dives reports whether some part can be searched for a short time.
func (s *scene) dives() bool { return len(s.pools) == 1 && len(s.searched(mostDived)) > 0 }

// dive searches for better placements of the open parts of a scene of one pool for a short time. It seldom proves anything, but
// it often finds in milliseconds what no order gives.
func (s *scene) dive(work *budget) {
	members := s.searched(mostDived)
	if len(s.pools) > 1 || len(members) == 0 || s.anyUnplaced(members) || work.left() <= 0 || work.stop() {
		return
	}
	r, err := exact.Dive(work.ctx, s.exactProblem(members, s.pools[0]),
		exact.Options{Nodes: work.left(), Workers: runtime.GOMAXPROCS(0), Incumbent: s.offsetsOf(members)})
	s.learn(r, err, members, work)
}

// unbeaten are the parts for which nothing better is known than what an order gave.
func (s *scene) unbeaten(tries []*trial) []*trial {
	var out []*trial
	for _, t := range tries {
		if s.score(s.parts[t.part], s.parts[t.part+1]).compare(t.best.score) >= 0 {
			out = append(out, t)
		}
	}
	return out
}

// offsetsOf lists the offsets of placed members.
func (s *scene) offsetsOf(members []int32) []int64 {
	out := make([]int64, len(members))
	for i, b := range members {
		out[i] = s.lo[b]
	}
	return out
}

// peakOf is the highest end of placed members.
func (s *scene) peakOf(members []int32) int64 {
	peak := int64(0)
	for _, b := range members {
		peak = max(peak, s.lo[b]+s.size[b])
	}
	return peak
}
