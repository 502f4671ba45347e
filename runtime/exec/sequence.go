package exec

import (
	"context"
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// Upstream is a graph that runs before another, which takes inputs from its outputs.
type Upstream struct {
	// Name is the graph's name in the plan.
	Name string
	// Graph is the graph that the plan was made for.
	Graph *graph.Graph
}

// InputName is the name under which [Runner.Inputs] lists an input of a graph that runs before.
func InputName(graphName, tensor string) string { return graphName + "/" + tensor }

// part is one graph of a sequence on its way to a runner.
type part struct {
	Upstream
	planned *plan.Graph
	layout  *layout
	// linked are the inputs that are outputs of earlier graphs of the sequence, by name.
	linked map[string]bool
}

// arrange lays out the graphs of a sequence over the same memory, the last one last.
func arrange(p *plan.Plan, graphs []Upstream) ([]*part, diag.Diagnostics) {
	var parts []*part
	var diags diag.Diagnostics
	for i, u := range graphs {
		planned := findGraph(p, u.Name)
		if planned == nil {
			return nil, append(diags, unplanned(p, u.Name))
		}
		x := &part{Upstream: u, planned: planned, linked: linkedInputs(planned, graphs[:i])}
		var more diag.Diagnostics
		if i == 0 {
			x.layout, more = newLayout(p, planned, u.Graph)
		} else {
			x.layout, more = parts[i-1].layout.next(planned, u.Graph)
		}
		diags = append(diags, more...)
		parts = append(parts, x)
	}
	return parts, diags
}

// linkedInputs are the inputs of a graph that are outputs of one of the others, in the same bytes.
func linkedInputs(planned *plan.Graph, before []Upstream) map[string]bool {
	out := map[string]bool{}
	for i := range planned.Tensors {
		t := &planned.Tensors[i]
		if t.Shares == nil || t.Shares.Because != plan.SharesInput {
			continue
		}
		for _, u := range before {
			if u.Name == t.Shares.Graph {
				out[t.Name] = true
			}
		}
	}
	return out
}

// next lays out another graph over the same pools and images.
func (l *layout) next(planned *plan.Graph, g *graph.Graph) (*layout, diag.Diagnostics) {
	out := &layout{memory: l.memory, tensors: make(map[string]*device.Tensor, len(planned.Tensors)), pools: l.pools, storages: l.storages, images: l.images}
	for i := range planned.Tensors {
		out.place(planned, &planned.Tensors[i])
	}
	out.compare(planned, g)
	return out, out.diags
}

// held are the regions that other graphs of the sequence have content in while graph k runs: their constants and state, and
// outputs of earlier graphs that a later one reads. Those that graph k reads itself are in its own claims.
func held(parts []*part, k int) []claim {
	var out []claim
	keep := func(x *part, name string) {
		if r := x.layout.inPool(x.layout.tensors[name].Place); r.Bytes > 0 {
			out = append(out, claim{r, math.MinInt64, math.MaxInt64})
		}
	}
	for i, x := range parts {
		for _, t := range x.layout.planned {
			always := graph.Role(t.Role) == graph.Constant || graph.Role(t.Role) == graph.State
			// An output of an earlier graph is under way while later ones run, until the last that reads it has begun.
			if i != k && always || i > k && x.linked[t.Name] && before(parts, t.Shares.Graph, k) {
				keep(x, t.Name)
			}
		}
	}
	return out
}

// before reports whether the named graph is one of the first k.
func before(parts []*part, name string, k int) bool {
	for _, x := range parts[:k] {
		if x.Name == name {
			return true
		}
	}
	return false
}

// newRunners makes a runner of each graph, which share the device.
func newRunners(ctx context.Context, parts []*part, dev device.Device, o Options) ([]*Runner, diag.Diagnostics, error) {
	memory := parts[len(parts)-1].layout.memory
	var runners []*Runner
	var diags diag.Diagnostics
	for k, x := range parts {
		r := &Runner{dev: dev, memory: memory, graph: x.Graph, tensors: x.layout.tensors, poison: o.Poison, watch: o.Watch, linked: x.linked, planned: x.planned}
		if k < len(parts)-1 {
			r.prefix = x.Name
		}
		if k == 0 && r.poison {
			if err := r.fill(wholeMemory(memory)); err != nil {
				return nil, diags, err
			}
		}
		more, err := r.load(ctx, x.planned, x.layout, held(parts, k))
		if diags = append(diags, more...); err != nil || diags.HasErrors() {
			return nil, diags, err
		}
		runners = append(runners, r)
	}
	return runners, diags, nil
}

// chain is the graphs in the order in which they run, this one last.
func (r *Runner) chain() []*Runner { return append(r.before[:len(r.before):len(r.before)], r) }

// given are the inputs of all graphs of the sequence that the caller gives.
func (r *Runner) given() []graphValue {
	var out []graphValue
	for _, x := range r.chain() {
		out = append(out, x.inputs...)
	}
	return out
}
