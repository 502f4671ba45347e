package scope

import "slices"

// rounds bounds how often mincopy tries all moves again.
const rounds = 8

// minCopy returns a solution of least cost, and whether that is proved.
//
// Where every tensor and op has two choices, one least cut decides. Otherwise moves between two choices each are tried in
// turn until none helps, from the policy flat and from each of the others that is better than what was found. The result
// is proved when it costs no more than the relaxed problem in which all textures are one scope.
func (p *problem) minCopy(others ...*solution) (*solution, bool) {
	best := p.flattest()
	if p.total(best) == 0 {
		return best, true
	}
	if p.binary() {
		if found, _, exact := p.try(best, p.otherHomes(best), p.otherForms(best)); exact {
			return found, true
		}
	}
	bound, ok := p.bound()
	if !ok {
		bound = 0
	}
	best = p.improve(best, bound)
	for _, other := range others {
		start := other.clone()
		start.narrowed = nil
		if p.total(start) < p.total(best) {
			best = p.improve(start, bound)
		}
	}
	return best, p.total(best) == bound
}

// binary reports whether there are at most two choices everywhere.
func (p *problem) binary() bool {
	return !slices.ContainsFunc(p.values, func(v value) bool { return v.homes.size() > 2 }) &&
		!slices.ContainsFunc(p.nodes, func(n node) bool { return len(n.forms) > 2 })
}

func (p *problem) otherHomes(s *solution) []label {
	out := slices.Clone(s.home)
	for i := range out {
		if rest := p.values[i].homes &^ one(s.home[i]); rest != 0 {
			out[i] = rest.least()
		}
	}
	return out
}

func (p *problem) otherForms(s *solution) []int32 {
	out := slices.Clone(s.form)
	for i := range out {
		if len(p.nodes[i].forms) == 2 {
			out[i] = 1 - s.form[i]
		}
	}
	return out
}

// improve tries moves in turn until none makes the solution better, or until it costs no more than the bound.
func (p *problem) improve(s *solution, bound int64) *solution {
	type choice struct {
		target      label
		wishesFirst bool
	}
	used, wishes := p.used()
	var moves []choice
	for target := range labels {
		if used.has(target) {
			moves = append(moves, choice{target, false})
		}
		if used.has(target) && wishes {
			moves = append(moves, choice{target, true})
		}
	}
	cost, failed := p.total(s), 0
	for k := 0; k < rounds*len(moves) && failed < len(moves) && cost > bound; k++ {
		move := moves[k%len(moves)]
		found, _, _ := p.try(s, p.homesFor(s, move.target, move.wishesFirst), p.formsFor(s, move.target))
		failed++
		if now := p.total(found); now < cost {
			s, cost, failed = found, now, 0
		}
	}
	return s
}

// used returns all scopes that some tensor can be in, and whether any tensor has a wish.
func (p *problem) used() (used set, wishes bool) {
	for i := range p.values {
		used |= p.values[i].homes
		wishes = wishes || p.values[i].wished
	}
	return used, wishes
}

// homesFor gives the alternatives of a move to one scope: that scope or the one wished for, where they are open, else the
// only other one.
func (p *problem) homesFor(s *solution, target label, wishesFirst bool) []label {
	out := slices.Clone(s.home)
	for i := range out {
		v := &p.values[i]
		wish := v.wished && v.wish != s.home[i]
		switch {
		case wish && wishesFirst:
			out[i] = v.wish
		case v.homes.has(target) && target != s.home[i]:
			out[i] = target
		case v.homes.size() == 2 && !v.homes.has(target):
			out[i] = (v.homes &^ one(s.home[i])).least()
		}
	}
	return out
}

// formsFor gives the alternatives of a move to one scope: for each op the form that can have the most operands in it, the
// outputs counting first.
func (p *problem) formsFor(s *solution, target label) []int32 {
	out := slices.Clone(s.form)
	for n := range out {
		best := -1
		for f := range p.nodes[n].forms {
			if int32(f) == s.form[n] {
				continue
			}
			if score := p.nodes[n].forms[f].suits(target); score > best {
				out[n], best = int32(f), score
			}
		}
	}
	return out
}

func (f *form) suits(target label) int {
	score := 0
	for _, reads := range f.reads {
		if reads.has(target) {
			score++
		}
	}
	for _, writes := range f.writes {
		if writes.has(target) {
			score += len(f.reads) + 1
		}
	}
	return score
}
