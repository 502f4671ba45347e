package layout

// rooms is what the pools have left for the buffers of a part at each crowd, a set of buffers that are live together, while
// more and more of them are assigned in order of a line.
type rooms struct {
	s     *scene
	pools int
	line  []int32
	// in lists for each position of the line the crowds that its buffer is in.
	in [][]presence
	// all are the live bytes of each crowd, rest those of buffers not yet assigned.
	all, rest []int64
	// cells are by crowd, then slot.
	cells []cell
	// unit divides each offset in a pool and pinned is the highest end of a pin, by slot.
	unit, pinned []int64
	// excess are the bytes of each crowd not yet assigned that must stand outside their first choices; past is for taking
	// back what the last ones assigned changed.
	excess, past []int64
	// kept says that one of so many bytes of each capacity is kept free; 0 for none.
	kept int64
}

// presence is what a buffer takes of a crowd.
type presence struct {
	crowd int32
	bytes int64
}

// cell is one pool at one crowd: what is left of it and used of it, in bytes rounded up to its unit, and what subsets of the
// buffers still to come can take, of those that may stand in it and of those that do so by first choice.
type cell struct {
	free, used int64
	may, first *sums
}

// newRooms relates the buffers of the part [lo, hi) to its crowds, with one of so many bytes of each capacity kept free where kept
// is not 0.
func (s *scene) newRooms(lo, hi int32, line []int32, kept int64) *rooms {
	crowds := s.crowds(lo, hi)
	r := &rooms{s: s, pools: len(s.pools), line: line, in: make([][]presence, len(line)), all: make([]int64, len(crowds)),
		rest: make([]int64, len(crowds)), cells: make([]cell, len(crowds)*len(s.pools)), unit: make([]int64, len(s.pools)),
		pinned: make([]int64, len(s.pools)), excess: make([]int64, len(crowds)), kept: kept}
	for slot, k := range s.pools {
		r.unit[slot] = 1
		if !s.inPieces(lo, hi) {
			r.unit[slot] = s.unit(k)
		}
	}
	at := make([]int32, hi-lo)
	for i, b := range line {
		at[b-lo] = int32(i)
		if s.fixed(b) {
			slot := s.slot[s.candidates(b)[0]]
			r.pinned[slot] = max(r.pinned[slot], s.buffer(b).Offset+s.size[b])
		}
	}
	words := mostSumWords
	for c, crowd := range crowds {
		for _, x := range crowd {
			i := at[x.b-lo]
			r.in[i] = append(r.in[i], presence{int32(c), x.bytes})
			r.all[c] += x.bytes
		}
		for slot := range s.pools {
			*r.cell(int32(c), slot) = r.newCell(crowd, slot, at, lo, &words)
		}
		r.rest[c] = r.all[c]
		r.excess[c] = r.over(int32(c), 0)
	}
	return r
}

func (r *rooms) cell(crowd int32, slot int) *cell { return &r.cells[int(crowd)*r.pools+slot] }

func (r *rooms) newCell(crowd []share, slot int, at []int32, lo int32, words *int) cell {
	k := r.s.pools[slot]
	out := cell{free: maxPeak}
	if c := r.s.p.Pools[k].Capacity; c < maxPeak-r.unit[slot] && c != Unlimited {
		if r.kept > 0 {
			c -= c / r.kept
		}
		out.free = alignUp(c, r.unit[slot])
	}
	var may, first []item
	for _, x := range crowd {
		bytes := alignUp(x.bytes, r.unit[slot])
		next := item{at[x.b-lo], bytes, bytes - x.bytes}
		for rank, candidate := range r.s.candidates(x.b) {
			if candidate != k {
				continue
			}
			may = append(may, next)
			if rank == 0 {
				first = append(first, next)
			}
			break
		}
	}
	out.may = newSums(may, out.free, words)
	if out.first = out.may; len(first) < len(may) {
		out.first = newSums(first, out.free, words)
	}
	return out
}

