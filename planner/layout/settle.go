package layout

import (
	"cmp"
	"math"
	"slices"
)

// settler brings a part of a scene below given peaks by moving few bytes: what stands too high is put lower, and what is in its
// way there is put elsewhere in turn.
type settler struct {
	s     *scene
	peaks []int64
	work  *budget
	// moves counts how often each buffer was put somewhere.
	moves map[int32]int
	// queue are buffers without a place, by size, of equal ones those that come first last.
	queue []int32
}

// mostMoves is how often a buffer is put somewhere before it has to stay.
const mostMoves = 2

// settle moves buffers of the part [lo, hi), all of which are placed or not as [scene.follow] left them, until none ends above
// the peaks, which are by slot, or the effort ends. It may fail, and then the part is as good as it was or worse.
func (s *scene) settle(lo, hi int32, peaks []int64, work *budget) {
	t := &settler{s: s, peaks: peaks, work: work, moves: map[int32]int{}}
	for b := lo; b < hi; b++ {
		switch {
		case s.fixed(b): // stands at its pin or, where that is not legal, nowhere
		case s.pool[b] == nowhere:
			t.wait(b)
		case s.lo[b]+s.size[b] > t.peak(b):
			t.lift(b)
		}
	}
	for steps := 0; len(t.queue) > 0 && steps < 4*int(hi-lo) && !work.over(); steps++ {
		b := t.queue[len(t.queue)-1]
		t.queue = t.queue[:len(t.queue)-1]
		if !t.place(b) {
			t.queue = append(t.queue, b)
			break
		}
	}
	s.stack(t.queue)
}

// pool is the only pool that b may stand in, peak the height that it may reach there.
func (t *settler) pool(b int32) int   { return t.s.candidates(b)[0] }
func (t *settler) peak(b int32) int64 { return t.peaks[t.s.slot[t.pool(b)]] }

// lift takes a placed buffer out of the placement.
func (t *settler) lift(b int32) {
	t.s.live.forget(t.s, b, b+1)
	t.s.pool[b] = nowhere
	t.wait(b)
}

// wait puts a buffer into the queue.
func (t *settler) wait(b int32) {
	at, _ := slices.BinarySearchFunc(t.queue, b, func(a, b int32) int { return cmp.Or(cmp.Compare(t.s.size[a], t.s.size[b]), cmp.Compare(b, a)) })
	t.queue = slices.Insert(t.queue, at, b)
}

// place puts b where the fewest bytes are in its way, the lowest of such offsets; false where pins, or what was moved too
// often, leave it no room, or the effort ends.
func (t *settler) place(b int32) bool {
	s := t.s
	var near []int32
	t.work.spend(s.live.visit(s, b, int32(t.pool(b)), func(x int32) { near = append(near, x) }))
	slices.Sort(near)
	near = slices.Compact(near)
	best, least := int64(-1), int64(math.MaxInt64)
	for _, at := range t.offsets(b, near) {
		if t.work.over() {
			return false
		}
		if cost := t.cost(b, at, near); cost < least {
			best, least = at, cost
		}
	}
	if best < 0 {
		return false
	}
	for _, x := range near {
		if s.meets(x, b, best) {
			t.lift(x)
		}
	}
	t.moves[b]++
	s.set(b, t.pool(b), best)
	return true
}

// offsets are the start of the pool and the ends of the neighbours, ascending, as far as b stays below the peak there.
func (t *settler) offsets(b int32, near []int32) []int64 {
	s, align := t.s, t.s.align(b, t.pool(b))
	out := []int64{0}
	for _, x := range near {
		out = append(out, alignUp(s.lo[x]+s.size[x], align))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(at int64) bool { return at > t.peak(b)-s.size[b] || !s.fits(b, t.pool(b), at) })
}

// cost is the bytes that have to make room for b, more than any others where one of them cannot.
func (t *settler) cost(b int32, at int64, near []int32) int64 {
	total := int64(0)
	for _, x := range near {
		if !t.s.meets(x, b, at) {
			continue
		}
		if t.s.pinned[x] || t.moves[x] >= mostMoves {
			return math.MaxInt64
		}
		total += t.s.size[x]
	}
	t.work.spend(len(near))
	return total
}

// meets reports whether b, which is live together with the placed x, would have any of its bytes at the offset.
func (s *scene) meets(x, b int32, at int64) bool {
	if s.lo[x] >= at+s.size[b] || at >= s.lo[x]+s.size[x] {
		return false
	}
	return !s.live.pieced(x) && !s.live.pieced(b) || s.clash(x, b, at-s.lo[x])
}
