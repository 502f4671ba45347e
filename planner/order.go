package planner

import (
	"cmp"
	"context"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/schedule"
)

// ordering is what was found out about the order of a graph. Bytes are those of all that changes, dense.
type ordering struct {
	// source is the peak of the model's own order with no views but reshapes, bound the best proved lower bound over all orders
	// with the views that the graph has.
	source, bound int64
}

// orderGraphs chooses for each graph which concatenations and the like are put together in place, and the order of its ops.
func (p *pipeline) orderGraphs(ctx context.Context) diag.Diagnostics {
	for _, g := range p.graphs {
		g.views = p.cfg.Planner.ViewsOn(g.block.Device)
		if g.textured {
			p.foreseeScopes(g)
		}
		var err error
		if g.source = g.rewritten; p.ordered(g) {
			err = g.orderForMemory(ctx)
		} else {
			g.divided = g.divide(g.dividing())
		}
		if err != nil {
			p.err = err
			return nil
		}
	}
	return nil
}

// options are those of the liveness stage that do not depend on scopes.
func (g *planned) options(divided pieces) liveness.Options {
	out := liveness.Options{
		Reshape: slices.Contains(g.views, "reshape"), InPlace: slices.Contains(g.views, "inplace"), Parts: len(divided) > 0, Diagonal: slices.Contains(g.views, "diagonal"),
		Keep: slices.Concat(g.keep, g.lasting), KeepInputs: g.external || g.keepInputs,
		Divide: func(_ *graph.Op, part graph.Part) bool {
			return divided[piece{part.Piece, part.Whole}] && !g.alone(part.Piece)
		},
		Alone: g.alone,
	}
	if g.block.Device.TakesRows() {
		out.Strided = g.rewritten.TakesRows
	}
	return out
}

// within limits sharing to tensors that the scopes let share.
func (g *planned) within(options liveness.Options) liveness.Options {
	divide := options.Divide
	options.Mergeable, options.Overwrite = g.mergeable, g.overwritable
	options.Divide = func(op *graph.Op, part graph.Part) bool {
		return divide(op, part) && g.alike(part.Piece, part.Whole) && g.scopes.Tensors[part.Whole].Geometry == nil
	}
	return options
}

// orderForMemory orders the ops for the least peak. A concatenation in place saves its copy, but takes all of its bytes from
// the first piece on, and what shares bytes with the pieces of a split is not written over: all are tried in place, those that
// one by one raise nothing, none, and those whose pieces are runs of bytes: rows hold all of their whole as long as any is needed.
func (g *planned) orderForMemory(ctx context.Context) error {
	candidates, none := g.dividing(), g.division(nil)
	choices := []*division{none}
	if len(candidates) > 0 {
		all := g.division(piecesOf(candidates))
		choices = []*division{all, g.between(none, all, candidates), none}
		if runs := inRuns(candidates); len(runs) > 0 && len(runs) < len(candidates) {
			choices = append(choices, g.division(piecesOf(runs)))
		}
	}
	best := choices[0]
	for _, d := range choices {
		if err := d.solve(ctx); err != nil {
			return err
		}
		if d.found.Peak < best.found.Peak {
			best = d
		}
	}
	g.divided = best.divided
	g.ordering = &ordering{source: sharingNothing(none.cost).Peak(identity(len(g.rewritten.Ops))), bound: best.found.Bound}
	if !slices.IsSorted(best.found.Order) {
		g.rewritten = reordered(g.rewritten, best.found.Order)
	}
	return nil
}

// division is a choice of what lies in place, the problem of ordering the graph with it, and once that is solved the order. Which of
// two wholes a piece lies in follows from the order that there was before, and stays so in the one that is found.
type division struct {
	divided pieces
	cost    *schedule.Problem
	found   *schedule.Result
}

func (g *planned) division(divided pieces) *division {
	problem, joined := g.costOf(divided)
	return &division{divided: joined, cost: problem}
}

// solve orders the graph, unless that was done before.
func (d *division) solve(ctx context.Context) (err error) {
	if d.found == nil {
		d.found, err = schedule.Solve(ctx, d.cost, 0)
	}
	return err
}

