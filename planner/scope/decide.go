package scope

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// Decide gives each tensor that something uses, and each scratch buffer, a scope and its candidate pools in order.
//
//   - Rules are tried in order; the first that matches decides. What none decides is left in flat memory.
//   - Candidates are the tensor's pin, else the pools of the rule, else every flat pool of the device that holds the
//     tensor's role, in order of declaration.
//
// The diagnostics report rules that cannot be carried out and tensors without a candidate, once for a rule or a role.
// It costs O(tensors · rules) matches.
func Decide(r Request) (*Result, diag.Diagnostics) {
	d := &decider{r: &r, g: r.Graph, uses: touches(r.Graph), out: &Result{Decided: make([]bool, len(r.Rules))},
		skip: make([]bool, len(r.Rules)), scopes: make([]string, len(r.Rules)), told: make([]bool, len(r.Rules)), homeless: map[graph.Role]*homeless{}}
	d.input, d.output = members(d.g, d.g.Inputs), members(d.g, d.g.Outputs)
	d.checkRules()
	d.out.Tensors = make([]Decision, len(d.g.Tensors))
	for i := range d.g.Tensors {
		d.out.Tensors[i] = d.tensor(graph.TensorID(i))
	}
	d.scratch()
	d.reportHomeless()
	return d.out, d.diags
}

type decider struct {
	r             *Request
	g             *graph.Graph
	uses          [][]touch
	input, output []bool
	out           *Result
	diags         diag.Diagnostics
	// By rule: skip marks rules that cannot match here, scopes holds the canonical scope, "" when the rule gives none, told
	// marks rules of which a scope's fate was reported.
	skip   []bool
	scopes []string
	told   []bool
	// homeless counts tensors without a candidate.
	homeless map[graph.Role]*homeless
}

type homeless struct {
	first string
	more  int
}

func members(g *graph.Graph, ids []graph.TensorID) []bool {
	out := make([]bool, len(g.Tensors))
	for _, id := range ids {
		if g.Tensor(id) != nil {
			out[id] = true
		}
	}
	return out
}

// role is what a pool must hold to take the tensor.
func (d *decider) role(id graph.TensorID) graph.Role {
	role := d.g.Tensors[id].Role
	switch {
	case role == graph.Constant || role == graph.State:
	case d.input[id]:
		return graph.Input
	case d.output[id]:
		return graph.Output
	}
	return role
}

// tensor decides one tensor. One that nothing uses has no candidates and meets no rule.
func (d *decider) tensor(id graph.TensorID) Decision {
	t := &d.g.Tensors[id]
	if len(d.uses[id]) == 0 && !d.input[id] && !d.output[id] && t.Role != graph.State && t.Given == nil {
		return Decision{Scope: Global, Rule: -1, Policy: FlatPolicy}
	}
	bytes, _ := t.Shape.Bytes(t.DType)
	facts := TensorFacts{ID: id, Name: t.Name, Role: d.role(id), DType: t.DType, Shape: t.Shape, Layout: t.Layout, Bytes: bytes}
	out := d.decide(&facts, d.uses[id])
	if pin, ok := d.r.Pins[id]; ok {
		out.Pinned, out.Pools = pin.Address, []int{pin.Pool}
		if pool := &d.r.Pools[pin.Pool]; pool.Type != "flat" {
			d.diags = append(d.diags, diag.New(diag.PinInTexturePool,
				"The tensor %q has scope %q, and %s puts it into pool %q, which holds textures. Pin it to a flat pool.", t.Name, out.Scope, pin.Address, pool.Name))
		}
	}
	if len(out.Pools) == 0 {
		d.miss(&facts)
	}
	return out
}

