package opencl

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// castBuilders are the ops that convert elements.
var castBuilders = map[string]builder{
	"Cast": buildCast, "CastLike": buildCast,
	"QuantizeLinear": buildQuantize, "DequantizeLinear": buildQuantize, "DynamicQuantizeLinear": buildDynamicQuantize,
}

// buildCast binds Cast and CastLike. Floats become integers by truncation, clamped to the range of the type, and NaN
// becomes 0; wider integers lose their upper bits; everything but 0 is true.
func buildCast(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if in.elements() != out.elements() {
		return nil, form.RefuseTensor(out.t, "the shape %v does not have the elements of %v", out.shape(), in.shape())
	}
	x, err := b.elementsOf(in)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, true)
	if err != nil {
		return nil, err
	}
	if x.dtype == y.dtype {
		if x.mem == y.mem && x.at == y.at {
			return nil, nil
		}
		return one(b.move(x, y))
	}
	return one(b.cast(x, y))
}

// cast returns the launch that converts elements.
func (b *site) cast(x, y *flat) (launch, error) {
	from, err := b.castSource(x.dtype, y.dtype)
	if err != nil {
		return launch{}, err
	}
	n := x.elements()
	return b.line(from, "cast_elements", (n+chunk-1)/chunk, x, y, n)
}

// castSource is the variant of the casting kernel for two element types.
func (b *site) castSource(from, to graph.DType) (source, error) {
	for _, t := range []graph.DType{from, to} {
		if clTypes[t] == "" {
			return source{}, form.Refuse("elements of type %v are not supported", t)
		}
		if t == graph.Float64 && !b.d.facts.Float64 {
			return source{}, form.Refuse("the device does not compute with float64")
		}
	}
	options := fmt.Sprintf("-DS=%s -DD=%s", clTypes[from], clTypes[to])
	if from == graph.Float64 || to == graph.Float64 {
		options += " -DFLOAT64"
	}
	options += fmt.Sprintf(" -DFROM_%v -DTO_%v", from, to)
	if from.IsFloat() && !to.IsFloat() && to != graph.Bool {
		options += " -DSATURATES"
	}
	return source{"cast", options}, nil
}

// filled returns an array of one element with a value, made when the step is prepared.
func (b *site) filled(dtype graph.DType, value float64) (*flat, error) {
	data, err := scalar{dtype, value}.encode()
	if err != nil {
		return nil, err
	}
	return b.known(dtype, graph.Shape{1}, data)
}

// known returns memory with a content that holds for all runs.
func (b *site) known(dtype graph.DType, shape graph.Shape, data []byte) (*flat, error) {
	f, err := b.workspace(dtype, shape)
	if err != nil || len(data) == 0 {
		return f, err
	}
	if err := b.d.write(f, data); err != nil {
		return nil, fmt.Errorf("write workspace: %w", err)
	}
	return f, nil
}

// knownInts is known for int32.
func (b *site) knownInts(values []int32) (*flat, error) {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		word, err := encode(int(v))
		if err != nil {
			return nil, err
		}
		data = append(data, word...)
	}
	return b.known(graph.Int32, graph.Shape{int64(len(values))}, data)
}

// knownFloats is known for float32.
func (b *site) knownFloats(values []float32) (*flat, error) {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		word, err := encode(v)
		if err != nil {
			return nil, err
		}
		data = append(data, word...)
	}
	return b.known(graph.Float32, graph.Shape{int64(len(values))}, data)
}

// saturation is the range of a type that numbers are quantised to; high is below low for other types.
func saturation(dtype graph.DType) (low, high int64) {
	bits := uint(8 * dtype.Size())
	switch dtype {
	case graph.Int8, graph.Int16, graph.Int32:
		return -1 << (bits - 1), 1<<(bits-1) - 1
	case graph.Uint8, graph.Uint16:
		return 0, 1<<bits - 1
	}
	return 0, math.MinInt64
}
