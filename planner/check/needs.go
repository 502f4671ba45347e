package check

import (
	"github.com/memplan/memplan/planner/graph"
)

// need is what a graph demands of the plan for one tensor or scratch buffer.
type need struct {
	name string
	// tensor is graph.NoTensor for scratch memory.
	tensor graph.TensorID
	// required is false for tensors that nothing uses: a plan may leave them out.
	required bool
	role     graph.Role
	bytes    int64
	// first and last are the shortest half-open lifetime in steps.
	first, last int64
	alignment   int64
	// producer is the op that writes the tensor, -1 when none does.
	producer int
}

// always reports whether the content must outlive the run.
func (n *need) always() bool { return n.role == graph.Constant || n.role == graph.State }

// needs recomputes what a graph demands: tensors by id, then scratch buffers by op.
func needs(g *graph.Graph) []need {
	end := max(1, int64(len(g.Ops)))
	out := make([]need, len(g.Tensors))
	for i := range g.Tensors {
		t := &g.Tensors[i]
		bytes, _ := t.Shape.Bytes(t.DType)
		out[i] = need{name: t.Name, tensor: graph.TensorID(i), required: t.Role == graph.State || t.Given != nil, role: t.Role, bytes: bytes, first: -1, alignment: 1, producer: -1}
	}
	for _, id := range g.Inputs {
		if n := at(out, id); n != nil {
			n.required, n.first, n.last = true, 0, max(n.last, 1)
		}
	}
	for step := range g.Ops {
		for _, id := range g.Ops[step].Outputs {
			if n := at(out, id); n != nil {
				n.producer = step
				n.use(int64(step))
			}
		}
		for _, id := range g.Ops[step].Inputs {
			if n := at(out, id); n != nil {
				n.use(int64(step))
			}
		}
	}
	for _, id := range g.Outputs {
		if n := at(out, id); n != nil {
			n.required, n.first, n.last = true, max(n.first, 0), end
		}
	}
	for i := range out {
		n := &out[i]
		if given := g.Tensors[i].Given; given != nil {
			n.first, n.last, n.alignment = given.First, given.Last, max(1, given.Alignment)
		} else if n.always() {
			n.first, n.last = 0, end
		}
	}
	return append(out, scratchNeeds(g)...)
}

// lastStep is the end of the graph's last lifetime: that of its last op, or of its last given span.
func lastStep(g *graph.Graph) int64 {
	end := max(1, int64(len(g.Ops)))
	for i := range g.Tensors {
		if given := g.Tensors[i].Given; given != nil {
			end = max(end, given.Last)
		}
	}
	return end
}

func at(list []need, id graph.TensorID) *need {
	if id < 0 || int(id) >= len(list) {
		return nil
	}
	return &list[id]
}

// use extends the lifetime over a step.
func (n *need) use(step int64) {
	n.required = true
	if n.first < 0 || step < n.first {
		n.first = step
	}
	n.last = max(n.last, step+1)
}

func scratchNeeds(g *graph.Graph) []need {
	var out []need
	names := g.ScratchNames()
	for step := range g.Ops {
		for i, s := range g.Ops[step].Scratch {
			out = append(out, need{name: names[step][i], tensor: graph.NoTensor, required: true, role: graph.Scratch, bytes: s.Bytes,
				first: int64(step), last: int64(step) + 1, alignment: 1, producer: step})
		}
	}
	return out
}
