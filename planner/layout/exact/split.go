package exact

// part is a range of the engine's order whose buffers conflict with no other unplaced buffer.
type part struct{ from, to int }

// descend solves what is left, order[from:to], after order[from-1] was placed. Where no hull of an unplaced buffer crosses
// from one section to the next, the two sides are solved one by one, the smaller first.
func (e *engine) descend(from, to int) verdict {
	base := len(e.parts)
	if to-from < 2 || !e.split(from, to, e.hull[e.order[from-1]]) {
		return e.solve(from, to)
	}
	v := found
	for k := base; k < len(e.parts) && v == found; k++ {
		v = e.solvePart(e.parts[k])
	}
	e.parts = e.parts[:base]
	return v
}

// solvePart solves a part by itself, with ranks of its own when the order asks for them.
func (e *engine) solvePart(p part) verdict {
	if !e.again {
		return e.solve(p.from, p.to)
	}
	base := len(e.ranks)
	for _, b := range e.order[p.from:p.to] {
		e.ranks = append(e.ranks, b, e.rank[b])
	}
	e.ranking.sort(e.order[p.from:p.to], e.total, e.rank)
	v := e.solve(p.from, p.to)
	for i := base; i < len(e.ranks); i += 2 {
		e.rank[e.ranks[i]] = e.ranks[i+1]
	}
	e.ranks = e.ranks[:base]
	return v
}

// split sorts order[from:to] into parts and pushes them; false when there is but one. New gaps can only be inside the hull
// of the buffer just placed. O(hull + buffers).
func (e *engine) split(from, to int, hull run) bool {
	group := e.scratch[:hull.hi-hull.lo+1]
	groups := int32(0)
	for i := range group {
		group[i] = groups
		if at := hull.lo + int32(i); at < hull.hi && e.crossing[at] == 0 {
			groups++
		}
	}
	if groups == 0 {
		return false
	}
	base := len(e.parts)
	for range groups + 1 {
		e.parts = append(e.parts, part{})
	}
	e.gather(from, to, e.parts[base:], func(b int32) int32 {
		return group[min(max(e.hull[b].lo, hull.lo), hull.hi)-hull.lo]
	})
	return e.keepParts(base)
}

// gather moves the buffers of each group together and fills in the groups' ranges.
func (e *engine) gather(from, to int, parts []part, group func(int32) int32) {
	for _, b := range e.order[from:to] {
		parts[group(b)].to++
	}
	start := from
	for i := range parts {
		parts[i].from, parts[i].to, start = start, start, start+parts[i].to
	}
	moved := e.moved[:to-from]
	for _, b := range e.order[from:to] {
		p := &parts[group(b)]
		moved[p.to-from] = b
		p.to++
	}
	copy(e.order[from:to], moved)
}

// keepParts drops empty parts and sorts the others by length; false, with none left on the stack, when there is but one.
func (e *engine) keepParts(base int) bool {
	kept := e.parts[:base]
	for _, p := range e.parts[base:] {
		if p.from < p.to {
			kept = append(kept, p)
		}
	}
	e.parts = kept
	if len(kept) < base+2 {
		e.parts = kept[:base]
		return false
	}
	for i := base + 1; i < len(kept); i++ {
		for k := i; k > base && kept[k].to-kept[k].from < kept[k-1].to-kept[k-1].from; k-- {
			kept[k], kept[k-1] = kept[k-1], kept[k]
		}
	}
	return true
}