// take assigns the i-th buffer of the line to a pool; false when what is still to come cannot be placed then.
func (r *rooms) take(i, slot int) bool {
	fits := true
	for _, p := range r.in[i] {
		r.past = append(r.past, r.excess[p.crowd])
		c, bytes := r.cell(p.crowd, slot), alignUp(p.bytes, r.unit[slot])
		c.used += bytes
		if c.free < maxPeak {
			c.free -= bytes
		}
		r.rest[p.crowd] -= p.bytes
		if fits = fits && c.free >= 0 && r.enough(p.crowd, i+1); fits {
			r.excess[p.crowd] = r.over(p.crowd, i+1)
		}
	}
	return fits
}

// giveBack undoes the last take.
func (r *rooms) giveBack(i, slot int) {
	past := r.past[len(r.past)-len(r.in[i]):]
	for n, p := range r.in[i] {
		c, bytes := r.cell(p.crowd, slot), alignUp(p.bytes, r.unit[slot])
		c.used -= bytes
		if c.free < maxPeak {
			c.free += bytes
		}
		r.rest[p.crowd] += p.bytes
		r.excess[p.crowd] = past[n]
	}
	r.past = r.past[:len(r.past)-len(past)]
}

// possible reports whether every crowd has room before anything is assigned.
func (r *rooms) possible() bool {
	for c := range r.all {
		if !r.enough(int32(c), 0) {
			return false
		}
	}
	return true
}

// enough reports whether each pool can take so many of a crowd's bytes that are still to come, from position i of the line
// on, that the other pools can take the rest.
func (r *rooms) enough(crowd int32, i int) bool {
	room := int64(0)
	for slot := range r.pools {
		room = saturatingAdd(room, r.cell(crowd, slot).free, 1)
	}
	if room == maxPeak {
		return true
	}
	for slot := range r.pools {
		c := r.cell(crowd, slot)
		if c.may.most(i, c.free) < r.rest[crowd]-(room-c.free) {
			return false
		}
	}
	return true
}

// over is how many of a crowd's bytes that are still to come must stand outside their first choices.
func (r *rooms) over(crowd int32, i int) int64 {
	over := int64(0)
	for slot := range r.pools {
		c := r.cell(crowd, slot)
		// Sums are of rounded bytes, and the bytes that stand elsewhere are not.
		if from := c.first.from(i); c.first.total[from] > c.free {
			over += max(0, c.first.total[from]-c.first.rounding[from]-max(0, c.first.most(i, c.free)))
		}
	}
	return over
}

// displaced is how many bytes not yet assigned must stand outside their first choices.
func (r *rooms) displaced() int64 {
	most := int64(0)
	for _, excess := range r.excess {
		most = max(most, excess)
	}
	return most
}

// height is the least that the pools' peaks can sum to: the most live bytes in each, or in all of them.
func (r *rooms) height() int64 {
	most, sum := int64(0), int64(0)
	for _, bytes := range r.all {
		most = max(most, bytes)
	}
	for slot := range r.pools {
		used := r.pinned[slot]
		for c := range r.all {
			used = max(used, r.cell(int32(c), slot).used-(r.unit[slot]-1))
		}
		sum = saturatingAdd(sum, used, 1)
	}
	return max(most, sum)
}

// looks is what one step of the search looks at from position i of the line on.
func (r *rooms) looks(i int) int {
	looks := len(r.all) * (1 + r.pools)
	if i < len(r.in) {
		looks += len(r.in[i]) * r.pools
	}
	return looks
}

// crowds lists sets of buffers of a part that are live together, each buffer with its bytes that are live then, so that
// every bound of a single step is that of one of them.
func (s *scene) crowds(lo, hi int32) [][]share {
	var out [][]share
	if !s.inPieces(lo, hi) {
		for _, clique := range s.live.cliques(s, lo, hi) {
			crowd := make([]share, len(clique))
			for i, b := range clique {
				crowd[i] = share{b: b, bytes: s.size[b]}
			}
			out = append(out, crowd)
		}
		return out
	}
	return s.live.(*timeline).crowds(s, lo, hi)
}
