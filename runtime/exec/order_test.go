package exec_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
)

// mostOrders bounds the orders that are tried of a graph; graphs that have more are left out.
const mostOrders = 400

// ordersOf lists all orders of a graph's ops in which each runs after those whose results it reads; false when they are too many.
func ordersOf(g *graph.Graph) (out [][]int, ok bool) {
	producers := g.Producers()
	done := make([]bool, len(g.Ops))
	var order []int
	var extend func()
	extend = func() {
		if len(out) > mostOrders {
			return
		}
		if len(order) == len(g.Ops) {
			out = append(out, slices.Clone(order))
			return
		}
		for v := range g.Ops {
			waits := slices.ContainsFunc(g.Ops[v].Inputs, func(id graph.TensorID) bool { return id >= 0 && producers[id] >= 0 && !done[producers[id]] })
			if done[v] || waits {
				continue
			}
			done[v], order = true, append(order, v)
			extend()
			done[v], order = false, order[:len(order)-1]
		}
	}
	extend()
	return out, len(out) <= mostOrders
}

// dividing says which pieces lie in place.
type dividing func(*graph.Op, graph.Part) bool

// mostLive is the most bytes that are live at a step of a graph in its order, where results may be written over operands.
func mostLive(t require.TestingT, g *graph.Graph, divide dividing) int64 {
	buffers, diags := liveness.Analyze(g, liveness.Options{Reshape: true, InPlace: true, Parts: true, Strided: g.TakesRows, Divide: divide})
	require.Empty(t, diags)
	live := make([]int64, len(g.Ops))
	add := func(first, last, bytes int64) {
		for step := first; step < min(last, int64(len(live))); step++ {
			live[step] += bytes
		}
	}
	for _, b := range buffers {
		if b.Role == graph.Constant {
			continue
		}
		add(b.First, b.Last, b.Size)
		for _, gap := range b.Gaps {
			add(gap.First, gap.Last, gap.From-gap.To)
		}
	}
	return slices.Max(live)
}

// subsetsOf lists the choices of what lies in place, all of it first and nothing last.
func subsetsOf(g *graph.Graph) []dividing {
	var able []graph.TensorID
	for i := range g.Ops {
		if op := &g.Ops[i]; len(g.Parts(op)) > 0 {
			able = append(able, op.Outputs[0])
		}
	}
	var out []dividing
	last := 1<<len(able) - 1
	for bits := last; bits >= 0; bits-- {
		chosen := map[graph.TensorID]bool{}
		for i, id := range able {
			if bits>>i&1 == 1 {
				chosen[id] = true
			}
		}
		out = append(out, func(op *graph.Op, _ graph.Part) bool { return chosen[op.Outputs[0]] })
	}
	return out
}

// inOrder is a graph with its ops in another order.
func inOrder(g *graph.Graph, order []int) *graph.Graph {
	out := *g
	out.Ops = nil
	for _, v := range order {
		out.Ops = append(out.Ops, g.Ops[v])
	}
	return &out
}

// inPlaceIn says that those pieces lie in place that do in a plan.
func inPlaceIn(planned *plan.Graph, g *graph.Graph) dividing {
	of := map[string]string{}
	for i := range planned.Tensors {
		if t := &planned.Tensors[i]; t.ViewOf != nil {
			of[t.Name] = *t.ViewOf
		} else {
			of[t.Name] = t.Name
		}
	}
	return func(_ *graph.Op, part graph.Part) bool {
		return of[g.Tensors[part.Piece].Name] == of[g.Tensors[part.Whole].Name]
	}
}

// leastLive is the least of the most live bytes over all orders, with an order that has it.
func leastLive(t require.TestingT, g *graph.Graph, orders [][]int, divide dividing) (int64, []int) {
	least, best := int64(math.MaxInt64), []int(nil)
	for _, order := range orders {
		if live := mostLive(t, inOrder(g, order), divide); live < least {
			least, best = live, order
		}
	}
	return least, best
}

// No order of a graph has fewer live bytes than the planned one, with results over operands and pieces in place: against all
// orders, and all choices of what lies in place. Where one has, because its bytes cannot be packed as tightly, it needs no less.
func TestTheOrderIsTheBestOfAllOrdersOfAGraph(t *testing.T) {
	t.Run("pieces are runs", func(t *testing.T) {
		requireBestOrders(t, func(t *rapid.T) *graph.Graph { return drawNetwork(t, 9) }, 0)
	})
	// In one of these graphs the order of the least live bytes has pieces that cannot be packed as tightly, and one with more can.
	t.Run("pieces are rows", func(t *testing.T) {
		requireBestOrders(t, func(t *rapid.T) *graph.Graph { return drawPixels(t, 9) }, 1)
	})
}

func requireBestOrders(t *testing.T, draw func(*rapid.T) *graph.Graph, mostWorse int) {
	sharing := func(order string) func(*config.Planner) {
		return func(p *config.Planner) {
			p.Order, p.Views, p.Rewrite = order, []string{"reshape", "inplace", "concat"}, []string{}
		}
	}
	tried, gained, loose, worse := 0, 0, 0, 0
	for i := 0; tried < 60; i++ {
		g := rapid.Custom(draw).Example(i)
		orders, few := ordersOf(g)
		subsets := subsetsOf(g)
		if !few || len(orders) < 2 || len(orders)*len(subsets) > 2*mostOrders {
			continue
		}
		tried++
		planned := planGraph(t, g, sharing("memory")).Plan
		chosen := planned.Graphs[0].Order
		least, best := leastLive(t, g, orders, subsets[0])
		none, other := leastLive(t, g, orders, subsets[len(subsets)-1])
		if none < least {
			least, best = none, other
		}
		if chosen.Live > least {
			loose++
			packed := planGraph(t, inOrder(g, best), sharing("source")).Plan
			if packed.Pools[0].Peak < planned.Pools[0].Peak {
				worse++
				require.LessOrEqual(t, worse, mostWorse, "graph %d: the order %v needs %d bytes, less than %d", i, best, packed.Pools[0].Peak, planned.Pools[0].Peak)
			}
		}
		for _, divide := range subsets {
			live, _ := leastLive(t, g, orders, divide)
			least = min(least, live)
		}
		require.GreaterOrEqual(t, chosen.Live, least, "fewer than any order and any choice of views has")
		own, _ := leastLive(t, g, orders, inPlaceIn(&planned.Graphs[0], g))
		require.LessOrEqual(t, chosen.Bound, own, "graph %d: an order has fewer than is said to be proved, with the views of the plan", i)
		require.Equal(t, chosen.Bound, chosen.Live, "graph %d: so few orders are all tried", i)
		if chosen.Live < chosen.Source {
			gained++
		}
	}
	require.Positive(t, gained)
	require.LessOrEqual(t, loose, tried/10)
}
