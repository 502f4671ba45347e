package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// DOT writes the ops of a graph of the plan in the language of Graphviz, coloured by the memory scope of their results.
func DOT(w io.Writer, p *plan.Plan, graphName string) error {
	g, err := graphNamed(p, graphName)
	if err != nil {
		return err
	}
	d := diagramOf(g)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=TB;\n  node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n", dotText(g.Name))
	for _, box := range d.boxes {
		shape := ""
		if box.round {
			shape = ", shape=ellipse"
		}
		fmt.Fprintf(&b, "  %s [label=%s, fillcolor=\"%s\"%s];\n", box.id, dotText(box.title, box.name), colourOf(box.scope), shape)
	}
	for _, a := range d.arrows {
		fmt.Fprintf(&b, "  %s -> %s [label=%s];\n", a.from, a.to, dotText(a.tensor.Name, fmt.Sprintf("%d bytes", a.tensor.Size)))
	}
	b.WriteString("  subgraph cluster_scopes {\n    label=\"memory scope\";\n")
	for i, scope := range d.scopes {
		fmt.Fprintf(&b, "    scope%d [label=%s, fillcolor=\"%s\"];\n", i, dotText(scope), colourOf(scope))
	}
	b.WriteString("  }\n}\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// The drawing of lifetimes in points: a step is dotStep wide, a bar dotBar high, and bars stand dotRow apart.
const (
	dotStep = 48
	dotRow  = 30
	dotBar  = 14
)

// DOTLifetimes writes the lifetimes of a graph's tensors in the language of Graphviz: a bar for each, from its first step
// to its last, at a fixed place, so that it is drawn by "neato -n". It costs O(tensors).
func DOTLifetimes(w io.Writer, p *plan.Plan, graphName string) error {
	g, err := graphNamed(p, graphName)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "graph %s {\n  node [shape=box, style=filled, fixedsize=true, fontname=\"sans-serif\", fontsize=9, fontcolor=black];\n", dotText("lifetimes of "+g.Name))
	for i, s := range spansOf(p, g) {
		t := s.tensor
		steps := t.Last - t.First
		fmt.Fprintf(&b, "  t%d [label=\"\", xlabel=%s, tooltip=%s, fillcolor=\"%s\", pos=\"%d,%d\", width=%.3f, height=%.3f];\n", i, dotText(t.Name),
			dotText(fmt.Sprintf("%s: %d bytes in %s, steps [%d, %d)", t.Name, t.Size, s.pool, t.First, t.Last)),
			colourOf(t.Scope), t.First*dotStep+steps*dotStep/2, -(i*dotRow + dotRow), float64(steps*dotStep)/72, dotBar/72.0)
	}
	for i := range g.Steps {
		fmt.Fprintf(&b, "  s%d [label=\"%d\", shape=plaintext, style=\"\", pos=\"%d,0\", width=0.5, height=0.2];\n", i, i, i*dotStep+dotStep/2)
	}
	b.WriteString("}\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// dotText is a quoted text of several lines.
func dotText(lines ...string) string {
	escaped := make([]string, len(lines))
	for i, line := range lines {
		escaped[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(drawn(line))
	}
	return `"` + strings.Join(escaped, `\n`) + `"`
}
