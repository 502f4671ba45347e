package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// lay is where a tensor lies among the bytes of its base: n rows, each stride bytes after the one before; one row has no stride.
type lay struct{ at, row, stride, n int64 }

// layOf reads the place of a row of the plan. What says of rows that cannot be is one run of all its bytes; see rowsWrong.
func layOf(t *plan.Tensor) lay {
	if t.Rows == nil || rowsWrong(t) {
		return lay{t.ViewOffset, t.Size, 0, 1}
	}
	return lay{t.ViewOffset, t.Rows.Bytes, t.Rows.Stride, t.LogicalSize / t.Rows.Bytes}
}

// rowsWrong reports whether the rows of a tensor do not hold its elements, overlap, or end elsewhere than the tensor does.
func rowsWrong(t *plan.Tensor) bool {
	r := t.Rows
	if r == nil {
		return false
	}
	if t.ViewOf == nil || t.Offset == nil && t.Pool != "" || r.Bytes <= 0 || r.Stride <= r.Bytes || t.LogicalSize/r.Bytes < 2 || t.LogicalSize%r.Bytes != 0 {
		return true
	}
	n := t.LogicalSize / r.Bytes
	return n-1 > (math.MaxInt64-r.Bytes)/r.Stride || (n-1)*r.Stride+r.Bytes != t.Size
}

// part is where a run of a tensor that lies so comes to lie; false when its rows would be broken.
func (l lay) part(r run) (lay, bool) {
	byteAt := func(o int64) int64 { return l.at + o/l.row*l.stride + o%l.row }
	if l.n == 1 {
		byteAt = func(o int64) int64 { return l.at + o }
	}
	whole := l.n == 1 || r.offset%l.row+r.row <= l.row
	switch {
	case r.n == 1 && whole:
		return lay{byteAt(r.offset), r.row, 0, 1}, true
	case r.n == 1 && r.offset%l.row == 0 && r.row%l.row == 0:
		return lay{byteAt(r.offset), l.row, l.stride, r.row / l.row}, true
	case whole && (l.n == 1 || r.stride%l.row == 0):
		return lay{byteAt(r.offset), r.row, byteAt(r.offset+r.stride) - byteAt(r.offset), r.n}, true
	}
	return lay{}, false
}

// extent is a half-open range of bytes.
type extent struct{ lo, hi int64 }

