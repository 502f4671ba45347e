package scope

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// problem is the choice of a home for each tensor and a form for each op, stripped of everything else.
type problem struct {
	values []value
	nodes  []node
}

// value is a tensor of the problem.
type value struct {
	// homes and copies are the scopes it may be written in and copied to.
	homes, copies set
	// bytes is what a copy costs, and penalty what it costs to be elsewhere than in the scope wished for.
	bytes   int64
	wished  bool
	wish    label
	penalty int64
	// reads lists who reads the tensor: a node and the position among its reads.
	reads []reading
}

type reading struct{ node, read int32 }

// node is an op of the problem.
type node struct {
	// reads and writes are values.
	reads, writes []int32
	// inputs has for each read its position among the op's inputs.
	inputs []int32
	forms  []form
}

// form is one way to run an op: the scopes it takes for each read and each write.
type form struct {
	// variant is the index of the variant, everyFlat for the form that takes all operands flat, ofSource for the one that
	// takes them as the graph's source does.
	variant       int
	reads, writes []set
}

const (
	everyFlat = -1
	ofSource  = -2
)

// build makes the problem of the graph: it gives each op the forms that can run it, and takes from each tensor the homes
// that its producer cannot write. Ops come in order of execution, so that the homes of what an op reads are final.
func (d *decider) build() *problem {
	p := &problem{values: make([]value, len(d.subjects)), nodes: make([]node, len(d.g.Ops))}
	for i := range d.subjects {
		s := &d.subjects[i]
		p.values[i] = value{homes: s.homes, copies: s.copies, bytes: s.bytes, wished: s.wish && s.homes.has(s.asked), wish: s.asked, penalty: s.penalty}
	}
	for step := range d.g.Ops {
		d.buildNode(p, step)
	}
	for step := range p.nodes {
		for k, id := range p.nodes[step].reads {
			p.values[id].reads = append(p.values[id].reads, reading{int32(step), int32(k)})
		}
	}
	d.dropUnread(p)
	return p
}

// dropUnread takes from graph inputs and constants the homes that no reader takes and that nobody wishes for: flat memory
// serves as well.
func (d *decider) dropUnread(p *problem) {
	for i, producer := range d.g.Producers() {
		v := &p.values[i]
		if producer >= 0 || !v.homes.has(flat) || v.homes == onlyFlat {
			continue
		}
		taken := onlyFlat
		if v.wished {
			taken |= one(v.wish)
		}
		for _, r := range v.reads {
			for f := range p.nodes[r.node].forms {
				taken |= p.nodes[r.node].forms[f].reads[r.read]
			}
		}
		for l := flat + 1; l < labels; l++ {
			if lost := v.homes &^ taken; lost.has(l) {
				d.subjects[i].because[l] = "no kernel that reads it takes " + l.String()
			}
		}
		v.homes &= taken
		d.subjects[i].homes = v.homes
	}
}

func (d *decider) buildNode(p *problem, step int) {
	op, n := &d.g.Ops[step], &p.nodes[step]
	for i, id := range op.Inputs {
		if d.g.Tensor(id) != nil {
			n.reads, n.inputs = append(n.reads, int32(id)), append(n.inputs, int32(i))
		}
	}
	for _, id := range op.Outputs {
		if d.g.Tensor(id) != nil {
			n.writes = append(n.writes, int32(id))
		}
	}
	all := d.readable(p, op, n)
	n.forms = p.writable(n, all)
	if len(n.forms) == 0 {
		d.yield(p, op, n, all)
	}
	for k, id := range n.writes {
		d.shrink(p, op, n, k, id)
	}
	n.forms = p.withoutWorse(n)
}

// yield lets outputs that must be images go to flat memory, where no form writes all of them as asked: the first outputs
// keep what they ask for, as far as one form can do it.
func (d *decider) yield(p *problem, op *graph.Op, n *node, all []form) {
	asked := make([]set, len(n.writes))
	for i, id := range n.writes {
		if asked[i] = p.values[id].homes; !asked[i].has(flat) {
			p.values[id].homes = onlyFlat
		}
	}
	for i, id := range n.writes {
		if asked[i].has(flat) {
			continue
		}
		p.values[id].homes = asked[i]
		if n.forms = p.writable(n, all); len(n.forms) > 0 {
			continue
		}
		p.values[id].homes, d.subjects[id].homes = onlyFlat, onlyFlat
		d.noWriter(p, op, n, id, asked[i])
	}
	n.forms = p.writable(n, all)
}

// shrink takes from an output the homes that no form writes.
func (d *decider) shrink(p *problem, op *graph.Op, n *node, k int, id int32) {
	written := set(0)
	for i := range n.forms {
		written |= n.forms[i].writes[k]
	}
	if lost := p.values[id].homes &^ written; lost != 0 {
		d.noWriter(p, op, n, id, lost)
		p.values[id].homes &= written
		d.subjects[id].homes = p.values[id].homes
		p.values[id].wished = p.values[id].wished && p.values[id].homes.has(p.values[id].wish)
	}
	for i := range n.forms {
		n.forms[i].writes[k] &= p.values[id].homes
	}
}

// noWriter notes that the producer cannot write a tensor into some scopes.
func (d *decider) noWriter(p *problem, op *graph.Op, n *node, id int32, scopes set) {
	for l := flat + 1; l < labels; l++ {
		if scopes.has(l) {
			d.subjects[id].because[l] = d.whyUnwritten(p, op, n, l)
		}
	}
}

// whyUnwritten says why no form of an op writes a scope: no kernel does, or those that do read an operand from images, which
// it cannot be.
func (d *decider) whyUnwritten(p *problem, op *graph.Op, n *node, l label) string {
	for _, v := range d.kernels.of(op) {
		k := &d.kernels.list[v]
		if !k.takes("output").has(l) {
			continue
		}
		for i, input := range n.inputs {
			if because := d.unread(p, op, n.reads[i], k.takes(operand(d.g, op, int(input))), l); because != "" {
				return because
			}
		}
	}
	if f, ok := d.asInSource(op, n); ok {
		for i, id := range n.reads {
			if because := d.unread(p, op, id, f.reads[i], l); because != "" {
				return because
			}
		}
	}
	return "no kernel of " + op.Op + " writes " + l.String()
}

// unread says why an operand is in none of the scopes that a kernel takes which writes l, "" when it can be in one.
func (d *decider) unread(p *problem, op *graph.Op, id int32, takes set, l label) string {
	if v := &p.values[id]; takes&(v.homes|v.copies) != 0 {
		return ""
	}
	from := takes.least()
	because := d.subjects[id].because[from]
	if because == "" {
		because = "it is not there"
	}
	return fmt.Sprintf("the kernel of %s that writes %s reads %q from %s, and %s", op.Op, l, d.g.Tensors[id].Name, from, because)
}
