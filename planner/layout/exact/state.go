package exact

import "math"

// far is above every offset.
const far = math.MaxInt64

// state is a partial placement with everything the search derives from it, and a log to take steps back. No step
// allocates once the log has grown.
type state struct {
	*model
	// room is the capacity in units; limit the highest offset at which each buffer still fits.
	room  int64
	limit []int64
	// low is the lowest offset a buffer can stand at above those placed; once it is placed, its offset.
	low []int64
	// least is a proved lower bound of the buffer's offset, low at least. It is above low while the buffer is known not
	// to stand at low.
	least  []int64
	placed []bool
	// total is each section's unplaced bytes, in units; floor the least of its unplaced buffers' least, far when none is
	// left. crossing counts the unplaced buffers whose hull has both section i and i+1.
	total, floor []int64
	crossing     []int32
	log          []change
	stale        []int32
	isStale      []bool
}

// change is one entry of the log. Of kind placing, at is a buffer; of kind raising, at is a buffer with its former low and
// least; of kind flooring, at is a section with its former floor in low.
type change struct {
	low, least int64
	at         int32
	kind       uint8
}

const (
	placing uint8 = iota
	raising
	flooring
)

// newState is the empty placement. O(n · sections).
func newState(m *model, room int64, limit []int64) *state {
	n, sections := m.len(), m.members.rows()
	s := &state{
		model: m, room: room, limit: limit,
		low: make([]int64, n), least: make([]int64, n), placed: make([]bool, n),
		total: make([]int64, sections), floor: make([]int64, sections), crossing: make([]int32, sections),
		isStale: make([]bool, sections),
	}
	for b := range n {
		if m.pin[b] != none {
			s.low[b], s.least[b] = m.pin[b], m.pin[b]
		}
		for i := m.hull[b].lo; i < m.hull[b].hi; i++ {
			s.crossing[i]++
		}
	}
	for i := range int32(sections) {
		s.floor[i] = far
		for _, b := range m.members.row(i) {
			s.total[i] += m.size[b]
			s.floor[i] = min(s.floor[i], s.least[b])
		}
	}
	return s
}

// fits says that no section and no buffer is over the capacity to begin with.
func (s *state) fits() bool {
	for i, total := range s.total {
		if total > 0 && s.floor[i]+total > s.room {
			return false
		}
	}
	for b, low := range s.low {
		if low > s.limit[b] {
			return false
		}
	}
	return true
}

// place puts b at its low and derives what follows; false when something cannot fit any more. The caller undoes it in
// either case. O(sections of b + conflicts of b · their sections).
func (s *state) place(b int32) bool {
	top := s.low[b] + s.size[b]
	s.placed[b] = true
	s.log = append(s.log, change{at: b, kind: placing})
	ok := s.leaveSections(b, top)
	if ok {
		for _, other := range s.conflicts.row(b) {
			if s.low[other] < top && !s.placed[other] && !s.raise(other, top) {
				ok = false
				break
			}
		}
	}
	return s.settle(ok)
}

// leaveSections takes b out of the unplaced totals. Everything left in its sections is above top.
func (s *state) leaveSections(b int32, top int64) bool {
	ok, size := true, s.size[b]
	for _, r := range s.runs[b] {
		for i := r.lo; i <= r.hi; i++ {
			s.total[i] -= size
			if s.total[i] > s.room-top {
				ok = ok && s.total[i] == 0
			}
			s.touch(i)
		}
	}
	for i := s.hull[b].lo; i < s.hull[b].hi; i++ {
		s.crossing[i]--
	}
	return ok
}

func (s *state) touch(section int32) {
	if !s.isStale[section] {
		s.isStale[section] = true
		s.stale = append(s.stale, section)
	}
}

// raise lifts b's low to top at least, as its step asks; false when b cannot stand there.
func (s *state) raise(b int32, top int64) bool {
	if s.pin[b] != none {
		return top <= s.pin[b]
	}
	top = alignUp(top, s.align[b])
	if top > s.limit[b] {
		return false
	}
	was := s.least[b]
	s.log = append(s.log, change{s.low[b], was, b, raising})
	s.low[b] = top
	if top > was {
		s.least[b] = top
		s.touchFloors(b, was)
	}
	return true
}

// touchFloors marks the sections whose floor rested on b at offset was.
func (s *state) touchFloors(b int32, was int64) {
	for _, r := range s.runs[b] {
		for i := r.lo; i <= r.hi; i++ {
			if s.floor[i] == was {
				s.touch(i)
			}
		}
	}
}

// settle renews the floors of the touched sections and compares them with the capacity; when ok is false it only forgets
// them.
func (s *state) settle(ok bool) bool {
	for _, i := range s.stale {
		s.isStale[i] = false
		if !ok {
			continue
		}
		floor, was := s.lowest(i), s.floor[i]
		if floor == was {
			continue
		}
		s.log = append(s.log, change{low: was, at: i, kind: flooring})
		s.floor[i] = floor
		ok = floor == far || floor+s.total[i] <= s.room
	}
	s.stale = s.stale[:0]
	return ok
}

// lowest is the least offset of a section's unplaced buffers. None is below the former floor, which ends the scan early.
func (s *state) lowest(section int32) int64 {
	floor, was := int64(far), s.floor[section]
	for _, b := range s.members.row(section) {
		if s.least[b] < floor && !s.placed[b] {
			floor = s.least[b]
			if floor == was {
				break
			}
		}
	}
	return floor
}

// undo takes back everything logged after mark.
func (s *state) undo(mark int) {
	for k := len(s.log) - 1; k >= mark; k-- {
		c := &s.log[k]
		switch c.kind {
		case raising:
			s.low[c.at], s.least[c.at] = c.low, c.least
		case flooring:
			s.floor[c.at] = c.low
		case placing:
			s.unplace(c.at)
		}
	}
	s.log = s.log[:mark]
}

func (s *state) unplace(b int32) {
	s.placed[b] = false
	size := s.size[b]
	for _, r := range s.runs[b] {
		for i := r.lo; i <= r.hi; i++ {
			s.total[i] += size
		}
	}
	for i := s.hull[b].lo; i < s.hull[b].hi; i++ {
		s.crossing[i]++
	}
}

func alignUp(v, step int64) int64 {
	if step == 1 {
		return v
	}
	return (v + step - 1) / step * step
}
