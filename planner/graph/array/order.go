package array

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// orderKernels compare the elements on one axis.
var orderKernels = map[string]entry{
	"ArgMax":  {kernel: argument, needed: 1, most: 1, outputs: 1, halves: true},
	"ArgMin":  {kernel: argument, needed: 1, most: 1, outputs: 1, halves: true},
	"TopK":    {kernel: topK, needed: 2, most: 2, outputs: -1, halves: true},
	"Hardmax": {kernel: hardmax, needed: 1, most: 1, outputs: 1, halves: true},
	"CumSum":  {kernel: cumSum, needed: 2, most: 2, outputs: 1, halves: true},
}

// argument finds the position of the greatest or least element, NaN counting as both. The result is int64 or int32.
func argument(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	axis, err := axisOf(op.Attrs.Int("axis", 0), len(in.Shape))
	if err != nil {
		return err
	}
	reduced := make([]bool, len(in.Shape))
	reduced[axis] = true
	if err := wantShape(out, reducedShape(in, reduced, op.Attrs.Int("keepdims", 1) != 0)); err != nil {
		return err
	}
	if in.Shape[axis] == 0 && len(out.Data) > 0 {
		return fmt.Errorf("axis %d of %v has no elements", axis, in.Shape)
	}
	n, err := numericOf(in.DType)
	if err != nil {
		return err
	}
	if err := wantIndex(out); err != nil {
		return err
	}
	return n.argument(out, in, axis, op.Op == "ArgMin", op.Attrs.Int("select_last_index", 0) != 0)
}

func wantIndex(out *Array) error {
	if out.DType != graph.Int64 && out.DType != graph.Int32 {
		return fmt.Errorf("indices have element type %v, not int64 or int32", out.DType)
	}
	return nil
}

// putIndex writes element i of an array of int64 or int32.
func putIndex(out *Array, i, v int) {
	if out.DType == graph.Int32 {
		View[int32](out)[i] = int32(v)
		return
	}
	View[int64](out)[i] = int64(v)
}

func (of[T, A]) argument(out, in *Array, axis int, least, last bool) error {
	a := View[T](in)
	n, inner := dims(in.Shape)[axis], product(dims(in.Shape)[axis+1:])
	for lane := range len(out.Data) / int(out.DType.Size()) {
		base := lane/inner*n*inner + lane%inner
		best := 0
		for i := 1; i < n; i++ {
			x, y := a[base+i*inner], a[base+best*inner]
			if least {
				x, y = y, x
			}
			if order := rank(x, y, least); order > 0 || order == 0 && last {
				best = i
			}
		}
		putIndex(out, lane, best)
	}
	return nil
}

// rank compares x with y; NaN equals itself and counts as greater than every number, or less when least is set.
func rank[T number](x, y T, least bool) int {
	c := cmp.Compare(x, y)
	if !least && (x != x || y != y) {
		return -c
	}
	return c
}

// topK finds the k greatest or least elements; of equal ones, the first. NaN counts as greater than every number. The
// result is in order always, whether sorted is set or not.
func topK(op *graph.Op, outputs, inputs []*Array) error {
	in := inputs[0]
	axis, err := axisOf(op.Attrs.Int("axis", -1), len(in.Shape))
	if err != nil {
		return err
	}
	k, err := intOf(inputs, 1, 0)
	if err != nil {
		return err
	}
	if k < 0 || k > in.Shape[axis] {
		return fmt.Errorf("k is %d, outside [0, %d]", k, in.Shape[axis])
	}
	values, index := outputs[0], input(outputs, 1)
	if err := wantTop(values, index, in, axis, int(k)); err != nil {
		return err
	}
	n, err := numericOf(in.DType)
	if err != nil {
		return err
	}
	n.top(values, index, in, axis, int(k), op.Attrs.Int("largest", 1) != 0)
	return nil
}

// wantTop checks the results of topK, either of which may be absent.
func wantTop(values, index, in *Array, axis, k int) error {
	want := dims(in.Shape)
	want[axis] = k
	if values != nil {
		if err := wantShape(values, want); err != nil {
			return err
		}
		if err := sameDType(values, in); err != nil {
			return err
		}
	}
	if index != nil {
		if err := wantIndex(index); err != nil {
			return err
		}
		return wantShape(index, want)
	}
	return nil
}

func (of[T, A]) top(values, index, in *Array, axis, k int, largest bool) {
	a := View[T](in)
	if len(a) == 0 || k == 0 {
		return
	}
	outer, n, inner := lanes(dims(in.Shape), axis)
	places := make([]int, n)
	for lane := range outer * inner {
		base := lane/inner*n*inner + lane%inner
		for i := range places {
			places[i] = i
		}
		slices.SortFunc(places, func(i, j int) int {
			c := rank(a[base+i*inner], a[base+j*inner], false)
			if largest {
				c = -c
			}
			return cmp.Or(c, cmp.Compare(i, j))
		})
		to := lane/inner*k*inner + lane%inner
		for i, place := range places[:k] {
			if values != nil {
				View[T](values)[to+i*inner] = a[base+place*inner]
			}
			if index != nil {
				putIndex(index, to+i*inner, place)
			}
		}
	}
}

// hardmax is 1 at the first greatest element of each lane and 0 elsewhere.
func hardmax(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	axis, err := axisOf(op.Attrs.Int("axis", -1), len(in.Shape))
	if err != nil {
		return err
	}
	if err := sameDType(out, in); err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	n, err := numericOf(in.DType)
	if err != nil {
		return err
	}
	n.hardmax(out, in, axis)
	return nil
}

func (of[T, A]) hardmax(out, in *Array, axis int) {
	d, a := View[T](out), View[T](in)
	if len(d) == 0 {
		return
	}
	outer, n, inner := lanes(dims(in.Shape), axis)
	for lane := range outer * inner {
		base := lane/inner*n*inner + lane%inner
		best := 0
		for i := 1; i < n; i++ {
			if rank(a[base+i*inner], a[base+best*inner], false) > 0 {
				best = i
			}
		}
		for i := range n {
			d[base+i*inner] = 0
		}
		d[base+best*inner] = 1
	}
}

// cumSum sums along the axis of input 1, from the end when reverse is set, without the element itself when exclusive.
func cumSum(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	given, err := intOf(inputs, 1, 0)
	if err != nil {
		return err
	}
	axis, err := axisOf(given, len(in.Shape))
	if err != nil {
		return err
	}
	if err := sameDType(out, in); err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	n, err := numericOf(in.DType)
	if err != nil {
		return err
	}
	n.cumulate(out, in, axis, op.Attrs.Int("exclusive", 0) != 0, op.Attrs.Int("reverse", 0) != 0)
	return nil
}

func (of[T, A]) cumulate(out, in *Array, axis int, exclusive, backwards bool) {
	d, a := View[T](out), View[T](in)
	if len(d) == 0 {
		return
	}
	outer, n, inner := lanes(dims(in.Shape), axis)
	for lane := range outer * inner {
		at, step := lane/inner*n*inner+lane%inner, inner
		if backwards {
			at, step = at+(n-1)*inner, -inner
		}
		var sum T
		for range n {
			v := a[at]
			if exclusive {
				d[at] = sum
			}
			sum += v
			if !exclusive {
				d[at] = sum
			}
			at += step
		}
	}
}
