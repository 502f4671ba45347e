package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// decideScopes asks the scope stage for each graph and then reports the rules that no graph made use of.
func (p *pipeline) decideScopes(context.Context) diag.Diagnostics {
	rules := p.scopeRules()
	var diags diag.Diagnostics
	var results []*scope.Result
	for _, g := range p.graphs {
		request := p.scopeRequest(g, rules)
		pins, more := p.scopePins(g)
		diags = append(diags, more...)
		request.Pins = pins
		result, more := scope.Decide(request)
		diags = append(diags, allAt(more, g.block.Name, g.block.Range)...)
		g.graph, g.scopes = scope.InsertCopies(g.rewritten, result)
		results = append(results, result)
	}
	return append(diags, scope.Unused(rules, p.presets(), results...)...)
}

// scopeRequest is what the scope stage is asked of a graph, without pins.
func (p *pipeline) scopeRequest(g *planned, rules []scope.Rule) scope.Request {
	return scope.Request{
		Graph: g.rewritten, GraphName: g.block.Name, Variants: variants(g.block.Device), Forbidden: p.forbidden(g), Full: p.full(g),
		Device: scope.Device{Name: g.block.Device.Name, Image2D: imageLimits(g.block.Device)},
		Pools:  p.scopePools(), Rules: rules, Policy: p.cfg.Planner.ScopePolicy,
	}
}

// usesImages reports whether some tensor of the graph would become an image, with the scopes decided as they stand. Only where
// a pool of the device takes images is that asked.
func (p *pipeline) usesImages(g *planned) bool {
	if !slices.ContainsFunc(p.pools, func(e poolEntry) bool { return e.device == g.block.Device && (e.kind == "texture" || e.images) }) {
		return false
	}
	p.foreseeScopes(g)
	return slices.ContainsFunc(g.scopes.Tensors, func(d scope.Decision) bool { return d.Geometry != nil })
}

// foreseeScopes decides the scopes of a graph before ops are fused and put in order: images are not fused as flat tensors are, and
// scopes say what shares bytes. What later finds no room as an image and becomes flat is not foreseen. Faults are reported by
// decideScopes.
func (p *pipeline) foreseeScopes(g *planned) {
	request := p.scopeRequest(g, p.scopeRules())
	request.Pins, _ = p.scopePins(g)
	g.graph = g.rewritten
	g.scopes, _ = scope.Decide(request)
}

// foreseenImages are the tensors of a graph as it is now that would become images.
func (p *pipeline) foreseenImages(g *planned) map[graph.TensorID]bool {
	if !g.textured {
		return nil
	}
	p.foreseeScopes(g)
	out := map[graph.TensorID]bool{}
	for id := range g.scopes.Tensors {
		if g.scopes.Tensors[id].Geometry != nil {
			out[graph.TensorID(id)] = true
		}
	}
	return out
}

// narrowStores gives tensors the narrower element types that rules store them in, before anything counts their bytes.
func (p *pipeline) narrowStores(context.Context) diag.Diagnostics {
	rules := p.scopeRules()
	stored := make([]*scope.Stored, len(p.graphs))
	for i, g := range p.graphs {
		g.wide = g.rewritten.Tensors
		g.rewritten, stored[i] = scope.Store(p.scopeRequest(g, rules))
	}
	return scope.UnusedStores(rules, p.presets(), stored...)
}

// plannable is the graph as it was before scopes were decided, in the order of execution.
func (g *planned) plannable() *graph.Graph {
	out := *g.rewritten
	out.Tensors = g.wide
	return &out
}

// presets tells which rules come with memplan. They are for many models, so that it means nothing when one decides nothing.
func (p *pipeline) presets() []bool {
	out := make([]bool, len(p.cfg.Rules))
	for i, rule := range p.cfg.Rules {
		out[i] = rule.IsBuiltin()
	}
	return out
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

// variants are the kernel forms of a device: memplan's own, but for the ops that the device speaks of those it declares.
func variants(device *config.Device) []scope.Variant {
	declared := map[string]bool{}
	var out []scope.Variant
	for _, capability := range device.Capabilities {
		out = append(out, scope.Variant{Op: capability.Op, Scopes: capability.Scopes})
		for _, op := range capability.Op {
			declared[op] = true
		}
	}
	for _, own := range scope.DefaultVariants() {
		own.Op = slices.DeleteFunc(slices.Clone(own.Op), func(op string) bool {
			return declared[op] || declared["*"] && op != graph.CopyOp
		})
		if len(own.Op) > 0 {
			out = append(out, own)
		}
	}
	return out
}

func (p *pipeline) scopePools() []scope.Pool {
	pools := make([]scope.Pool, len(p.pools))
	for i, e := range p.pools {
		pools[i] = scope.Pool{Name: e.name, Device: e.device.Name, Type: e.kind, Images: e.images}
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
	for i := range g.rewritten.Tensors {
		id := graph.TensorID(i)
		wish, ok := g.pins[id]
		if !ok {
			continue
		}
		pool := p.poolNamed(wish.pool, g.block.Device)
		if pool < 0 {
			if !reported[wish.pool] {
				reported[wish.pool] = true
				diags = append(diags, at(p.noSuchPool(g, wish.pool), g.block.Name, wish.at))
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
			Address: rule.Address.String(), Scope: rule.Scope, Range: ruleRange(rule),
			Op: rule.Op, Operand: rule.Operand, DType: rule.DType, Role: rule.Role, Tensor: rule.Tensor,
			Rank: rule.Rank, Layout: rule.Layout, Graph: rule.Graph, Device: rule.Device, Penalty: rule.Penalty,
		}
		rules[i].Store, _ = graph.ParseDType(rule.Store)
		for _, pool := range rule.Pools {
			rules[i].Pools = append(rules[i].Pools, p.poolNamed(pool.Name, pool.Device))
		}
		if rule.Condition != nil {
			rules[i].Condition = condition(rule)
			where := rule.Condition.Range()
			rules[i].ConditionRange = &where
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
			errs = append(errs, fmt.Errorf("%s: %s", diags[i].Summary, strings.TrimSuffix(diags[i].Detail, ".")))
		}
		return matched, errors.Join(errs...)
	}
}
