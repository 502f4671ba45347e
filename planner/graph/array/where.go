package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// whereKernels choose between elements by a condition.
var whereKernels = map[string]entry{
	"Where":    {kernel: where, needed: 3, most: 3, outputs: 1},
	"Trilu":    {kernel: trilu, needed: 1, most: 2, outputs: 1},
	"Compress": {kernel: compress, needed: 2, most: 2, outputs: 1},
	"NonZero":  {kernel: nonZero, needed: 1, most: 1, outputs: 1},
	"OneHot":   {kernel: oneHot, needed: 3, most: 3, outputs: 1},
}

func where(_ *graph.Op, outputs, inputs []*Array) error {
	out, condition, x, y := outputs[0], inputs[0], inputs[1], inputs[2]
	if err := sameDType(out, x, y); err != nil {
		return err
	}
	if condition.DType != graph.Bool {
		return fmt.Errorf("the condition has element type %v, not bool", condition.DType)
	}
	w, err := broadcastWalk(out, condition, x, y)
	if err != nil {
		return err
	}
	switch out.DType.Size() {
	case 1:
		whereElements(w, View[uint8](out), condition.Data, View[uint8](x), View[uint8](y))
	case 2:
		whereElements(w, View[uint16](out), condition.Data, View[uint16](x), View[uint16](y))
	case 4:
		whereElements(w, View[uint32](out), condition.Data, View[uint32](x), View[uint32](y))
	case 8:
		whereElements(w, View[uint64](out), condition.Data, View[uint64](x), View[uint64](y))
	default:
		whereElements(w, View[[2]uint64](out), condition.Data, View[[2]uint64](x), View[[2]uint64](y))
	}
	return nil
}

func whereElements[T Element](w *walk, dst []T, condition []byte, x, y []T) {
	for ok := w.first(); ok; ok = w.next() {
		d := dst[w.at[0] : w.at[0]+w.n]
		c, i, j := w.at[1], w.at[2], w.at[3]
		for k := range d {
			if condition[c] != 0 {
				d[k] = x[i]
			} else {
				d[k] = y[j]
			}
			c, i, j = c+w.step[1], i+w.step[2], j+w.step[3]
		}
	}
}

// broadcastWalk returns a walk over out and the inputs, which broadcast to exactly its shape.
func broadcastWalk(out *Array, inputs ...*Array) (*walk, error) {
	all := make([][]int, 0, len(inputs)+1)
	all = append(all, strides(dims(out.Shape)))
	shape := make([]int64, len(out.Shape))
	fill(shape, 1)
	for i, in := range inputs {
		if in == nil {
			return nil, fmt.Errorf("input %d is absent", i)
		}
		s, err := broadcastStrides(in.Shape, out.Shape)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
		for j, d := range in.Shape {
			if d != 1 {
				shape[len(shape)-len(in.Shape)+j] = d
			}
		}
	}
	if !out.Shape.Equal(shape) {
		return nil, fmt.Errorf("the inputs broadcast to %v where %v was planned", graph.Shape(shape), out.Shape)
	}
	return newWalk(dims(out.Shape), all...), nil
}

// trilu keeps the upper or lower triangle of each matrix, from the k-th diagonal, and clears the rest.
func trilu(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	rank := len(in.Shape)
	if rank < 2 {
		return fmt.Errorf("shape %v has no matrices", in.Shape)
	}
	k, err := intOf(inputs, 1, 0)
	if err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	if err := copyElements(op, outputs, inputs); err != nil || len(out.Data) == 0 {
		return err
	}
	upper := op.Attrs.Int("upper", 1) != 0
	rows, cols, size := int(in.Shape[rank-2]), int(in.Shape[rank-1]), int(in.DType.Size())
	k = min(max(k, -int64(rows)), int64(cols))
	for start := 0; start < len(out.Data); start += cols * size {
		line := out.Data[start : start+cols*size]
		diagonal := start/(cols*size)%rows + int(k)
		if upper {
			clear(line[:min(max(diagonal, 0), cols)*size])
		} else {
			clear(line[min(max(diagonal+1, 0), cols)*size:])
		}
	}
	return nil
}

