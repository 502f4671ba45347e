package scope

import (
	"math"
	"slices"
)

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
