package check

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/diag"
)

// moment is a step of a graph in common time. Stages are the times at which graphs run, one after the other; the steps of
// graphs that may run at the same time lie upon each other.
type moment struct {
	stage int
	step  int64
}

func (m moment) compare(o moment) int {
	return cmp.Or(cmp.Compare(m.stage, o.stage), cmp.Compare(m.step, o.step))
}

// tellTime numbers the moments at which a lifetime starts or ends and gives the residents their times in these numbers.
// What is always live starts before the first and ends after the last.
func (c *checker) tellTime() {
	moments := make([]moment, 0, 2*len(c.residents))
	for i := range c.residents {
		r := &c.residents[i]
		moments = append(moments, moment{c.stages[r.graph], r.t.First}, r.until)
		for _, gap := range r.t.Gaps {
			moments = append(moments, moment{c.stages[r.graph], gap.First}, moment{c.stages[r.graph], gap.Last})
		}
	}
	slices.SortFunc(moments, moment.compare)
	moments = slices.Compact(moments)
	c.moments = moments
	number := func(m moment) int64 {
		i, _ := slices.BinarySearchFunc(moments, m, moment.compare)
		return int64(i)
	}
	for i := range c.residents {
		r := &c.residents[i]
		r.first, r.last = number(moment{c.stages[r.graph], r.t.First}), number(r.until)
		if r.always {
			r.first, r.last = -1, int64(len(moments))+1
		}
		var free []box
		for _, gap := range r.t.Gaps {
			stage := c.stages[r.graph]
			free = append(free, box{r.lo + gap.From, r.lo + gap.To, number(moment{stage, gap.First}), number(moment{stage, gap.Last})})
		}
		r.held = r.box.without(free)
	}
}

// overlaps reports residents that are live together and share bytes, space by space.
func (c *checker) overlaps() {
	var byPlace, of []int
	var boxes []box
	for i := range c.residents {
		for _, held := range c.residents[i].held {
			byPlace, boxes, of = append(byPlace, len(boxes)), append(boxes, held), append(of, i)
		}
	}
	slices.SortStableFunc(byPlace, func(a, b int) int {
		x, y := c.residents[of[a]].space, c.residents[of[b]].space
		return cmp.Or(cmp.Compare(x.pool, y.pool), cmp.Compare(x.image, y.image))
	})
	for from := 0; from < len(byPlace); {
		to := from + 1
		for to < len(byPlace) && c.residents[of[byPlace[to]]].space == c.residents[of[byPlace[from]]].space {
			to++
		}
		collisions(boxes, byPlace[from:to], func(a, b int) {
			if x, y := c.residents[of[a]].t, c.residents[of[b]].t; x.Storage == y.Storage && c.pictures[x] != nil && c.pictures[y] != nil {
				c.report(diag.PlanImageShared, "The tensors %s and %s are in one image while both are live. Plan again.", c.where(x), c.where(y))
				return
			}
			c.report(diag.PlanOverlap, "The tensors %s and %s share bytes while both are live. Plan again.", c.where(c.residents[of[a]].t), c.where(c.residents[of[b]].t))
		})
		from = to
	}
}

// box is the bytes [lo, hi) in the time [first, last).
type box struct{ lo, hi, first, last int64 }

func (b box) empty() bool { return b.lo >= b.hi || b.first >= b.last }

// without cuts other boxes out of a box. What is left comes in order of time, then of bytes; the same bytes at successive times
// are one box. It costs O(n log n) for n others, and for each of their ends as much as there are others at that time.
func (b box) without(others []box) []box {
	others = slices.DeleteFunc(slices.Clone(others), func(o box) bool {
		return box{max(b.lo, o.lo), min(b.hi, o.hi), max(b.first, o.first), min(b.last, o.last)}.empty()
	})
	times := []int64{b.first, b.last}
	for _, o := range others {
		times = append(times, max(o.first, b.first), min(o.last, b.last))
	}
	slices.Sort(times)
	times = slices.Compact(times)
	slices.SortFunc(others, func(x, y box) int { return cmp.Compare(x.first, y.first) })
	var out, open []box
	var last []int // what ended at the present time, in out, by lo
	for i, at := range times[:len(times)-1] {
		open = slices.DeleteFunc(open, func(o box) bool { return o.last <= at })
		for ; len(others) > 0 && others[0].first <= at; others = others[1:] {
			k, _ := slices.BinarySearchFunc(open, others[0].lo, func(o box, lo int64) int { return cmp.Compare(o.lo, lo) })
			open = slices.Insert(open, k, others[0])
		}
		var now []int
		for _, run := range b.beside(open) {
			for len(last) > 0 && out[last[0]].lo < run.lo {
				last = last[1:]
			}
			if len(last) > 0 && out[last[0]].lo == run.lo && out[last[0]].hi == run.hi {
				out[last[0]].last, now = times[i+1], append(now, last[0])
				continue
			}
			now, out = append(now, len(out)), append(out, box{run.lo, run.hi, at, times[i+1]})
		}
		last = now
	}
	return out
}

// beside lists the bytes of a box that none of others has, which are sorted by lo; times are left out.
func (b box) beside(others []box) []box {
	var out []box
	at := b.lo
	for _, o := range append(others[:len(others):len(others)], box{lo: b.hi}) {
		if lo := min(o.lo, b.hi); at < lo {
			out = append(out, box{lo: at, hi: lo})
		}
		at = max(at, o.hi)
	}
	return out
}

// collisions calls found for boxes that overlap in bytes and in time, for one pair at least when there is any.
//
// It sweeps over time. The live boxes are a set ordered by lo: as long as none overlap, a new one can only meet the one
// before it and those that start before its end. It costs O(n log n + collisions).
func collisions(boxes []box, members []int, found func(a, b int)) {
	order := ranked(members, func(i int) int64 { return boxes[i].lo }, func(i int) bool { return !boxes[i].empty() })
	at := func(rank int) *box { return &boxes[order[rank]] }
	starts, ends := byTime(order, func(i int) int64 { return boxes[i].first }), byTime(order, func(i int) int64 { return boxes[i].last })
	live := newRankSet(len(order))
	for _, start := range starts {
		rank := start.is
		b := at(rank)
		for len(ends) > 0 && ends[0].value <= start.value {
			live.remove(ends[0].is)
			ends = ends[1:]
		}
		if before := live.before(rank); before >= 0 && at(before).hi > b.lo {
			found(order[before], order[rank])
		}
		for after := live.after(rank); after >= 0 && at(after).lo < b.hi; after = live.after(after) {
			found(order[rank], order[after])
		}
		live.add(rank)
	}
}

// valued is an index with what it is sorted by: to keep the value beside it spares the sort a look elsewhere in memory.
type valued struct {
	value int64
	is    int
}

func sortValued(list []valued) {
	slices.SortFunc(list, func(a, b valued) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.is, b.is)) })
}

// ranked lists the members that are wanted by value, then by index.
func ranked(members []int, value func(int) int64, wanted func(int) bool) []int {
	list := make([]valued, 0, len(members))
	for _, i := range members {
		if wanted(i) {
			list = append(list, valued{value(i), i})
		}
	}
	sortValued(list)
	out := make([]int, len(list))
	for rank, x := range list {
		out[rank] = x.is
	}
	return out
}

// byTime lists the ranks of order by the value of what stands there.
func byTime(order []int, value func(int) int64) []valued {
	out := make([]valued, len(order))
	for rank, i := range order {
		out[rank] = valued{value(i), rank}
	}
	sortValued(out)
	return out
}
