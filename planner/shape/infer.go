package shape

import (
	"maps"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// MaxRank is the largest number of axes a tensor may have.
const MaxRank = 32

// maxValues is the largest number of elements, over the inputs and outputs of one op, that are evaluated.
const maxValues = 4096

// Dim is what a symbolic dimension is bound to.
type Dim struct {
	// Value is the extent, in elements, at least 1.
	Value int64
	// Max says that Value is a bound: the plan is made for it and smaller extents run in the same memory.
	Max bool
}

// Result is what inference learned beside the types that it wrote into the graph.
type Result struct {
	// Known holds the results of ops that do not depend on any input's content, by tensor id: only those of ops with at
	// most 4096 elements in inputs and outputs together. Constants of the graph itself are not repeated, and values that
	// follow from the bound of a dimension are left out: they change when the graph runs with a smaller extent.
	Known map[graph.TensorID]*array.Array
}

// Infer binds the open dimensions, then gives every tensor of g its DType and Shape, in op order, and evaluates small
// values that depend on shapes and constants only. Without errors in the diagnostics, every tensor has an element type
// and a known shape whose bytes fit an int64.
//
// A dimension is bound by its symbol, everywhere alike; an open axis without a symbol is called "<tensor>_axis<k>", k
// counting from 0, and gets that name in Tensor.Symbols. A tensor is marked UpperBound when a bound dimension with Max
// set is among its axes, or when it is written by an op that reads a marked tensor or whose shape is steered by a value
// computed from one; only the results of Shape and Size, whose shapes are fixed, are exempt.
//
// An inferred type overrides the stated one with a warning, unless an input of the op had one already; a stated type
// stands alone where no rule serves.
// It costs O(tensors + ops), beside the evaluation of small values.
func Infer(g *graph.Graph, dims map[string]Dim) (*Result, diag.Diagnostics) {
	s := newState(g)
	s.bind(dims)
	s.takeStated()
	s.takeSources()
	for i := range g.Ops {
		s.visit(&g.Ops[i])
	}
	s.binder.checkEntries()
	maps.DeleteFunc(s.known, func(id graph.TensorID, _ *array.Array) bool { return s.tainted[id] })
	return &Result{Known: s.known}, s.diags
}
