package scope

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

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
	if f, ok := d.asInSource(op, n); ok && p.canRead(n, &f) {
		forms = append(forms, f)
	}
	return forms
}

// asInSource is the form of an op that takes its operands in the scopes that the graph's source gives them: the source
// comes with kernels for just these. The second result is false when it asks for no image there.
func (d *decider) asInSource(op *graph.Op, n *node) (form, bool) {
	f := form{variant: ofSource, reads: make([]set, len(n.reads)), writes: make([]set, len(n.writes))}
	asks := false
	for i, id := range n.reads {
		f.reads[i] = d.sourceScope(id)
		asks = asks || f.reads[i] != onlyFlat
	}
	for i, id := range n.writes {
		f.writes[i] = d.sourceScope(id)
		asks = asks || f.writes[i] != onlyFlat
	}
	return f, asks && op.Domain != graph.CopyDomain
}

func (d *decider) sourceScope(id int32) set {
	name, _ := Canonical(d.g.Tensors[id].Scope)
	l, _ := labelOf(name)
	return one(l)
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
