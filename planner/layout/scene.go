package layout

// nowhere is the pool of a buffer of a scene that is not placed.
const nowhere int32 = -1

// scene is a part of a problem that depends on nothing else: the buffers of pools that are linked by shared candidates.
// Buffers that take no bytes or are never live are left out. Local indexes are in order of part, then start, then
// problem index.
type scene struct {
	p *Problem
	// id is the problem's index of each local buffer; size its bytes and step its own alignment, which are kept here because
	// placing looks at them in an order that is not the problem's.
	id         []int32
	size, step []int64
	// pools are the problem's indexes of the pools of the scene, ascending; slot is the position of each of the problem's
	// pools in the list of its scene, shared by all scenes.
	pools []int
	slot  []int32
	// live knows who overlaps whom.
	live liveness
	// parts are bounds in local indexes: part k, [parts[k], parts[k+1]), overlaps no other part in time.
	parts []int32

	// lo and pool are the placement being worked on; pool holds problem indexes, nowhere for unplaced buffers.
	lo   []int64
	pool []int32
	// pinned marks the buffers with a legal pin, which is where they always stand; hasPins says that some have any pin.
	pinned  []bool
	hasPins bool
	// floor is a proved lower bound of the peak of each pool, by slot, for the placements that put every buffer in its first
	// choice.
	floor []int64
	// proof is what was shown beyond the floors.
	proof proof
	// fault is what went wrong in the search, which is a fault of ours.
	fault error
	// limit is a peak above which an attempt is of no use, and useless whether one was given up for that; see attemptBelow.
	limit   int64
	useless bool
	// decide asks for any placement of all buffers.
	decide bool
	// whole says that every byte of a buffer counts as live when one is.
	whole bool

	// degree and total are sort keys, filled in when an order first asks for them.
	degree []int32
	total  []int64
	// space, sorter, low and queue are scratch space of extents, tvmSlot and rise.
	space  []extent
	sorter sorter
	low    []int64
	queue  rising
}

// proof is what an exhausted search or a bound has shown.
type proof struct {
	// infeasible: the buffers cannot all be placed.
	infeasible bool
	// assignment: no placement has more bytes in better choices, and the peaks of this one cannot be lowered.
	assignment bool
}

// liveness knows which buffers of a scene may not share bytes.
type liveness interface {
	// insert notes that b has been placed; forget that [lo, hi), which is not empty, is no longer.
	insert(s *scene, b int32)
	forget(s *scene, lo, hi int32)
	// taken writes the bytes of the pool taken by placed buffers that b may not overlap to dst, which is empty, or to
	// space of its own, as extents sorted by lo that may meet. The second result counts the neighbours looked at.
	taken(s *scene, b int32, pool int32, dst []extent) ([]extent, int)
	// lowest returns the lowest offset in the pool at which b may stand, whatever the capacity, and the number of
	// neighbours looked at. It may use the scene's space.
	lowest(s *scene, b int32, pool int32) (int64, int)
	// visit calls f with each placed buffer of the pool that b may not overlap, some of them several times, in no useful
	// order, and returns the number of neighbours looked at.
	visit(s *scene, b int32, pool int32, f func(x int32)) int
	// cliques returns sets of local buffers within [lo, hi) of which all pairs conflict, enough to hold a best known bound.
	cliques(s *scene, lo, hi int32) [][]int32
	// neighbourhoods lists for each buffer those that it may not overlap, placed or not. It costs as much as they number.
	neighbourhoods(s *scene) [][]int32
	// overlap reports whether two buffers may not share bytes that are live in both.
	overlap(a, b int32) bool
	// pieced reports whether only some bytes of a buffer are live in a part of its life.
	pieced(b int32) bool
	// twins reports whether two buffers differ in nothing that matters to others.
	twins(s *scene, a, b int32) bool
	// barred lists where b may not start, relative to the start of x, which it overlaps: strictly between lo and hi of each
	// extent, which may meet and are in no order. It appends to dst.
	barred(s *scene, x, b int32, dst []extent) []extent
	// bound returns a proved lower bound of the peak of the given member buffers when every offset is a multiple of unit,
	// with a step at which it is reached (-1 when steps mean nothing).
	bound(s *scene, member func(int32) bool, unit int64) (bytes, step int64)
	// crowd lists what the members take that are live together at that step.
	crowd(s *scene, member func(int32) bool, unit int64) []share
	// length is how long a buffer lives; degree how many others it overlaps; total the largest sum of sizes around it.
	length(s *scene, b int32) int64
	degrees(s *scene) []int32
	totals(s *scene) []int64
}

// share is what a buffer takes of a stack: its live bytes, and what these are rounded up by.
type share struct {
	b               int32
	bytes, rounding int64
}

func (s *scene) len() int32 { return int32(len(s.id)) }

// buffer is the problem's record of a local buffer.
func (s *scene) buffer(b int32) *Buffer { return &s.p.Buffers[s.id[b]] }

// fixed reports whether the buffer has a pin.
func (s *scene) fixed(b int32) bool { return s.hasPins && s.buffer(b).Pinned }

// candidates are the problem's pools in which b may stand, in order of preference.
func (s *scene) candidates(b int32) []int {
	if len(s.pools) == 1 {
		return s.pools
	}
	return s.p.candidates(int(s.id[b]))
}

// align is the alignment of a buffer's offset in a pool.
func (s *scene) align(b int32, pool int) int64 {
	a, _ := lcm(s.step[b], s.p.Pools[pool].Alignment)
	return a
}

// fits reports whether a buffer at the offset ends within the pool.
func (s *scene) fits(b int32, pool int, at int64) bool {
	capacity := s.p.Pools[pool].Capacity
	return capacity == Unlimited || at+s.size[b] <= capacity
}

// extents returns the placed extents in the pool that b may not touch, sorted, valid until the next call.
func (s *scene) extents(b int32, pool int, work *budget) []extent {
	taken, looked := s.live.taken(s, b, int32(pool), s.space[:0])
	work.spend(looked)
	s.space = taken
	return taken
}

// set places b.
func (s *scene) set(b int32, pool int, at int64) {
	s.lo[b], s.pool[b] = at, int32(pool)
	s.live.insert(s, b)
}

// reset takes the buffers [lo, hi) out of the placement and puts those back that are pinned and legal.
func (s *scene) reset(lo, hi int32) {
	s.live.forget(s, lo, hi)
	for b := lo; b < hi; b++ {
		s.pool[b] = nowhere
		if s.pinned[b] {
			s.set(b, s.buffer(b).Pools[0], s.buffer(b).Offset)
		}
	}
}

// put places a buffer in its first candidate pool with room, at the offset that the fit chooses; without one it stays
// unplaced.
func (s *scene) put(b int32, choose fit, work *budget) {
	for _, k := range s.candidates(b) {
		at := choose(s, b, k, work)
		if s.fits(b, k, at) {
			s.set(b, k, at)
			return
		}
	}
	s.pool[b] = nowhere
}
