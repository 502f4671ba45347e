package layout

import (
	"cmp"
	"context"
	"slices"
)

// Cause says in which way buffers cannot be placed.
type Cause string

// The causes.
const (
	// CauseCapacity: the buffers need more bytes than their pools have.
	CauseCapacity Cause = "capacity"
	// CausePinAlignment: a pinned offset is no multiple of the alignment. Needed is the alignment, Available the offset.
	CausePinAlignment Cause = "pin alignment"
	// CausePinCapacity: a pinned buffer ends beyond its pool.
	CausePinCapacity Cause = "pin capacity"
	// CausePinOverlap: two pinned buffers that are live together share bytes. Needed counts the shared bytes.
	CausePinOverlap Cause = "pin overlap"
)

// Misfit explains why buffers have no place.
type Misfit struct {
	Cause Cause
	// Pools are all pools the buffers may stand in, ascending; Pool is the one that the sizes speak of, the last choice
	// of the first buffer without a place.
	Pool  int
	Pools []int
	// Needed, Available and Excess are bytes of Pool. Needed is the largest sum of live bytes when that alone is too much
	// (of all Pools together when there are several, and Available then as well), else the least peak found.
	Needed, Available, Excess int64
	// Step is where the live bytes are too many, -1 when no single step is to blame.
	Step int64
	// Buffers cannot be placed together, ascending; with any one of them left out nothing shows that they cannot.
	Buffers []int
	// Proved says that Buffers cannot be placed together by any algorithm.
	Proved bool
}

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
			fault.Cause, fault.Needed, fault.Available, fault.Excess = CausePinAlignment, align, buffer.Offset, buffer.Offset%align
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
		if lo < hi {
			fault.Needed, fault.Excess = hi-lo, hi-lo
			fault.Buffers = append(fault.Buffers, int(s.id[x]))
			slices.Sort(fault.Buffers)
			return
		}
	}
}

// misfit explains the scene of which b is the first buffer without a place.
func (s *scene) misfit(ctx context.Context, b int32, unplaced map[int32]bool) Misfit {
	candidates := s.p.candidates(int(s.id[b]))
	out := Misfit{Cause: CauseCapacity, Pool: candidates[len(candidates)-1], Pools: s.pools, Step: -1, Proved: true}
	if m, ok := s.tooMuchAtOnce(out); ok {
		return m
	}
	out.Available = s.p.Pools[out.Pool].Capacity
	out.Needed = s.relaxed(ctx, out.Pool)
	out.Excess = out.Needed - out.Available
	out.Buffers, out.Proved = s.shrink(ctx, b, unplaced)
	return out
}

// tooMuchAtOnce finds a pool, or all pools together, whose live bytes exceed the capacity.
func (s *scene) tooMuchAtOnce(out Misfit) (Misfit, bool) {
	for _, k := range s.pools {
		c := s.p.Pools[k].Capacity
		only := func(b int32) bool {
			one, ok := s.onlyPool(b)
			return !s.hasRoom(b) && s.lastChoice(b) == k || ok && one == k
		}
		if c == Unlimited {
			continue
		}
		if m, ok := s.crowd(out, only, c, s.unit(k)); ok {
			m.Pool = k
			if len(s.pools) > 1 {
				m.Pools = []int{k}
			}
			return m, true
		}
	}
	room, limited := s.capacity()
	if !limited {
		return out, false
	}
	return s.crowd(out, func(int32) bool { return true }, room, 1)
}

func (s *scene) lastChoice(b int32) int {
	candidates := s.p.candidates(int(s.id[b]))
	return candidates[len(candidates)-1]
}

// unit divides every offset in the pool.
func (s *scene) unit(k int) int64 {
	unit := int64(0)
	for b := range s.len() {
		if slices.Contains(s.p.candidates(int(s.id[b])), k) {
			unit = gcd(s.align(b, k), unit)
		}
	}
	return max(1, unit)
}

