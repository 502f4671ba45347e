package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/problemfile"
)

// solver solves a problem and says what came of it.
type solver struct {
	problem *problemfile.File
	effort  layout.Effort
	result  *layout.Result
}

// run solves with the named algorithm, after all others when they are to be compared.
func (s *solver) run(ctx context.Context, algorithm string, compare bool) (*view.Solved, error) {
	if compare || strings.HasPrefix(algorithm, "tvm_") {
		s.problem.RankByName()
	}
	var table []view.Compared
	if compare {
		for _, name := range layout.Algorithms() {
			start := time.Now()
			r, err := s.solve(ctx, name)
			if err != nil {
				return nil, err
			}
			table = append(table, compared(name, r, time.Since(start)))
			if name == algorithm {
				s.result = r
			}
		}
	}
	if s.result == nil {
		var err error
		if s.result, err = s.solve(ctx, algorithm); err != nil {
			return nil, err
		}
	}
	return s.solved(ctx, algorithm, table), nil
}

// solve solves and verifies.
func (s *solver) solve(ctx context.Context, algorithm string) (*layout.Result, error) {
	r, err := layout.Solve(ctx, &s.problem.Problem, algorithm, s.effort)
	if err != nil {
		return nil, err
	}
	if err := verify(&s.problem.Problem, r); err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", algorithm, err)
	}
	return r, nil
}

func compared(name string, r *layout.Result, took time.Duration) view.Compared {
	peak, bound := totalsOf(r)
	return view.Compared{Algorithm: name, Peak: peak, Bound: bound, Status: string(r.Status), Unplaced: len(r.Unplaced), Nodes: r.Nodes,
		Milliseconds: float64(took.Microseconds()) / 1000}
}

// totalsOf sums peaks and bounds over the pools.
func totalsOf(r *layout.Result) (peak, bound int64) {
	for _, pool := range r.Pools {
		peak, bound = capped(peak, pool.Peak), capped(bound, pool.Bound)
	}
	return peak, bound
}

