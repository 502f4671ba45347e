package exact

import "math"

// far is above every offset, and can be added to a size.
const far = math.MaxInt64 / 2

// state is a partial placement with everything the search derives from it, and a log to take steps back. No step
// allocates once the log has grown.
type state struct {
	*model
	// room is the capacity in units; limit the highest offset at which each buffer still fits.
	room  int64
	limit []int64
	// low is the lowest offset a buffer can stand at above those placed.
	low []int64
	// least is a proved lower bound of the buffer's offset, low at least. It is above low while the buffer is known not
	// to stand at low. Once the buffer is placed both are far, so that no comparison takes it for unplaced.
	least []int64
	// at is where a placed buffer stands, in units.
	at []int64
	// total is each section's unplaced size. crossing counts the unplaced buffers whose hull has both section i and i+1.
	total    []int64
	crossing []int32
	// witness is, for each section with a total, an unplaced buffer that leaves room for the total above its least: the
	// floor of the section need not be known exactly as long as there is one. watched counts the sections that a buffer is
	// the witness of.
	witness, watched []int32
	log              []change
	stale            []int32
}

// placed says that b stands at at[b].
func (s *state) placed(b int32) bool { return s.low[b] == far }

// change is one entry of the log. Of kind placing and raising, at is a buffer with its former low and least; of kind watching, at is a section with its former witness in low.
type change struct {
	low, least int64
	at         int32
	kind       uint8
}

const (
	placing uint8 = iota
	raising
	watching
)

// newState is the empty placement. O(n · sections).
func newState(m *model, room int64, limit []int64) *state {
	n, sections := m.len(), m.members.rows()
	s := &state{
		model: m, room: room, limit: limit,
		low: make([]int64, n), least: make([]int64, n), at: make([]int64, n),
		total: make([]int64, sections), crossing: make([]int32, sections),
		witness: make([]int32, sections), watched: make([]int32, n),
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
		members := m.members.row(i)
		s.witness[i] = members[0]
		for _, b := range members {
			s.total[i] += m.size[b]
			if s.least[b] < s.least[s.witness[i]] {
				s.witness[i] = b
			}
		}
		s.watched[s.witness[i]]++
	}
	return s
}

// fits says that no section and no buffer is over the capacity to begin with.
func (s *state) fits() bool {
	for i, total := range s.total {
		if s.least[s.witness[i]]+total > s.room {
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

// place puts b at its low, where it clears, and derives what follows; false when something cannot fit any more. The caller
// undoes it in either case. O(sections of b + conflicts of b · their sections).
func (s *state) place(b int32) bool {
	offset := s.low[b]
	top := offset + s.size[b]
	s.log = append(s.log, change{offset, s.least[b], b, placing})
	s.low[b], s.least[b], s.at[b] = far, far, offset
	s.leaveSections(b)
	for _, other := range s.conflicts.row(b) {
		if s.low[other] < top && !s.raise(other, top) {
			return s.renew(false)
		}
	}
	return s.renew(true)
}

// clears says that what else is unplaced in b's sections fits above b at its low. It changes nothing, and so weeds out most
// dead ends cheaply. O(sections of b).
func (s *state) clears(b int32) bool {
	size := s.size[b]
	room := s.room - s.low[b]
	for _, r := range s.runs[b] {
		for _, total := range s.total[r.lo : r.hi+1] {
			if total > room && total > size {
				return false
			}
		}
	}
	return true
}

// leaveSections takes b out of the unplaced totals.
func (s *state) leaveSections(b int32) {
	size := s.size[b]
	for _, r := range s.runs[b] {
		total, witness := s.total[r.lo:r.hi+1], s.witness[r.lo:r.hi+1]
		for i := range total {
			total[i] -= size
			if witness[i] == b && total[i] > 0 {
				s.stale = append(s.stale, r.lo+int32(i))
			}
		}
	}
	crossing := s.crossing[s.hull[b].lo:s.hull[b].hi]
	for i := range crossing {
		crossing[i]--
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
	s.log = append(s.log, change{s.low[b], s.least[b], b, raising})
	s.low[b] = top
	if top > s.least[b] {
		s.least[b] = top
		s.doubt(b)
	}
	return true
}

// doubt marks the sections that b can no longer be the witness of.
func (s *state) doubt(b int32) {
	left := s.watched[b]
	if left == 0 {
		return
	}
	room := s.room - s.least[b]
	for _, r := range s.runs[b] {
		for i := r.lo; i <= r.hi; i++ {
			if s.witness[i] != b {
				continue
			}
			if s.total[i] > room {
				s.stale = append(s.stale, i)
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// renew finds new witnesses for the marked sections; false when one has none, which means that what is left in it does not
// fit above its floor. When ok is false it only forgets the marks.
func (s *state) renew(ok bool) bool {
	for k := 0; ok && k < len(s.stale); k++ {
		ok = s.attest(s.stale[k])
	}
	s.stale = s.stale[:0]
	return ok
}

func (s *state) attest(section int32) bool {
	room := s.room - s.total[section]
	for _, b := range s.members.row(section) {
		if s.least[b] <= room {
			was := s.witness[section]
			s.log = append(s.log, change{low: int64(was), at: section, kind: watching})
			s.watch(section, was, b)
			return true
		}
	}
	return false
}

func (s *state) watch(section, from, to int32) {
	s.watched[from]--
	s.watched[to]++
	s.witness[section] = to
}

// undo takes back everything logged after mark.
func (s *state) undo(mark int) {
	for k := len(s.log) - 1; k >= mark; k-- {
		c := &s.log[k]
		switch c.kind {
		case raising:
			s.low[c.at], s.least[c.at] = c.low, c.least
		case watching:
			s.watch(c.at, s.witness[c.at], int32(c.low))
		case placing:
			s.low[c.at], s.least[c.at] = c.low, c.least
			s.unplace(c.at)
		}
	}
	s.log = s.log[:mark]
}

func (s *state) unplace(b int32) {
	size := s.size[b]
	for _, r := range s.runs[b] {
		total := s.total[r.lo : r.hi+1]
		for i := range total {
			total[i] += size
		}
	}
	crossing := s.crossing[s.hull[b].lo:s.hull[b].hi]
	for i := range crossing {
		crossing[i]++
	}
}

func alignUp(v, step int64) int64 {
	if step == 1 {
		return v
	}
	return (v + step - 1) / step * step
}
