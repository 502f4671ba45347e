package layout

import (
	"math"
	"math/bits"
	"slices"
)

// mostAssigned is the most buffers of a part for which all assignments to pools are searched.
const mostAssigned = 16

// maxPeak is above every peak of a valid problem.
const maxPeak = math.MaxInt64

// assignment is the exact search over which buffer goes to which pool.
//
//  1. Buffers are taken by size, largest first; candidates in order of preference.
//  2. A branch fails when the buffers of a clique that stand in one pool exceed its capacity, or when more bytes are
//     outside first choices than in the best placement known.
//  3. A full assignment is packed pool by pool, exactly; sets of buffers already packed are remembered.
type assignment struct {
	s       *scene
	line    []int32
	members []int32
	cliques [][]int32
	inPool  []uint64
	best    score
	packed  map[poolSet]packed
	work    *budget
	cut     bool
	// pieces says that some member is live in pieces.
	pieces bool
}

type poolSet struct {
	slot int
	set  uint64
}

// packed is the best packing of a set of buffers; at is nil when none fits.
type packed struct {
	ranked []int32
	at     []int64
}

// assign searches a part of several pools and reports whether nothing better exists. The best placement is left in the scene.
func (s *scene) assign(lo, hi int32, work *budget) bool {
	a := &assignment{s: s, members: s.sequence(lo, hi), cliques: s.live.cliques(s, lo, hi), inPool: make([]uint64, len(s.pools)),
		best: s.score(lo, hi), packed: map[poolSet]packed{}, work: work, pieces: s.inPieces(lo, hi)}
	a.line = slices.Clone(a.members)
	slices.SortFunc(a.line, func(x, y int32) int { return order{bySize}.compare(s, x, y) })
	before := s.snapshot(lo, hi, nil, nil)
	keep := before
	a.descend(0, 0, func() { keep = s.snapshot(lo, hi, nil, nil) })
	s.restore(lo, keep)
	return !a.cut
}

// descend assigns the buffers from the i-th of the line on; displaced are the bytes outside first choices so far.
func (a *assignment) descend(i int, displaced int64, found func()) {
	if a.work.over() {
		a.cut = true
		return
	}
	a.work.spent++
	if a.s.decide && a.best.unplaced == 0 {
		return
	}
	if a.best.unplaced == 0 && displaced > a.best.displaced {
		return
	}
	if i == len(a.line) {
		a.pack(found)
		return
	}
	b := a.line[i]
	bit := uint64(1) << (b - a.members[0])
	for rank, k := range a.s.p.candidates(int(a.s.id[b])) {
		slot := a.s.slot[k]
		a.inPool[slot] |= bit
		if a.roomy(b, k, a.inPool[slot]) {
			more := int64(0)
			if rank > 0 {
				more = a.s.size[b]
			}
			a.descend(i+1, displaced+more, found)
		}
		a.inPool[slot] &^= bit
	}
}

// roomy reports whether no clique around b exceeds the capacity of pool k with the given set in it.
func (a *assignment) roomy(b int32, k int, set uint64) bool {
	capacity := a.s.p.Pools[k].Capacity
	if capacity == Unlimited {
		return true
	}
	if a.pieces {
		return a.s.bound(k, func(x int32) bool { return a.within(x, set) }) <= capacity
	}
	for _, clique := range a.cliques {
		if !slices.Contains(clique, b) {
			continue
		}
		sum := int64(0)
		for _, x := range clique {
			if a.within(x, set) {
				sum += a.s.size[x]
			}
		}
		if sum > capacity {
			return false
		}
	}
	return true
}

// within reports whether a set has a buffer, which may be of another part.
func (a *assignment) within(x int32, set uint64) bool {
	i := x - a.members[0]
	return 0 <= i && int(i) < len(a.members) && set>>i&1 == 1
}

// pack packs every pool of a full assignment and keeps the placement when it is the best.
func (a *assignment) pack(found func()) {
	lo := a.members[0]
	for i := range a.members {
		a.s.pool[lo+int32(i)] = nowhere
	}
	for slot, set := range a.inPool {
		if set == 0 {
			continue
		}
		p := a.packPool(slot, set)
		if p.at == nil {
			return
		}
		a.s.adopt(p.ranked, p.at, a.s.pools[slot])
	}
	if sc := a.s.score(lo, lo+int32(len(a.members))); sc.compare(a.best) < 0 {
		a.best = sc
		found()
	}
}

func (a *assignment) packPool(slot int, set uint64) packed {
	key := poolSet{slot, set}
	if p, ok := a.packed[key]; ok {
		return p
	}
	var members []int32
	for rest := set; rest != 0; rest &= rest - 1 {
		members = append(members, a.members[0]+int32(bits.TrailingZeros64(rest)))
	}
	k := a.s.pools[slot]
	floor, limit := a.s.bound(k, func(b int32) bool { return slices.Contains(members, b) }), a.s.ceiling(k)
	if a.pieces {
		q := a.s.newInterlocking(members, k, a.work)
		q.floor, q.limit = floor, limit
		q.search()
		a.cut = a.cut || q.cut
		a.packed[key] = packed{members, q.best}
		return a.packed[key]
	}
	p, ranked := a.s.newPacking(members, a.cliques, k, a.work)
	p.floor, p.limit = floor, limit
	p.search()
	a.cut = a.cut || p.cut
	a.packed[key] = packed{ranked, p.best}
	return a.packed[key]
}
