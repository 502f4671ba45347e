package layout

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// mostAssigned is the most buffers of a part for which all assignments to pools are searched; those of a part with buffers
// that are live in pieces may be mostInterlocked.
const mostAssigned = 512

// maxPeak is above every peak of a valid problem.
const maxPeak = math.MaxInt64

// assignment is the exact search over which buffer of a part goes to which pool, by branch and bound.
//
//  1. Buffers are taken by size, largest first; candidates in order of preference. Twins, which differ in nothing, take
//     theirs in that order too.
//  2. A branch fails when at some step the live bytes exceed what the pools have left for them, or when no subset of the
//     buffers still to come fills a pool as far as the others cannot take the rest; see rooms.
//  3. It fails as well when the bytes that must stand outside first choices, or with as many of them the sum of the pools'
//     peaks, cannot be less than in the best placement known.
//  4. A full assignment is packed pool by pool, exactly, in sets that do not meet in time. A set that cannot be packed is
//     never assigned again, and the search goes back to the last of its buffers at once.
//  5. Where that is cut before anything places all buffers, a quarter of the effort is for pools that are not filled to the
//     brim; see loosen.
//
// The bounds of single steps are those of multiple knapsacks (Martello and Toth, Knapsack Problems, 1990), the jumps back
// those of constraint solvers. Exponential in the worst case; the budget ends it.
type assignment struct {
	s       *scene
	lo, hi  int32
	line    []int32
	rooms   *rooms
	packer  *packer
	work    *budget
	best    score
	keep    *attempt
	cut     bool
	chosen  []int
	twin    []int
	inPool  [][]int32
	refuted []refuted
	// least is the fewest bytes outside first choices, height the least sum of peaks there can be.
	least, height int64
}

// nothing is the position before the first of the line; going back to it ends the search.
const nothing = -1

// assign searches a part of several pools and reports whether nothing better exists. The best placement is left in the scene.
func (s *scene) assign(lo, hi int32, work *budget) bool {
	a := s.newAssignment(lo, hi, work)
	if a.settled() {
		return true
	}
	if a.rooms.possible() {
		share := work.left()
		if a.best.unplaced > 0 {
			share = share / 4 * 3
		}
		work.upTo(share, func() { a.descend(0, 0, 0) })
		a.loosen()
	}
	s.restore(lo, a.keep)
	return !a.cut || a.settled()
}

// loosen looks for any placement where the search was cut before it found one: a part of each pool is kept free, larger and
// larger ones, and what then takes long to pack is given up.
func (a *assignment) loosen() {
	for kept := int64(64); kept >= 2 && a.cut && a.best.unplaced > 0; kept /= 2 {
		a.rooms = a.s.newRooms(a.lo, a.hi, a.line, kept)
		if a.rooms.possible() {
			a.work.within(bits.Len64(uint64(kept))-1, func() { a.descend(0, 0, 0) })
		}
	}
}

func (s *scene) newAssignment(lo, hi int32, work *budget) *assignment {
	n := int(hi - lo)
	a := &assignment{s: s, lo: lo, hi: hi, line: s.sorted(order{bySize, byStart}, lo, hi), work: work, best: s.score(lo, hi), keep: s.snapshot(lo, hi, nil, nil),
		chosen: make([]int, n), twin: make([]int, n), inPool: make([][]int32, len(s.pools)), refuted: make([]refuted, n)}
	last := map[int64][]int{}
	for i, b := range a.line {
		a.twin[i] = nothing
		for _, j := range last[s.size[b]] {
			if s.sameTo(a.line[j], b) {
				a.twin[i] = j
			}
		}
		last[s.size[b]] = append(last[s.size[b]], i)
	}
	a.rooms = s.newRooms(lo, hi, a.line, 0)
	a.packer = &packer{s: s, lo: lo, hi: hi, work: work, packed: map[string]packed{}}
	a.least, a.height = a.rooms.displaced(), a.rooms.height()
	return a
}

// sameTo reports whether two buffers differ in nothing but their number.
func (s *scene) sameTo(x, y int32) bool {
	a, b := s.buffer(x), s.buffer(y)
	return s.p.Conflicts == nil && !a.Pinned && !b.Pinned && a.Size == b.Size && a.Alignment == b.Alignment && a.Live == b.Live &&
		slices.Equal(a.Gaps, b.Gaps) && slices.Equal(a.Pools, b.Pools)
}

// settled reports whether the best placement known cannot be improved.
func (a *assignment) settled() bool {
	if a.best.unplaced > 0 {
		return false
	}
	return a.s.decide || a.best.displaced <= a.least && a.best.depth <= a.least && a.best.height <= a.lowest(a.best.displaced)
}