// sharingNothing is the problem of a division without results that take over the bytes of operands.
func sharingNothing(p *schedule.Problem) *schedule.Problem {
	out := &schedule.Problem{Buffers: p.Buffers, Ops: slices.Clone(p.Ops), First: p.First}
	for i := range out.Ops {
		out.Ops[i].Reuses = nil
	}
	return out
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// cost is the problem of ordering the graph's ops.
func (g *planned) cost(divided pieces) *schedule.Problem {
	problem, _ := g.costOf(divided)
	return problem
}

// costOf is the problem of ordering the graph's ops, with those of the pieces that do lie in place.
func (g *planned) costOf(divided pieces) (*schedule.Problem, pieces) {
	options := g.options(divided)
	if g.textured {
		options = g.within(options)
	}
	touched := liveness.Touch(g.rewritten, options)
	joined := pieces{}
	for _, part := range touched.Parts {
		joined[piece{part.Piece, part.Whole}] = true
	}
	p := &schedule.Problem{First: touched.First, Buffers: make([]schedule.Buffer, len(touched.Sizes)), Ops: make([]schedule.Op, len(touched.Ops))}
	for i, size := range touched.Sizes {
		p.Buffers[i] = schedule.Buffer{Size: size, Before: touched.Before[i], After: touched.After[i]}
	}
	needs := precedence(g.rewritten)
	for i, op := range touched.Ops {
		out := schedule.Op{Needs: needs[i], Touches: op.Runs, Scratch: op.Scratch}
		for _, r := range op.Reuses {
			out.Reuses = append(out.Reuses, schedule.Reuse(r))
		}
		p.Ops[i] = out
	}
	return p, joined
}

// precedence lists for each op those that must run before it: the ones that write its operands, and of those that touch a
// state the one before, so that each reads what it did.
func precedence(g *graph.Graph) [][]int {
	producers := g.Producers()
	last := map[graph.TensorID]int{}
	needs := make([][]int, len(g.Ops))
	for i := range g.Ops {
		need := func(before int) {
			if before >= 0 && before < i && !slices.Contains(needs[i], before) {
				needs[i] = append(needs[i], before)
			}
		}
		for _, list := range [][]graph.TensorID{g.Ops[i].Inputs, g.Ops[i].Outputs} {
			for _, id := range list {
				t := g.Tensor(id)
				switch {
				case t == nil:
				case t.Role != graph.State:
					need(producers[id])
				default:
					if before, ok := last[id]; ok {
						need(before)
					}
					last[id] = i
				}
			}
		}
	}
	return needs
}

// reordered is the graph with its ops in another order.
func reordered(g *graph.Graph, order []int) *graph.Graph {
	out := *g
	out.Ops = make([]graph.Op, len(order))
	for i, v := range order {
		out.Ops[i] = g.Ops[v]
	}
	return &out
}

// kept are the names of a list that are among the others.
func kept(list []string, others ...string) []string {
	out := []string{}
	for _, name := range list {
		if slices.Contains(others, name) {
			out = append(out, name)
		}
	}
	return out
}

// written is what the plan says of the order, nil where the settings ask for the model's own. The live bytes are those of the
// buffers as they are: copies between scopes add to them, and pools of their own keep tensors apart.
func (g *planned) written() *plan.Order {
	if g.ordering == nil {
		return nil
	}
	most := g.mostLive()
	return &plan.Order{Changed: g.rewritten != g.source, Live: most, Source: g.ordering.source, Bound: min(g.ordering.bound, most)}
}

// mostLive is the most bytes of what changes that are live at a step. It costs O(n log n) for n buffers and gaps.
func (g *planned) mostLive() int64 {
	var events []event
	add := func(first, last, bytes int64) { events = append(events, event{first, bytes}, event{last, -bytes}) }
	for i := range g.buffers {
		b := &g.buffers[i]
		if alwaysLive(b) {
			continue
		}
		add(b.First, b.Last, b.Size)
		for _, gap := range b.Gaps {
			add(gap.First, gap.Last, gap.From-gap.To)
		}
	}
	for _, o := range g.overs {
		add(o.step, o.step+1, -o.shared)
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	most, live := int64(0), int64(0)
	for i, e := range events {
		if live += e.bytes; i+1 == len(events) || events[i+1].at != e.at {
			most = max(most, live)
		}
	}
	return most
}
