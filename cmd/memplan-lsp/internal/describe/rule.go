package describe

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// Decided counts the tensors that a rule decided, and their bytes. The name is that of the rule in the plan.
func Decided(p *plan.Plan, rule string) (count int, bytes int64) {
	eachDecided(p, rule, func(_ *plan.Graph, t *plan.Tensor) {
		count++
		bytes += t.Size
	})
	return count, bytes
}

// Rule explains what a rule decided.
func Rule(p *plan.Plan, rule string) *Page {
	page := &Page{}
	count, bytes := Decided(p, rule)
	if count == 0 {
		return page.Text("It decides no tensor of the plan.")
	}
	page.Text("It decides %s of %s.", Count(count, "tensor"), units.FormatBoth(bytes))
	rows := [][]string{{"tensor", "scope", "pool", "bytes"}}
	fallbacks := [][]string{{"not as asked", "because"}}
	eachDecided(p, rule, func(_ *plan.Graph, t *plan.Tensor) {
		if len(rows) <= mostListed {
			rows = append(rows, []string{Code(t.Name), t.Scope, Code(t.Pool), units.FormatBytes(t.Size)})
		}
		if because := fallback(t); because != "" && len(fallbacks) <= mostListed {
			fallbacks = append(fallbacks, []string{Code(t.Name), because})
		}
	})
	if more := count - mostListed; more > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d more", more), "", "", ""})
	}
	return page.Table(rows).Table(fallbacks)
}

func eachDecided(p *plan.Plan, rule string, visit func(*plan.Graph, *plan.Tensor)) {
	address := "scope_rule." + rule
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			t := &p.Graphs[i].Tensors[j]
			if t.ViewOf == nil && t.Reason.Rule != nil && *t.Reason.Rule == address {
				visit(&p.Graphs[i], t)
			}
		}
	}
}

// fallback says what kept a tensor from the scope or pool that was wanted first.
func fallback(t *plan.Tensor) string {
	var parts []string
	for _, e := range t.Reason.Excluded {
		alternative := e.Scope
		if e.Over != "" {
			alternative = "over " + e.Over
		}
		parts = append(parts, alternative+": "+e.Because)
	}
	if s := t.Reason.Spill; s != nil {
		parts = append(parts, s.Because)
	}
	return Literal(strings.Join(parts, "; "))
}
