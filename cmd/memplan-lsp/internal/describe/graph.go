package describe

import (
	"fmt"

	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// Graph explains what a plan makes of a graph, or of its instances; nil when the plan has no graph of the name.
func Graph(p *plan.Plan, name string) *Page {
	g := findGraph(p, name)
	if g == nil {
		return graphInstances(p, name)
	}
	page := &Page{}
	page.Text("%s, %s, %s%s%s", g.Format, Count(len(g.Steps), "step"), Count(len(g.Tensors), "tensor"), rewrites(g), copied(g))
	rows := [][]string{{"pool", "tensors", "bytes of this graph", "peak"}}
	for i := range p.Pools {
		pool := &p.Pools[i]
		if count, bytes := inPool(g, pool.Name); count > 0 {
			rows = append(rows, []string{Code(pool.Name), fmt.Sprint(count), units.FormatBytes(bytes), units.FormatBytes(pool.Peak)})
		}
	}
	return page.Table(rows)
}

// Placed returns the bytes of a graph's tensors, views left out; the second result is false when the plan has no graph of
// the name.
func Placed(p *plan.Plan, name string) (int64, bool) {
	g := findGraph(p, name)
	if g == nil {
		return 0, false
	}
	var sum int64
	for i := range p.Pools {
		_, bytes := inPool(g, p.Pools[i].Name)
		sum += bytes
	}
	return sum, true
}

func inPool(g *plan.Graph, pool string) (count int, bytes int64) {
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Pool == pool {
			count++
			if t.ViewOf == nil {
				bytes += t.Size
			}
		}
	}
	return count, bytes
}

func rewrites(g *plan.Graph) string {
	made := 0
	for _, r := range g.Rewrites {
		if !r.Kept {
			made++
		}
	}
	if made == 0 {
		return ""
	}
	return fmt.Sprintf(", %d rewritten", made)
}

func copied(g *plan.Graph) string {
	if len(g.Copies) == 0 {
		return ""
	}
	var bytes int64
	for _, c := range g.Copies {
		bytes += c.Bytes
	}
	return fmt.Sprintf(", copies between scopes: %d of %s", len(g.Copies), units.FormatBytes(bytes))
}
