package exact

// none marks the absence of an index or a pin.
const none = -1

// run is an inclusive range of sections [lo, hi].
type run struct{ lo, hi int32 }

// model is one connected part of a problem, in the units of the search. It never changes once built.
//
// A section is a set of buffers that conflict pairwise; each conflict lies in at least one section. With lifetimes a
// section is a span of time with a constant live set that is part of no other, in order of time.
type model struct {
	// unit is how many bytes a unit has.
	unit int64
	// bytes is each buffer's size; size the same in units, rounded up to what an offset above it can be a multiple of.
	bytes, size []int64
	// align is what the offset is a multiple of, in units; pin the fixed offset in units, or none; hint the wanted offset
	// in bytes, or NoHint.
	align, pin, hint []int64
	// grain is the alignment in bytes, as given.
	grain []int64
	// span is how long each buffer is live and when it starts and ends; they serve orders alone.
	span, start, end []int64
	// id is the buffer's index in the problem.
	id []int32
	// conflicts lists each buffer's conflicts, members each section's buffers; both ascending.
	conflicts, members lists
	// meets is conflicts as sets.
	meets []bits
	// runs lists each buffer's sections as ranges, ascending; hull is the range from the first to the last.
	runs [][]run
	hull []run
	// twin is the buffer before this one that is interchangeable with it, or none.
	twin []int32
}

// lists are slices of indexes in one array: row i is flat[at[i]:at[i+1]].
type lists struct{ at, flat []int32 }

func (l *lists) row(i int32) []int32 { return l.flat[l.at[i]:l.at[i+1]] }

// reserve makes room for that many rows of that many indexes in all.
func (l *lists) reserve(rows, total int) {
	l.at, l.flat = append(make([]int32, 0, rows+1), 0), make([]int32, 0, total)
}

func (l *lists) add(row []int32) {
	l.flat = append(l.flat, row...)
	l.at = append(l.at, int32(len(l.flat)))
}

func (l *lists) rows() int { return max(0, len(l.at)-1) }

func (m *model) len() int { return len(m.size) }

// newModel builds the model of the buffers ids, which conflict with no others, from their sections. O(n² + total size of the
// sections).
func newModel(p *Problem, ids []int32, sections [][]int32) *model {
	m := &model{id: ids}
	for _, id := range ids {
		b := &p.Buffers[id]
		m.bytes, m.align = append(m.bytes, b.Size), append(m.align, max(1, b.Alignment))
		pin := int64(none)
		if b.Pinned {
			pin = b.Offset
		}
		m.pin, m.hint = append(m.pin, pin), append(m.hint, b.Hint)
	}
	m.scale()
	m.index(sections)
	m.measure(p)
	m.linkTwins()
	return m
}

// measure fills in the spans of time; with explicit conflicts, sections stand in for time.
func (m *model) measure(p *Problem) {
	for b, id := range m.id {
		live := merged(p.Buffers[id].Live)
		if p.Conflicts != nil || len(live) == 0 {
			live = nil
			for _, r := range m.runs[b] {
				live = append(live, Span{int64(r.lo), int64(r.hi) + 1})
			}
		}
		span := int64(0)
		for _, s := range live {
			span += s.Last - s.First
		}
		m.span, m.start, m.end = append(m.span, span), append(m.start, live[0].First), append(m.end, live[len(live)-1].Last)
	}
}

// consistent says that the pins are aligned and do not overlap each other: otherwise no capacity is enough.
func (m *model) consistent() bool {
	for b, pin := range m.pin {
		if pin == none {
			continue
		}
		if pin*m.unit%m.grain[b] != 0 {
			return false
		}
		for _, other := range m.conflicts.row(int32(b)) {
			at := m.pin[other]
			if at != none && at*m.unit < pin*m.unit+m.bytes[b] && pin*m.unit < at*m.unit+m.bytes[other] {
				return false
			}
		}
	}
	return true
}

// holds says that the offsets, in bytes by the model's numbers, are a placement.
func (m *model) holds(offsets []int64) bool {
	for b, at := range offsets {
		if at < 0 || at%m.grain[b] != 0 || m.pin[b] != none && at != m.pin[b]*m.unit {
			return false
		}
		for _, other := range m.conflicts.row(int32(b)) {
			if int(other) < b && at < offsets[other]+m.bytes[other] && offsets[other] < at+m.bytes[b] {
				return false
			}
		}
	}
	return true
}

// peak is max(offset+size) in bytes.
func (m *model) peak(offsets []int64) int64 {
	peak := int64(0)
	for b, at := range offsets {
		peak = max(peak, at+m.bytes[b])
	}
	return peak
}
