package exec

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// strided is a tensor with bytes of its own in which views have rows. No gap of the plan frees the bytes between the rows of others,
// so what dies in there is found by the lives of its members.
type strided struct {
	base    *plan.Tensor
	members []member
}

// member is a tensor that lies in another one, or that one itself, and the half-open steps in which its content is needed.
type member struct {
	first, last int64
	t           *device.Tensor
}

// stridedBuffers finds them, but for those whose content others than the graph's steps may want: the caller's own memory, and what
// other graphs have written.
func stridedBuffers(planned *plan.Graph, l *layout, g *graph.Graph) []*strided {
	var out []*strided
	of := map[string]*strided{}
	for _, t := range l.planned {
		if t.Rows != nil && of[*t.ViewOf] == nil {
			of[*t.ViewOf] = &strided{}
		}
	}
	own := livesOf(planned, g)
	for _, t := range l.planned {
		name := t.Name
		if t.ViewOf != nil {
			name = *t.ViewOf
		}
		b := of[name]
		if b == nil {
			continue
		}
		life := own[t.Name]
		if t.ViewOf == nil {
			b.base = t
			if t.Pool != "" && t.Shares == nil {
				out = append(out, b)
			}
		}
		if t.Kept != "" {
			life.last = int64(len(planned.Steps)) + 1
		}
		life.t = l.tensors[t.Name]
		b.members = append(b.members, life)
	}
	return out
}

// livesOf says from which step on each tensor has content that somebody needs, and up to which: an output is needed after the last.
func livesOf(planned *plan.Graph, g *graph.Graph) map[string]member {
	out := map[string]member{}
	for _, s := range planned.Steps {
		for _, name := range s.Outputs {
			out[name] = member{first: s.Step, last: s.Step + 1}
		}
		for _, name := range s.Inputs {
			m := out[name]
			m.last = s.Step + 1
			out[name] = m
		}
	}
	for _, id := range g.Outputs {
		if t := g.Tensor(id); t != nil {
			m := out[t.Name]
			m.last = int64(len(planned.Steps)) + 1
			out[t.Name] = m
		}
	}
	return out
}

// deadAfter lists the bytes that somebody needs up to a step and nobody at the next one, as long as the whole has its bytes then: what
// dies with it may be another's.
func (b *strided) deadAfter(step int64) []device.Region {
	if step+1 >= b.base.Last {
		return nil
	}
	var dying, live []device.Region
	for _, m := range b.members {
		switch {
		case m.last == step+1:
			dying = append(dying, runsOf(m.t)...)
		case m.first <= step+1 && m.last > step+1:
			live = append(live, runsOf(m.t)...)
		}
	}
	if len(dying) == 0 {
		return nil
	}
	at := b.members[slices.IndexFunc(b.members, func(m member) bool { return m.t.Name == b.base.Name })].t.Place
	for _, gap := range b.base.Gaps {
		if gap.First <= step+1 && step+1 < gap.Last {
			live = append(live, device.Region{Pool: at.Pool, Image: -1, Offset: at.Offset + gap.From, Bytes: gap.To - gap.From})
		}
	}
	return beside(dying, live)
}

// runsOf lists the runs of bytes of a tensor.
func runsOf(t *device.Tensor) []device.Region {
	if !t.Strided() {
		return []device.Region{t.Place}
	}
	out := make([]device.Region, 0, t.LogicalBytes/t.Row)
	for at := t.Place.Offset; at < t.Place.Offset+t.Place.Bytes; at += t.Stride {
		out = append(out, device.Region{Pool: t.Place.Pool, Image: -1, Offset: at, Bytes: t.Row})
	}
	return out
}

// beside is what of some regions of one pool lies in none of the others, ascending. It sorts both and costs O(n log n).
func beside(regions, others []device.Region) []device.Region {
	order := func(a, b device.Region) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Bytes, b.Bytes))
	}
	slices.SortFunc(regions, order)
	slices.SortFunc(others, order)
	var out []device.Region
	at := int64(0)
	for _, r := range regions {
		end := r.Offset + r.Bytes
		for at = max(at, r.Offset); at < end; {
			for len(others) > 0 && others[0].Offset+others[0].Bytes <= at {
				others = others[1:]
			}
			to := end
			if len(others) > 0 && others[0].Offset < end {
				to = others[0].Offset
			}
			if at < to {
				out = append(out, device.Region{Pool: r.Pool, Image: -1, Offset: at, Bytes: to - at})
			}
			if at = to; to < end {
				at = others[0].Offset + others[0].Bytes
			}
		}
	}
	return out
}
