package layout

import (
	"runtime"

	"github.com/memplan/memplan/planner/layout/exact"
)

const (
	// dips and dipNodes are how often greedy searches, and how long each time.
	dips, dipNodes = 4, 1 << 14
	// mostDipped is the most buffers that it does this for.
	mostDipped = 2048
)

// dip asks a few short searches for better placements of the open parts of a scene of one pool: first at the floor, then
// halfway between what failed and what is known. Unlike search it proves nothing, but it often finds in milliseconds what
// no order gives.
func (s *scene) dip(work *budget) {
	members := s.searched(mostDipped)
	if len(s.pools) > 1 || len(members) == 0 || s.anyUnplaced(members) {
		return
	}
	q := s.exactProblem(members)
	failed := s.floor[0] - 1
	target := s.floor[0]
	for range dips {
		if work.left() < dipNodes || work.stop() {
			return
		}
		r, err := exact.Decide(work.ctx, q, target, exact.Options{Nodes: dipNodes, Workers: runtime.GOMAXPROCS(0)})
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
		target = failed + (peak-failed)/2
	}
}

// peakOf is the highest end of placed members.
func (s *scene) peakOf(members []int32) int64 {
	peak := int64(0)
	for _, b := range members {
		peak = max(peak, s.lo[b]+s.size[b])
	}
	return peak
}
