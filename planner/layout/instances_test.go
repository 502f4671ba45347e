package layout_test

import (
	"slices"

	"github.com/memplan/memplan/planner/layout"
	"pgregory.net/rapid"
)

// onePool is a problem of buffers {size, first, last} in one pool.
func onePool(capacity, alignment int64, buffers ...[3]int64) *layout.Problem {
	p := &layout.Problem{Pools: []layout.Pool{{Capacity: capacity, Alignment: alignment}}}
	for _, b := range buffers {
		p.Buffers = append(p.Buffers, layout.Buffer{Size: b[0], Alignment: 1, Live: layout.Span{First: b[1], Last: b[2]}, Pools: []int{0}})
	}
	return p
}

// limits bound the problems that draw makes.
type limits struct {
	buffers, pools, steps int
	size                  int64
}

// draw makes any valid problem within the limits: alignments, pins, capacities, zero sizes, lists of candidates, and
// lifetimes or conflicts.
func draw(t *rapid.T, l limits) *layout.Problem {
	p := &layout.Problem{}
	for range rapid.IntRange(1, l.pools).Draw(t, "pools") {
		capacity := layout.Unlimited
		if rapid.Bool().Draw(t, "capped") {
			capacity = rapid.Int64Range(0, 4*l.size).Draw(t, "capacity")
		}
		p.Pools = append(p.Pools, layout.Pool{Capacity: capacity, Alignment: rapid.SampledFrom([]int64{1, 1, 2, 3, 4}).Draw(t, "pool alignment")})
	}
	for range rapid.IntRange(0, l.buffers).Draw(t, "buffers") {
		p.Buffers = append(p.Buffers, drawBuffer(t, l, len(p.Pools)))
	}
	if rapid.IntRange(0, 3).Draw(t, "conflicts") == 0 {
		p.Conflicts = make([][]int, len(p.Buffers))
		for i := range p.Buffers {
			for j := range i {
				if rapid.Bool().Draw(t, "conflict") {
					p.Conflicts[i] = append(p.Conflicts[i], j)
				}
			}
		}
	}
	return p
}

func drawBuffer(t *rapid.T, l limits, pools int) layout.Buffer {
	first := rapid.IntRange(0, l.steps-1).Draw(t, "first")
	b := layout.Buffer{
		Size:      rapid.Int64Range(0, l.size).Draw(t, "size"),
		Alignment: rapid.SampledFrom([]int64{1, 1, 1, 2, 6}).Draw(t, "alignment"),
		Live:      layout.Span{First: int64(first), Last: int64(rapid.IntRange(first, l.steps).Draw(t, "last"))},
		Pools:     rapid.Permutation(sequence(pools)).Draw(t, "candidates"),
	}
	if rapid.IntRange(0, 2).Draw(t, "gapped") == 0 {
		b.Gaps = drawGaps(t, b.Live, b.Size)
	}
	if rapid.IntRange(0, 3).Draw(t, "hinted") == 0 {
		b.Hint = &layout.Place{Pool: rapid.IntRange(0, pools-1).Draw(t, "hinted pool"), Offset: rapid.Int64Range(0, 2*l.size).Draw(t, "hint")}
	}
	b.Pools = b.Pools[:rapid.IntRange(1, pools).Draw(t, "choices")]
	if rapid.IntRange(0, 5).Draw(t, "pinned") == 0 {
		b.Pinned, b.Offset = true, rapid.Int64Range(0, 2*l.size).Draw(t, "offset")
	}
	return b
}

// drawPieces makes a problem of small buffers of which parts are free at times. Its numbers are drawn evenly: most small
// problems have nothing to interlock.
func drawPieces(t *rapid.T, l limits) *layout.Problem {
	even := func(lo, hi int64, label string) int64 {
		return lo + int64(rapid.SampledFrom(sequence(int(hi-lo)+1)).Draw(t, label))
	}
	p := draw(t, limits{buffers: 0, pools: l.pools, steps: 1, size: l.size})
	for range even(1, int64(l.buffers), "buffers") {
		b := drawBuffer(t, l, len(p.Pools))
		b.Size = even(1, l.size, "size")
		b.Live.First = even(0, int64(l.steps)-1, "first")
		b.Live.Last, b.Gaps = even(b.Live.First+1, int64(l.steps), "last"), nil
		for range even(0, 3, "gaps") {
			first, from := even(b.Live.First, b.Live.Last-1, "gap"), even(0, b.Size-1, "from")
			b.Gaps = append(b.Gaps, layout.Gap{Span: layout.Span{First: first, Last: even(first+1, b.Live.Last, "gap end")},
				From: from, To: even(from+1, b.Size, "to")})
		}
		slices.SortFunc(b.Gaps, func(a, b layout.Gap) int { return int(a.First - b.First) })
		p.Buffers = append(p.Buffers, b)
	}
	p.Conflicts = nil
	return p
}

