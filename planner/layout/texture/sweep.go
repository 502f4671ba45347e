package texture

import (
	"cmp"
	"slices"
)

// sweep walks over the starts and ends of a group's images in order of time, ends first at equal steps. Images are known
// by their position in the group.
type sweep struct {
	first, last  []int64
	starts, ends []int32
	// most is the largest number of images live at once.
	most int
}

func newSweep(s *scene, members []int32) *sweep {
	n := len(members)
	w := &sweep{first: make([]int64, n), last: make([]int64, n), starts: make([]int32, n), ends: make([]int32, n)}
	for k, i := range members {
		live := s.p.Images[i].Live
		w.first[k], w.last[k], w.starts[k], w.ends[k] = live.First, live.Last, int32(k), int32(k)
	}
	slices.SortFunc(w.starts, func(a, b int32) int { return cmp.Or(cmp.Compare(w.first[a], w.first[b]), cmp.Compare(a, b)) })
	slices.SortFunc(w.ends, func(a, b int32) int { return cmp.Or(cmp.Compare(w.last[a], w.last[b]), cmp.Compare(a, b)) })
	live := 0
	w.each(func(_ int32, starts bool) {
		if starts {
			live++
		} else {
			live--
		}
		w.most = max(w.most, live)
	})
	return w
}

// each calls visit for each start, and for each end that comes before a start.
func (w *sweep) each(visit func(k int32, starts bool)) {
	ended := 0
	for _, k := range w.starts {
		for w.last[w.ends[ended]] <= w.first[k] {
			visit(w.ends[ended], false)
			ended++
		}
		visit(k, true)
	}
}

// levels returns as entry i the most that the i-th largest value among live images is at any step. Images that are below
// from along some measure do not count. It costs O(images · levels).
func (w *sweep) levels(values, along []int64, from int64) []int64 {
	var out, live []int64
	w.each(func(k int32, starts bool) {
		if along[k] < from {
			return
		}
		at, _ := slices.BinarySearchFunc(live, values[k], func(a, b int64) int { return cmp.Compare(b, a) })
		if !starts {
			live = slices.Delete(live, at, at+1)
			return
		}
		live = slices.Insert(live, at, values[k])
		if len(live) > len(out) {
			out = append(out, 0)
		}
		for i := at; i < len(live); i++ {
			out[i] = max(out[i], live[i])
		}
	})
	return out
}

// heaviest returns the largest sum of live values.
func (w *sweep) heaviest(values []int64) int64 {
	now, out := int64(0), int64(0)
	w.each(func(k int32, starts bool) {
		if starts {
			now += values[k]
		} else {
			now -= values[k]
		}
		out = max(out, now)
	})
	return out
}
