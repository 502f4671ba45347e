package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// gatherKernels pick elements by index.
var gatherKernels = map[string]entry{
	"Gather":         {kernel: gather, needed: 2, most: 2, outputs: 1},
	"GatherElements": {kernel: gatherElements, needed: 2, most: 2, outputs: 1},
	"GatherND":       {kernel: gatherND, needed: 2, most: 2, outputs: 1},
}

// indexes returns the integers of a with negative ones counted from the end; it fails for those outside [-n, n).
func indexes(a *Array, n int) ([]int64, error) {
	values, err := a.Ints()
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if v < -int64(n) || v >= int64(n) {
			return nil, fmt.Errorf("index %d is outside [%d, %d)", v, -n, n)
		}
		if v < 0 {
			values[i] = v + int64(n)
		}
	}
	return values, nil
}

// gather picks slices on one axis. The attribute batch_dims is TFLite's: so many leading axes of data and indices run
// together.
func gather(op *graph.Op, outputs, inputs []*Array) error {
	out, data, index := outputs[0], inputs[0], inputs[1]
	axis, err := axisOf(op.Attrs.Int("axis", 0), len(data.Shape))
	if err != nil {
		return err
	}
	batchDims := op.Attrs.Int("batch_dims", 0)
	if batchDims < 0 || batchDims > int64(min(axis, len(index.Shape))) {
		return fmt.Errorf("batch_dims %d is outside [0, %d]", batchDims, min(axis, len(index.Shape)))
	}
	b := int(batchDims)
	if !data.Shape[:b].Equal(index.Shape[:b]) && b > 0 {
		return fmt.Errorf("the leading %d axes of %v and %v differ", b, data.Shape, index.Shape)
	}
	d, x := dims(data.Shape), dims(index.Shape)
	want := append(append(append([]int{}, d[:axis]...), x[b:]...), d[axis+1:]...)
	if err := wantShape(out, want); err != nil {
		return err
	}
	if err := sameDType(out, data); err != nil {
		return err
	}
	picks, err := indexes(index, d[axis])
	if err != nil || len(out.Data) == 0 {
		return err
	}
	batches, outer := product(d[:b]), product(d[b:axis])
	size := product(d[axis+1:]) * int(data.DType.Size())
	gatherRows(out.Data, data.Data, picks, batches, outer, d[axis], size)
	return nil
}

// gatherRows copies rows of size bytes: for each batch and outer index, those that the batch's picks name among n.
func gatherRows(dst, src []byte, picks []int64, batches, outer, n, size int) {
	each := len(picks) / batches
	at := 0
	for lane := range batches * outer {
		base := lane * n
		batch := lane / outer
		for _, pick := range picks[batch*each : (batch+1)*each] {
			from := (base + int(pick)) * size
			copy(dst[at:at+size], src[from:from+size])
			at += size
		}
	}
}

func gatherElements(op *graph.Op, outputs, inputs []*Array) error {
	out, data, index := outputs[0], inputs[0], inputs[1]
	axis, err := elementAxis(op, data, index)
	if err != nil {
		return err
	}
	if err := wantShape(out, dims(index.Shape)); err != nil {
		return err
	}
	if err := sameDType(out, data); err != nil {
		return err
	}
	offsets, err := elementOffsets(data, index, axis)
	if err != nil {
		return err
	}
	size := int(data.DType.Size())
	for i, o := range offsets {
		copy(out.Data[i*size:(i+1)*size], data.Data[o*size:(o+1)*size])
	}
	return nil
}

// elementAxis returns the axis of GatherElements and ScatterElements and checks that index lies inside data elsewhere.
func elementAxis(op *graph.Op, data, index *Array) (int, error) {
	axis, err := axisOf(op.Attrs.Int("axis", 0), len(data.Shape))
	if err != nil {
		return 0, err
	}
	fits := len(index.Shape) == len(data.Shape)
	for i := 0; fits && i < len(data.Shape); i++ {
		fits = i == axis || index.Shape[i] <= data.Shape[i]
	}
	if !fits {
		return 0, fmt.Errorf("indices of shape %v exceed data of shape %v", index.Shape, data.Shape)
	}
	return axis, nil
}

