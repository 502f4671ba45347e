package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// decideScopes asks the scope stage for each graph and then reports the rules that no graph made use of.
func (p *pipeline) decideScopes(context.Context) diag.Diagnostics {
	rules := p.scopeRules()
	var diags diag.Diagnostics
	var decided [][]bool
	for _, g := range p.graphs {
		request := scope.Request{
			Graph: g.graph, GraphName: g.block.Name,
			Device: scope.Device{Name: g.block.Device.Name, Image2D: imageLimits(g.block.Device)},
			Pools:  p.scopePools(), Rules: rules, Policy: p.cfg.Planner.ScopePolicy,
		}
		pins, more := p.scopePins(g)
		diags = append(diags, more...)
		request.Pins = pins
		g.scopes, more = scope.Decide(request)
		diags = append(diags, allAt(more, g.block.Range)...)
		decided = append(decided, g.scopes.Decided)
	}
	return append(diags, scope.Unused(rules, decided...)...)
}

// imageLimits are those of the device's image2d block, nil without one.
func imageLimits(device *config.Device) *scope.Limits {
	image := device.Image2D
	if image == nil {
		return nil
	}
	return &scope.Limits{
		MaxWidth: image.MaxWidth, MaxHeight: image.MaxHeight, MaxLayers: image.MaxLayers, PitchAlignment: image.PitchAlignment, FromBuffer: image.FromBuffer,
	}
}

func (p *pipeline) scopePools() []scope.Pool {
	pools := make([]scope.Pool, len(p.pools))
	for i, e := range p.pools {
		pools[i] = scope.Pool{Name: e.name, Device: e.device.Name, Type: e.kind}
		for _, role := range e.holds {
			pools[i].Holds = append(pools[i].Holds, graph.Role(role))
		}
	}
	return pools
}

func (p *pipeline) scopePins(g *planned) (map[graph.TensorID]scope.Pin, diag.Diagnostics) {
	pins := make(map[graph.TensorID]scope.Pin, len(g.pins))
	var diags diag.Diagnostics
	reported := map[string]bool{}
	for i := range g.graph.Tensors {
		id := graph.TensorID(i)
		wish, ok := g.pins[id]
		if !ok {
			continue
		}
		pool := p.poolNamed(wish.pool, g.block.Device)
		if pool < 0 {
			if !reported[wish.pool] {
				reported[wish.pool] = true
				diags = append(diags, at(p.noSuchPool(g, wish.pool), wish.at))
			}
			continue
		}
		pins[id] = scope.Pin{Address: wish.address, Pool: pool}
	}
	return pins, diags
}

func (p *pipeline) noSuchPool(g *planned, name string) diag.Diagnostic {
	names := p.poolNames(g.block.Device)
	return diag.New(diag.UnknownGraphPool, "The graph %q asks for the pool %q, and device %q has the pools %s.%s Declare the pool or change the file.",
		g.block.Name, name, g.block.Device.Name, diag.Quoted(names), diag.DidYouMean(name, names))
}

func (p *pipeline) scopeRules() []scope.Rule {
	rules := make([]scope.Rule, len(p.cfg.Rules))
	for i, rule := range p.cfg.Rules {
		rules[i] = scope.Rule{
			Address: "scope_rule." + rule.Name, Scope: rule.Scope, Range: ruleRange(rule),
			Op: rule.Op, Operand: rule.Operand, DType: rule.DType, Role: rule.Role, Tensor: rule.Tensor,
		}
		for _, pool := range rule.Pools {
			rules[i].Pools = append(rules[i].Pools, p.poolNamed(pool.Name, pool.Device))
		}
		if rule.Condition != nil {
			rules[i].Condition = condition(rule)
			rules[i].ConditionReadsOp = readsOp(rule.Condition)
		}
	}
	return rules
}

func ruleRange(rule *config.ScopeRule) *hcl.Range {
	r := rule.Range
	return &r
}

func readsOp(expr hcl.Expression) bool {
	for _, traversal := range expr.Variables() {
		if traversal.RootName() == "op" {
			return true
		}
	}
	return false
}

// condition evaluates a rule's condition for one tensor and one of the ops that touch it.
func condition(rule *config.ScopeRule) func(scope.TensorFacts, scope.OpFacts) (bool, error) {
	return func(t scope.TensorFacts, op scope.OpFacts) (bool, error) {
		matched, diags := rule.Eval(tensorValue(t), opValue(op))
		var errs []error
		for i := range diags {
			errs = append(errs, fmt.Errorf("%s: %s", diags[i].Summary, diags[i].Detail))
		}
		return matched, errors.Join(errs...)
	}
}

func tensorValue(t scope.TensorFacts) cty.Value {
	axes := make([]cty.Value, len(t.Shape))
	for i, n := range t.Shape {
		axes[i] = cty.NumberIntVal(n)
	}
	shape := cty.ListValEmpty(cty.Number)
	if len(axes) > 0 {
		shape = cty.ListVal(axes)
	}
	return cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal(t.Name), "role": cty.StringVal(string(t.Role)), "dtype": cty.StringVal(t.DType.String()),
		"shape": shape, "rank": cty.NumberIntVal(int64(len(t.Shape))), "layout": cty.StringVal(t.Layout), "bytes": cty.NumberIntVal(t.Bytes),
	})
}

func opValue(op scope.OpFacts) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal(op.Name), "type": cty.StringVal(op.Op), "operand": cty.StringVal(op.Operand),
	})
}
