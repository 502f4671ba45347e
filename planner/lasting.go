package planner

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// end is a tensor of a graph.
type end struct {
	g      *planned
	tensor graph.TensorID
}

// families joins tensors that may come to show the same bytes, over all graphs: a tensor leads towards the one that stands
// for its family, which leads nowhere.
type families map[end]end

func (f families) of(e end) end {
	for {
		next, ok := f[e]
		if !ok {
			return e
		}
		if after, more := f[next]; more {
			f[e] = after
		}
		e = next
	}
}

func (f families) join(a, b end) {
	if a, b = f.of(a), f.of(b); a != b {
		f[a] = b
	}
}

// joinViews joins what an op of a graph may make views of one another, whatever is decided later.
func (f families) joinViews(g *planned) {
	for i := range g.rewritten.Ops {
		op := &g.rewritten.Ops[i]
		if len(op.Inputs) > 0 && len(op.Outputs) > 0 && op.IsReshape(g.rewritten.Tensor(op.Inputs[0]), g.rewritten.Tensor(op.Outputs[0])) {
			f.join(end{g, op.Outputs[0]}, end{g, op.Inputs[0]})
		}
		for _, part := range g.rewritten.Parts(op) {
			f.join(end{g, part.Piece}, end{g, part.Whole})
		}
	}
}

// keepReadAgain lets inputs from other graphs last, so that no op overwrites them, unless each is the only reader left of all
// that may be in its bytes: outputs may share bytes, and a graph may hand on what it reads as its own output.
func (p *pipeline) keepReadAgain() {
	if len(p.links) == 0 {
		return
	}
	same := families{}
	for _, g := range p.graphs {
		same.joinViews(g)
	}
	for _, l := range p.links {
		same.join(end{l.to, l.input}, end{l.from, l.output})
	}
	readers := map[end][]*link{}
	for _, l := range p.links {
		family := same.of(end{l.to, l.input})
		readers[family] = append(readers[family], l)
	}
	for _, l := range p.links {
		others := readers[same.of(end{l.to, l.input})]
		if slices.ContainsFunc(others, func(o *link) bool { return o != l && !p.runsBefore(o.to, l.to) }) {
			l.to.lasting = append(l.to.lasting, l.input)
		}
	}
}

// runsBefore reports whether one graph is over when the other starts.
func (p *pipeline) runsBefore(a, b *planned) bool {
	together := p.cfg.Planner.Concurrent
	if slices.Contains(together, a.block) && slices.Contains(together, b.block) {
		return false
	}
	return slices.Index(p.graphs, a) < slices.Index(p.graphs, b)
}