// elementOffsets returns for each element of index the offset in data that it names on the axis.
func elementOffsets(data, index *Array, axis int) ([]int, error) {
	picks, err := indexes(index, int(data.Shape[axis]))
	if err != nil {
		return nil, err
	}
	offsets := make([]int, len(picks))
	by := strides(dims(data.Shape))
	along := by[axis]
	by[axis] = 0
	w := newWalk(dims(index.Shape), strides(dims(index.Shape)), by)
	for ok := w.first(); ok; ok = w.next() {
		for i := range w.n {
			at := w.at[0] + i*w.step[0]
			offsets[at] = w.at[1] + i*w.step[1] + int(picks[at])*along
		}
	}
	return offsets, nil
}

func gatherND(op *graph.Op, outputs, inputs []*Array) error {
	out, data, index := outputs[0], inputs[0], inputs[1]
	batch, depth, err := tuples(data, index, op.Attrs.Int("batch_dims", 0))
	if err != nil {
		return err
	}
	want := append(dims(index.Shape[:len(index.Shape)-1]), dims(data.Shape[batch+depth:])...)
	if err := wantShape(out, want); err != nil {
		return err
	}
	if err := sameDType(out, data); err != nil || len(out.Data) == 0 {
		return err
	}
	offsets, err := tupleOffsets(data, index, batch, depth)
	if err != nil {
		return err
	}
	size := len(out.Data) / len(offsets)
	for i, o := range offsets {
		copy(out.Data[i*size:(i+1)*size], data.Data[o*size:(o+1)*size])
	}
	return nil
}

// tuples checks the shapes of GatherND and ScatterND: the first batch axes of data and index run together, and the last
// axis of index holds tuples of depth indices into the axes of data that follow.
func tuples(data, index *Array, batchDims int64) (batch, depth int, err error) {
	last := len(index.Shape) - 1
	if last < 0 || batchDims < 0 || batchDims > int64(min(len(data.Shape), last)) {
		return 0, 0, fmt.Errorf("batch_dims %d does not suit shapes %v and %v", batchDims, data.Shape, index.Shape)
	}
	batch = int(batchDims)
	if batch > 0 && !data.Shape[:batch].Equal(index.Shape[:batch]) {
		return 0, 0, fmt.Errorf("the leading %d axes of %v and %v differ", batch, data.Shape, index.Shape)
	}
	if index.Shape[last] > int64(len(data.Shape)-batch) {
		return 0, 0, fmt.Errorf("tuples of %d indices exceed rank %d", index.Shape[last], len(data.Shape)-batch)
	}
	return batch, int(index.Shape[last]), nil
}

// tupleOffsets returns, for each tuple on the last axis of index, the slice of data that it names, counted in slices.
// There is at least one tuple and as many as the op's result or its updates have slices, so that the result is not
// larger than what exists already.
func tupleOffsets(data, index *Array, batch, depth int) ([]int, error) {
	values, err := index.Ints()
	if err != nil {
		return nil, err
	}
	d := dims(data.Shape)
	inBatch := d[batch : batch+depth]
	by, each := strides(inBatch), product(inBatch)
	offsets := make([]int, product(dims(index.Shape[:len(index.Shape)-1])))
	perBatch := len(offsets) / product(d[:batch])
	for t := range offsets {
		offsets[t] = t / perBatch * each
		for k, extent := range inBatch {
			v := values[t*depth+k]
			if v < -int64(extent) || v >= int64(extent) {
				return nil, fmt.Errorf("index %d is outside [%d, %d)", v, -extent, extent)
			}
			if v < 0 {
				v += int64(extent)
			}
			offsets[t] += int(v) * by[k]
		}
	}
	return offsets, nil
}
