package scope

import (
	"math"
	"slices"

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
	// variant is the index of the variant, everyFlat for the form that takes all operands flat.
	variant       int
	reads, writes []set
}

const everyFlat = -1

// build makes the problem of the graph: it gives each op the forms that can run it, and takes from each tensor the homes
// that its producer cannot write. Ops come in order of execution, so that the homes of what an op reads are final.
func (d *decider) build() *problem {
	p := &problem{values: make([]value, len(d.subjects)), nodes: make([]node, len(d.g.Ops))}
	for i := range d.subjects {
		s := &d.subjects[i]
		p.values[i] = value{homes: s.homes, copies: s.copies, bytes: s.facts.Bytes, wished: s.wish && s.homes.has(s.asked), wish: s.asked, penalty: s.penalty}
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

// readable lists the forms of an op for which each of its inputs can be in, or be copied to, a scope that the form takes.
func (d *decider) readable(p *problem, op *graph.Op, n *node) []form {
	forms := []form{{variant: everyFlat, reads: repeat(onlyFlat, len(n.reads)), writes: repeat(onlyFlat, len(n.writes))}}
	for _, v := range d.kernels.of(op) {
		k := &d.kernels.list[v]
		if k.packed && !packsInRelax(d.g, op) {
			continue
		}
		f := form{variant: v, writes: repeat(k.takes("output"), len(n.writes)), reads: make([]set, len(n.reads))}
		for i, input := range n.inputs {
			f.reads[i] = k.takes(operand(d.g, op, int(input)))
		}
		if p.canRead(n, &f) {
			forms = append(forms, f)
		}
	}
	return forms
}

func repeat(s set, n int) []set { return slices.Repeat([]set{s}, n) }

func (p *problem) canRead(n *node, f *form) bool {
	for i, id := range n.reads {
		v := &p.values[id]
		f.reads[i] &= v.homes | v.copies
		if v.homes&^f.reads[i] != 0 && f.reads[i]&v.copies == 0 {
			return false
		}
	}
	return true
}

// writable keeps the forms that can write each output into one of its homes.
func (p *problem) writable(n *node, forms []form) []form {
	var out []form
	for _, f := range forms {
		if p.canWrite(n, &f) {
			out = append(out, f)
		}
	}
	return out
}

func (p *problem) canWrite(n *node, f *form) bool {
	for i, id := range n.writes {
		if f.writes[i]&p.values[id].homes == 0 {
			return false
		}
	}
	return true
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
		d.noWriter(op, id, asked[i])
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
		d.noWriter(op, id, lost)
		p.values[id].homes &= written
		d.subjects[id].homes = p.values[id].homes
		p.values[id].wished = p.values[id].wished && p.values[id].homes.has(p.values[id].wish)
	}
	for i := range n.forms {
		n.forms[i].writes[k] &= p.values[id].homes
	}
}

// noWriter notes that the producer cannot write a tensor into some scopes.
func (d *decider) noWriter(op *graph.Op, id int32, scopes set) {
	for l := flat + 1; l < labels; l++ {
		if scopes.has(l) {
			d.subjects[id].because[l] = "no kernel of " + op.Op + " writes " + l.String()
		}
	}
}

// withoutWorse drops forms that take nothing which another one does not take as well; of equal ones the first stays.
func (p *problem) withoutWorse(n *node) []form {
	var out []form
	for i := range n.forms {
		worse := false
		for k := range n.forms {
			if k != i && n.forms[i].within(&n.forms[k]) && (k < i || !n.forms[k].within(&n.forms[i])) {
				worse = true
			}
		}
		if !worse {
			out = append(out, n.forms[i])
		}
	}
	return out
}

func (f *form) within(o *form) bool {
	for i := range f.reads {
		if f.reads[i]&^o.reads[i] != 0 {
			return false
		}
	}
	for i := range f.writes {
		if f.writes[i]&^o.writes[i] != 0 {
			return false
		}
	}
	return true
}

// solution gives each value a home and each node a form.
type solution struct {
	home []label
	form []int32
	// narrowed replaces the reads of the chosen forms where it is not nil: a policy may want less than a kernel takes.
	narrowed [][]set
}

func (s *solution) clone() *solution {
	return &solution{home: slices.Clone(s.home), form: slices.Clone(s.form), narrowed: s.narrowed}
}

// accepts returns what a reader takes.
func (p *problem) accepts(s *solution, r reading) set {
	if s.narrowed != nil {
		return s.narrowed[r.node][r.read]
	}
	return p.nodes[r.node].forms[s.form[r.node]].reads[r.read]
}

// copiesOf returns the fewest scopes that the value must be copied to, the least ones where several sets serve, if its
// home were the given one.
func (p *problem) copiesOf(s *solution, id int32, home label) set {
	v := &p.values[id]
	var needed [1 << labels]bool
	missing := false
	for _, r := range v.reads {
		if m := p.accepts(s, r); !m.has(home) {
			needed[m&v.copies], missing = true, true
		}
	}
	if !missing {
		return 0
	}
	best := v.copies
	for c := set(1); c <= anywhere; c++ {
		if c&^v.copies == 0 && c.size() < best.size() && hits(&needed, c) {
			best = c
		}
	}
	return best
}

func hits(needed *[1 << labels]bool, c set) bool {
	for m, is := range needed {
		if is && set(m)&c == 0 {
			return false
		}
	}
	return true
}

// cost returns the bytes copied and the penalties of a solution.
func (p *problem) cost(s *solution) (copied, penalties int64) {
	for i := range p.values {
		v := &p.values[i]
		if len(v.reads) > 0 {
			for range p.copiesOf(s, int32(i), s.home[i]).size() {
				copied = add(copied, v.bytes)
			}
		}
		if v.wished && s.home[i] != v.wish {
			penalties = add(penalties, v.penalty)
		}
	}
	return copied, penalties
}

func (p *problem) total(s *solution) int64 { return add(p.cost(s)) }

// add stops at the largest number.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
