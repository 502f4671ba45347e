package texture

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// search finds the least storages of a cell by branch and bound.
//
//  1. Images are assigned in order of first step, so a storage is idle for an image exactly when its last user has
//     ended, and it stays so for all later images.
//  2. Of two idle storages with equal sides one is tried, for their futures can be exchanged. A new storage is tried only
//     when no idle one is within the image's sides, and of those within only the ones that are within no other: to use
//     the larger and leave the smaller to the futures costs no more.
//  3. A state is the sides of the storages and when they become idle. One that was met before cannot lead to better.
//  4. A branch ends when a lower bound reaches the best known: the levels and profiles of the cell's floor against the
//     present storages, and the present sum with the growth that some remaining image needs at least.
type search struct {
	*cell
	images []candidate
	// wide[i] are the images from i on that are within no other of them, whose growth is worth a look.
	wide [][]int32
	// most is the largest number of slots; now is the sum of the present ones.
	most, now int64
	slots     []slot
	// path is the slot of each image so far, best that of the best found, whose sum is limit.
	path, best []int32
	limit      int64
	seen       map[string]struct{}
	work       *budget
	cut        bool
	// Memory to reuse.
	moves []move
	sizes []extent
	key   []uint64
}

type candidate struct {
	width, height, own int64
	first, last        int64
	// wide, high and end are the ranks of width, height and last among all images, from 1 on.
	wide, high, end uint64
}

type slot struct {
	width, height, bytes int64
	until                int64
	wide, high, end      uint64
}

type move struct {
	slot   int32
	growth int64
}

// exact searches for at most so many storages that take fewer bytes than limit and returns the slot of each member, nil
// when it found none. The second result says that the search was exhausted: nothing is better than what was found, or
// than limit.
func (c *cell) exact(limit, most int64, work *budget) ([]int32, bool) {
	x := &search{cell: c, most: most, limit: limit, seen: map[string]struct{}{}, work: work}
	x.prepare()
	x.visit(0)
	return x.best, !x.cut
}

func (x *search) prepare() {
	var widths, heights, ends []int64
	for _, i := range x.members {
		im := &x.s.p.Images[i]
		x.images = append(x.images, candidate{width: im.Width, height: im.Height, own: x.g.bytes(im.Width, im.Height), first: im.Live.First, last: im.Live.Last})
		widths, heights, ends = append(widths, im.Width), append(heights, im.Height), append(ends, im.Live.Last)
	}
	for _, values := range [][]int64{widths, heights, ends} {
		slices.Sort(values)
	}
	for i := range x.images {
		c := &x.images[i]
		c.wide, c.high, c.end = rank(widths, c.width), rank(heights, c.height), rank(ends, c.last)
	}
	x.wide = make([][]int32, len(x.images)+1)
	for i := len(x.images) - 1; i >= 0; i-- {
		x.wide[i] = x.widest(int32(i), x.wide[i+1])
	}
}

// rank is the position of a value among sorted ones, from 1 on.
func rank(sorted []int64, value int64) uint64 {
	at, _ := slices.BinarySearch(sorted, value)
	return uint64(at) + 1
}

// widest adds image i to a list of images that are within no other.
func (x *search) widest(i int32, list []int32) []int32 {
	a := &x.images[i]
	out := make([]int32, 0, len(list)+1)
	for _, j := range list {
		b := &x.images[j]
		if a.width <= b.width && a.height <= b.height {
			return list
		}
		if b.width > a.width || b.height > a.height {
			out = append(out, j)
		}
	}
	return append(out, i)
}

// visit assigns image i and all after it.
func (x *search) visit(i int) {
	if i == len(x.images) {
		if x.now < x.limit {
			x.best, x.limit = slices.Clone(x.path), x.now
		}
		return
	}
	x.work.look(4 * len(x.slots))
	if x.work.over() {
		x.cut = true
		return
	}
	if x.lower(i) >= x.limit || x.met(i) {
		return
	}
	from := len(x.moves)
	x.list(i)
	to := len(x.moves)
	for k := from; k < to && !x.cut && x.limit > x.bound; k++ {
		x.follow(i, x.moves[k])
	}
	x.moves = x.moves[:from]
}

