package scope

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// AttrScope is the string attribute of a copy: the scope it writes.
const AttrScope = "scope"

// InsertCopies makes the copies of a result steps of the graph: a new graph, in which each copy stands directly before its
// first consumer and its consumers read its result, and a result for that graph. Tensors keep their ids; those of the copies
// follow. Neither argument is changed. Without copies both are returned as they are.
func InsertCopies(g *graph.Graph, r *Result) (*graph.Graph, *Result) {
	if len(r.Copies) == 0 {
		return g, r
	}
	grown, result := *g, *r
	grown.Tensors, grown.Ops = slices.Clone(g.Tensors), make([]graph.Op, 0, len(g.Ops)+len(r.Copies))
	result.Tensors, result.Copies = slices.Clone(r.Tensors), slices.Clone(r.Copies)
	result.OpScratch = make([][]Decision, 0, cap(grown.Ops))
	names := namesOf(g)
	reads := map[Use]graph.TensorID{}
	before := map[int][]int{}
	for i := range result.Copies {
		c := &result.Copies[i]
		c.Name = unused(names, c.Name)
		c.Result = graph.TensorID(len(grown.Tensors))
		from := &g.Tensors[c.Tensor]
		grown.Tensors = append(grown.Tensors, graph.Tensor{
			Name: c.Name, Role: graph.Activation, DType: from.DType, Computes: from.Computes, Shape: from.Shape.Clone(), Symbols: slices.Clone(from.Symbols), Layout: from.Layout, UpperBound: from.UpperBound,
		})
		result.Tensors = append(result.Tensors, c.Decision)
		before[c.Uses[0].Op] = append(before[c.Uses[0].Op], i)
		for _, use := range c.Uses {
			reads[use] = c.Result
		}
	}
	for step := range g.Ops {
		for _, i := range before[step] {
			c := &result.Copies[i]
			c.Step = len(grown.Ops)
			grown.Ops = append(grown.Ops, c.op())
			result.OpScratch = append(result.OpScratch, nil)
		}
		grown.Ops = append(grown.Ops, redirected(&g.Ops[step], step, reads))
		result.OpScratch = append(result.OpScratch, r.OpScratch[step])
	}
	result.renumber(g)
	return &grown, &result
}

// op is the step that makes the copy.
func (c *Copy) op() graph.Op {
	return graph.Op{
		Name: c.Name, Op: graph.CopyOp, Domain: graph.CopyDomain, Inputs: []graph.TensorID{c.Tensor}, Outputs: []graph.TensorID{c.Result},
		Attrs: graph.Attrs{AttrScope: c.To},
	}
}

// redirected is the op with its inputs read from the copies.
func redirected(op *graph.Op, step int, reads map[Use]graph.TensorID) graph.Op {
	out := *op
	out.Inputs = slices.Clone(op.Inputs)
	for i := range out.Inputs {
		if copied, ok := reads[Use{step, i}]; ok {
			out.Inputs[i] = copied
		}
	}
	return out
}

// renumber makes the uses of the copies speak of the steps of the new graph.
func (r *Result) renumber(g *graph.Graph) {
	at := make([]int, len(g.Ops))
	added := map[int]int{}
	for i := range r.Copies {
		added[r.Copies[i].Uses[0].Op]++
	}
	total := 0
	for step := range at {
		total += added[step]
		at[step] = step + total
	}
	for i := range r.Copies {
		uses := slices.Clone(r.Copies[i].Uses)
		for k := range uses {
			uses[k].Op = at[uses[k].Op]
		}
		r.Copies[i].Uses = uses
	}
}

// namesOf has the names of all tensors and ops.
func namesOf(g *graph.Graph) map[string]bool {
	names := make(map[string]bool, len(g.Tensors)+len(g.Ops))
	for i := range g.Tensors {
		names[g.Tensors[i].Name] = true
	}
	for i := range g.Ops {
		names[g.Ops[i].Name] = true
	}
	return names
}

// unused takes the name, or the name with as many apostrophes as it takes to be new.
func unused(names map[string]bool, name string) string {
	for names[name] {
		name += "'"
	}
	names[name] = true
	return name
}