// drawGaps cuts up to two gaps out of a lifetime.
func drawGaps(t *rapid.T, live layout.Span, size int64) []layout.Gap {
	var gaps []layout.Gap
	for at := live.First; len(gaps) < 2 && at < live.Last; {
		first := rapid.Int64Range(at, live.Last-1).Draw(t, "gap")
		last := rapid.Int64Range(first+1, live.Last).Draw(t, "gap end")
		gaps, at = append(gaps, layout.Gap{Span: layout.Span{First: first, Last: last}, To: size}), last
	}
	return gaps
}

// liveByte is the definition of a gap.
func liveByte(b layout.Buffer, step, at int64) bool {
	for _, gap := range b.Gaps {
		if gap.First <= step && step < gap.Last && gap.From <= at && at < gap.To {
			return false
		}
	}
	return b.Live.First <= step && step < b.Live.Last && 0 <= at && at < b.Size
}

// liveAt reports whether any byte of a buffer is live at a step.
func liveAt(b layout.Buffer, step int64) bool {
	if len(b.Gaps) == 0 {
		return liveByte(b, step, 0)
	}
	for at := int64(0); at < b.Size; at++ {
		if liveByte(b, step, at) {
			return true
		}
	}
	return false
}

// sharedSteps counts the steps at which both buffers are live.
func sharedSteps(a, b layout.Buffer) (steps int) {
	for step := max(a.Live.First, b.Live.First); step < min(a.Live.Last, b.Live.Last); step++ {
		if liveAt(a, step) && liveAt(b, step) {
			steps++
		}
	}
	return steps
}

// clash reports whether two buffers share a byte at a step at which it is live in both.
func clash(p *layout.Problem, i, j int, at, other int64) bool {
	a, b := p.Buffers[i], p.Buffers[j]
	lo, hi := max(at, other), min(at+a.Size, other+b.Size)
	switch {
	case lo >= hi || i == j:
		return false
	case p.Conflicts != nil || len(a.Gaps) == 0 && len(b.Gaps) == 0:
		return conflict(p, i, j)
	}
	for step := max(a.Live.First, b.Live.First); step < min(a.Live.Last, b.Live.Last); step++ {
		for x := lo; x < hi; x++ {
			if liveByte(a, step, x-at) && liveByte(b, step, x-other) {
				return true
			}
		}
	}
	return false
}

// takesBytes is the definition of a buffer that needs placing.
func takesBytes(p *layout.Problem, b layout.Buffer) bool {
	return b.Size > 0 && (p.Conflicts != nil || sharedSteps(b, b) > 0)
}

func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// conflict is the definition, written apart from the solver's.
func conflict(p *layout.Problem, i, j int) bool {
	a, b := p.Buffers[i], p.Buffers[j]
	if a.Size == 0 || b.Size == 0 || i == j {
		return false
	}
	if p.Conflicts == nil {
		return sharedSteps(a, b) > 0
	}
	for _, pair := range [][2]int{{i, j}, {j, i}} {
		for _, other := range p.Conflicts[pair[0]] {
			if other == pair[1] {
				return true
			}
		}
	}
	return false
}

// fault says what is wrong with a placement, "" when nothing is. Unplaced buffers are no fault.
func fault(p *layout.Problem, places []layout.Place) string {
	if len(places) != len(p.Buffers) {
		return "places are missing"
	}
	for i, at := range places {
		b := p.Buffers[i]
		if at.Pool == layout.Unplaced {
			continue
		}
		allowed := false
		for rank, k := range b.Pools {
			allowed = allowed || k == at.Pool && (rank == 0 || !b.Pinned)
		}
		live := takesBytes(p, b)
		switch pool := p.Pools[max(0, at.Pool)]; {
		case !allowed:
			return "a buffer is in a pool that is no candidate"
		case b.Pinned && at.Offset != b.Offset:
			return "a pin was moved"
		case at.Offset < 0:
			return "an offset is negative"
		case live && (at.Offset%pool.Alignment != 0 || at.Offset%b.Alignment != 0):
			return "an offset is not aligned"
		case live && pool.Capacity != layout.Unlimited && at.Offset+b.Size > pool.Capacity:
			return "a buffer ends beyond its pool"
		}
		for j := range i {
			other := places[j]
			if other.Pool == at.Pool && clash(p, i, j, at.Offset, other.Offset) {
				return "two buffers overlap"
			}
		}
	}
	return ""
}
