package rewrite

import (
	"fmt"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// The budget of what is computed when a folded constant is read. A constant's base is the size of the largest constant
// of the source that it is computed from; its work is the sum of the sizes of everything computed on the way, counted
// as often as it is computed.
const (
	// maxFolded and growth: a folded constant is at most maxFolded bytes, or growth times its base. int8 weights
	// become float32.
	maxFolded = 16 << 20
	growth    = 4
	// maxWork and effort: the work is at most maxWork bytes, or effort times the base. Each op counts at least opWork.
	maxWork = 64 << 20
	effort  = 64
	opWork  = 4 << 10
	// maxDepth is the longest chain of ops behind a folded constant.
	maxDepth = 256
)

// constant is a tensor that does not depend on the graph's inputs.
type constant struct {
	typ  array.Type
	data graph.Data
	// base, work and depth are measured against the budget.
	base, work, depth int64
}

// leaf is a constant of the source.
func leaf(t *graph.Tensor) *constant {
	return &constant{typ: array.Type{DType: t.DType, Shape: t.Shape}, data: t.Data, base: t.Data.Size()}
}

// computable reports whether the op has a reference kernel, with everything that is fused into it.
func computable(op *graph.Op) bool {
	if _, ok := array.Lookup(op); !ok {
		return false
	}
	for i := 1; i < len(op.Fused); i++ {
		if !array.IsActivation(op.Fused[i]) {
			return false
		}
	}
	return true
}

// compute returns the results of the op as constants that are computed when they are read. It returns a reason, and
// nothing, when that exceeds the budget.
func compute(op *graph.Op, inputs []*constant, types []array.Type) ([]*constant, string) {
	base, work, depth := int64(0), int64(opWork), int64(0)
	for _, in := range inputs {
		if in != nil {
			base, work, depth = max(base, in.base), addSizes(work, in.work), max(depth, in.depth)
		}
	}
	for _, t := range types {
		n, ok := t.Shape.Bytes(t.DType)
		if limit := budget(maxFolded, growth, base); !ok || n > limit {
			return nil, fmt.Sprintf("its result of %s exceeds the %d bytes that folding may make of its inputs", t, limit)
		}
		work = addSizes(work, n)
	}
	if limit := budget(maxWork, effort, base); work > limit {
		return nil, fmt.Sprintf("computing its result takes %d bytes, more than the %d that folding may use", work, limit)
	}
	if depth >= maxDepth {
		return nil, fmt.Sprintf("a chain of %d folded ops leads to it, the longest allowed", maxDepth)
	}
	// The op and its types are copied: the lazy constants live longer than the graph.
	own := graph.Op{Name: op.Name, Op: op.Op, Domain: op.Domain, Attrs: op.Attrs, Fused: slices.Clone(op.Fused)}
	results := make([]*constant, len(types))
	for k, t := range types {
		results[k] = &constant{typ: t, data: lazy(&own, inputs, types, k), base: base, work: work, depth: depth + 1}
	}
	return results, ""
}

// budget is the larger of a fixed number of bytes and a multiple of base.
func budget(fixed, times, base int64) int64 {
	if base > math.MaxInt64/times {
		return math.MaxInt64
	}
	return max(fixed, times*base)
}

// addSizes adds sizes of 0 or more and stops at the greatest int64.
func addSizes(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// lazy returns the content of result k of the op. Where the op only renames the axes of its input, that is the content
// of the input itself.
func lazy(op *graph.Op, inputs []*constant, types []array.Type, k int) graph.Data {
	size, _ := types[k].Shape.Bytes(types[k].DType)
	if renames(op) && k == 0 && inputs[0] != nil && inputs[0].typ.DType == types[0].DType && inputs[0].data.Size() == size {
		return inputs[0].data
	}
	return &graph.Lazy{Bytes: size, Recipe: recipe(op, inputs, types, k), Compute: func() ([]byte, error) {
		arrays := make([]*array.Array, len(inputs))
		for i, in := range inputs {
			if in == nil {
				continue
			}
			data, err := in.data.Read()
			if err != nil {
				return nil, fmt.Errorf("folding %q: input %d: %w", op.Name, i, err)
			}
			arrays[i] = &array.Array{DType: in.typ.DType, Shape: in.typ.Shape, Data: data}
		}
		results, err := array.Eval(op, arrays, types)
		if err != nil {
			return nil, fmt.Errorf("folding %q: %w", op.Name, err)
		}
		return results[k].Data, nil
	}}
}

// recipe tells the computation of result k of the op from all others.
func recipe(op *graph.Op, inputs []*constant, types []array.Type, k int) *graph.Recipe {
	out := &graph.Recipe{Inputs: make([]graph.Data, len(inputs))}
	from := make([]string, len(inputs))
	for i, in := range inputs {
		if in != nil {
			out.Inputs[i], from[i] = in.data, in.typ.String()
		}
	}
	attrs := make([]string, 0, len(op.Attrs))
	for _, name := range op.Attrs.Names() {
		if _, isTensor := op.Attrs[name].(*graph.AttrTensor); isTensor {
			return nil
		}
		attrs = append(attrs, fmt.Sprintf("%s=%#v", name, op.Attrs[name]))
	}
	out.Op = fmt.Sprintf("%s %q %q %q %q %q %d", op.Domain, op.Op, op.Fused, attrs, from, types, k)
	return out
}

// renames reports whether the op keeps the elements and their order.
func renames(op *graph.Op) bool {
	switch op.Op {
	case "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze":
		return op.Domain == "" && len(op.Fused) <= 1
	}
	return false
}
