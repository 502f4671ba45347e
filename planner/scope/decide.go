package scope

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// Decide gives each tensor that something uses, and each scratch buffer, a scope and its candidate pools in order, and says
// which tensors must be copied from one scope into another for which consumers.
//
//   - Rules are tried in order; the first that matches decides, unless it has a penalty. A tensor to which none gives a scope
//     gets the one that the graph's source asks for, if it asks for any; that is an order too, and the ops of the source
//     run with the scopes that it gives them. What is then open the policy decides. On a device without images everything is
//     flat.
//   - Candidates are the tensor's pin, else the pools of the rule, else every pool of the device that holds the tensor's
//     role, in order of declaration; for an image those that hold images first.
//
// The decision does not depend on the order in which independent ops stand, nor on rules that do not match. The
// diagnostics report rules that cannot be carried out and tensors without a candidate. It costs O(tensors · rules)
// matches and, for mincopy, a few least cuts.
func Decide(r Request) (*Result, diag.Diagnostics) {
	d := newDecider(&r)
	d.checkPolicy()
	d.checkVariants()
	d.checkRules()
	d.shelves()
	d.layouts = layoutsOf(d.g)
	d.survey()
	d.choose()
	d.out.Tensors = make([]Decision, len(d.g.Tensors))
	for i := range d.g.Tensors {
		d.out.Tensors[i] = d.tensor(graph.TensorID(i))
	}
	d.copies()
	d.scratch()
	d.reportDenials()
	d.reportSource()
	d.reportHomeless()
	d.explainUnused()
	return d.out, d.diags
}

type decider struct {
	r             *Request
	g             *graph.Graph
	limits        *Limits
	kernels       *kernels
	uses          [][]touch
	layouts       []string
	input, output []bool
	out           *Result
	diags         diag.Diagnostics
	// By rule: skip marks rules that cannot match here, scopes holds the scope, flat when the rule gives none, and denials
	// counts the tensors that did not get it.
	skip    []bool
	scopes  []label
	denials []denial
	// asksImages says that a condition may ask for the sides of images.
	asksImages bool
	byRole     map[graph.Role]shelf
	byRule     []shelf
	subjects   []subject
	// problem and solved are nil on a device without images.
	problem *problem
	solved  *compiled
	// unheeded counts the tensors that did not get the scope that the source asks for.
	unheeded denial
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

// choose lets the policy decide what is open.
func (d *decider) choose() {
	d.out.Exact = d.out.Policy == MinCopy
	if d.limits == nil {
		return
	}
	d.problem = d.build()
	switch d.out.Policy {
	case TVMRelay:
		d.solved = d.compile(d.problem, d.relay())
	case TVMRelax:
		d.solved = d.compile(d.problem, d.relax())
	case MinCopy:
		var best *solution
		best, d.out.Exact = d.problem.minCopy(d.compile(d.problem, d.relay()).solution, d.compile(d.problem, d.relax()).solution)
		d.solved = &compiled{best, make([]string, len(d.problem.values))}
	default:
		d.solved = &compiled{d.problem.flattest(), make([]string, len(d.problem.values))}
	}
	d.out.CopiedBytes, d.out.PenaltyBytes = d.problem.cost(d.solved.solution)
}

// tensor makes the decision of one tensor.
func (d *decider) tensor(id graph.TensorID) Decision {
	s, home := &d.subjects[id], flat
	if d.solved != nil {
		home = d.solved.home[id]
	}
	if !s.used {
		return Decision{Scope: Global, Rule: -1, Policy: d.out.Policy}
	}
	out := Decision{Scope: home.String(), Rule: s.rule}
	switch {
	case s.source:
		out.Policy = SourcePolicy
	case s.rule < 0 || s.wish:
		out.Policy = d.out.Policy
	}
	out.Excluded = d.excluded(s, id, home)
	if home == flat {
		d.flatPools(s, &out)
	} else {
		out.Pools, out.Images = d.imageCandidates(s)
		out.Geometry = s.images[home]
	}
	d.pin(id, &out)
	if len(out.Pools) == 0 {
		d.miss(&s.facts)
	}
	return out
}

// pin puts a pinned tensor into its pool alone.
func (d *decider) pin(id graph.TensorID, out *Decision) {
	pin, ok := d.r.Pins[id]
	if !ok {
		return
	}
	out.Pinned, out.Pools = pin.Address, []int{pin.Pool}
	out.Images = min(out.Images, 1)
	if pool := &d.r.Pools[pin.Pool]; pool.Type != "flat" && out.Geometry == nil {
		d.diags = append(d.diags, diag.New(diag.PinInTexturePool,
			"The tensor %q has scope %q, and %s puts it into pool %q, which holds textures. Pin it to a flat pool.", d.g.Tensors[id].Name, out.Scope, pin.Address, pool.Name))
	}
}

// flatPools adds the candidates of a tensor in flat memory: those of the rule, else those that hold the role.
func (d *decider) flatPools(s *subject, out *Decision) {
	if s.rule < 0 {
		out.Pools = d.defaults(s.facts.Role)
		return
	}
	rule := &d.r.Rules[s.rule]
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
		return
	}
	out.Pools = d.defaults(s.facts.Role)
	if told := &d.denials[s.rule].noFlatPool; rule.Pools != nil && d.scopes[s.rule] == flat && !*told {
		*told = true
		d.diags = append(d.diags, d.aboutRule(s.rule, diag.New(diag.RuleWithoutFlatPool,
			"%s leaves the tensor %q in flat memory, but all pools it names on device %q hold textures. Name a flat pool.", rule.Address, s.facts.Name, d.r.Device.Name)))
	}
}

// scratch decides the scratch buffers.
func (d *decider) scratch() {
	d.out.Scratch = d.defaults(graph.Scratch)
	d.out.OpScratch = make([][]Decision, len(d.g.Ops))
	names := d.g.ScratchNames()
	for step := range d.g.Ops {
		for i, buffer := range d.g.Ops[step].Scratch {
			d.out.OpScratch[step] = append(d.out.OpScratch[step], d.scratchBuffer(step, names[step][i], buffer.Bytes))
		}
	}
}

// scratchBuffer decides one scratch buffer, which is always flat.
func (d *decider) scratchBuffer(step int, name string, bytes int64) Decision {
	s := subject{rule: -1, homes: onlyFlat, copies: onlyFlat, used: true, facts: TensorFacts{
		ID: graph.NoTensor, Name: name, Role: graph.Scratch, DType: graph.Uint8, Shape: graph.Shape{bytes}, Bytes: bytes, Rank: 1,
	}}
	d.match(&s, []touch{{int32(step), "other"}})
	out := Decision{Scope: Global, Rule: s.rule}
	if s.rule < 0 || s.wish {
		out.Policy = d.out.Policy
	}
	if s.asks && s.asked != flat {
		s.because[s.asked] = "scratch memory is flat"
		out.Excluded = append(out.Excluded, d.deny(&s, graph.NoTensor))
	}
	d.flatPools(&s, &out)
	if len(out.Pools) == 0 {
		d.miss(&s.facts)
	}
	return out
}
