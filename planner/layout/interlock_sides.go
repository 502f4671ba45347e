package layout

import (
	"cmp"
	"slices"
)

// side is where b may start relative to a, from lo to hi, and by how much one of the two must be raised for it.
type side struct{ lo, hi, rise int64 }

// worst is the pair that clashes whose cheapest side costs the most, with its sides, cheapest first; nil when none clashes.
func (q *interlocking) worst() (*pairing, []side) {
	var worst *pairing
	most := int64(0)
	for i := range q.pairs {
		p := &q.pairs[i]
		if least := p.leastRise(q.low[p.b] - q.low[p.a]); least > most {
			worst, most = p, least
		}
	}
	if worst == nil {
		return nil, nil
	}
	sides := worst.sides(q.low[worst.b] - q.low[worst.a])
	slices.SortStableFunc(sides, func(a, b side) int { return cmp.Compare(a.rise, b.rise) })
	return worst, sides
}

// leastRise is by how much one of the two must be raised at least, 0 when they do not clash.
func (p *pairing) leastRise(distance int64) int64 {
	for _, e := range p.barred {
		if e.lo < distance && distance < e.hi {
			return min(distance-e.lo, e.hi-distance)
		}
	}
	return 0
}

const beyond = maxPeak

// sides lists where b may start relative to a.
func (p *pairing) sides(distance int64) []side {
	out := make([]side, 0, len(p.barred)+1)
	lo := int64(-beyond)
	for _, e := range p.barred {
		out = append(out, side{lo, e.lo, 0})
		lo = e.hi
	}
	out = append(out, side{lo, beyond, 0})
	for i := range out {
		out[i].rise = max(0, out[i].lo-distance, distance-out[i].hi)
	}
	return out
}

// try puts a pair on a side, goes on and takes it back.
func (q *interlocking) try(p *pairing, at side) bool {
	mark, before, after := len(q.raised), len(q.arcs[p.a]), len(q.arcs[p.b])
	if at.lo > -beyond {
		q.arcs[p.a] = append(q.arcs[p.a], arc{p.b, at.lo})
	}
	if at.hi < beyond {
		q.arcs[p.b] = append(q.arcs[p.b], arc{p.a, -at.hi})
	}
	stop := q.relax(p.a, p.b) && q.descend()
	q.arcs[p.a], q.arcs[p.b] = q.arcs[p.a][:before], q.arcs[p.b][:after]
	for i := len(q.raised) - 1; i >= mark; i-- {
		q.low[q.raised[i].b] = q.raised[i].low
	}
	q.raised = q.raised[:mark]
	return stop
}

// mostLooks is how often relax looks at a buffer, in times the number of buffers, where alignments differ.
const mostLooks = 256

// relax raises offsets until they meet all arcs, given that only those of two buffers are new; false when one cannot. With
// one alignment for all, a buffer that is looked at more often than there are buffers is on a cycle that no offsets meet.
// With several it may only be slow: it is raised to the limit, or until the search gives up being exhaustive,
// and such turns cost effort as nodes do.
func (q *interlocking) relax(a, b int32) bool {
	clear(q.queued)
	clear(q.times)
	q.queue = append(q.queue[:0], a, b)
	q.queued[a], q.queued[b] = true, true
	for at := 0; at < len(q.queue); at++ {
		from := q.queue[at]
		q.queued[from] = false
		q.times[from]++
		turns, rest := q.times[from]/(len(q.size)+1), q.times[from]%(len(q.size)+1)
		switch {
		case turns == 0:
		case q.uniform:
			return false
		case turns > mostLooks || q.work.over():
			q.cut = true
			return false
		case rest == 0:
			q.work.spend(len(q.pairs))
		}
		for _, a := range q.arcs[from] {
			low := alignUp(max(0, q.low[from]+a.by), q.align[a.to])
			if low <= q.low[a.to] {
				continue
			}
			if q.pin[a.to] >= 0 || low+q.size[a.to] >= q.limit {
				return false
			}
			q.raised = append(q.raised, raise{a.to, q.low[a.to]})
			q.low[a.to] = low
			if !q.queued[a.to] {
				q.queue, q.queued[a.to] = append(q.queue, a.to), true
			}
		}
	}
	return true
}
