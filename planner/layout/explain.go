package layout

import (
	"context"
	"slices"
)

// Cause says in which way buffers cannot be placed.
type Cause string

// The causes.
const (
	// CauseCapacity: the buffers need more bytes than their pools have.
	CauseCapacity Cause = "capacity"
	// CausePinAlignment: a pinned offset is no multiple of the alignment. Needed is the offset, Available the alignment and
	// Excess the remainder.
	CausePinAlignment Cause = "pin alignment"
	// CausePinCapacity: a pinned buffer ends beyond its pool.
	CausePinCapacity Cause = "pin capacity"
	// CausePinOverlap: two pinned buffers that are live together share bytes. Needed counts the shared bytes.
	CausePinOverlap Cause = "pin overlap"
)

// Misfit explains why buffers have no place.
type Misfit struct {
	Cause Cause
	// Pools are the pools that the sizes speak of, together, ascending; Pool is one of them, the last choice of the first
	// buffer without a place.
	Pool  int
	Pools []int
	// Needed, Available and Excess are bytes of Pools together. Needed is the largest sum of live bytes when that alone is
	// too much, else what the pools would hold in the best placement found if Pool had no cap.
	Needed, Available, Excess int64
	// Step is where the live bytes are too many, -1 when no single step is to blame.
	Step int64
	// Buffers cannot be placed together, ascending. Without any one of them their live bytes are no longer too many, where it is
	// these that are; else nothing shows any longer that they cannot be placed.
	Buffers []int
	// Proved says that Buffers cannot be placed together by any algorithm.
	Proved bool
	// fits says that a placement of everything was found that keeps to all caps.
	fits bool
}

// Fits reports whether only the algorithm is to blame: without the cap, another one finds a placement that keeps to it.
func (m *Misfit) Fits() bool { return m.fits }

// explainNodes is the effort for shrinking one set of buffers.
const explainNodes = 1 << 19

// Explain says why the buffers that r leaves unplaced have no place: one misfit for each faulty pin, and one for each
// group of pools that is too small. It returns nil when r places everything. The effort is limited; when it runs out the
// sets of buffers are larger than they need to be.
func Explain(ctx context.Context, p *Problem, r *Result) []Misfit {
	if len(r.Unplaced) == 0 || p.Validate() != nil {
		return nil
	}
	unplaced := make(map[int32]bool, len(r.Unplaced))
	for _, i := range r.Unplaced {
		unplaced[int32(i)] = true
	}
	var out []Misfit
	for _, s := range scenes(p) {
		faults := s.pinFaults()
		out = append(out, faults...)
		if len(faults) > 0 {
			continue
		}
		for b := range s.len() {
			if unplaced[s.id[b]] {
				out = append(out, s.misfit(ctx, b, unplaced))
				break
			}
		}
	}
	return out
}

// pinFaults lists what is wrong with the pins themselves.
func (s *scene) pinFaults() []Misfit {
	var out []Misfit
	work := &budget{ctx: context.Background()}
	s.placePins(work)
	for b := range s.len() {
		buffer := s.buffer(b)
		if !buffer.Pinned || s.pool[b] != nowhere {
			continue
		}
		k, end := buffer.Pools[0], buffer.Offset+buffer.Size
		fault := Misfit{Pool: k, Pools: []int{k}, Step: -1, Buffers: []int{int(s.id[b])}, Proved: true}
		align, capacity := s.align(b, k), s.p.Pools[k].Capacity
		switch {
		case buffer.Offset%align != 0:
			fault.Cause, fault.Needed, fault.Available, fault.Excess = CausePinAlignment, buffer.Offset, align, buffer.Offset%align
		case !s.fits(b, k, buffer.Offset):
			fault.Cause, fault.Needed, fault.Available, fault.Excess = CausePinCapacity, end, capacity, end-capacity
		default:
			s.blameOverlap(b, &fault)
		}
		out = append(out, fault)
	}
	return out
}

// blameOverlap names the first placed pin that b meets.
func (s *scene) blameOverlap(b int32, fault *Misfit) {
	buffer := s.buffer(b)
	fault.Cause = CausePinOverlap
	for x := range s.len() {
		if s.pool[x] != int32(fault.Pool) || !s.live.overlap(b, x) {
			continue
		}
		lo, hi := max(s.lo[x], buffer.Offset), min(s.lo[x]+s.size[x], buffer.Offset+buffer.Size)
		if lo < hi && s.clash(x, b, buffer.Offset-s.lo[x]) {
			fault.Needed, fault.Excess = hi-lo, hi-lo
			fault.Buffers = append(fault.Buffers, int(s.id[x]))
			slices.Sort(fault.Buffers)
			return
		}
	}
}

// misfit explains the scene of which b is the first buffer without a place.
func (s *scene) misfit(ctx context.Context, b int32, unplaced map[int32]bool) Misfit {
	out := Misfit{Cause: CauseCapacity, Pool: s.lastChoice(b), Pools: s.pools, Step: -1, Proved: true}
	if m, ok := s.tooMuchAtOnce(out); ok {
		return m
	}
	out.Pools = slices.Clone(s.candidates(b))
	slices.Sort(out.Pools)
	for _, k := range slices.Compact(out.Pools) {
		out.Available = saturatingAdd(out.Available, s.p.Pools[k].Capacity, 1)
	}
	peak, all := s.relaxed(ctx, out.Pool)
	out.Excess = max(0, peak-s.p.Pools[out.Pool].Capacity)
	out.fits = all && out.Excess == 0
	out.Needed = saturatingAdd(out.Available, out.Excess, 1)
	out.Buffers, out.Proved = s.shrink(ctx, b, unplaced)
	return out
}
