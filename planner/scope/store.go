package scope

import (
	"fmt"
	"maps"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// Stored says what the stores of the rules did, by rule.
type Stored struct {
	// Narrowed counts the tensors that have a narrower type now.
	Narrowed []int
	// Left counts the tensors that a rule with store decides and that keep their type, by the reason.
	Left []map[string]int
}

// Store gives the float32 activations and constants whose first matching rule asks for it the element type that memory
// holds. It returns a new graph, or the request's own when no rule asks, and changes nothing else; inputs, outputs and state
// are what callers see, and keep their type. Conditions that fail are reported by [Decide]. It costs O(tensors · rules).
func Store(r Request) (*graph.Graph, *Stored) {
	told := &Stored{Narrowed: make([]int, len(r.Rules)), Left: make([]map[string]int, len(r.Rules))}
	if !slices.ContainsFunc(r.Rules, func(rule Rule) bool { return rule.Store != graph.InvalidDType }) {
		return r.Graph, told
	}
	d := newDecider(&r)
	d.checkRules()
	d.layouts = layoutsOf(d.g)
	d.survey()
	out := *r.Graph
	out.Tensors = slices.Clone(r.Graph.Tensors)
	for i := range out.Tensors {
		t, s := &out.Tensors[i], &d.subjects[i]
		if s.rule < 0 || d.r.Rules[s.rule].Store != graph.Float16 {
			continue
		}
		if because := unstored(t.DType, s.facts.Role); because != "" {
			told.leave(s.rule, because)
			continue
		}
		told.Narrowed[s.rule]++
		t.DType, t.Computes = graph.Float16, graph.Float32
		t.Data = graph.Half(t.Data)
	}
	return &out, told
}

// unstored names the kind of a tensor that keeps its element type, "" for one that is narrowed.
func unstored(d graph.DType, role graph.Role) string {
	switch {
	case role != graph.Activation && role != graph.Constant:
		return string(role)
	case d != graph.Float32:
		return d.String()
	}
	return ""
}

func (s *Stored) leave(rule int, because string) {
	if s.Left[rule] == nil {
		s.Left[rule] = map[string]int{}
	}
	s.Left[rule][because]++
}

// UnusedStores warns of each rule with store that decides tensors and narrowed none in any of the graphs, and says which
// kinds they are of. Silent marks rules that are not reported; nil marks none.
func UnusedStores(rules []Rule, silent []bool, stored ...*Stored) diag.Diagnostics {
	var out diag.Diagnostics
	for i := range rules {
		narrowed, left := 0, map[string]int{}
		for _, s := range stored {
			narrowed += s.Narrowed[i]
			for kind, n := range s.Left[i] {
				left[kind] += n
			}
		}
		if narrowed > 0 || len(left) == 0 || silent != nil && silent[i] {
			continue
		}
		kinds := slices.Sorted(maps.Keys(left))
		for k, kind := range kinds {
			kinds[k] = fmt.Sprintf("%d of %s", left[kind], kind)
		}
		d := diag.New(diag.StoreUnused, "%s stores nothing as %s. It decides tensors that keep their element type: %s. Inputs, outputs and state keep theirs, and only float32 is narrowed. "+
			"Match activations or constants of float32, or remove store.", rules[i].Address, rules[i].Store, diag.Enumerate(kinds, "and"))
		d.Subject, d.Block = rules[i].Range, rules[i].Address
		out = append(out, d)
	}
	return out
}

func newDecider(r *Request) *decider {
	d := &decider{r: r, g: r.Graph, limits: r.Device.Image2D, uses: touches(r.Graph), out: &Result{Decided: make([]bool, len(r.Rules))},
		skip: make([]bool, len(r.Rules)), scopes: make([]label, len(r.Rules)), denials: make([]denial, len(r.Rules)), homeless: map[graph.Role]*homeless{}}
	d.input, d.output = members(d.g, d.g.Inputs), members(d.g, d.g.Outputs)
	return d
}
