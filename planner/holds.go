package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// override is what one rule or pin put into one pool against the pool's own list of roles.
type override struct {
	by, pool     string
	at           hcl.Range
	tensor, role string
	graph        string
	more         int
	holds        []string
}

// overriddenHolds warns of each rule or pin that put tensors into a pool whose holds, as the configuration gives it, leaves
// out their role. A default of holds is no such wish. Rules that come with memplan are for many models and may do so.
func (p *pipeline) overriddenHolds(written *plan.Plan) diag.Diagnostics {
	stated, choosers := p.statedHolds(), p.choosers()
	var found []*override
	for i := range written.Graphs {
		g := &written.Graphs[i]
		roles := rolesOfBytes(g)
		for j := range g.Tensors {
			t := &g.Tensors[j]
			holds, given := stated[t.Pool]
			by := chooser(&t.Reason)
			where, chosen := choosers[by]
			if t.ViewOf != nil || !chosen || !given || slices.ContainsFunc(roles[t.Name], func(role string) bool { return slices.Contains(holds, role) }) {
				continue
			}
			k := slices.IndexFunc(found, func(o *override) bool { return o.by == by && o.pool == t.Pool })
			if k >= 0 {
				found[k].more++
				continue
			}
			found = append(found, &override{by: by, pool: t.Pool, at: where, tensor: t.Name, role: t.Role, graph: g.Name, holds: holds})
		}
	}
	slices.SortStableFunc(found, func(a, b *override) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.pool, b.pool)) })
	var diags diag.Diagnostics
	for _, o := range found {
		diags = append(diags, at(o.diagnostic(), "", o.at))
	}
	return diags
}

func (o *override) diagnostic() diag.Diagnostic {
	others := ""
	if o.more > 0 {
		others = fmt.Sprintf(", and %d more,", o.more)
	}
	return diag.New(diag.HoldsOverridden, "%s puts the tensor %q of graph %q%s into pool %q, which holds %s and not %q. Add the role to the pool's holds, or choose another pool.",
		o.by, o.tensor, o.graph, others, o.pool, diag.Quoted(o.holds), o.role)
}

// statedHolds are the roles of the pools of which the configuration gives them.
func (p *pipeline) statedHolds() map[string][]string {
	out := map[string][]string{}
	for _, pool := range p.cfg.Pools {
		if _, given := pool.Attributes["holds"]; given {
			out[pool.Name] = pool.Holds
		}
	}
	return out
}

// choosers are the ranges of what can choose a pool, by address: rules that give pools, and pins.
func (p *pipeline) choosers() map[string]hcl.Range {
	out := map[string]hcl.Range{}
	for _, rule := range p.cfg.Rules {
		if len(rule.Pools) > 0 && !rule.IsBuiltin() {
			out[rule.Address.String()] = rule.Range
		}
	}
	for _, g := range p.graphs {
		for _, wish := range g.pins {
			out[wish.address] = wish.at
		}
	}
	return out
}

// chooser is the address of what chose a tensor's pool: its pin, else its rule.
func chooser(r *plan.Reason) string {
	switch {
	case r.Pinned != nil:
		return *r.Pinned
	case r.Rule != nil:
		return *r.Rule
	}
	return ""
}

// rolesOfBytes lists for each tensor with bytes of its own the roles of those bytes: its own and those of its views.
func rolesOfBytes(g *plan.Graph) map[string][]string {
	out := make(map[string][]string, len(g.Tensors))
	for i := range g.Tensors {
		t := &g.Tensors[i]
		base := t.Name
		if t.ViewOf != nil {
			base = *t.ViewOf
		}
		out[base] = append(out[base], t.Role)
	}
	return out
}