// capped is a + b, at most 2^63-1.
func capped(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// solved is the result for the view, with an explanation when something has no place.
func (s *solver) solved(ctx context.Context, algorithm string, table []view.Compared) *view.Solved {
	p, r := &s.problem.Problem, s.result
	out := &view.Solved{Path: s.problem.Name, Algorithm: algorithm, Status: string(r.Status), Nodes: r.Nodes, Compared: table, Placed: len(p.Buffers) - len(r.Unplaced)}
	out.Peak, out.Bound = totalsOf(r)
	out.Capacity = s.capacity()
	for k, pool := range r.Pools {
		out.Pools = append(out.Pools, view.SolvedPool{Name: s.problem.Pools[k].Name, Peak: pool.Peak, Bound: pool.Bound, Capacity: limit(p.Pools[k].Capacity), Alignment: p.Pools[k].Alignment})
	}
	out.Buffers = make([]view.SolvedBuffer, 0, len(r.Places))
	for i := range r.Places {
		out.Buffers = append(out.Buffers, s.buffer(i))
	}
	if ctx.Err() != nil {
		out.Diagnostics = append(out.Diagnostics, diag.New(diag.SolveInterrupted,
			"The search for %s ended before its effort was spent. The result is the best found by then. Let it run to the end for one that is the same every time.", s.problem.Name))
	}
	s.explain(ctx, out)
	return out
}

func (s *solver) buffer(i int) view.SolvedBuffer {
	out := view.SolvedBuffer{ID: s.problem.IDs[i]}
	if at := &s.result.Places[i]; at.Pool != layout.Unplaced {
		out.Pool, out.Offset = &s.problem.Pools[at.Pool].Name, &at.Offset
	}
	return out
}

// capacity is that of all pools together, nil when one has none.
func (s *solver) capacity() *int64 {
	sum := int64(0)
	for _, pool := range s.problem.Pools {
		if pool.Capacity == layout.Unlimited {
			return nil
		}
		sum = capped(sum, pool.Capacity)
	}
	return &sum
}

func limit(capacity int64) *int64 {
	if capacity == layout.Unlimited {
		return nil
	}
	return &capacity
}

// explain says why buffers have no place. A proof that goes beyond what the algorithm showed counts.
func (s *solver) explain(ctx context.Context, out *view.Solved) {
	var conflict []int
	for _, m := range layout.Explain(ctx, &s.problem.Problem, s.result) {
		out.Diagnostics = append(out.Diagnostics, s.misfit(&m))
		if m.Proved {
			out.Status = string(layout.Infeasible)
			raise(out, &m)
			conflict = append(conflict, m.Buffers...)
		}
	}
	slices.Sort(conflict)
	for _, i := range slices.Compact(conflict) {
		out.Conflict = append(out.Conflict, s.problem.IDs[i])
	}
}

// raise corrects the bound by a proof that counts the buffers without a place as well.
func raise(out *view.Solved, m *layout.Misfit) {
	if m.Cause != layout.CauseCapacity || m.Step < 0 || len(m.Pools) > 1 {
		return
	}
	pool := &out.Pools[m.Pool]
	out.Bound += max(0, m.Needed-pool.Bound)
	pool.Bound = max(pool.Bound, m.Needed)
}

func (s *solver) misfit(m *layout.Misfit) diag.Diagnostic {
	pools, members := s.poolList(m.Pools), s.list(m.Buffers)
	switch m.Cause {
	case layout.CausePinOverlap:
		return diag.New(diag.SolvePin, "In %s the offsets of %s overlap by %d bytes while both are live. Change one of the offsets.", pools, members, m.Needed)
	case layout.CausePinAlignment:
		return diag.New(diag.SolvePin, "The offset %d of %s in %s is not a multiple of the alignment %d. Change it to %d.", m.Needed, members, pools, m.Available, m.Needed-m.Excess)
	case layout.CausePinCapacity:
		return diag.New(diag.SolvePin, "At its offset %s ends at %d, and %s has %d bytes: %d too many. Lower the offset or raise the capacity.", members, m.Needed, pools, m.Available, m.Excess)
	}
	subject := strings.ToUpper(pools[:1]) + pools[1:]
	if m.Fits() {
		return diag.New(diag.SolveNotFound, "%s can hold everything in %d bytes, but this algorithm found no place there for %s. Use -algorithm=auto, which finds one.", subject, m.Available, members)
	}
	need := s.need(subject, m)
	if !m.Proved {
		return diag.New(diag.SolveNotFound, "%s in the best placement found. The search ended with neither a placement of %s nor a proof that there is none. Raise -effort or the capacity.", need, members)
	}
	if len(m.Buffers) == 1 {
		return diag.New(diag.SolveDoesNotFit, "%s. %s does not fit alone. Raise the capacity.", need, members)
	}
	return diag.New(diag.SolveDoesNotFit, "%s. These cannot be placed together: %s. Raise the capacity, or make one of them smaller or shorter-lived.", need, members)
}

// need says what the pools lack. Of several pools whose sizes together would do, it is what one takes when that alone has no cap:
// less may be enough where another one is raised.
func (s *solver) need(subject string, m *layout.Misfit) string {
	total := int64(0)
	for _, i := range m.Buffers {
		total += s.problem.Problem.Buffers[i].Size
	}
	switch {
	case m.Step >= 0:
		return fmt.Sprintf("%s needs %d bytes and has %d: %d too many at time %d", subject, m.Needed, m.Available, m.Excess, m.Step)
	case m.Proved && len(m.Pools) > 1 && m.Excess > 0 && total <= m.Available:
		return fmt.Sprintf("%s has %d bytes, and %d more are needed when only %s is raised", subject, m.Available, m.Excess, s.poolList([]int{m.Pool}))
	}
	return fmt.Sprintf("%s needs %d bytes and has %d: %d too many", subject, m.Needed, m.Available, m.Excess)
}

func (s *solver) poolList(pools []int) string {
	names := make([]string, len(pools))
	for i, k := range pools {
		names[i] = s.problem.Pools[k].Name
	}
	if len(names) == 1 {
		return fmt.Sprintf("pool %q", names[0])
	}
	return "the set of pools " + diag.Quoted(names)
}

// mostListed bounds how many buffers a message names.
const mostListed = 12

func (s *solver) list(buffers []int) string {
	var parts []string
	for _, i := range buffers[:min(len(buffers), mostListed)] {
		parts = append(parts, fmt.Sprintf("%q (%d bytes)", s.problem.IDs[i], s.problem.Problem.Buffers[i].Size))
	}
	if more := len(buffers) - mostListed; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return diag.Enumerate(parts, "and")
}

// progress makes the search report to the function that it returns.
func (s *solver) progress() (what func() string) {
	var found found
	s.effort.Report, s.effort.Spent = found.note, found.spent
	return func() string { return "Solving " + s.problem.Name + found.text() }
}
