package scope

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// checkRules reads the scopes and globs of all rules and finds those that cannot speak of this graph.
func (d *decider) checkRules() {
	for i := range d.r.Rules {
		rule := &d.r.Rules[i]
		if rule.Scope != "" {
			name, ok := Canonical(rule.Scope)
			if !ok {
				d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.UnknownScope, "%s gives scope %q, and the scopes are %s.%s",
					rule.Address, rule.Scope, diag.Quoted(Names()), diag.DidYouMean(rule.Scope, Names()))))
				d.skip[i] = true
			}
			d.scopes[i] = name
		}
		for _, pattern := range rule.Tensor {
			if !doublestar.ValidatePattern(pattern) {
				d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.InvalidTensorPattern,
					"%s matches tensors by the glob %q, which is not well formed: a bracket or a brace is not closed. Close it, or escape it with a backslash.", rule.Address, pattern)))
				d.skip[i] = true
			}
		}
		d.skip[i] = d.skip[i] || !d.reaches(rule)
	}
}

// reaches reports whether the rule leaves the pools open or names one of the graph's device.
func (d *decider) reaches(rule *Rule) bool {
	for _, k := range rule.Pools {
		if d.r.Pools[k].Device == d.r.Device.Name {
			return true
		}
	}
	return rule.Pools == nil
}

// miss counts a tensor without candidates.
func (d *decider) miss(t *TensorFacts) {
	if h := d.homeless[t.Role]; h != nil {
		h.more++
		return
	}
	d.homeless[t.Role] = &homeless{first: t.Name}
}

func (d *decider) reportHomeless() {
	for _, role := range graph.Roles {
		h := d.homeless[role]
		if h == nil {
			continue
		}
		others := ""
		if h.more > 0 {
			others = fmt.Sprintf(" and %d more of that role", h.more)
		}
		d.diags = append(d.diags, diag.New(diag.NoCandidatePool,
			"No pool can take the tensor %q of role %q%s: device %q has no flat pool that holds %q. Declare one, or add the role to the holds of a pool.",
			h.first, role, others, d.r.Device.Name, role))
	}
}

// aboutRule points the diagnostic at the rule.
func (d *decider) aboutRule(i int, what diag.Diagnostic) diag.Diagnostic {
	what.Subject = d.r.Rules[i].Range
	return what
}

// Unused warns of each rule that decided nothing in any graph. The lists are the Decided of each graph's result.
func Unused(rules []Rule, decided ...[]bool) diag.Diagnostics {
	var out diag.Diagnostics
	for i := range rules {
		used := false
		for _, list := range decided {
			used = used || list[i]
		}
		if !used {
			d := diag.New(diag.RuleUnused,
				"%s decides nothing: no tensor that an earlier rule left meets its match block and its condition. Correct the match block, move the rule up, or remove it.", rules[i].Address)
			d.Subject = rules[i].Range
			out = append(out, d)
		}
	}
	return out
}
