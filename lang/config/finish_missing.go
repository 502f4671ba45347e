package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// evaluatePlanned evaluates an expression with the plan's facts. What goes wrong since the plan does not have a tensor is
// said of the tensor, with one that may be meant.
func (c *Config) evaluatePlanned(scope *eval.Scope, a *attribute, extra map[string]cty.Value, p Planned) (cty.Value, diag.Diagnostics) {
	v, ds := scope.Evaluate(a.expr, a.refs, extra)
	if !ds.HasErrors() {
		return v, ds
	}
	if missing := c.missingTensors(scope, a, extra, p); len(missing) > 0 {
		return eval.InvalidValue(), missing
	}
	return v, ds
}

// missingTensors finds the tensors that an expression asks for, by a name that is written there or that is a value, and that the
// plan does not have.
func (c *Config) missingTensors(scope *eval.Scope, a *attribute, extra map[string]cty.Value, p Planned) (ds diag.Diagnostics) {
	for _, ref := range a.refs {
		facts, ok := c.tensorsOf(ref, p)
		if !ok {
			continue
		}
		if tensor, ok := ref.Key(); ok {
			ds = append(ds, missingTensor(ref, tensor, facts).At(ref.Whole)...)
		}
	}
	_ = hclsyntax.VisitAll(a.expr, func(node hclsyntax.Node) hcl.Diagnostics {
		index, ok := node.(*hclsyntax.IndexExpr)
		if !ok {
			return nil
		}
		facts, ref, ok := c.indexed(a.refs, index, p)
		if !ok {
			return nil
		}
		// A key that depends on the element of a for expression has no value here.
		key, faults := scope.Evaluate(index.Key, a.refs, extra)
		if key = eval.Plain(key); faults.HasErrors() || !key.IsKnown() || key.IsNull() || key.Type() != cty.String {
			return nil
		}
		for _, d := range missingTensor(ref, key.AsString(), facts) {
			d.Expression, d.EvalContext = index.Key, scope.Context(a.refs, extra)
			ds = append(ds, d.At(index.Range()))
		}
		return nil
	})
	return ds
}

// tensorsOf are the facts of the graph whose tensors a reference is about.
func (c *Config) tensorsOf(ref addr.Reference, p Planned) (GraphFacts, bool) {
	if ref.Address.Kind != addr.Graph || ref.Field() != "tensor" {
		return GraphFacts{}, false
	}
	facts, ok := p.Graphs[addr.Inside(c.evaluation.module, ref.Address.Name+ref.Instance)]
	return facts, ok
}

// indexed finds the reference that an expression takes an element of by a key, as in graph.g.tensor[var.name].
func (c *Config) indexed(refs []addr.Reference, index *hclsyntax.IndexExpr, p Planned) (GraphFacts, addr.Reference, bool) {
	for _, ref := range refs {
		if facts, ok := c.tensorsOf(ref, p); ok && len(ref.Rest) == 1 && ref.Whole == index.Collection.Range() {
			return facts, ref, true
		}
	}
	return GraphFacts{}, addr.Reference{}, false
}

// missingTensor is nil when the plan has the tensor.
func missingTensor(ref addr.Reference, tensor string, facts GraphFacts) diag.Diagnostics {
	if _, exists := facts.Tensors[tensor]; exists {
		return nil
	}
	name := ref.Address.Name + ref.Instance
	if where, gone := facts.Gone[tensor]; gone {
		return diag.Diagnostics{diag.New(diag.UnknownPlannedTensor, "The tensor %q of graph %q %s. Name it in keep of the graph to have it in the plan.", tensor, name, where)}
	}
	next := diag.DidYouMean(tensor, slices.Sorted(maps.Keys(facts.Tensors))).Or(" \"memplan show\" lists its tensors.")
	return diag.Diagnostics{diag.New(diag.UnknownPlannedTensor, "Graph %q has no tensor %q in the plan.%s", name, tensor, next)}
}
