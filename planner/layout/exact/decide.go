package exact

import (
	"context"
	"fmt"
)

// Decide asks whether the problem fits a capacity in bytes. The result is Feasible or Optimal with a placement,
// Infeasible when none exists, Unknown when the budget ended first. The error is ErrMalformed, or a fault of the search
// itself. Exponential at worst; a node costs about the conflicts of one buffer times their sections.
func Decide(ctx context.Context, p *Problem, capacity int64, opts Options) (Result, error) {
	s, err := newSolution(p, opts)
	if err != nil {
		return Result{}, err
	}
	e := newEffort(ctx, opts)
	v := found
	for _, ids := range s.groups {
		g := s.group(ids)
		if v = e.decideGroup(g, capacity); v == failed {
			g.bound = max(g.bound, capacity+1)
		}
		s.take(g)
		if v != found {
			break
		}
	}
	return s.result(e, v)
}

// decideGroup places one group within the capacity.
func (e *effort) decideGroup(g *group, capacity int64) verdict {
	switch {
	case g.model == nil:
		if g.offsets != nil && g.peak <= capacity {
			return found
		}
		return stopped
	case !g.consistent() || g.bound > capacity:
		return failed
	case g.peak <= capacity:
		return found
	}
	p := newPortfolio(g.model, deciding, newHeights(g.model, capacity).below(capacity), e.workers)
	defer p.stop()
	v, offsets := e.advance(p, e.nodes-e.spent)
	if v == found {
		g.improve(offsets)
	}
	return v
}

// group is a connected part of the problem with what is known about it.
type group struct {
	*model
	ids []int32
	// offsets is the best placement known, in bytes, or nil; peak its peak, far without one; bound the best proved lower
	// bound of any.
	offsets     []int64
	peak, bound int64
}

func (g *group) improve(offsets []int64) { g.offsets, g.peak = offsets, g.model.peak(offsets) }

// solution gathers the groups' placements.
type solution struct {
	problem     *Problem
	known       []int64
	groups      [][]int32
	offsets     []int64
	peak, bound int64
}

func newSolution(p *Problem, opts Options) (*solution, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	s := &solution{problem: p, groups: components(p), offsets: make([]int64, len(p.Buffers))}
	if len(opts.Incumbent) == len(p.Buffers) {
		s.known = opts.Incumbent
	}
	for i, b := range p.Buffers {
		if b.Pinned {
			s.offsets[i] = b.Offset
		}
	}
	return s, nil
}

// group prepares a group: its model unless it is too large, its bound and its first placement.
func (s *solution) group(ids []int32) *group {
	g := &group{ids: ids, peak: far}
	var known []int64
	if s.known != nil {
		for _, id := range ids {
			known = append(known, s.known[id])
		}
	}
	sections := sectionsOf(s.problem, ids)
	if sections == nil {
		s.adopt(g, known)
		return g
	}
	g.model = newModel(s.problem, ids, sections)
	g.bound = g.model.bound()
	g.offsets, g.peak = g.incumbent(known)
	return g
}

// take adds a group's placement and bound.
func (s *solution) take(g *group) {
	s.bound = max(s.bound, g.bound)
	if g.offsets == nil {
		return
	}
	s.peak = max(s.peak, g.peak)
	for k, id := range g.ids {
		s.offsets[id] = g.offsets[k]
	}
}

// result says what the last verdict means. Each placement is checked against the models once more.
func (s *solution) result(e *effort, v verdict) (Result, error) {
	r := Result{Bound: s.bound, Nodes: e.spent, Interrupted: e.ctx.Err() != nil}
	if v == failed {
		r.Status = Infeasible
	}
	if v != found {
		return r, nil
	}
	r.Status, r.Offsets, r.Peak = Feasible, s.offsets, s.peak
	if s.peak <= s.bound {
		r.Status, r.Bound = Optimal, s.peak
	}
	for _, ids := range s.groups {
		if len(ids) <= maxSearched && !s.sound(ids) {
			return Result{}, fmt.Errorf("exact: the search made a placement that does not hold")
		}
	}
	return r, nil
}
