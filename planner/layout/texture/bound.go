package texture

import (
	"cmp"
	"slices"
)

// mostWork bounds the work of the positional bounds: images times levels times bands. Beyond that, fewer bands are looked
// at, and for the levels themselves the largest sum of live bytes stands in.
const mostWork = 1 << 22

// floor is what is known of the storages of some images before any is made.
//
// Images live at once stand in different storages, and each storage is as large as its images: so the i-th largest
// storage is at least as large as the i-th largest live image at any step, and the sum over i of the maxima over the steps
// is a lower bound, at least as high as the largest sum of live bytes. It knows sizes only. A profile knows sides: of the
// storages as high as y and higher, the i-th widest is at least as wide as the i-th widest live image that is as high as
// y, and the bytes of all storages are the sum over all rows y of the widths of the storages that have that row.
type floor struct {
	// levels are the least sizes of the storages, largest first; their number is the fewest storages.
	levels []int64
	// rows cuts the storages into rows, columns into columns a byte wide.
	rows, columns profile
}

// profile is a storage's least extents across, for each band along the other axis.
type profile []band

// band is a range along one axis that every storage of at least from along it fills, thick long.
type band struct {
	from, thick int64
	// levels are the least extents across of the storages in the band, largest first.
	levels []int64
}

func (s *scene) floor(g *group, members []int32) *floor {
	w := newSweep(s, members)
	n := len(members)
	bytes, row, height := make([]int64, n), make([]int64, n), make([]int64, n)
	for k, i := range members {
		im := &s.p.Images[i]
		bytes[k], height[k] = g.bytes(im.Width, im.Height), im.Height
		row[k] = bytes[k] / im.Height
	}
	work := int64(n) * int64(w.most)
	if work > mostWork {
		out := make([]int64, w.most)
		out[0] = w.heaviest(bytes)
		return &floor{levels: out}
	}
	return &floor{levels: w.levels(bytes, bytes, 0), rows: w.profile(height, row, work), columns: w.profile(row, height, work)}
}

// profile cuts along one measure and takes the levels of the other.
func (w *sweep) profile(along, across []int64, work int64) profile {
	cuts := slices.Clone(along)
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	step := 1 + int(int64(len(cuts))*work/mostWork)
	var out profile
	for below := int64(0); len(cuts) > 0; {
		k := (len(cuts) - 1) % step
		out = append(out, band{from: cuts[k], thick: cuts[k] - below, levels: w.levels(across, along, cuts[k])})
		below, cuts = cuts[k], cuts[k+1:]
	}
	return out
}

// bound is the best lower bound of the sum of the storages.
func (f *floor) bound() int64 {
	out := int64(0)
	for _, size := range f.levels {
		out = add(out, size)
	}
	return max(out, f.rows.above(nil), f.columns.above(nil))
}

// extent is the sides of a present storage as a profile sees them.
type extent struct{ along, across int64 }

// above is a lower bound of the sum of all storages that the present ones, which can only grow and become more, lead to.
// It sorts them.
func (p profile) above(present []extent) int64 {
	slices.SortFunc(present, func(a, b extent) int { return cmp.Compare(b.across, a.across) })
	out := int64(0)
	for i := range p {
		b := &p[i]
		filled, k := int64(0), 0
		for _, e := range present {
			if e.along < b.from {
				continue
			}
			if k < len(b.levels) {
				filled += max(e.across, b.levels[k])
			} else {
				filled += e.across
			}
			k++
		}
		for ; k < len(b.levels); k++ {
			filled += b.levels[k]
		}
		out = add(out, multiply(filled, b.thick))
	}
	return out
}