// common are the bytes that two lists have in common, each ascending and disjoint.
func common(a, b []extent) []extent {
	var out []extent
	for len(a) > 0 && len(b) > 0 {
		if e := (extent{max(a[0].lo, b[0].lo), min(a[0].hi, b[0].hi)}); e.lo < e.hi {
			out = append(out, e)
		}
		if a[0].hi < b[0].hi {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}

// beside are the bytes of a that none of others has. Both are ascending, a is disjoint.
func beside(a, others []extent) []extent {
	var out []extent
	for _, e := range a {
		for _, o := range others {
			if o.hi <= e.lo || o.lo >= e.hi {
				continue
			}
			if e.lo < o.lo {
				out = append(out, extent{e.lo, o.lo})
			}
			e.lo = o.hi
		}
		if e.lo < e.hi {
			out = append(out, e)
		}
	}
	return out
}

// mostStrided bounds the rows of one base that are looked at.
const mostStrided = 1 << 22

// sample finds for each base with rows in it which of its bytes to look at. Between the rows that are kept nothing begins and nothing
// ends, so that every period of the strides has the same tensors at the same bytes: what is wrong in one of them is wrong in the
// first and in the last as well, which are kept. It costs O(n log n) for n tensors and gaps of a base.
func (c *checker) sample(pg *planned) {
	pg.seen = map[string][]extent{}
	strided, ends := map[string][]lay{}, map[string][]int64{}
	for _, row := range pg.rows[:len(pg.g.Tensors)] {
		if row == nil {
			continue
		}
		base := baseName(row)
		if l := layOf(row); l.n > 1 {
			strided[base] = append(strided[base], l)
		}
		ends[base] = append(ends[base], row.ViewOffset, row.ViewOffset+row.Size)
		for _, gap := range row.Gaps {
			ends[base] = append(ends[base], gap.From, gap.To)
		}
	}
	for base, lays := range strided {
		pg.seen[base] = keptOf(zonesOf(lays), ends[base])
	}
	for _, row := range pg.rows[:len(pg.g.Tensors)] {
		if row != nil && row.ViewOf == nil && rowsAmong(strided[row.Name], pg.seen[row.Name]) > mostStrided {
			pg.seen[row.Name] = []extent{}
			c.report(diag.PlanViewIllegal, "The views of %s have rows of so many different strides that lie between one another that it is not known whether they share bytes. Plan again.", c.where(row))
		}
	}
}

// rowsAmong is about how many rows there are among the bytes that are looked at.
func rowsAmong(lays []lay, kept []extent) int64 {
	total := int64(0)
	for _, l := range lays {
		hi := l.at + (l.n-1)*l.stride + l.row
		for _, k := range kept {
			if lo, hi := max(k.lo, l.at), min(k.hi, hi); lo < hi {
				total = min(total+(hi-lo)/l.stride+1, mostStrided+1)
			}
		}
	}
	return total
}

// zone is bytes in which rows repeat.
type zone struct {
	extent
	period int64
}

// zonesOf joins rows that lie between one another: they repeat after the least common multiple of their strides, or, where that is
// as long as the zone, not at all.
func zonesOf(lays []lay) []zone {
	slices.SortFunc(lays, func(a, b lay) int { return cmp.Compare(a.at, b.at) })
	var out []zone
	for _, l := range lays {
		hi := l.at + (l.n-1)*l.stride + l.row
		last := len(out) - 1
		if last < 0 || l.at >= out[last].hi {
			out = append(out, zone{extent{l.at, hi}, l.stride})
			continue
		}
		z := &out[last]
		z.hi = max(z.hi, hi)
		a, b := z.period, l.stride
		for b != 0 {
			a, b = b, a%b
		}
		z.period = product(z.period/a, l.stride)
	}
	return out
}

// keptOf lists, ascending, the bytes outside of the zones and the periods of each zone near to where something begins or ends.
func keptOf(zones []zone, ends []int64) []extent {
	var out []extent
	at := int64(0)
	for _, z := range zones {
		if at < z.lo {
			out = append(out, extent{at, z.lo})
		}
		var periods []int64
		last := (z.hi - z.lo - 1) / z.period
		for _, end := range ends {
			k := (min(max(end, z.lo), z.hi) - z.lo) / z.period
			periods = append(periods, max(0, k-1), min(k, last), min(k+1, last))
		}
		slices.Sort(periods)
		for _, k := range slices.Compact(periods) {
			lo := z.lo + k*z.period
			if e := (extent{lo, lo + min(z.period, z.hi-lo)}); e.lo < e.hi {
				out = append(out, e)
			}
		}
		at = z.hi
	}
	return append(out, extent{at, math.MaxInt64})
}

// extents are the bytes of a tensor in its base, of those that are looked at, ascending.
func (pg *planned) extents(id graph.TensorID) []extent {
	row := pg.rows[id]
	kept := pg.seen[baseName(row)]
	l := layOf(row)
	if kept == nil {
		return []extent{{l.at, l.at + l.row}}
	}
	var out []extent
	for _, k := range kept {
		i := int64(0)
		if l.n > 1 {
			i = max(0, (k.lo-l.at-l.row)/l.stride)
		}
		for ; i < l.n && l.at+i*l.stride < k.hi; i++ {
			if e := (extent{max(k.lo, l.at+i*l.stride), min(k.hi, l.at+i*l.stride+l.row)}); e.lo < e.hi {
				out = append(out, e)
			}
		}
	}
	return out
}
