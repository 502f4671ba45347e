package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/units"
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

// Tensor explains where a tensor is and why; nil when the plan has none of the name. The graph's name may be "".
func Tensor(p *plan.Plan, graph, name string) *Page {
	g, t := Find(p, graph, name)
	if t == nil {
		return nil
	}
	page := &Page{}
	page.Text("`%s`: %s of `%s`, %s %s", t.Name, t.Role, g.Name, t.DType, shape(t))
	rows := [][]string{{"", ""}, {"scope", "`" + t.Scope + "`"}, {"pool", "`" + t.Pool + "`"}}
	rows = append(rows, placeRow(p, t), []string{"bytes", sizeText(t)}, []string{"lifetime", lifetime(t) + written(g, t)})
	if t.ViewOf != nil {
		rows = append(rows, []string{"view of", "`" + *t.ViewOf + "`"})
	}
	if names := sharers(g, t); names != "" {
		rows = append(rows, []string{"shares with", names})
	}
	return page.Table(append(rows, []string{"reason", reason(t)}))
}

// shape writes the axes of a tensor, with their meaning where that is known.
func shape(t *plan.Tensor) string {
	axes := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		axes[i] = strconv.FormatInt(n, 10)
	}
	text := "[" + strings.Join(axes, ", ") + "]"
	if t.Layout != "" {
		text += " " + t.Layout
	}
	return text
}

func placeRow(p *plan.Plan, t *plan.Tensor) []string {
	if t.Offset != nil {
		return []string{"offset", fmt.Sprintf("%d to %d", *t.Offset, *t.Offset+t.Size)}
	}
	for i := range p.Storages {
		if s := &p.Storages[i]; s.ID == t.Storage {
			return []string{"image", fmt.Sprintf("%d, %d x %d %s", s.ID, s.Width, s.Height, s.Texel)}
		}
	}
	return []string{"image", fmt.Sprint(t.Storage)}
}

func sizeText(t *plan.Tensor) string {
	text := units.FormatBoth(t.Size)
	if t.LogicalSize != t.Size {
		text += fmt.Sprintf(", %s of them elements", units.FormatBytes(t.LogicalSize))
	}
	if t.UpperBound {
		text += ", for the largest dimensions"
	}
	return text
}

func written(g *plan.Graph, t *plan.Tensor) string {
	if t.Producer == "" {
		return fmt.Sprintf(" of %d steps", len(g.Steps))
	}
	return fmt.Sprintf(" of %d steps, written by `%s`", len(g.Steps), t.Producer)
}

// sharers names other tensors that use the same bytes at other times.
func sharers(g *plan.Graph, t *plan.Tensor) string {
	var names []string
	more := 0
	for i := range g.Tensors {
		o := &g.Tensors[i]
		if o == t || o.ViewOf != nil || o.Pool != t.Pool || !overlaps(o, t) {
			continue
		}
		if len(names) == mostListed {
			more++
			continue
		}
		names = append(names, "`"+o.Name+"`")
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func overlaps(a, b *plan.Tensor) bool {
	if a.Offset == nil || b.Offset == nil {
		return a.Storage == b.Storage
	}
	return *a.Offset < *b.Offset+b.Size && *b.Offset < *a.Offset+a.Size
}

func reason(t *plan.Tensor) string {
	text := "nothing else decided"
	switch r := t.Reason; {
	case r.Pinned != nil:
		text = "pinned by `" + *r.Pinned + "`"
	case r.Rule != nil:
		text = "decided by `" + *r.Rule + "`"
	case r.Policy != nil:
		text = "policy `" + *r.Policy + "`"
	}
	if because := fallback(t); because != "" {
		text += "; " + because
	}
	return text
}
