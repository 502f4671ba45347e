package scope

// merged is the label of all textures together in the relaxed problem.
const merged label = 1

func merge(s set) set {
	out := s & onlyFlat
	if s&images != 0 {
		out |= one(merged)
	}
	return out
}

// bound returns a cost that no solution is below: that of the problem in which all textures are one scope, so that nothing
// is copied between them, and each op has, beside its first form, one that can do what any of the others can. There every
// choice is between two, and a least cut decides it. The second result is false when the cut is not exact.
func (p *problem) bound() (int64, bool) {
	relaxed := &problem{values: make([]value, len(p.values)), nodes: make([]node, len(p.nodes))}
	for i, v := range p.values {
		v.homes, v.copies = merge(v.homes), merge(v.copies)
		if v.wish != flat {
			v.wish = merged
		}
		relaxed.values[i] = v
	}
	for i := range p.nodes {
		n := p.nodes[i]
		n.forms = relax(&n)
		relaxed.nodes[i] = n
	}
	start := relaxed.flattest()
	_, least, exact := relaxed.try(start, relaxed.otherHomes(start), relaxed.otherForms(start))
	return least, exact
}

// relax merges the forms of a node to two at most: the flat one, and all others as one.
func relax(n *node) []form {
	var out []form
	last := -1
	for i := range n.forms {
		f := &n.forms[i]
		if last < 0 || f.variant != everyFlat && out[last].variant == everyFlat {
			out = append(out, form{variant: f.variant, reads: make([]set, len(f.reads)), writes: make([]set, len(f.writes))})
			last = len(out) - 1
		}
		for k := range f.reads {
			out[last].reads[k] |= merge(f.reads[k])
		}
		for k := range f.writes {
			out[last].writes[k] |= merge(f.writes[k])
		}
	}
	return out
}
