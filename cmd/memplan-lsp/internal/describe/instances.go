package describe

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// poolInstances lists what a plan needs of each instance of a pool with for_each or count; nil when it has none.
func poolInstances(p *plan.Plan, name string) *Page {
	rows := [][]string{{"pool", "peak", "capacity", "bound"}}
	for i := range p.Pools {
		pool := &p.Pools[i]
		if !isInstance(pool.Name, name) {
			continue
		}
		capacity := "unlimited"
		if pool.Capacity != nil {
			capacity = units.FormatBoth(*pool.Capacity) + percent(pool.Peak, *pool.Capacity)
		}
		rows = append(rows, []string{Code(pool.Name), units.FormatBoth(pool.Peak), capacity, units.FormatBoth(pool.Bound)})
	}
	return instances(rows)
}

// graphInstances lists the instances of a graph with for_each or count; nil when a plan has none.
func graphInstances(p *plan.Plan, name string) *Page {
	rows := [][]string{{"graph", "steps", "tensors"}}
	for i := range p.Graphs {
		if g := &p.Graphs[i]; isInstance(g.Name, name) {
			rows = append(rows, []string{Code(g.Name), fmt.Sprint(len(g.Steps)), fmt.Sprint(len(g.Tensors))})
		}
	}
	return instances(rows)
}

func isInstance(name, of string) bool { return strings.HasPrefix(name, of+"[") }

func instances(rows [][]string) *Page {
	if len(rows) == 1 {
		return nil
	}
	return (&Page{}).Table(rows)
}
