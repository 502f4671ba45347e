package check

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// demand is bytes [from, to) of a base that somebody needs up to the step last.
type demand struct{ from, to, last int64 }

// demands lists for each tensor until when its bytes are needed, by itself or by the tensors that show them: those need their
// own bytes of it only. They are ascending and disjoint. It costs O(n log n) for n demands.
func (pg *planned) demands(own []box) [][]demand {
	out := make([][]demand, len(pg.g.Tensors))
	for i := range out {
		if row := pg.rows[i]; row != nil && !own[i].empty() {
			for _, e := range pg.extents(graph.TensorID(i)) {
				out[i] = append(out[i], demand{e.lo, e.hi, own[i].last})
			}
		}
	}
	for _, id := range pg.lastWrittenFirst() {
		out[id] = latest(out[id])
		for _, source := range pg.shown[id] {
			theirs := pg.extents(source)
			for _, d := range out[id] {
				for _, e := range common([]extent{{d.from, d.to}}, theirs) {
					out[source] = append(out[source], demand{e.lo, e.hi, d.last})
				}
			}
		}
	}
	for i := range out {
		out[i] = latest(out[i])
	}
	return out
}

// latest keeps of demands that overlap the one that lasts longest.
func latest(list []demand) []demand {
	if len(list) < 2 {
		return list
	}
	var cuts []int64
	for _, d := range list {
		cuts = append(cuts, d.from, d.to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	// last is what each run between two cuts is needed to, -1 as long as that is not known; next leads to the first such run
	// from each on.
	last, next := make([]int64, len(cuts)), make([]int, len(cuts))
	for i := range next {
		last[i], next[i] = -1, i
	}
	open := func(i int) int {
		for next[i] != i {
			next[i] = next[next[i]]
			i = next[i]
		}
		return i
	}
	slices.SortFunc(list, func(a, b demand) int { return cmp.Or(cmp.Compare(b.last, a.last), cmp.Compare(a.from, b.from)) })
	for _, d := range list {
		from, _ := slices.BinarySearch(cuts, d.from)
		for i := open(from); cuts[i] < d.to; i = open(i) {
			last[i], next[i] = d.last, i+1
		}
	}
	var out []demand
	for i := range len(cuts) - 1 {
		switch n := len(out) - 1; {
		case last[i] < 0:
		case n >= 0 && out[n].to == cuts[i] && out[n].last == last[i]:
			out[n].to = cuts[i+1]
		default:
			out = append(out, demand{cuts[i], cuts[i+1], last[i]})
		}
	}
	return out
}

// needed are the bytes of a tensor that its own op writes and somebody needs, each as long as that.
func (pg *planned) needed(id graph.TensorID, first int64, demands []demand) []content {
	var out []content
	for _, d := range demands {
		for _, x := range pg.written(id, pg.shown[id], box{first: first, last: d.last}) {
			if x.lo, x.hi = max(x.lo, d.from), min(x.hi, d.to); x.lo < x.hi {
				out = append(out, x)
			}
		}
	}
	return out
}