// compress keeps the slices on an axis, or the elements, whose condition is true. Slices beyond the condition go.
func compress(op *graph.Op, outputs, inputs []*Array) error {
	out, in, condition := outputs[0], inputs[0], inputs[1]
	if condition.DType != graph.Bool || len(condition.Shape) != 1 {
		return fmt.Errorf("the condition is %v, not a list of bool", condition.Type())
	}
	shape, axis := dims(in.Shape), 0
	if _, given := op.Attrs["axis"].(int64); given {
		var err error
		if axis, err = axisOf(op.Attrs.Int("axis", 0), len(shape)); err != nil {
			return err
		}
	} else {
		shape = []int{product(shape)}
	}
	var kept []int64
	for i, c := range condition.Data {
		if c != 0 {
			kept = append(kept, int64(i))
		}
	}
	outer, n, inner := lanes(shape, axis)
	want := append([]int{}, shape...)
	want[axis] = len(kept)
	if err := wantShape(out, want); err != nil {
		return err
	}
	if err := sameDType(out, in); err != nil || len(out.Data) == 0 {
		return err
	}
	if last := kept[len(kept)-1]; last >= int64(n) {
		return fmt.Errorf("the condition keeps slice %d of %d", last, n)
	}
	gatherRows(out.Data, in.Data, kept, 1, outer, n, inner*int(in.DType.Size()))
	return nil
}

// nonZero lists the indices of the elements that are not 0, one column each.
func nonZero(_ *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if out.DType != graph.Int64 {
		return fmt.Errorf("the result has element type %v, not int64", out.DType)
	}
	truth := New(Type{graph.Bool, in.Shape})
	if truth == nil {
		return fmt.Errorf("an array of bool %v cannot be allocated", in.Shape)
	}
	if err := convert(truth, in); err != nil {
		return err
	}
	count := 0
	for _, t := range truth.Data {
		count += int(t)
	}
	rank := len(in.Shape)
	if err := wantShape(out, []int{rank, count}); err != nil {
		return err
	}
	d, by := View[int64](out), strides(dims(in.Shape))
	at := 0
	for i, t := range truth.Data {
		if t == 0 {
			continue
		}
		for axis, stride := range by {
			d[axis*count+at] = int64(i / stride % int(in.Shape[axis]))
		}
		at++
	}
	return nil
}

// oneHot writes values[1] where the new axis equals the index and values[0] elsewhere.
func oneHot(op *graph.Op, outputs, inputs []*Array) error {
	out, index, values := outputs[0], inputs[0], inputs[2]
	if err := sameDType(out, values); err != nil {
		return err
	}
	size := int(out.DType.Size())
	if len(values.Data) != 2*size {
		return fmt.Errorf("values have shape %v, not [2]", values.Shape)
	}
	axis, err := axisOf(op.Attrs.Int("axis", -1), len(index.Shape)+1)
	if err != nil {
		return err
	}
	depth, err := inputs[1].Floats()
	if err != nil {
		return err
	}
	if len(out.Shape) != len(index.Shape)+1 || len(depth) != 1 || depth[0] != float64(out.Shape[axis]) {
		return fmt.Errorf("depth %v turns %v into %v", depth, index.Shape, out.Shape)
	}
	want := append(append(dims(index.Shape[:axis]), int(out.Shape[axis])), dims(index.Shape[axis:])...)
	if err := wantShape(out, want); err != nil {
		return err
	}
	picks, err := index.Floats()
	if err != nil {
		return err
	}
	fillPattern(out.Data, values.Data[:size])
	_, n, inner := lanes(want, axis)
	for i, p := range picks {
		if p < 0 {
			p += float64(n)
		}
		if p >= 0 && p < float64(n) {
			at := ((i/inner*n+int(p))*inner + i%inner) * size
			copy(out.Data[at:at+size], values.Data[size:])
		}
	}
	return nil
}