// follow makes a move, goes on and takes it back.
func (x *search) follow(i int, m move) {
	c := &x.images[i]
	var before slot
	if int(m.slot) == len(x.slots) {
		x.slots = append(x.slots, slot{})
	} else {
		before = x.slots[m.slot]
	}
	x.slots[m.slot] = slot{width: max(before.width, c.width), height: max(before.height, c.height), bytes: before.bytes + m.growth, until: c.last,
		wide: max(before.wide, c.wide), high: max(before.high, c.high), end: c.end}
	x.now += m.growth
	x.path = append(x.path, m.slot)
	x.visit(i + 1)
	x.path = x.path[:i]
	x.now -= m.growth
	x.slots[m.slot] = before
	if before.bytes == 0 {
		x.slots = x.slots[:m.slot]
	}
}

// list appends the moves of image i that are worth a try, cheapest first.
func (x *search) list(i int) {
	c := &x.images[i]
	from, within := len(x.moves), false
	for k := range x.slots {
		s := &x.slots[k]
		if s.until > c.first || x.twin(k, c) {
			continue
		}
		if s.width <= c.width && s.height <= c.height {
			within = true
			if x.surpassed(k, c) {
				continue
			}
		}
		if growth := x.growth(s, c); growth != refused {
			x.moves = append(x.moves, move{int32(k), growth})
		}
	}
	if !within && int64(len(x.slots)) < x.most {
		x.moves = append(x.moves, move{int32(len(x.slots)), c.own})
	}
	slices.SortFunc(x.moves[from:], func(a, b move) int { return cmp.Or(cmp.Compare(a.growth, b.growth), cmp.Compare(a.slot, b.slot)) })
}

// twin reports whether an earlier idle slot has the same sides.
func (x *search) twin(k int, c *candidate) bool {
	for j := range k {
		if t := &x.slots[j]; t.until <= c.first && t.width == x.slots[k].width && t.height == x.slots[k].height {
			return true
		}
	}
	return false
}

// surpassed reports whether slot k is within another idle one that is within the image.
func (x *search) surpassed(k int, c *candidate) bool {
	s := &x.slots[k]
	for j := range x.slots {
		t := &x.slots[j]
		if j != k && t.until <= c.first && t.width <= c.width && t.height <= c.height &&
			s.width <= t.width && s.height <= t.height && (s.width != t.width || s.height != t.height) {
			return true
		}
	}
	return false
}

func (x *search) growth(s *slot, c *candidate) int64 {
	if c.width <= s.width && c.height <= s.height {
		return 0
	}
	bytes := x.g.bytes(max(s.width, c.width), max(s.height, c.height))
	if bytes == refused {
		return refused
	}
	return bytes - s.bytes
}

// met notes the state before image i and reports whether it was there before.
func (x *search) met(i int) bool {
	x.key = x.key[:0]
	for k := range x.slots {
		s := &x.slots[k]
		code := s.wide<<40 | s.high<<20
		if s.until > x.images[i].first {
			code |= s.end
		}
		x.key = append(x.key, code)
	}
	slices.Sort(x.key)
	text := binary.AppendUvarint(make([]byte, 0, 8*len(x.key)+2), uint64(i))
	for _, code := range x.key {
		text = binary.BigEndian.AppendUint64(text, code)
	}
	if _, ok := x.seen[string(text)]; ok {
		return true
	}
	x.seen[string(text)] = struct{}{}
	return false
}

// storesOf makes storages of an assignment.
func (c *cell) storesOf(slots []int32) []store {
	var out []store
	for k, i := range c.members {
		for int(slots[k]) >= len(out) {
			out = append(out, store{scope: c.s.p.Images[i].Scope})
		}
		im, st := &c.s.p.Images[i], &out[slots[k]]
		st.add(c.s.user(i), im.Width, im.Height, c.g.bytes(max(st.width, im.Width), max(st.height, im.Height)))
	}
	return out
}
