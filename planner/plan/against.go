package plan

import "slices"

// Against is a reason why a tensor does not have some scopes, or is not over some operand.
type Against struct {
	// Alternatives are the scopes, and "over" with the name of the operand.
	Alternatives []string
	Because      string
}

// Against lists the reasons of the exclusions for readers: each once, in order, with what it is the reason for.
// The reason of a spill is not said again.
func (r *Reason) Against() []Against {
	var out []Against
	for _, x := range r.Excluded {
		if r.Spill != nil && x.Because == r.Spill.Because {
			continue
		}
		k := slices.IndexFunc(out, func(a Against) bool { return a.Because == x.Because })
		if k < 0 {
			k, out = len(out), append(out, Against{Because: x.Because})
		}
		alternative := x.Scope
		if x.Over != "" {
			alternative = "over " + x.Over
		}
		out[k].Alternatives = append(out[k].Alternatives, alternative)
	}
	return out
}
