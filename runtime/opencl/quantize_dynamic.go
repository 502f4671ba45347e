package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// buildDynamicQuantize binds DynamicQuantizeLinear: one group of items finds the scale and the zero point, with which all
// elements are quantised.
func buildDynamicQuantize(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	x, err := b.floatsOf(in)
	if err != nil {
		return nil, err
	}
	var results [3]*flat
	for i, dtype := range []graph.DType{graph.Uint8, graph.Float32, graph.Uint8} {
		shape := graph.Shape{}
		if i == 0 {
			shape = in.shape()
		}
		if results[i], err = b.wantedOr(i, dtype, shape); err != nil {
			return nil, err
		}
	}
	y, scale, zero := results[0], results[1], results[2]
	from := source{"walk+quantize", "-DQ=uchar -DZ=uchar"}
	found, err := b.launch(from, "quantize_range", cl.Size{group}, cl.Size{group}, x, scale, zero, x.elements())
	if err != nil {
		return nil, err
	}
	n := []int{x.elements()}
	w, err := newWalk(n, []int{1}, []int{0}, []int{1})
	if err != nil {
		return nil, err
	}
	low, high := saturation(graph.Uint8)
	all, err := b.line(from, "quantize", w.items(), append(append([]any{x, scale, zero, y}, w.args()...), low, high)...)
	return []launch{found, all}, err
}

// wantedOr binds a result, or memory of its own for one that nobody wants.
func (b *site) wantedOr(i int, dtype graph.DType, shape graph.Shape) (*flat, error) {
	o := b.result(i)
	if o == nil {
		return b.scratch(dtype, shape)
	}
	if o.t.DType != dtype || !o.shape().Equal(shape) {
		return nil, form.RefuseTensor(o.t, "%v %v is not the result %d, which is %v %v", o.t.DType, o.shape(), i, dtype, shape)
	}
	return b.resultElements(o, false)
}
