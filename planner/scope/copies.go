package scope

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// copies lists the copies that the solution needs.
func (d *decider) copies() {
	if d.solved == nil {
		return
	}
	for i := range d.problem.values {
		if len(d.problem.values[i].reads) > 0 {
			d.copiesOf(int32(i))
		}
	}
	slices.SortStableFunc(d.out.Copies, func(a, b Copy) int { return cmp.Compare(a.Uses[0].Op, b.Uses[0].Op) })
}

// copiesOf lists the copies of one tensor, one for each scope; each reader that does not take the home reads the first copy
// that it takes.
func (d *decider) copiesOf(id int32) {
	p, s, home := d.problem, d.solved.solution, d.solved.home[id]
	needed := p.copiesOf(s, id, home)
	if needed == 0 {
		return
	}
	var uses [labels][]Use
	for _, r := range p.values[id].reads {
		if takes := p.accepts(s, r); !takes.has(home) {
			l := (takes & needed).least()
			uses[l] = append(uses[l], Use{Op: int(r.node), Input: int(p.nodes[r.node].inputs[r.read])})
		}
	}
	for l := range labels {
		if len(uses[l]) > 0 {
			d.out.Copies = append(d.out.Copies, d.copyOf(id, home, l, uses[l]))
		}
	}
}

func (d *decider) copyOf(id int32, from, to label, uses []Use) Copy {
	t, reader := &d.g.Tensors[id], &d.g.Ops[uses[0].Op]
	out := Copy{
		Tensor: graph.TensorID(id), From: from.String(), To: to.String(), Name: t.Name + "@" + to.String(), Bytes: d.problem.values[id].bytes,
		Uses: uses, Because: fmt.Sprintf("%s %s reads it in %s", reader.Op, reader.Name, to), Result: graph.NoTensor, Step: -1,
		Decision: Decision{Scope: to.String(), Rule: -1, Policy: d.out.Policy},
	}
	s := subject{rule: -1, facts: TensorFacts{Name: out.Name, Role: graph.Activation}}
	if to == flat {
		out.Decision.Pools = d.defaults(graph.Activation)
	} else {
		out.Decision.Pools, out.Decision.Images = d.imageCandidates(&s)
		out.Decision.Geometry = d.subjects[id].images[to]
	}
	if len(out.Decision.Pools) == 0 {
		d.miss(&s.facts)
	}
	return out
}
