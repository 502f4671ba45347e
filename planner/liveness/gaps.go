package liveness

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// Gap is a half-open range of steps [First, Last) in which the bytes [From, To) of a buffer hold nothing that is needed.
type Gap struct{ First, Last, From, To int64 }

const (
	// keptGaps is how many gaps of a buffer are kept, those that free the most. It is far below what plans may hold: the
	// layout compares the gaps of every two buffers that meet.
	keptGaps = 128
	// mostCrossings bounds the work for one buffer, in runs of bytes times the tensors that hold them.
	mostCrossings = 1 << 22
)

// life is a half-open range of steps.
type life struct{ first, last int64 }

// gaps finds which bytes of a buffer are dead at times within its life: each member needs its own bytes in its own life, from
// the step that writes it to the last that reads it. It costs O(k log k) for the k runs of bytes between the ends of
// members, each counted as often as members hold it.
func (a *analysis) gaps(base graph.TensorID, size int64) []Gap {
	if len(a.members[base]) < 2 || size <= 0 {
		return nil
	}
	cuts, members := a.cuts(base)
	lives := make([][]life, len(members))
	for k, list := range members {
		for _, id := range list {
			lives[k] = append(lives[k], life{a.ownFirst[id], a.ownLast[id]})
		}
	}
	return largest(joined(cuts, lives, life{a.first[base], a.last[base]}))
}

// cuts are the bytes of a base at which one of its members starts or ends, ascending, and between each two of them the members
// that hold what lies there. A base of too many pieces counts as one, which all members hold.
func (a *analysis) cuts(base graph.TensorID) ([]int64, [][]graph.TensorID) {
	all := slices.DeleteFunc(slices.Clone(a.members[base]), func(id graph.TensorID) bool { return !a.used[id] })
	size := max(0, a.bytes(base))
	cuts := []int64{0, size}
	for _, id := range all {
		cuts = append(cuts, a.held[id].from, a.held[id].to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) < 2 {
		return []int64{0, 0}, [][]graph.TensorID{all}
	}
	members, crossings := make([][]graph.TensorID, len(cuts)-1), 0
	for _, id := range all {
		from, _ := slices.BinarySearch(cuts, a.held[id].from)
		to, _ := slices.BinarySearch(cuts, a.held[id].to)
		if crossings += to - from; crossings > mostCrossings {
			return []int64{0, size}, [][]graph.TensorID{all}
		}
		for k := from; k < to; k++ {
			members[k] = append(members[k], id)
		}
	}
	return cuts, members
}

// joined lists the times within the whole in which each run of bytes is dead; neighbours that are dead at the same times are
// one gap.
func joined(cuts []int64, lives [][]life, whole life) []Gap {
	var out []Gap
	var open []life
	from := int64(0)
	flush := func(to int64) {
		for _, dead := range open {
			out = append(out, Gap{dead.first, dead.last, from, to})
		}
	}
	for k, list := range lives {
		dead := deaths(list, whole)
		if k > 0 && slices.Equal(dead, open) {
			continue
		}
		flush(cuts[k])
		open, from = dead, cuts[k]
	}
	flush(cuts[len(cuts)-1])
	return out
}

// deaths is the whole without the lives, which it sorts.
func deaths(lives []life, whole life) []life {
	slices.SortFunc(lives, func(a, b life) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last)) })
	var out []life
	at := whole.first
	for _, l := range lives {
		if at < l.first {
			out = append(out, life{at, l.first})
		}
		at = max(at, l.last)
	}
	if at < whole.last {
		out = append(out, life{at, whole.last})
	}
	return out
}

// largest keeps the gaps that free the most bytes for the most steps, in order of their first step and byte.
func largest(gaps []Gap) []Gap {
	if len(gaps) > keptGaps {
		slices.SortStableFunc(gaps, func(a, b Gap) int { return cmp.Compare(b.freed(), a.freed()) })
		gaps = gaps[:keptGaps]
	}
	slices.SortFunc(gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.From, b.From), cmp.Compare(a.Last, b.Last))
	})
	return gaps
}

// freed is bytes times steps, which only serves to compare.
func (g Gap) freed() float64 { return float64(g.To-g.From) * float64(g.Last-g.First) }
