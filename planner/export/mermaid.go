package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// Mermaid writes the ops of a graph of the plan as a flowchart of Mermaid, coloured by the memory scope of their results.
func Mermaid(w io.Writer, p *plan.Plan, graphName string) error {
	g, err := graphNamed(p, graphName)
	if err != nil {
		return err
	}
	d := diagramOf(g)
	var b strings.Builder
	b.WriteString("flowchart TB\n")
	for _, box := range d.boxes {
		open, end := "[", "]"
		if box.round {
			open, end = "([", "])"
		}
		fmt.Fprintf(&b, "  %s%s\"%s<br>%s\"%s:::%s\n", box.id, open, mermaidText(box.title), mermaidText(box.name), end, mermaidClass(box.scope))
	}
	for _, a := range d.arrows {
		fmt.Fprintf(&b, "  %s -->|\"%s<br>%d bytes\"| %s\n", a.from, mermaidText(a.tensor.Name), a.tensor.Size, a.to)
	}
	b.WriteString("  subgraph scopes [memory scope]\n")
	for i, scope := range d.scopes {
		fmt.Fprintf(&b, "    scope%d[\"%s\"]:::%s\n", i, scope, mermaidClass(scope))
	}
	b.WriteString("  end\n")
	for _, scope := range d.scopes {
		fmt.Fprintf(&b, "  classDef %s fill:%s,stroke:#444,color:#000\n", mermaidClass(scope), colourOf(scope))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// MermaidLifetimes writes the lifetimes of a graph's tensors as a Gantt chart of Mermaid whose days are steps. Characters
// that its tasks cannot have are "_". It costs O(tensors).
func MermaidLifetimes(w io.Writer, p *plan.Plan, graphName string) error {
	g, err := graphNamed(p, graphName)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "gantt\n  title Lifetimes in graph %s, in steps\n  dateFormat X\n  axisFormat %%s\n", ganttText(g.Name))
	pool := ""
	for _, s := range spansOf(p, g) {
		if s.pool != pool {
			pool = s.pool
			fmt.Fprintf(&b, "  section %s\n", ganttText(pool))
		}
		fmt.Fprintf(&b, "    %s, %d bytes :%d, %d\n", ganttText(s.tensor.Name), s.tensor.Size, s.tensor.First, s.tensor.Last)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// mermaidText writes the characters that mean something to Mermaid or HTML as entities.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;").Replace(drawn(s))
}

// mermaidClass is the name of a class of boxes for a scope.
func mermaidClass(scope string) string {
	return "scope_" + strings.NewReplacer(".", "_", "-", "_").Replace(scope)
}

func ganttText(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(":;#%,", r) {
			return '_'
		}
		return r
	}, drawn(s))
}