func (d *decider) decide(t *TensorFacts, uses []touch) Decision {
	for i := range d.r.Rules {
		rule := &d.r.Rules[i]
		if d.skip[i] {
			continue
		}
		matched, err := rule.matches(d.g, t, uses)
		if err != nil {
			d.skip[i] = true
			d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.RuleConditionFailed,
				"The condition of %s failed for the tensor %q: %s. Write it so that it holds or fails for every tensor that the match block lets through.", rule.Address, t.Name, err)))
			continue
		}
		if matched {
			d.out.Decided[i] = true
			return d.apply(i, t)
		}
	}
	return Decision{Scope: Global, Rule: -1, Policy: FlatPolicy, Pools: d.defaults(t.Role)}
}

// apply carries a rule out.
func (d *decider) apply(i int, t *TensorFacts) Decision {
	rule := &d.r.Rules[i]
	out := Decision{Scope: Global, Rule: i}
	if isTexture(d.scopes[i]) {
		out.Excluded = append(out.Excluded, Exclusion{Scope: d.scopes[i], Because: d.noTexture(i, t)})
	}
	for _, k := range rule.Pools {
		pool := &d.r.Pools[k]
		switch {
		case pool.Device != d.r.Device.Name:
		case pool.Type != "flat":
			out.Excluded = append(out.Excluded, Exclusion{Scope: Texture, Because: fmt.Sprintf("pool %s holds textures only", pool.Name)})
		default:
			out.Pools = append(out.Pools, k)
		}
	}
	if len(out.Pools) > 0 {
		return out
	}
	out.Pools = d.defaults(t.Role)
	if rule.Pools != nil && !isTexture(d.scopes[i]) && !d.told[i] {
		d.told[i] = true
		d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.RuleWithoutFlatPool,
			"%s leaves the tensor %q in flat memory, but all pools it names on device %q hold textures. Name a flat pool.", rule.Address, t.Name, d.r.Device.Name)))
	}
	return out
}

// noTexture says why a texture scope is not granted and reports it once for the rule.
func (d *decider) noTexture(i int, t *TensorFacts) string {
	rule, told := &d.r.Rules[i], d.told[i]
	d.told[i] = true
	if !d.r.Device.Image2D {
		if !told {
			d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.TextureUnavailable,
				"%s asks for scope %q, first for the tensor %q, but device %q has no image2d block: its tensors stay in flat memory. Give the device an image2d block with its limits, or the rule scope = \"global\".",
				rule.Address, d.scopes[i], t.Name, d.r.Device.Name)))
		}
		return fmt.Sprintf("device %s has no image2d", d.r.Device.Name)
	}
	if !told {
		d.diags = append(d.diags, d.aboutRule(i, diag.New(diag.TextureNotPlanned,
			"%s asks for scope %q, first for the tensor %q, but texture scopes are not planned by this version. Use scope = \"global\".", rule.Address, d.scopes[i], t.Name)))
	}
	return "texture scopes are not planned by this version"
}

// defaults are the flat pools of the device that hold the role.
func (d *decider) defaults(role graph.Role) []int {
	var out []int
	for k := range d.r.Pools {
		pool := &d.r.Pools[k]
		if pool.Device == d.r.Device.Name && pool.Type == "flat" && slices.Contains(pool.Holds, role) {
			out = append(out, k)
		}
	}
	return out
}

// scratch decides the scratch buffers.
func (d *decider) scratch() {
	d.out.Scratch = d.defaults(graph.Scratch)
	d.out.OpScratch = make([][]Decision, len(d.g.Ops))
	for step := range d.g.Ops {
		op := &d.g.Ops[step]
		for _, s := range op.Scratch {
			facts := TensorFacts{ID: graph.NoTensor, Name: op.Name + "/" + s.Name, Role: graph.Scratch, DType: graph.Uint8, Shape: graph.Shape{s.Bytes}, Bytes: s.Bytes}
			decision := d.decide(&facts, []touch{{int32(step), "other"}})
			if len(decision.Pools) == 0 {
				d.miss(&facts)
			}
			d.out.OpScratch[step] = append(d.out.OpScratch[step], decision)
		}
	}
}
