package exact

// verdict is how the search of a part ended.
type verdict uint8

const (
	failed verdict = iota
	found
	stopped
)

// position is a point of the canonical order: an offset, then a rank.
type position struct {
	offset int64
	rank   int32
}

func (p position) before(q position) bool {
	return p.offset < q.offset || p.offset == q.offset && p.rank < q.rank
}

// solve places the unplaced buffers order[from:to], which conflict with no other unplaced ones. It branches on the
// candidate that comes first in canonical order: it stands at its low, or, when that is refuted, it does not.
func (e *engine) solve(from, to int) verdict {
	if from == to {
		return found
	}
	mark := len(e.log)
	at, ceiling, key := e.survey(from, to)
	if e.cache.refuted(key) {
		return failed
	}
	for ; at != none; at = e.next(from, to, ceiling) {
		if e.nodes++; e.nodes >= e.allowance && !e.pause() {
			return stopped
		}
		b := e.order[at]
		if e.clears(b) {
			here := len(e.log)
			if e.place(b) {
				e.order[at], e.order[from] = e.order[from], b
				if v := e.descend(from+1, to); v != failed {
					return v
				}
			}
			e.undo(here)
		}
		if !e.exclude(b) {
			break
		}
	}
	e.undo(mark)
	e.cache.refute(key)
	return failed
}

// survey finds the first candidate, the ceiling and the key of a part. Some buffer fits wholly below the ceiling, so the
// lowest one to come stands below it: otherwise that buffer could move under everything else.
func (e *engine) survey(from, to int) (at int, ceiling int64, k key) {
	best := position{far, none}
	at, ceiling = none, far
	for i, b := range e.order[from:to] {
		low := e.low[b]
		ceiling = min(ceiling, low+e.size[b])
		open := e.least[b] == low
		k.add(b, low, open)
		if open && low <= best.offset && e.leads(position{low, e.rank[b]}, best, b) {
			best, at = position{low, e.rank[b]}, from+i
		}
	}
	if best.offset >= ceiling {
		at = none
	}
	return at, ceiling, k
}

// leads says that b at position p comes before best, and not before its twin.
func (e *engine) leads(p, best position, b int32) bool {
	return p.before(best) && (e.twin[b] == none || e.placed(e.twin[b]))
}

// next is where in the order the first candidate is, or none: below the ceiling, not known to stand above its low, and
// not before its twin.
func (e *engine) next(from, to int, ceiling int64) int {
	best, at := position{ceiling, none}, none
	for i, b := range e.order[from:to] {
		low := e.low[b]
		if low > best.offset || e.least[b] > low {
			continue
		}
		if p := (position{low, e.rank[b]}); e.leads(p, best, b) {
			best, at = p, from+i
		}
	}
	return at
}

// exclude records that b does not stand at its low; false when it then fits nowhere. It must rest on an unplaced conflict,
// and no unplaced buffer is below b's low, for b came first.
func (e *engine) exclude(b int32) bool {
	if e.pin[b] != none {
		return false
	}
	level, least := e.low[b], int64(far)
	for _, other := range e.conflicts.row(b) {
		least = min(least, max(e.least[other], level)+e.size[other])
	}
	if least > e.limit[b] {
		return false
	}
	least = alignUp(least, e.align[b])
	if least > e.limit[b] {
		return false
	}
	e.log = append(e.log, change{e.low[b], e.least[b], b, raising})
	e.least[b] = least
	e.doubt(b)
	return e.renew(true)
}
