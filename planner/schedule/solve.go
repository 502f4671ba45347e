package schedule

import (
	"cmp"
	"context"
	"slices"
)

// DefaultNodes is the effort of [Solve] when none is given: some seconds at worst, a few milliseconds on ordinary networks.
const DefaultNodes = 1 << 17

// Result is an order and what is known of it.
type Result struct {
	// Order has each op once.
	Order []int
	// Peak is the most bytes that are live at a step of the order, Given that of the given order.
	Peak, Given int64
	// Bound is the best proved lower bound of the peak of any order.
	Bound int64
	// Nodes counts the states that were expanded.
	Nodes int64
}

// Proved reports whether no order has a lower peak.
func (r *Result) Proved() bool { return r.Peak == r.Bound }

// Solve finds an order with a low peak: the least one when the effort suffices, never a higher one than the given order's.
// Parts of the given order that need no change keep it. nodes bounds the states that are expanded, 0 for the default. When
// ctx ends, the best order found by then is returned. The error is for an invalid problem. The result depends on nothing but
// the problem and the effort as long as ctx does not end.
func Solve(ctx context.Context, p *Problem, nodes int64) (*Result, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if nodes <= 0 {
		nodes = DefaultNodes
	}
	parts := split(p)
	floor := int64(0)
	for _, part := range parts {
		part.bound = part.lowest()
		floor = max(floor, part.bound)
	}
	hardest := slices.Clone(parts)
	slices.SortStableFunc(hardest, func(a, b *part) int { return cmp.Or(-cmp.Compare(a.given, b.given), cmp.Compare(a.first, b.first)) })
	result := &Result{}
	for i, part := range hardest {
		if part.given <= floor {
			break
		}
		share := (nodes - result.Nodes) / int64(len(hardest)-i)
		if i == 0 {
			// The part with the highest peak most likely has the highest optimum, which is all that the others must meet.
			share = (nodes - result.Nodes) / 2
		}
		result.Nodes += part.solve(ctx, floor, share)
		floor = max(floor, part.bound)
	}
	result.Bound = floor
	result.assemble(p, parts)
	return result, nil
}

// assemble joins the parts. Those whose given order reaches the peak of the whole keep it.
func (r *Result) assemble(p *Problem, parts []*part) {
	peak := int64(0)
	for _, part := range parts {
		peak = max(peak, part.peak())
	}
	for _, part := range parts {
		order := part.best
		if order == nil || part.given <= peak {
			order = part.sub.given()
		}
		for _, v := range order {
			r.Order = append(r.Order, part.first+v)
		}
	}
	r.Given, r.Peak = p.Peak(p.given()), p.Peak(r.Order)
}
