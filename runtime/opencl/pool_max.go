package opencl

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// lowest are the element types whose maxima are taken in place, with their least values.
var lowest = map[graph.DType]float64{
	graph.Float32: math.Inf(-1), graph.Float64: math.Inf(-1),
	graph.Int8: math.MinInt8, graph.Uint8: 0, graph.Int32: math.MinInt32, graph.Int64: math.MinInt64,
}

// buildMaxPool binds MaxPool, with dilations, either layout and the optional second result: the place of each maximum in
// the flattened input, the first of equal ones. A NaN in a window is its maximum.
func buildMaxPool(b *site) ([]launch, error) {
	p, err := newPooling(b)
	if err != nil {
		return nil, err
	}
	if p.y.t.DType != p.x.t.DType {
		return nil, form.RefuseTensor(p.y.t, "elements of type %v do not take maxima of %v", p.y.t.DType, p.x.t.DType)
	}
	places := b.result(1)
	if places != nil && (places.t.DType != graph.Int64 || places.elements() != p.y.elements() || p.in.Last) {
		return nil, form.RefuseTensor(places.t, "places of maxima are int64, one for each result, of channel-first data")
	}
	_, inPlace := lowest[p.x.t.DType]
	if places == nil && (p.x.t.DType == graph.Float32 || !inPlace) {
		return p.launch("max", 0, false)
	}
	if inPlace {
		return p.maxima(places)
	}
	return p.floatMaxima(places)
}

// maxima binds the kernel for any element type.
func (p *pooling) maxima(places *operand) ([]launch, error) {
	x, err := p.b.elementsOf(p.x)
	if err != nil {
		return nil, err
	}
	y, err := p.b.resultElements(p.y, false)
	if err != nil {
		return nil, err
	}
	if p.x.t.DType == graph.Float64 && !p.b.d.facts.Float64 {
		return nil, form.Refuse("the device does not compute with float64")
	}
	return p.launchMaxima(x, y, places)
}

// floatMaxima binds the same kernel for elements that are widened.
func (p *pooling) floatMaxima(places *operand) ([]launch, error) {
	x, err := p.b.floatsOf(p.x)
	if err != nil {
		return nil, err
	}
	y, err := p.b.resultFloats(p.y, false)
	if err != nil {
		return nil, err
	}
	return p.launchMaxima(x, y, places)
}

func (p *pooling) launchMaxima(x, y *flat, places *operand) ([]launch, error) {
	values, at, err := axisTables(&p.window, p.in.Size, p.out.Size, false)
	if err != nil {
		return nil, err
	}
	tables, err := p.b.upload(values)
	if err != nil {
		return nil, err
	}
	to, wanted := tables, 0
	if places != nil {
		wanted = 1
		if to, err = p.b.resultElements(places, false); err != nil {
			return nil, err
		}
	}
	step := 1
	if p.in.Last {
		step = p.in.C
	}
	columns := btoi(p.b.op.Attrs.Int("storage_order", 0) == 1)
	in, out, k, planes := p.in.Size, p.out.Size, p.window.Kernel, p.in.N*p.in.C
	global, group := alone(out.Volume(), planes, 1)
	group[0] = 16
	return one(p.b.launch(of("pool_max", x.dtype), "max_places", global, group, x, y, to, tables,
		ints8(planes, in[0], in[1], in[2], step, columns, wanted), ints8(out[0], out[1], out[2]),
		ints8(k[0], k[1], k[2], at[0], at[1], at[2]), scalar{x.dtype, lowest[x.dtype]}))
}
