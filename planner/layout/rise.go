package layout

// mostRising bounds the parts that rise takes: it looks at every pair of buffers.
const mostRising = 2048

// rises reports whether the part can be placed from the bottom up: its buffers share one pool and none is pinned.
func (s *scene) rises(lo, hi int32) bool {
	if len(s.pools) > 1 || hi-lo > mostRising {
		return false
	}
	for b := lo; b < hi; b++ {
		if s.fixed(b) {
			return false
		}
	}
	return true
}

// rise places a part from the bottom up: of all buffers not yet placed, the one that can stand lowest comes next, the
// first of the line among several. Each stands directly on those it overlaps, and nothing is put under a placed buffer
// later. On tight instances this wastes less than placing large buffers first. It costs O(n²) for n buffers.
func (s *scene) rise(line []int32, work *budget) {
	k := s.pools[0]
	if s.low == nil {
		s.low = make([]int64, s.len())
	}
	queue := s.queue[:0]
	for rank, b := range line {
		s.low[b] = 0
		queue = append(queue, step{0, int32(rank), b})
	}
	for len(queue) > 0 {
		var next step
		next, queue = queue.pop()
		if s.pool[next.b] != nowhere || next.low != s.low[next.b] || !s.fits(next.b, k, next.low) {
			continue
		}
		s.lo[next.b], s.pool[next.b] = next.low, int32(k)
		if s.givesUp(next.b) {
			break
		}
		work.spend(2 * len(line))
		for rank, b := range line {
			if s.pool[b] != nowhere || !s.live.overlap(next.b, b) {
				continue
			}
			if at := alignUp(max(0, next.low+s.clearance(next.b, b)), s.align(b, k)); at > s.low[b] {
				s.low[b] = at
				queue = queue.push(step{at, int32(rank), b})
			}
		}
	}
	s.queue = queue
}

// clearance is how far above the start of x another buffer must start for all its bytes to be above those of x that are live
// at the same time. It is negative where only the bottom of x meets only the top of the other.
func (s *scene) clearance(x, b int32) int64 {
	if !s.live.pieced(x) && !s.live.pieced(b) {
		return s.size[x]
	}
	s.space = s.live.barred(s, x, b, s.space[:0])
	top := s.space[0].hi
	for _, e := range s.space {
		top = max(top, e.hi)
	}
	return top
}

// step is a buffer that could stand at an offset; it is out of date once the buffer's lowest offset has risen.
type step struct {
	low  int64
	rank int32
	b    int32
}

func (a step) before(b step) bool { return a.low < b.low || a.low == b.low && a.rank < b.rank }

// rising is a binary heap of steps: the lowest first, then by rank in the line. A slice in that order is one.
type rising []step

func (q rising) push(x step) rising {
	q = append(q, x)
	i := len(q) - 1
	for ; i > 0 && x.before(q[(i-1)/2]); i = (i - 1) / 2 {
		q[i] = q[(i-1)/2]
	}
	q[i] = x
	return q
}

func (q rising) pop() (step, rising) {
	first, x := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	i := 0
	for child := 1; child < len(q); child = 2*i + 1 {
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(x) {
			break
		}
		q[i], i = q[child], child
	}
	if len(q) > 0 {
		q[i] = x
	}
	return first, q
}
