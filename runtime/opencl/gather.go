package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// gatherBuilders pick elements by index, which may be known only in a run.
var gatherBuilders = map[string]builder{
	"Gather": buildGather, "GatherElements": buildGatherElements, "GatherND": buildGatherSlices, "GatherNd": buildGatherSlices,
}

const indexReason = "an index is out of range"

// gathered binds data, indices and result.
func (b *site) gathered() (x, k, y *flat, fault *flat, err error) {
	if x, y, err = b.moved(); err != nil {
		return
	}
	if k, err = b.indexes(1); err != nil {
		return
	}
	fault, err = b.fault(indexReason)
	return
}

// gathering is the variant of the gathering kernels for elements that move.
func gathering(dtype, index graph.DType) source {
	return source{"walk+gather", steered(dtype, index).options}
}

// buildGather binds Gather along one axis; batch_dims leading axes of data and indices run together.
func buildGather(b *site) ([]launch, error) {
	x, k, y, fault, err := b.gathered()
	if err != nil {
		return nil, err
	}
	axis, err := axisOf(b.op.Attrs.Int("axis", 0), len(x.shape))
	if err != nil {
		return nil, err
	}
	batch := b.op.Attrs.Int("batch_dims", 0)
	if batch < 0 || batch > int64(min(axis, len(k.shape))) || !x.shape[:batch].Equal(k.shape[:batch]) && batch > 0 {
		return nil, form.Refuse("batch_dims %d does not suit %v and %v", batch, x.shape, k.shape)
	}
	want := append(append(append(graph.Shape{}, x.shape[:axis]...), k.shape[batch:]...), x.shape[axis+1:]...)
	if err := b.wantShape(b.out[0], extentsOf(want)); err != nil {
		return nil, err
	}
	g := around(x.shape, axis, axis+1)
	each := volume(extentsOf(k.shape[batch:]))
	perBatch := volume(extentsOf(x.shape[batch:axis]))
	w := walk{n: g.inner, rows: g.outer * each}
	return one(b.line(gathering(x.dtype, k.dtype), "gather_rows", w.items(), x, k, y, w.n, w.chunks(), w.items(), g.n, each, perBatch, fault))
}

// elementAxis resolves the axis of an op whose indices name elements of data.
func (b *site) elementAxis(data, index graph.Shape) (int, error) {
	axis, err := axisOf(b.op.Attrs.Int("axis", 0), len(data))
	if err != nil {
		return 0, err
	}
	fits := len(index) == len(data)
	for i := 0; fits && i < len(data); i++ {
		fits = i == axis || index[i] <= data[i]
	}
	if !fits {
		return 0, form.Refuse("indices of shape %v exceed data of shape %v", index, data)
	}
	return axis, nil
}

// buildGatherElements binds GatherElements.
func buildGatherElements(b *site) ([]launch, error) {
	x, k, y, fault, err := b.gathered()
	if err != nil {
		return nil, err
	}
	axis, err := b.elementAxis(x.shape, k.shape)
	if err != nil {
		return nil, err
	}
	extents := extentsOf(k.shape)
	if err := b.wantShape(b.out[0], extents); err != nil {
		return nil, err
	}
	strides := rowMajor(extentsOf(x.shape))
	along := strides[axis]
	strides[axis] = 0
	w, err := newWalk(extents, strides, rowMajor(extents))
	if err != nil {
		return nil, err
	}
	w.strides = w.strides[:1]
	args := append(append([]any{x, k, y}, w.args()...), int(x.shape[axis]), along, fault)
	return one(b.line(gathering(x.dtype, k.dtype), "gather_elements", w.items(), args...))
}

// tuples checks the shapes of an op whose last axis of indices holds tuples: the first batch axes run together, and each
// tuple of depth indices names a slice of what follows. It returns the extents that a tuple indexes.
func tuples(data, index graph.Shape, batch int64) (depth int, extents [maxAxes]int32, err error) {
	last := len(index) - 1
	if last < 0 || batch < 0 || batch > int64(min(len(data), last)) || !data[:batch].Equal(index[:batch]) && batch > 0 {
		return 0, extents, form.Refuse("batch_dims %d does not suit %v and %v", batch, data, index)
	}
	if index[last] > int64(min(len(data)-int(batch), maxAxes)) {
		return 0, extents, form.Refuse("tuples of %d indices exceed the axes of %v", index[last], data)
	}
	depth = int(index[last])
	for i := range depth {
		extents[i] = int32(data[int(batch)+i])
	}
	return depth, extents, nil
}

// buildGatherSlices binds GatherND.
func buildGatherSlices(b *site) ([]launch, error) {
	x, k, y, fault, err := b.gathered()
	if err != nil {
		return nil, err
	}
	batch := b.op.Attrs.Int("batch_dims", 0)
	depth, extents, err := tuples(x.shape, k.shape, batch)
	if err != nil {
		return nil, err
	}
	last := len(k.shape) - 1
	at := int(batch) + depth
	want := append(k.shape[:last].Clone(), x.shape[at:]...)
	if err := b.wantShape(b.out[0], extentsOf(want)); err != nil {
		return nil, err
	}
	w := walk{n: volume(extentsOf(x.shape[at:])), rows: volume(extentsOf(k.shape[:last]))}
	perBatch := w.rows / max(volume(extentsOf(k.shape[:batch])), 1)
	each := volume(extentsOf(x.shape[batch:at]))
	return one(b.line(gathering(x.dtype, k.dtype), "gather_slices", w.items(), x, k, y, w.n, w.chunks(), w.items(), depth, extents, perBatch, each, fault))
}
