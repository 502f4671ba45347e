package layout

import (
	"math/bits"
	"slices"
)

// word is the most buffers that an exact search takes: sets of them are bits of one word.
const word = 64

// packing is the exact search for one pool: offsets for at most 64 buffers with the least peak below a limit.
//
//  1. Buffers are placed in non-decreasing (offset, rank), each at the lowest offset above the placed buffers it
//     conflicts with. Every packing can be pushed down into this form without raising its peak, and permutations of one
//     packing become one path. A pinned buffer is placed when its offset comes up.
//  2. A branch fails when a buffer can no longer be placed in that order, when one would end at the limit or beyond, or
//     when the unplaced part of a clique, stacked on the lowest offset it can start at, would.
//  3. A buffer is no candidate when another one fits wholly below it: that one may as well be placed first.
//  4. Each better packing lowers the limit; one that reaches the floor ends the search.
//
// The idea of canonical order and of these tests is that of Moffitt, "MiniMalloc" (ASPLOS 2023). Exponential in the
// worst case; the budget ends it.
type packing struct {
	// By rank: size, alignment, pinned offset (-1 when free), conflicts and the cliques that cover all conflicts known.
	size, align, pin []int64
	conflict         []uint64
	cliques          []uint64
	// limit is one more than the highest peak allowed; floor a peak that cannot be beaten.
	limit, floor int64
	work         *budget

	// at is the offset of placed buffers; low the lowest legal one of the others.
	at, low []int64
	// best holds the offsets of the best packing, nil when none was found.
	best []int64
	// cut is set when the budget ended the search.
	cut bool
}

var packOrder = order{byTotal, byLength, byArea, bySize}

// newPacking ranks the buffers by largest total, longest life, largest area and size, and relates them to pool k.
func (s *scene) newPacking(members []int32, cliques [][]int32, k int, work *budget) (*packing, []int32) {
	ranked := slices.Clone(members)
	slices.SortFunc(ranked, func(a, b int32) int { return packOrder.compare(s, a, b) })
	n := len(ranked)
	p := &packing{size: make([]int64, n), align: make([]int64, n), pin: make([]int64, n), conflict: make([]uint64, n), work: work,
		at: make([]int64, n), low: make([]int64, n)}
	for i, b := range ranked {
		p.size[i], p.align[i], p.pin[i] = s.size[b], s.align(b, k), -1
		if s.fixed(b) {
			p.pin[i] = s.buffer(b).Offset
		}
		for j, other := range ranked {
			if i != j && s.live.overlap(b, other) {
				p.conflict[i] |= 1 << j
			}
		}
	}
	for _, clique := range cliques {
		mask := uint64(0)
		for _, b := range clique {
			if i := slices.Index(ranked, b); i >= 0 {
				mask |= 1 << i
			}
		}
		if bits.OnesCount64(mask) > 1 {
			p.cliques = append(p.cliques, mask)
		}
	}
	return p, ranked
}

// search runs to the end or to the budget; best and cut tell the outcome.
func (p *packing) search() {
	for i, pin := range p.pin {
		if pin%p.align[i] != 0 && pin >= 0 {
			return
		}
		p.low[i] = max(0, pin)
	}
	p.descend(1<<len(p.size)-1, 0, -1, 0)
}

// descend places one more of the rest, given the offset and the rank placed last and the peak so far. It returns true to
// end the search.
func (p *packing) descend(rest uint64, offset int64, last int, peak int64) bool {
	if rest == 0 {
		p.best, p.limit = slices.Clone(p.at), peak
		return peak <= p.floor
	}
	if p.work.over() {
		p.cut = true
		return true
	}
	p.work.spent++
	if p.dead(rest, offset, last) {
		return false
	}
	for left := p.candidates(rest, offset, last); left != 0; {
		i := p.lowest(left)
		left &^= 1 << i
		if p.low[i]+p.size[i] < p.limit && p.try(i, rest, peak) {
			return true
		}
	}
	return false
}

// try places i at its lowest offset, goes on and takes it back.
func (p *packing) try(i int, rest uint64, peak int64) bool {
	var saved [word]int64
	rest &^= 1 << i
	p.at[i] = p.low[i]
	end, legal := p.low[i]+p.size[i], true
	touched := p.conflict[i] & rest
	for set := touched; set != 0; set &= set - 1 {
		j := bits.TrailingZeros64(set)
		saved[j] = p.low[j]
		if p.pin[j] >= 0 {
			legal = legal && end <= p.pin[j]
			continue
		}
		p.low[j] = max(p.low[j], alignUp(end, p.align[j]))
	}
	stop := legal && p.descend(rest, p.at[i], i, max(peak, end))
	for set := touched; set != 0; set &= set - 1 {
		j := bits.TrailingZeros64(set)
		p.low[j] = saved[j]
	}
	return stop
}

// late reports whether i can no longer be placed at its lowest offset, because the order has passed it.
func (p *packing) late(i int, offset int64, last int) bool {
	return p.low[i] < offset || p.low[i] == offset && i < last
}

func (p *packing) dead(rest uint64, offset int64, last int) bool {
	for set := rest; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if p.late(i, offset, last) && (p.pin[i] >= 0 || p.conflict[i]&rest == 0) || max(p.low[i], offset)+p.size[i] >= p.limit {
			return true
		}
	}
	for _, clique := range p.cliques {
		open := clique & rest
		if open == 0 {
			continue
		}
		start, sum := int64(-1), int64(0)
		for set := open; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			if low := max(p.low[i], offset); start < 0 || low < start {
				start = low
			}
			sum += p.size[i]
		}
		if start+sum >= p.limit {
			return true
		}
	}
	return false
}

// candidates are the buffers that may come next.
func (p *packing) candidates(rest uint64, offset int64, last int) uint64 {
	lowestEnd := int64(-1)
	for set := rest; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if end := p.low[i] + p.size[i]; p.pin[i] < 0 && (lowestEnd < 0 || end < lowestEnd) {
			lowestEnd = end
		}
	}
	out := uint64(0)
	for set := rest; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if !p.late(i, offset, last) && (lowestEnd < 0 || p.low[i] < lowestEnd) {
			out |= 1 << i
		}
	}
	return out
}

// lowest is the member with the lowest offset, the smallest rank of several.
func (p *packing) lowest(set uint64) int {
	best := bits.TrailingZeros64(set)
	for set &= set - 1; set != 0; set &= set - 1 {
		if i := bits.TrailingZeros64(set); p.low[i] < p.low[best] {
			best = i
		}
	}
	return best
}
