package explain

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// Tensor explains the tensor of that name in the named graph, or in each graph that has one when graph is "". A name that
// is not there is reported with the nearest one that is. It costs O(plan).
func Tensor(p *plan.Plan, graph, tensor string) ([]*Explanation, diag.Diagnostics) {
	var out []*Explanation
	var graphs, tensors []string
	ix := newIndex(p)
	for i := range p.Graphs {
		g := &p.Graphs[i]
		graphs = append(graphs, g.Name)
		if graph != "" && graph != g.Name {
			continue
		}
		for j := range g.Tensors {
			tensors = append(tensors, g.Tensors[j].Name)
			if g.Tensors[j].Name == tensor {
				out = append(out, ix.explain(i, &g.Tensors[j], -1))
			}
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case tensors == nil && graph != "":
		return nil, diag.Diagnostics{diag.New(diag.UnknownPlanGraph, "The plan has no graph %q.%s Its graphs are %s.", graph, diag.DidYouMean(graph, graphs), diag.Quoted(graphs))}
	}
	if d, ok := gone(p, graph, tensor); ok {
		return nil, diag.Diagnostics{d}
	}
	return nil, diag.Diagnostics{unknown(graph, tensor, tensors)}
}

// gone says where a tensor went that a rewrite of a graph left without a place.
func gone(p *plan.Plan, graph, tensor string) (diag.Diagnostic, bool) {
	for i := range p.Graphs {
		g := &p.Graphs[i]
		if graph != "" && graph != g.Name {
			continue
		}
		if where, ok := g.Gone()[tensor]; ok {
			return diag.New(diag.UnknownPlanTensor, "The tensor %q of graph %q %s. Name it in keep of the graph to have it in the plan, or leave the rewrite out of planner { rewrite = [...] }.",
				tensor, g.Name, where), true
		}
	}
	return diag.Diagnostic{}, false
}

// Each explains every tensor of a plan, by index of its graph and its own, in the order of the plan. The explanations list as
// many sharers as [Explanation.Facts] does. It costs O(plan + pairs of tensors in one pool).
func Each(p *plan.Plan, visit func(graph, tensor int, e *Explanation)) {
	ix := newIndex(p)
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			visit(i, j, ix.explain(i, &p.Graphs[i].Tensors[j], mostSharers))
		}
	}
}

func unknown(graph, tensor string, known []string) diag.Diagnostic {
	where := "No graph of the plan has a"
	if graph != "" {
		where = fmt.Sprintf("The graph %q has no", graph)
	}
	next := diag.DidYouMean(tensor, known).Or(diag.Containing(tensor, known)).Or(" \"memplan show\" lists all of them.")
	return diag.New(diag.UnknownPlanTensor, "%s tensor %q.%s", where, tensor, next)
}