// crowd reports whether the members live at one time exceed the capacity, with an irreducible set of them.
func (s *scene) crowd(out Misfit, member func(int32) bool, capacity, unit int64) (Misfit, bool) {
	needed, step := s.live.bound(s, member, unit)
	if needed <= capacity {
		return out, false
	}
	live := s.crowdAt(member, step, needed, unit)
	slices.SortFunc(live, func(a, b int32) int { return cmp.Or(cmp.Compare(s.size[a], s.size[b]), cmp.Compare(s.id[b], s.id[a])) })
	for i := 0; i < len(live); {
		rest := slices.Concat(live[:i], live[i+1:])
		if stacked(s, rest, unit) > capacity {
			live = rest
			continue
		}
		i++
	}
	out.Needed, out.Available, out.Excess, out.Step = needed, capacity, needed-capacity, step
	out.Buffers = s.problemIndexes(live)
	return out, true
}

// crowdAt lists the members live at a step, or of a clique of the given height when steps mean nothing.
func (s *scene) crowdAt(member func(int32) bool, step, height, unit int64) []int32 {
	var live []int32
	if g, ok := s.live.(*conflictGraph); ok {
		for b := range s.len() {
			if member(b) {
				if clique := g.grow(s, b, member); stacked(s, clique, unit) >= height {
					return clique
				}
			}
		}
		return nil
	}
	for b := range s.len() {
		if span := s.buffer(b).Live; member(b) && span.First <= step && step < span.Last {
			live = append(live, b)
		}
	}
	return live
}

func (s *scene) problemIndexes(local []int32) []int {
	out := make([]int, len(local))
	for i, b := range local {
		out[i] = int(s.id[b])
	}
	slices.Sort(out)
	return out
}

// relaxed is the least peak found for pool k when it has no cap.
func (s *scene) relaxed(ctx context.Context, k int) int64 {
	sub := s.p.subset(s.problemIndexes(s.sequence(0, s.len())))
	sub.Pools = slices.Clone(sub.Pools)
	sub.Pools[k].Capacity = Unlimited
	return solve(ctx, sub, auto{}, Effort{}).Pools[k].Peak
}

// subset is the problem with the given buffers only, in that order.
func (p *Problem) subset(ids []int) *Problem {
	out := &Problem{Pools: p.Pools, Buffers: make([]Buffer, len(ids))}
	at := make(map[int]int, len(ids))
	for i, id := range ids {
		out.Buffers[i], at[id] = p.Buffers[id], i
	}
	if p.Conflicts == nil {
		return out
	}
	out.Conflicts = make([][]int, len(ids))
	for i, id := range ids {
		for _, other := range p.Conflicts[id] {
			if j, ok := at[other]; ok {
				out.Conflicts[i] = append(out.Conflicts[i], j)
			}
		}
	}
	return out
}

// shrink looks for a small set of buffers of the part of b that finds no place: it leaves out runs of buffers, half of
// them at first and single ones at last, for as long as the rest is not placed. The second result says that the set was
// proved impossible.
func (s *scene) shrink(ctx context.Context, b int32, unplaced map[int32]bool) ([]int, bool) {
	part, _ := slices.BinarySearch(s.parts, b+1)
	set := s.problemIndexes(s.sequence(s.parts[part-1], s.parts[part]))
	spent := int64(0)
	try := func(ids []int) Status {
		r := solve(ctx, s.p.subset(ids), auto{}, Effort{Nodes: explainNodes / 16})
		spent += r.Nodes
		return r.Status
	}
	status := try(set)
	if status == Optimal || status == Feasible {
		return s.without(set, unplaced), false
	}
	for run := max(1, len(set)/2); spent < explainNodes && ctx.Err() == nil; run /= 2 {
		for at := 0; at < len(set) && len(set) > 1 && spent < explainNodes; {
			rest := slices.Concat(set[:at], set[min(at+run, len(set)):])
			if next := try(rest); len(rest) > 0 && (next == Infeasible || next == Unknown && status == Unknown) {
				set, status = rest, next
				continue
			}
			at += run
		}
		if run == 1 {
			break
		}
	}
	return set, status == Infeasible
}

// without keeps the unplaced of the set.
func (s *scene) without(set []int, unplaced map[int32]bool) []int {
	return slices.DeleteFunc(set, func(i int) bool { return !unplaced[int32(i)] })
}
