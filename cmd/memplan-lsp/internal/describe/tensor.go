package describe

import (
	"strings"

	"github.com/memplan/memplan/planner/explain"
	"github.com/memplan/memplan/planner/plan"
)

// Find returns the tensor of a name, in the graph of a name or, when that is "", in the first that has it; nil when there
// is none.
func Find(p *plan.Plan, graph, name string) (*plan.Graph, *plan.Tensor) {
	for i := range p.Graphs {
		g := &p.Graphs[i]
		if graph != "" && g.Name != graph {
			continue
		}
		for j := range g.Tensors {
			if g.Tensors[j].Name == name {
				return g, &g.Tensors[j]
			}
		}
	}
	return nil, nil
}

// Tensor explains where a tensor is and why, in the words of `memplan show -tensor`; nil when the plan has none of the
// name. The graph's name may be "".
func Tensor(p *plan.Plan, graph, name string) *Page {
	g, t := Find(p, graph, name)
	if t == nil {
		return nil
	}
	explained, _ := explain.Tensor(p, g.Name, t.Name)
	rows := [][]string{{"", ""}}
	for _, fact := range explained[0].Facts() {
		rows = append(rows, []string{fact.Label, Literal(strings.Join(fact.Lines, "; "))})
	}
	return (&Page{}).Table(rows)
}
