package scope

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// Store gives the float32 activations and constants whose first matching rule asks for it the element type that memory
// holds. It returns a new graph, or the request's own when no rule asks, and changes nothing else; inputs, outputs and state
// are what callers see, and keep their type. Conditions that fail are reported by [Decide]. It costs O(tensors · rules).
func Store(r Request) *graph.Graph {
	if !slices.ContainsFunc(r.Rules, func(rule Rule) bool { return rule.Store != graph.InvalidDType }) {
		return r.Graph
	}
	d := newDecider(&r)
	d.checkRules()
	d.layouts = layoutsOf(d.g)
	d.survey()
	out := *r.Graph
	out.Tensors = slices.Clone(r.Graph.Tensors)
	for i := range out.Tensors {
		t, s := &out.Tensors[i], &d.subjects[i]
		if s.rule < 0 || t.DType != graph.Float32 || s.facts.Role != graph.Activation && s.facts.Role != graph.Constant {
			continue
		}
		if store := d.r.Rules[s.rule].Store; store == graph.Float16 {
			t.DType, t.Computes = store, graph.Float32
			t.Data = graph.Half(t.Data)
		}
	}
	return &out
}

func newDecider(r *Request) *decider {
	d := &decider{r: r, g: r.Graph, limits: r.Device.Image2D, uses: touches(r.Graph), out: &Result{Decided: make([]bool, len(r.Rules))},
		skip: make([]bool, len(r.Rules)), scopes: make([]label, len(r.Rules)), denials: make([]denial, len(r.Rules)), homeless: map[graph.Role]*homeless{}}
	d.input, d.output = members(d.g, d.g.Inputs), members(d.g, d.g.Outputs)
	return d
}
