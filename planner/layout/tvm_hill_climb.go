package layout

import (
	"cmp"
	"math/bits"
	"slices"
)

// tvmHillClimb places as the hill climb of TVM's unified static memory planner does (src/tir/usmp/algo/hill_climb.cc,
// read 2026; own implementation), with the random numbers that it draws on Linux.
//
//  1. The first order is that of tvm_greedy_by_size; buffers are placed as tvmSlot says.
//  2. Up to 500 times: a placement is kept when everything fits and the sum of the peaks is lower, or, less and less
//     often, when it is not; else the last swap is undone. The climb ends at the sum of live bytes.
//  3. The next swap: one of the buffers that reach a peak, one of its earlier neighbours, and another one of those or one
//     of the earlier neighbours of its neighbours.
//
// TVM returns the placement kept last, which may be worse than an earlier one; this returns the best. Where TVM undoes a
// swap twice, because no new one was made, this does as well: the numbers drawn after it depend on it. A problem with
// more than 2^22 pairs of neighbours is placed once only. One attempt costs O(n (log n + k)) with k neighbours per
// buffer, choosing a swap O(k²).
type tvmHillClimb struct{}

const (
	tvmAttempts = 500
	// mostClimbed bounds the pairs of neighbours, each counted from both sides.
	mostClimbed = 1 << 23
)

func (tvmHillClimb) place(s *scene, work *budget) {
	line := s.sorted(tvmBySize, 0, s.len())
	c := &climb{scene: s, line: line, at: make([]int32, len(line)), times: make([]int32, len(line))}
	for i, b := range line {
		c.at[b] = int32(i)
	}
	if !c.attempt(work) || !c.gather() {
		return
	}
	best := s.snapshot(0, s.len(), nil, nil)
	c.run(best, work)
	s.restore(0, best)
}

// climb is the state of a hill climb: the order, where each buffer is in it, and the neighbours of each.
type climb struct {
	*scene
	line   []int32
	at     []int32
	near   [][]int32
	swap   [2]int32
	random posixRandom
	// times and second are scratch space of levels: how often each position of the order is named, and the list of that.
	times, second []int32
}

// attempt places everything in the present order; false when the context ended it.
func (c *climb) attempt(work *budget) bool {
	for i, b := range c.line {
		if work.stop() {
			c.stack(c.line[i:])
			return false
		}
		if c.buffer(b).Pinned {
			continue
		}
		for _, k := range c.p.candidates(int(c.id[b])) {
			if at, ok := c.tvmSlot(b, k, work); ok {
				c.set(b, k, at)
				break
			}
		}
	}
	return true
}

// gather lists the neighbours of every buffer; false when there are too many.
func (c *climb) gather() bool {
	total := 0
	for _, d := range c.live.degrees(c.scene) {
		if total += int(d); total > mostClimbed {
			return false
		}
	}
	c.near = c.live.neighbourhoods(c.scene)
	return true
}

// run climbs and leaves the best placement in best.
func (c *climb) run(best *attempt, work *budget) {
	desired, _ := c.live.bound(c.scene, func(int32) bool { return true }, 1)
	accepted, now := int64(0), best
	for attempt := int64(0); attempt < tvmAttempts && !work.over(); attempt++ {
		before := now
		if attempt > 0 {
			c.reset(0, c.len())
			if !c.attempt(work) {
				return
			}
			now = c.snapshot(0, c.len(), nil, nil)
			if now.score.compare(best.score) < 0 {
				*best = *now
			}
		}
		total, fits := now.score.sum(), now.score.unplaced == 0
		switch {
		case accepted > 0 && !(fits && (total < accepted || c.daring(total, accepted, attempt))):
			c.exchange()
			now = before
		case fits && total <= desired:
			return
		case fits:
			accepted = total
		}
		c.chooseSwap(now)
	}
}

// sum adds the peaks up.
func (a score) sum() int64 {
	sum := int64(0)
	for _, peak := range a.peaks {
		sum = saturatingAdd(sum, peak, 1)
	}
	return sum
}

// daring decides by chance whether to go on from a placement that is no better, in whole percents.
func (c *climb) daring(total, accepted, attempt int64) bool {
	high, low := bits.Mul64(50, uint64(total-accepted))
	percent, _ := bits.Div64(high, low, uint64(total))
	return c.random.next()%100 < int64(percent)/attempt
}

// exchange swaps the two buffers chosen last.
func (c *climb) exchange() {
	i, j := c.swap[0], c.swap[1]
	c.line[i], c.line[j] = c.line[j], c.line[i]
	c.at[c.line[i]], c.at[c.line[j]] = i, j
}

// mostDraws bounds the search for a second buffer, which TVM draws forever when all of them are the first one.
const mostDraws = 1000

// chooseSwap picks two buffers near one that reaches a peak of the placement and swaps them in the order.
func (c *climb) chooseSwap(now *attempt) {
	highest := c.highest(now)
	if len(highest) == 0 {
		return
	}
	first, second := c.levels(highest[c.random.below(len(highest))])
	if len(first) == 0 {
		return
	}
	one := first[c.random.below(len(first))]
	for range mostDraws {
		other := int32(0)
		if len(second) > 0 && c.random.next()%100 > 25 {
			other = second[c.random.below(len(second))]
		} else {
			other = first[c.random.below(len(first))]
		}
		if other != one {
			c.swap = [2]int32{c.at[one], c.at[other]}
			c.exchange()
			return
		}
		if len(second) < 2 && len(first) < 2 {
			return
		}
	}
}

// highest lists the buffers that reach the peak of their pool, in order.
func (c *climb) highest(now *attempt) []int32 {
	var out []int32
	for _, b := range c.line {
		if k := now.pool[b]; k != nowhere && now.lo[b]+c.size[b] == now.score.peaks[c.slot[k]] {
			out = append(out, b)
		}
	}
	return out
}

// levels lists the neighbours of b that come before it, and the neighbours of each of its neighbours that come before
// that one, both in order; the second list may name a buffer several times.
func (c *climb) levels(b int32) (first, second []int32) {
	for _, x := range c.near[b] {
		if c.at[x] < c.at[b] {
			first = append(first, x)
		}
		for _, y := range c.near[x] {
			if c.at[y] < c.at[x] {
				c.times[c.at[y]]++
			}
		}
	}
	slices.SortFunc(first, func(x, y int32) int { return cmp.Compare(c.at[x], c.at[y]) })
	second = c.second[:0]
	for i, n := range c.times {
		for range n {
			second = append(second, c.line[i])
		}
		c.times[i] = 0
	}
	c.second = second
	return first, second
}