// lowest is the least sum of peaks with that many bytes outside first choices: without any, peaks count from the floors up.
func (a *assignment) lowest(displaced int64) int64 {
	if displaced > 0 {
		return a.height
	}
	floors := score{peaks: a.s.floor}
	return max(a.height, floors.sum())
}

// descend assigns the buffers from the i-th of the line on; displaced are the bytes outside first choices so far, depth how
// far down the lists of candidates those stand. It returns the last position of the line that has to change.
func (a *assignment) descend(i int, displaced, depth int64) int {
	if a.work.over() {
		a.cut = true
		return nothing
	}
	a.work.spend(a.rooms.looks(i))
	switch {
	case a.settled():
		return nothing
	case a.hopeless(displaced, depth):
		return i - 1
	case i == len(a.line):
		return a.pack()
	}
	b := a.line[i]
	candidates := a.s.candidates(b)
	from := 0
	if a.twin[i] != nothing {
		from = a.chosen[a.twin[i]]
	}
	for rank, k := range candidates {
		if rank < from || slices.Contains(candidates[:rank], k) {
			continue
		}
		if back := a.try(i, rank, displaced, depth); back < i {
			return back
		}
	}
	return i - 1
}

// try assigns the i-th buffer to the candidate of a rank, goes on and takes it back.
func (a *assignment) try(i, rank int, displaced, depth int64) int {
	b := a.line[i]
	slot := a.s.slot[a.s.candidates(b)[rank]]
	if rank > 0 {
		displaced += a.s.size[b]
		depth = saturatingAdd(depth, a.s.size[b], int64(rank))
	}
	a.chosen[i] = rank
	a.inPool[slot] = append(a.inPool[slot], b)
	back := i
	if a.rooms.take(i, int(slot)) && !a.refuted[i].within(int(slot), a.inPool[slot]) {
		back = a.descend(i+1, displaced, depth)
	}
	a.rooms.giveBack(i, int(slot))
	a.inPool[slot] = a.inPool[slot][:len(a.inPool[slot])-1]
	return back
}

// hopeless reports whether no placement with the choices made is better than the best one known.
func (a *assignment) hopeless(displaced, depth int64) bool {
	if a.best.unplaced > 0 {
		return false
	}
	more := a.rooms.displaced()
	all := displaced + more
	return cmp.Or(cmp.Compare(all, a.best.displaced), cmp.Compare(saturatingAdd(depth, more, 1), a.best.depth),
		cmp.Compare(max(a.rooms.height(), a.lowest(all)), a.best.height)) >= 0
}

// pack packs every pool of a full assignment and keeps the placement when it is the best. It returns the last position of
// the line that has to change.
func (a *assignment) pack() int {
	for b := a.lo; b < a.hi; b++ {
		a.s.pool[b] = nowhere
	}
	for slot, set := range a.inPool {
		for _, members := range a.packer.apart(set) {
			p := a.packer.pack(a.s.pools[slot], members)
			a.cut = a.cut || p.cut
			switch {
			case p.at != nil:
				a.s.adopt(p.ranked, p.at, a.s.pools[slot])
			case p.cut && a.rooms.kept > 0:
				return nothing
			case p.cut:
				return len(a.line) - 1
			default:
				return a.refute(slot, members)
			}
		}
	}
	if sc := a.s.score(a.lo, a.hi); sc.compare(a.best) < 0 {
		a.best, a.keep = sc, a.s.snapshot(a.lo, a.hi, nil, nil)
		a.work.tell(a.s)
	}
	return len(a.line) - 1
}

// refute notes that the members do not fit into a pool together, with the last of them in the line, and returns its position.
func (a *assignment) refute(slot int, members []int32) int {
	last := 0
	for _, b := range members {
		last = max(last, slices.Index(a.line, b))
	}
	a.refuted[last] = append(a.refuted[last], refutation{slot, members})
	return last
}

// refutation is a set of buffers, ascending, that a pool cannot hold.
type refutation struct {
	slot    int
	members []int32
}

// refuted are refutations that end with the same buffer of the line.
type refuted []refutation

// within reports whether one of them is a part of what stands in a pool.
func (r refuted) within(slot int, set []int32) bool {
	for _, x := range r {
		missing := func(b int32) bool { return !slices.Contains(set, b) }
		if x.slot == slot && len(x.members) <= len(set) && !slices.ContainsFunc(x.members, missing) {
			return true
		}
	}
	return false
}
