package texture

import (
	"cmp"
	"slices"
)

// mostLevels bounds the work of the positional bound: images times the most that are live at once.
const mostLevels = 1 << 26

// levels returns the least sizes of the storages of a group's images, largest first: entry i is the largest that the
// i-th largest live image is at any step. Images live at once stand in different storages and each storage is as large
// as its images, so in any solution the i-th largest storage is at least that. Their sum is a lower bound at least as
// high as the largest sum of live bytes. The number of levels is the fewest storages. It costs O(images · levels); when
// that is beyond reason, the sizes of the step with the largest sum stand in.
func (s *scene) levels(g *group, members []int32) []int64 {
	sweep := newSweep(s, g, members)
	var out []int64
	if int64(len(members))*int64(sweep.most) > mostLevels {
		return sweep.heaviest()
	}
	var live []int64
	sweep.each(func(size int64, starts bool) {
		at, _ := slices.BinarySearchFunc(live, size, func(a, b int64) int { return cmp.Compare(b, a) })
		if !starts {
			live = slices.Delete(live, at, at+1)
			return
		}
		live = slices.Insert(live, at, size)
		if len(live) > len(out) {
			out = append(out, 0)
		}
		for i := at; i < len(live); i++ {
			out[i] = max(out[i], live[i])
		}
	})
	return out
}

// sweep walks over the starts and ends of images in order of time, ends first at equal steps.
type sweep struct {
	starts, ends []event
	// most is the largest number of images live at once.
	most int
}

type event struct{ step, size int64 }

func newSweep(s *scene, g *group, members []int32) *sweep {
	w := &sweep{starts: make([]event, len(members)), ends: make([]event, len(members))}
	for k, i := range members {
		im := &s.p.Images[i]
		size := g.bytes(im.Width, im.Height)
		w.starts[k], w.ends[k] = event{im.Live.First, size}, event{im.Live.Last, size}
	}
	byStep := func(a, b event) int { return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.size, b.size)) }
	slices.SortFunc(w.starts, byStep)
	slices.SortFunc(w.ends, byStep)
	live := 0
	w.each(func(_ int64, starts bool) {
		if starts {
			live++
		} else {
			live--
		}
		w.most = max(w.most, live)
	})
	return w
}

// each calls visit for each start and end.
func (w *sweep) each(visit func(size int64, starts bool)) {
	ended := 0
	for _, start := range w.starts {
		for w.ends[ended].step <= start.step {
			visit(w.ends[ended].size, false)
			ended++
		}
		visit(start.size, true)
	}
}

// heaviest returns the largest sum of live sizes as the first of as many levels as images are live at once at most.
func (w *sweep) heaviest() []int64 {
	out, total := make([]int64, w.most), int64(0)
	w.each(func(size int64, starts bool) {
		if !starts {
			size = -size
		}
		total += size
		out[0] = max(out[0], total)
	})
	return out
}

func total(sizes []int64) int64 {
	out := int64(0)
	for _, n := range sizes {
		out = add(out, n)
	}
	return out
}
