package texture

import "math"

// lower is a lower bound of what the present slots lead to. It stops at the first one that is high enough.
func (x *search) lower(i int) int64 {
	out := x.now
	for _, j := range x.wide[i] {
		out = max(out, add(x.now, x.need(&x.images[j])))
	}
	if out >= x.limit {
		return out
	}
	x.sizes = x.sizes[:0]
	for k := range x.slots {
		x.sizes = append(x.sizes, extent{along: 1, across: x.slots[k].bytes})
	}
	out = max(out, profile{{from: 1, thick: 1, levels: x.floor.levels}}.above(x.sizes))
	if out >= x.limit {
		return out
	}
	x.work.look((len(x.floor.rows) + len(x.floor.columns)) * len(x.slots) / 4)
	for k := range x.slots {
		x.sizes[k] = extent{x.slots[k].height, x.slots[k].bytes / x.slots[k].height}
	}
	out = max(out, x.floor.rows.above(x.sizes))
	if out >= x.limit {
		return out
	}
	for k := range x.slots {
		x.sizes[k] = extent{x.slots[k].bytes / x.slots[k].height, x.slots[k].height}
	}
	return max(out, x.floor.columns.above(x.sizes))
}

// need is the least growth by which an image can still be stored: in a slot that is not in use when it starts, or in a
// new one.
func (x *search) need(c *candidate) int64 {
	least := int64(math.MaxInt64)
	if int64(len(x.slots)) < x.most {
		least = c.own
	}
	for k := range x.slots {
		if s := &x.slots[k]; s.until <= c.first {
			least = min(least, x.growth(s, c))
		}
	}
	return least
}
