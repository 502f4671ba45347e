package scope

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// Unused warns of each rule that decided nothing in any of the graphs, and says which of its lists left no tensor. Silent
// marks rules that are not reported; nil marks none.
func Unused(rules []Rule, silent []bool, results ...*Result) diag.Diagnostics {
	var out diag.Diagnostics
	for i := range rules {
		used := func(r *Result) bool { return r.Decided[i] }
		if slices.ContainsFunc(results, used) || silent != nil && silent[i] {
			continue
		}
		d := diag.New(diag.RuleUnused, "%s decides nothing: %s", rules[i].Address, whyUnused(&rules[i], i, results))
		d.Subject, d.Block = rules[i].Range, rules[i].Address
		out = append(out, d)
	}
	return out
}

// lists are the match lists of a rule that are compared tensor by tensor, in the order in which they are named.
var lists = [...]string{"op", "operand", "dtype", "role", "rank", "layout", "tensor"}

// unreached is how many lists a tensor met when the rule does not speak of its graph.
const unreached = -1

func whyUnused(rule *Rule, i int, results []*Result) string {
	passed, ops := unreached, []string{}
	for _, r := range results {
		passed, ops = max(passed, r.passed[i]), append(ops, r.ops...)
	}
	switch {
	case passed == unreached:
		return "it speaks of no graph, for its lists of graphs and devices or the device of its pools. Correct them, or remove the rule."
	case passed == len(lists):
		return "no tensor that an earlier rule left meets its match block and its condition. Correct the match block, move the rule up, or remove it."
	case lists[passed] == "op":
		slices.Sort(ops)
		return fmt.Sprintf("no operator is of the list op, %s.%s Correct the list, or remove the rule.", diag.Quoted(rule.Op), meant(rule.Op, slices.Compact(ops)))
	}
	return fmt.Sprintf("its list %s leaves no tensor. Correct the list, or remove the rule.", lists[passed])
}

// meant suggests an operator of the graphs for the first of the list that resembles one.
func meant(given, ops []string) string {
	for _, name := range given {
		if near := diag.DidYouMean(name, ops); near.Text != "" {
			return near.Text
		}
	}
	return ""
}

// explainUnused finds for each rule without a tensor how many of its lists some tensor met, one after the other.
func (d *decider) explainUnused() {
	d.out.passed = make([]int, len(d.r.Rules))
	for i := range d.r.Rules {
		if d.out.passed[i] = unreached; d.out.Decided[i] || !d.reaches(&d.r.Rules[i]) {
			continue
		}
		d.out.passed[i] = 0
		for id := range d.subjects {
			if d.subjects[id].used {
				d.out.passed[i] = max(d.out.passed[i], d.r.Rules[i].met(d.g, &d.subjects[id].facts, d.uses[id]))
			}
		}
	}
	for i := range d.g.Ops {
		d.out.ops = append(d.out.ops, d.g.Ops[i].Op)
		d.out.ops = append(d.out.ops, d.g.Ops[i].Fused...)
	}
	slices.Sort(d.out.ops)
	d.out.ops = slices.Compact(d.out.ops)
}

// met counts the lists that a tensor meets before the first that it does not.
func (r *Rule) met(g *graph.Graph, t *TensorFacts, uses []touch) int {
	byOp := len(r.Op) == 0 || slices.ContainsFunc(uses, func(use touch) bool { return r.matchesOp(&g.Ops[use.op]) })
	byOperand := len(r.Operand) == 0 || slices.ContainsFunc(uses, func(use touch) bool { return among(r.Operand, use.operand) && r.matchesOp(&g.Ops[use.op]) })
	all := [...]bool{byOp, byOperand, among(r.DType, t.DType.String()), among(r.Role, string(t.Role)), among(r.Rank, int64(t.Rank)), among(r.Layout, t.Layout), globbed(r.Tensor, t.Name)}
	if first := slices.Index(all[:], false); first >= 0 {
		return first
	}
	return len(lists)
}
