package scope

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

// compiler is how one of TVM's compilers decides.
type compiler struct {
	name string
	// takes reports whether it has a texture kernel for an op.
	takes func(*graph.Graph, *graph.Op) bool
	// choose gives the scope of a shape.
	choose func(graph.Shape) texture.Scope
	// flatOperand reports whether an op that takes textures wants an operand flat all the same.
	flatOperand func(*graph.Graph, *graph.Op, int) bool
	// keeps reports whether a tensor stays a texture when so many of its readers want one.
	keeps func(wanting, readers int) bool
}

// relay is TVM's Relay: a tensor is a texture when all its readers want one.
func (d *decider) relay() *compiler {
	limit := min(d.limits.MaxWidth, d.limits.MaxHeight)
	return &compiler{
		name: TVMRelay, takes: packs, flatOperand: keptFlat,
		choose: func(s graph.Shape) texture.Scope { return texture.Relay(s, limit) },
		keeps:  func(wanting, readers int) bool { return wanting == readers },
	}
}

// relax is TVM's Relax: a tensor is what most of its readers want, flat when as many want each, and weights of
// convolutions are flat. A device that gives no number of layers has no limit to them.
func (d *decider) relax() *compiler {
	limit, depth := min(d.limits.MaxWidth, d.limits.MaxHeight), d.limits.MaxLayers
	if depth == 0 {
		depth = math.MaxInt64
	}
	return &compiler{
		name: TVMRelax, takes: packsInRelax,
		choose: func(s graph.Shape) texture.Scope { return texture.Relax(s, limit, depth) },
		flatOperand: func(_ *graph.Graph, op *graph.Op, input int) bool {
			return (op.Op == "Conv" || op.Op == "ConvTranspose") && input == 1
		},
		keeps: func(wanting, readers int) bool { return 2*wanting > readers },
	}
}

// compiled is the solution of one of TVM's compilers, and why it leaves tensors flat.
type compiled struct {
	*solution
	because []string
}

// compile decides as the compiler does, for what the rules leave open. An op takes textures when the compiler and the
// device have a kernel for it. It costs O(tensors + operands).
func (d *decider) compile(p *problem, c *compiler) *compiled {
	out := &compiled{p.flattest(), make([]string, len(p.values))}
	takes := make([]bool, len(p.nodes))
	for n := range p.nodes {
		takes[n] = c.takes(d.g, &d.g.Ops[n]) && p.nodes[n].usesImages()
	}
	producers := d.g.Producers()
	for i := range p.values {
		if p.values[i].homes.size() > 1 {
			out.home[i], out.because[i] = d.desire(p, c, int32(i), takes, producers[i])
		}
	}
	out.narrowed = make([][]set, len(p.nodes))
	for n := range p.nodes {
		d.compileNode(p, c, out, n, takes[n])
	}
	return out
}

// usesImages reports whether some form of the node takes an image anywhere.
func (n *node) usesImages() bool {
	for i := range n.forms {
		for _, list := range [][]set{n.forms[i].reads, n.forms[i].writes} {
			for _, s := range list {
				if s&images != 0 {
					return true
				}
			}
		}
	}
	return false
}

// desire is the scope that the compiler gives a tensor, and why it is flat when it is.
func (d *decider) desire(p *problem, c *compiler, id int32, takes []bool, producer int) (label, string) {
	v := &p.values[id]
	l := d.chosen(c, id, producer)
	wanting := 0
	for _, r := range v.reads {
		if takes[r.node] && !c.flatOperand(d.g, &d.g.Ops[r.node], int(p.nodes[r.node].inputs[r.read])) {
			wanting++
		}
	}
	because := ""
	switch {
	case l == flat:
		because = c.name + " has no texture scope for the shape " + d.g.Tensors[id].Shape.String()
	case !v.homes.has(l):
		because = c.name + " chooses " + l.String() + " for the shape " + d.g.Tensors[id].Shape.String()
	case producer >= 0 && !takes[producer]:
		because = c.name + " has no texture kernel for its producer " + d.g.Ops[producer].Op
	case wanting == 0 || !c.keeps(wanting, len(v.reads)):
		because = fmt.Sprintf("%d of its %d uses ask for a texture", wanting, len(v.reads))
	}
	if because != "" {
		return v.homes.least(), because
	}
	return l, ""
}

// chosen is the compiler's scope for the shape of a tensor. The outputs of an op with several are activations.
func (d *decider) chosen(c *compiler, id int32, producer int) label {
	l, _ := labelOf(string(c.choose(d.g.Tensors[id].Shape)))
	if l != flat && producer >= 0 && len(d.g.Ops[producer].Outputs) > 1 {
		l, _ = labelOf(Texture)
	}
	return l
}

// compileNode chooses the form of an op that writes what was decided and reads it with the fewest bytes copied, and narrows
// its reads to what the compiler wants.
func (d *decider) compileNode(p *problem, c *compiler, s *compiled, n int, takes bool) {
	node := &p.nodes[n]
	best, least := -1, int64(math.MaxInt64)
	var narrowed []set
	for f := range node.forms {
		if !s.wellWritten(node, f) {
			continue
		}
		wants := d.wants(p, c, s, n, f, takes)
		if cost := p.missed(s.solution, node, wants); best < 0 || cost < least {
			best, least, narrowed = f, cost, wants
		}
	}
	if best < 0 {
		best = 0
		for k, id := range node.writes {
			if l := node.forms[0].writes[k].least(); s.home[id] != l {
				s.home[id], s.because[id] = l, "no kernel of "+d.g.Ops[n].Op+" writes all its outputs as "+c.name+" chooses"
			}
		}
		narrowed = d.wants(p, c, s, n, 0, takes)
	}
	s.form[n], s.narrowed[n] = int32(best), narrowed
}

func (s *compiled) wellWritten(n *node, f int) bool {
	for k, id := range n.writes {
		if !n.forms[f].writes[k].has(s.home[id]) {
			return false
		}
	}
	return true
}

// missed is what it costs to copy each read of a node that is not where it is wanted.
func (p *problem) missed(s *solution, n *node, wants []set) int64 {
	cost := int64(0)
	for k, id := range n.reads {
		if !wants[k].has(s.home[id]) {
			cost = add(cost, p.values[id].bytes)
		}
	}
	return cost
}

// wants narrows the reads of a form: an op that takes textures reads a tensor in flat memory from a copy in the scope of its
// shape, where that can be.
func (d *decider) wants(p *problem, c *compiler, s *compiled, n, f int, takes bool) []set {
	node, op := &p.nodes[n], &d.g.Ops[n]
	out := make([]set, len(node.reads))
	for k, id := range node.reads {
		out[k] = node.forms[f].reads[k]
		l, _ := labelOf(string(c.choose(d.g.Tensors[id].Shape)))
		asks := takes && l != flat && !c.flatOperand(d.g, op, int(node.inputs[k]))
		if asks && s.home[id] == flat && (out[k] & p.values[id].copies).has(l) {
			out[k] = one(l)
		}
	}
	return out
}
