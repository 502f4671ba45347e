package layout_test

import (
	"cmp"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/layout"
)

// truth is what trying everything finds.
type truth struct {
	fits bool
	// displaced are the fewest bytes outside first choices, depth with that many the fewest times that they are passed on,
	// height with that the least sum of peaks.
	displaced, depth, height int64
}

func (a truth) compare(b truth) int {
	return cmp.Or(cmp.Compare(a.displaced, b.displaced), cmp.Compare(a.depth, b.depth), cmp.Compare(a.height, b.height))
}

// brute tries every assignment to pools and, for each pool, every order of its buffers, each placed at the lowest offset
// above the earlier ones it conflicts with or above a pin. Some order gives a placement with the least peak.
func brute(p *layout.Problem) truth {
	var live []int
	for i, b := range p.Buffers {
		if takesBytes(p, b) {
			live = append(live, i)
		}
	}
	best := truth{displaced: math.MaxInt64}
	inPool := make([][]int, len(p.Pools))
	memo := map[[2]int64]int64{}
	meets := conflicts(p)
	var assign func(n int, displaced, depth int64)
	assign = func(n int, displaced, depth int64) {
		if n == len(live) {
			height := int64(0)
			for k, members := range inPool {
				set := int64(0)
				for _, i := range members {
					set |= 1 << i
				}
				peak, ok := memo[[2]int64{int64(k), set}]
				if !ok {
					peak = leastPeak(p, meets, k, members)
					memo[[2]int64{int64(k), set}] = peak
				}
				if peak < 0 {
					return
				}
				height += peak
			}
			if found := (truth{true, displaced, depth, height}); found.compare(best) < 0 {
				best = found
			}
			return
		}
		i := live[n]
		for rank, k := range p.Buffers[i].Pools {
			if p.Buffers[i].Pinned && rank > 0 {
				break
			}
			more := int64(0)
			if rank > 0 {
				more = p.Buffers[i].Size
			}
			inPool[k] = append(inPool[k], i)
			assign(n+1, displaced+more, depth+int64(rank)*p.Buffers[i].Size)
			inPool[k] = inPool[k][:len(inPool[k])-1]
		}
	}
	assign(0, 0, 0)
	return best
}

// inPieces reports whether a gap frees a part of a buffer.
func inPieces(p *layout.Problem, i int) bool {
	b := p.Buffers[i]
	return p.Conflicts == nil && slices.ContainsFunc(b.Gaps, func(gap layout.Gap) bool { return gap.From > 0 || gap.To < b.Size })
}

// leastPeakOfPieces is the least peak of members in pool k, -1 when they do not fit: it tries all offsets.
func leastPeakOfPieces(p *layout.Problem, k int, members []int) int64 {
	limit := int64(0)
	for _, i := range members {
		b := p.Buffers[i]
		limit += b.Size + b.Alignment*p.Pools[k].Alignment
		if b.Pinned {
			limit += b.Offset
		}
	}
	if c := p.Pools[k].Capacity; c != layout.Unlimited {
		limit = min(limit, c)
	}
	at := make([]int64, len(members))
	var place func(n int, peak int64) bool
	place = func(n int, peak int64) bool {
		if n == len(members) {
			return true
		}
		i := members[n]
		b := p.Buffers[i]
		for offset := int64(0); offset+b.Size <= peak; offset++ {
			legal := offset%b.Alignment == 0 && offset%p.Pools[k].Alignment == 0 && (!b.Pinned || offset == b.Offset)
			for m := 0; legal && m < n; m++ {
				legal = !clash(p, i, members[m], offset, at[m])
			}
			if at[n] = offset; legal && place(n+1, peak) {
				return true
			}
		}
		return false
	}
	for peak := int64(0); peak <= limit; peak++ {
		if place(0, peak) {
			return peak
		}
	}
	return -1
}

// mostBuffers is the most buffers of a problem that brute takes.
const mostBuffers = 9

// partly is a set of placed buffers: the offset of each plus one, 0 for the others.
type partly [mostBuffers]int64

// leastPeak is the least peak of members in pool k, -1 when they do not fit; meets says which pairs conflict.
func leastPeak(p *layout.Problem, meets [][]bool, k int, members []int) int64 {
	if slices.ContainsFunc(members, func(i int) bool { return inPieces(p, i) }) {
		return leastPeakOfPieces(p, k, members)
	}
	pool := p.Pools[k]
	var here partly
	legal := func(i int, offset int64) bool {
		b := p.Buffers[i]
		if offset%pool.Alignment != 0 || offset%b.Alignment != 0 || pool.Capacity != layout.Unlimited && offset+b.Size > pool.Capacity {
			return false
		}
		for _, j := range members {
			if at := here[j] - 1; at >= 0 && meets[i][j] && offset < at+p.Buffers[j].Size && at < offset+b.Size {
				return false
			}
		}
		return true
	}
	var rest []int
	peak := int64(0)
	for _, i := range members {
		b := p.Buffers[i]
		if !b.Pinned {
			rest = append(rest, i)
			continue
		}
		if !legal(i, b.Offset) {
			return -1
		}
		here[i], peak = b.Offset+1, max(peak, b.Offset+b.Size)
	}
	best := int64(-1)
	met := map[partly]bool{}
	var place func(rest []int, peak int64)
	place = func(rest []int, peak int64) {
		switch {
		case best >= 0 && peak >= best || met[here]:
			return
		case len(rest) == 0:
			best = peak
			return
		}
		met[here] = true
		for n, i := range rest {
			starts := []int64{0}
			for _, j := range members {
				if here[j] > 0 && meets[i][j] {
					starts = append(starts, here[j]-1+p.Buffers[j].Size)
				}
			}
			slices.Sort(starts)
			for _, start := range starts {
				for start%pool.Alignment != 0 || start%p.Buffers[i].Alignment != 0 {
					start++
				}
				if legal(i, start) {
					here[i] = start + 1
					place(slices.Concat(rest[:n], rest[n+1:]), max(peak, start+p.Buffers[i].Size))
					here[i] = 0
					break
				}
			}
		}
	}
	place(rest, peak)
	return best
}

// conflicts says which pairs of buffers conflict.
func conflicts(p *layout.Problem) [][]bool {
	out := make([][]bool, len(p.Buffers))
	for i := range out {
		out[i] = make([]bool, len(p.Buffers))
		for j := range out[i] {
			out[i][j] = conflict(p, i, j)
		}
	}
	return out
}
