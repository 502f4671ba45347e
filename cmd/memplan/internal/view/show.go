package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// Show shows a plan in full.
type Show interface {
	Verb
	// Result shows the plan; ds are warnings, and errors of checks that failed.
	Result(p *plan.Plan, ds diag.Diagnostics) error
	// Bars shows the maps and images alone.
	Bars(p *plan.Plan, ds diag.Diagnostics) error
}

// NewShow returns the renderer for people or the JSON one.
func NewShow(asJSON bool, term *Terminal, sources Sources) Show {
	if asJSON {
		return showJSON{document{term.Out, sources}, human{term, sources}}
	}
	return showHuman{human{term, sources}}
}

type showHuman struct{ human }

// Result shows settings, pools, tensors and maps.
func (v showHuman) Result(p *plan.Plan, ds diag.Diagnostics) error {
	v.diagnostics(ds)
	var b strings.Builder
	writeGraphs(&b, v.out(), v.term.OutWidth, p)
	writeSettings(&b, v.out(), p)
	writePools(&b, v.out(), v.term.OutWidth, &Planned{New: p})
	for i := range p.Graphs {
		g := &p.Graphs[i]
		fmt.Fprintf(&b, "%s\n%s\n", v.out().bold("Tensors of graph "+g.Name), tensorTable(v.out(), v.term.OutWidth, p, g))
		writeCopies(&b, v.out(), v.term.OutWidth, g)
	}
	v.drawings(&b, p)
	v.print(strings.TrimRight(b.String(), "\n") + "\n")
	return nil
}

// Bars shows the pools with the bytes live at each step, their maps and images.
func (v showHuman) Bars(p *plan.Plan, ds diag.Diagnostics) error {
	v.diagnostics(ds)
	var b strings.Builder
	writePools(&b, v.out(), v.term.OutWidth, &Planned{New: p})
	v.bars(&b, p)
	v.drawings(&b, p)
	v.print(strings.TrimRight(b.String(), "\n") + "\n")
	return nil
}

// drawings draws each flat pool for each graph that changes it, and lists the images of the others.
func (v showHuman) drawings(b *strings.Builder, p *plan.Plan) {
	for i := range p.Pools {
		pool := &p.Pools[i]
		if pool.PeakStep != nil {
			for j := range p.Graphs {
				if drawing := memoryMap(v.out(), p, &p.Graphs[j], pool, v.term.OutWidth); drawing != "" {
					b.WriteString(drawing + "\n")
				}
			}
		}
		if images := imageTable(v.out(), v.term.OutWidth, p, pool); images != "" {
			b.WriteString(images + "\n")
		}
	}
}

func writeSettings(b *strings.Builder, paint palette, p *plan.Plan) {
	out := grid{header: []string{"setting", "value", "from"}}
	for _, name := range slices.Sorted(maps.Keys(p.Settings)) {
		s := p.Settings[name]
		out.add(name, settingValue(s.Value), s.Origin)
	}
	if len(out.rows) > 0 {
		b.WriteString(out.render(paint) + "\n")
	}
}

// settingValue writes a list with commas; a list that was read from a file holds any values.
func settingValue(value any) string {
	switch value := value.(type) {
	case []string:
		return "[" + strings.Join(value, ", ") + "]"
	case []any:
		parts := make([]string, len(value))
		for i, item := range value {
			parts[i] = fmt.Sprint(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(value)
}

func writeCopies(b *strings.Builder, paint palette, columns int, g *plan.Graph) {
	out := grid{header: []string{"copy of", "to", "at step", "bytes"}, numbers: []int{2, 3}, names: []int{0, 1}, width: columns}
	for _, c := range g.Copies {
		out.add(visible(c.Tensor), visible(c.To), fmt.Sprint(c.Step), fmt.Sprint(c.Bytes))
	}
	if len(out.rows) > 0 {
		fmt.Fprintf(b, "%s\n%s\n", paint.bold("Copies between scopes"), out.render(paint))
	}
}

// Bars writes the plan: in JSON there is one form of it.
func (v showJSON) Bars(p *plan.Plan, ds diag.Diagnostics) error { return v.Result(p, ds) }

type showJSON struct {
	document
	people human
}

// Result writes the plan in its canonical form, so that what is shown can be compared with a lock byte for byte.
// Warnings go to standard error: the plan's format has no place for them.
func (v showJSON) Result(p *plan.Plan, ds diag.Diagnostics) error {
	data, err := plan.Encode(p)
	if err != nil {
		return err
	}
	v.people.diagnostics(ds)
	write(v.out, data)
	return nil
}
