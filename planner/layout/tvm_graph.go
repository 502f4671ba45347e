package layout

import (
	"cmp"
	"math"
	"slices"
)

// tvmGraph places as the graph executor's planner of TVM does (src/relay/backend/graph_plan_memory.cc, read 2026; own
// implementation): buffers share whole storages, which stand one behind the other.
//
//  1. Buffers are visited in order of their first step, then by index; storages whose last user is dead by then are free,
//     in the order in which they became so.
//  2. A buffer takes the smallest free storage that holds it, else the largest smaller one, which grows; of equal ones the
//     one free for longest. Storages of less than a sixteenth or more than sixteen times its size are not looked at.
//     Without one it gets a new storage.
//  3. Storages stand behind each other in the order in which they were made, past pinned buffers.
//
// TVM knows no capacities: here a buffer goes to the first of its candidate pools that holds its storages with it, and
// storages are shared within a pool only. Gaps of lifetimes are not used. With explicit conflicts a storage is free for a
// buffer that conflicts with none of its users. It costs O(n log n), with explicit conflicts or a capacity
// O(n · storages).
type tvmGraph struct{}

// matchRange is how many times larger or smaller than a buffer a storage may be to be looked at.
const matchRange = 16

// token is a storage: its users share its bytes.
type token struct {
	size, align int64
	users       []int32
	// offset is where it stands once all are known.
	offset int64
}

// tokens are the storages of one pool.
type tokens struct {
	*scene
	pool int
	// made is in order of making; free is sorted by size, equal ones by when they became free.
	made, free []*token
	// pins are the bytes of pinned buffers, sorted.
	pins []extent
}

func (tvmGraph) place(s *scene, work *budget) {
	pools := s.newTokens()
	held := make([]*token, s.len())
	ends := s.byLastStep()
	for _, b := range s.visited() {
		for s.p.Conflicts == nil && len(ends) > 0 && s.buffer(ends[0]).Live.Last <= s.buffer(b).Live.First {
			if dead := ends[0]; held[dead] != nil {
				pools[s.slot[s.pool[dead]]].release(held[dead])
			}
			ends = ends[1:]
		}
		if s.fixed(b) {
			continue
		}
		work.spend(0)
		for _, k := range s.candidates(b) {
			if held[b] = pools[s.slot[k]].take(b); held[b] != nil {
				s.pool[b] = int32(k)
				break
			}
		}
	}
	for _, p := range pools {
		p.stack()
	}
	for b, t := range held {
		if t != nil {
			s.lo[b] = t.offset
		}
	}
}

func (s *scene) newTokens() []*tokens {
	pools := make([]*tokens, len(s.pools))
	for slot, k := range s.pools {
		pools[slot] = &tokens{scene: s, pool: k}
	}
	for b := range s.len() {
		if k := s.pool[b]; k != nowhere {
			p := pools[s.slot[k]]
			p.pins = append(p.pins, extent{s.lo[b], s.lo[b] + s.size[b]})
		}
	}
	for _, p := range pools {
		slices.SortFunc(p.pins, func(a, b extent) int { return cmp.Compare(a.lo, b.lo) })
	}
	return pools
}

// visited lists the buffers in the order in which they are made.
func (s *scene) visited() []int32 {
	if s.p.Conflicts != nil {
		return s.inProblemOrder()
	}
	return s.sequence(0, s.len())
}

// byLastStep lists the buffers in the order in which they die.
func (s *scene) byLastStep() []int32 {
	order := s.sequence(0, s.len())
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.buffer(a).Live.Last, s.buffer(b).Live.Last), cmp.Compare(a, b))
	})
	return order
}

// take gives b a storage; nil when the pool does not hold it.
func (p *tokens) take(b int32) *token {
	if p.p.Conflicts != nil {
		p.releaseFor(b)
	}
	size, align := p.size[b], p.align(b, p.pool)
	if at := p.match(size, align); at >= 0 {
		t := p.free[at]
		t.users = append(t.users, b)
		p.free = slices.Delete(p.free, at, at+1)
		return t
	}
	t := &token{size: size, align: align, users: []int32{b}}
	p.made = append(p.made, t)
	if !p.holds() {
		p.made = p.made[:len(p.made)-1]
		return nil
	}
	return t
}

// releaseFor frees the storages none of whose users conflicts with b, and no others.
func (p *tokens) releaseFor(b int32) {
	p.free = p.free[:0]
	for _, t := range p.made {
		if !slices.ContainsFunc(t.users, func(x int32) bool { return p.live.overlap(b, x) }) {
			p.release(t)
		}
	}
}

func (p *tokens) release(t *token) { p.free = slices.Insert(p.free, p.firstAbove(t.size), t) }

// firstAbove is the position of the first free storage larger than size.
func (p *tokens) firstAbove(size int64) int {
	at, _ := slices.BinarySearchFunc(p.free, size, func(x *token, size int64) int {
		if x.size <= size {
			return -1
		}
		return 1
	})
	return at
}

// match finds the free storage for a size and makes it fit; -1 when there is none.
func (p *tokens) match(size, align int64) int {
	middle := p.firstAbove(size - 1)
	for i := middle; i < len(p.free) && withinRange(p.free[i].size, size); i++ {
		if p.fit(p.free[i], size, align) {
			return i
		}
	}
	for i := middle - 1; i >= 0 && p.free[i].size >= size/matchRange; i-- {
		if p.fit(p.free[i], size, align) {
			return i
		}
	}
	return -1
}

// withinRange reports whether a storage is at most matchRange times as large as a buffer.
func withinRange(storage, size int64) bool {
	return size > math.MaxInt64/matchRange || storage <= size*matchRange
}

// fit makes the storage hold a size and an alignment; false, and nothing changed, when the pool does not hold the result
// or neither alignment is a multiple of the other.
func (p *tokens) fit(t *token, size, align int64) bool {
	both, ok := lcm(t.align, align)
	if !ok || both > max(t.align, align) {
		return false
	}
	if size <= t.size && both == t.align {
		return true
	}
	was := *t
	t.size, t.align = max(t.size, size), both
	if p.holds() {
		return true
	}
	*t = was
	return false
}

// holds reports whether the storages fit the pool.
func (p *tokens) holds() bool {
	capacity := p.p.Pools[p.pool].Capacity
	return capacity == Unlimited || p.stack() <= capacity
}

// stack gives every storage an offset and returns the end of the highest.
func (p *tokens) stack() int64 {
	next, rest := int64(0), p.pins
	for _, t := range p.made {
		t.offset = alignUp(next, t.align)
		for len(rest) > 0 && rest[0].lo < t.offset+t.size {
			if rest[0].hi > t.offset {
				t.offset = alignUp(rest[0].hi, t.align)
			}
			rest = rest[1:]
		}
		next = t.offset + t.size
	}
	return next
}
