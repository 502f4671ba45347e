package layout

import (
	"runtime"

	"github.com/memplan/memplan/planner/layout/exact"
)

const (
	// mostDips and dipNodes are how often greedy searches, and how long: the first time, at the floor, twice as long as later.
	mostDips, dipNodes = 8, 1 << 12
	// allDips is the effort for all of them together; those that succeed take little of it.
	allDips = 5 * dipNodes
	// mostDipped is the most buffers of a part that it does this for.
	mostDipped = 1 << 11
)

// dips reports whether some part can be searched for a short time.
func (s *scene) dips() bool { return len(s.pools) == 1 && len(s.searched(mostDipped)) > 0 }

// dip asks a few short searches for better placements of the open parts of a scene of one pool: first at the floor, then
// halfway between what failed and what is known. Unlike search it proves nothing, but it often finds in milliseconds what
// no order gives.
func (s *scene) dip(work *budget) {
	members := s.searched(mostDipped)
	if len(s.pools) > 1 || len(members) == 0 || s.anyUnplaced(members) {
		return
	}
	q := s.exactProblem(members, s.pools[0])
	target, failed, nodes := s.floor[0], s.floor[0]-1, int64(2*dipNodes)
	for range mostDips {
		if nodes = min(nodes, work.left()); nodes < dipNodes/4 || work.stop() {
			return
		}
		r, err := exact.Decide(work.ctx, q, target, exact.Options{Nodes: nodes, Workers: runtime.GOMAXPROCS(0), Incumbent: s.offsetsOf(members)})
		if s.learn(r, err, members, work); s.fault != nil {
			return
		}
		peak := s.peakOf(members)
		if r.Offsets == nil {
			failed = max(failed, target)
		}
		if peak-failed <= peak/128 {
			return
		}
		target, nodes = failed+(peak-failed)/2, dipNodes
	}
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
