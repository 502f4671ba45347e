package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// mostListed bounds how many tensors a page lists.
const mostListed = 6

// Pool explains what a plan needs of a pool, or of each of its instances; nil when the plan has no pool of the name.
func Pool(p *plan.Plan, name string) *Page {
	pool := findPool(p, name)
	if pool == nil {
		return poolInstances(p, name)
	}
	page := &Page{}
	rows := [][]string{{"", "bytes"}, {"peak", units.FormatBoth(pool.Peak)}}
	if pool.Capacity != nil {
		rows = append(rows, []string{"capacity", units.FormatBoth(*pool.Capacity)}, []string{"free", units.FormatBoth(*pool.Capacity-pool.Peak) + percent(pool.Peak, *pool.Capacity)})
	} else {
		rows = append(rows, []string{"capacity", "unlimited"})
	}
	rows = append(rows, []string{"bound", units.FormatBoth(pool.Bound)}, []string{"gap", units.FormatBoth(pool.Gap) + ", " + optimality(pool)}, []string{"without sharing", units.FormatBoth(total(p, name))})
	page.Table(rows)
	g := findGraph(p, pool.PeakGraph)
	if g == nil || pool.PeakStep == nil {
		return page
	}
	page.Text("Peak at step %d of %s%s:", *pool.PeakStep, Code(g.Name), opAt(g, *pool.PeakStep))
	page.Table(liveAt(g, name, *pool.PeakStep))
	if line := Sparkline(LiveBytes(g, name)); line != "" {
		page.Text("Live bytes over %d steps: `%s`", len(g.Steps), line)
	}
	return page
}

func findPool(p *plan.Plan, name string) *plan.Pool {
	for i := range p.Pools {
		if p.Pools[i].Name == name {
			return &p.Pools[i]
		}
	}
	return nil
}

func findGraph(p *plan.Plan, name string) *plan.Graph {
	for i := range p.Graphs {
		if p.Graphs[i].Name == name {
			return &p.Graphs[i]
		}
	}
	return nil
}

func percent(part, whole int64) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf(", %.1f%% used", 100*float64(part)/float64(whole))
}

func optimality(pool *plan.Pool) string {
	if pool.Optimality == "optimal" {
		return "proved optimal"
	}
	return "best found"
}

// total is the sum of the logical sizes of everything in a pool, as if nothing were shared.
func total(p *plan.Plan, pool string) int64 {
	var sum int64
	for i := range p.Graphs {
		for _, t := range p.Graphs[i].Tensors {
			if t.Pool == pool && t.ViewOf == nil {
				sum += t.Size
			}
		}
	}
	return sum
}

func opAt(g *plan.Graph, step int64) string {
	if step < 0 || step >= int64(len(g.Steps)) {
		return ""
	}
	return fmt.Sprintf(" (%s %s)", Literal(g.Steps[step].Op), Code(g.Steps[step].Name))
}

// liveAt lists the largest tensors of a pool that are live at a step.
func liveAt(g *plan.Graph, pool string, step int64) [][]string {
	var live []*plan.Tensor
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Pool == pool && t.ViewOf == nil && t.LiveAt(step) > 0 {
			live = append(live, t)
		}
	}
	slices.SortFunc(live, func(a, b *plan.Tensor) int {
		return cmp.Or(cmp.Compare(b.LiveAt(step), a.LiveAt(step)), cmp.Compare(a.Name, b.Name))
	})
	rows := [][]string{{"tensor", "bytes", "offset", "steps"}}
	for _, t := range live[:min(len(live), mostListed)] {
		rows = append(rows, []string{Code(t.Name), units.FormatBytes(t.LiveAt(step)), offset(t), lifetime(t)})
	}
	if more := len(live) - mostListed; more > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d more", more), "", "", ""})
	}
	return rows
}

func offset(t *plan.Tensor) string {
	if t.Offset == nil {
		return "image"
	}
	return strconv.FormatInt(*t.Offset, 10)
}

func lifetime(t *plan.Tensor) string { return fmt.Sprintf("[%d, %d)", t.First, t.Last) }
