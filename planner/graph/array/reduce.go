package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// reduceKernels fold axes.
var reduceKernels = map[string]entry{
	"ReduceSum":       {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceMean":      {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceMax":       {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceMin":       {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceProd":      {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceL1":        {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceL2":        {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceLogSum":    {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceLogSumExp": {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
	"ReduceSumSquare": {kernel: reduce, needed: 1, most: 2, outputs: 1, halves: true},
}

// reduce folds the axes of input 1; without any it folds all, or none when noop_with_empty_axes is set. Floats are
// summed in float64, integers in 64 bits.
func reduce(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := sameDType(out, in); err != nil {
		return err
	}
	axes, err := intsOf(inputs, 1)
	if err != nil {
		return err
	}
	if len(axes) == 0 && op.Attrs.Int("noop_with_empty_axes", 0) != 0 {
		return copyElements(op, outputs, inputs)
	}
	reduced, err := axisSet(axes, len(in.Shape))
	if err != nil {
		return err
	}
	if len(axes) == 0 {
		fill(reduced, true)
	}
	if err := wantShape(out, reducedShape(in, reduced, op.Attrs.Int("keepdims", 1) != 0)); err != nil {
		return err
	}
	d := in.DType
	if d == graph.Bool && (op.Op == "ReduceMax" || op.Op == "ReduceMin") {
		d = graph.Uint8
	}
	n, err := numericOf(d)
	if err != nil {
		return err
	}
	if err := n.reduce(op.Op, out, in, reduced); err != nil {
		return err
	}
	if in.DType == graph.Bool {
		for i, v := range out.Data {
			out.Data[i] = truth(v != 0)
		}
	}
	return nil
}

func reducedShape(in *Array, reduced []bool, keep bool) []int {
	var shape []int
	for i, d := range dims(in.Shape) {
		switch {
		case !reduced[i]:
			shape = append(shape, d)
		case keep:
			shape = append(shape, 1)
		}
	}
	return shape
}

// reduction is how elements of type T fold into sums of type A. Runs fold into the sums one by one when there are as
// many, else all into the first.
type reduction[T, A number] struct {
	start  A
	run    func(sums []A, a []T)
	finish func(sum A, count int) A
}

func reductionOf[T, A number](name string) (reduction[T, A], error) {
	low, high := limits[T]()
	keep := func(sum A, _ int) A { return sum }
	switch name {
	case "ReduceSum":
		return reduction[T, A]{0, sumInto[T, A], keep}, nil
	case "ReduceMean":
		return reduction[T, A]{0, sumInto[T, A], mean[T, A]}, nil
	case "ReduceMax":
		return reduction[T, A]{A(low), maxInto[T, A], keep}, nil
	case "ReduceMin":
		return reduction[T, A]{A(high), minInto[T, A], keep}, nil
	case "ReduceProd":
		return reduction[T, A]{1, productInto[T, A], keep}, nil
	case "ReduceL1":
		return reduction[T, A]{0, magnitudeInto[T, A], keep}, nil
	case "ReduceSumSquare":
		return reduction[T, A]{0, squareInto[T, A], keep}, nil
	case "ReduceL2":
		return reduction[T, A]{0, squareInto[T, A], func(sum A, _ int) A { return fitted[A](math.Sqrt(float64(sum))) }}, nil
	case "ReduceLogSum":
		return reduction[T, A]{0, sumInto[T, A], func(sum A, _ int) A { return fitted[A](math.Log(float64(sum))) }}, nil
	}
	return reduction[T, A]{}, fmt.Errorf("%s is no reduction", name)
}

// mean of nothing is NaN, and 0 for integers.
func mean[T, A number](sum A, count int) A {
	if count == 0 {
		return fitted[A](math.NaN())
	}
	return sum / A(count)
}

// fitted converts v to A: an integer is truncated and clamped to the range of A, and 0 for NaN.
func fitted[A number](v float64) A {
	low, high := limits[A]()
	switch {
	case v <= float64(low):
		return low
	case v >= float64(high):
		return high
	case v != v && !isFloat[A]():
		return 0
	}
	return A(v)
}

// isFloat reports whether A has fractions.
func isFloat[A number]() bool {
	half := 0.5
	return A(half) != 0
}

func (of[T, A]) reduce(name string, out, in *Array, reduced []bool) error {
	w, count := reduceWalk(in, reduced)
	d, a := View[T](out), View[T](in)
	if name == "ReduceLogSumExp" {
		return logSumExp[T, A](w, d, a)
	}
	r, err := reductionOf[T, A](name)
	if err != nil {
		return err
	}
	sums := make([]A, len(d))
	fill(sums, r.start)
	for ok := w.first(); ok; ok = w.next() {
		n := 1
		if w.step[0] != 0 {
			n = w.n
		}
		r.run(sums[w.at[0]:w.at[0]+n], a[w.at[1]:w.at[1]+w.n])
	}
	for i, s := range sums {
		d[i] = T(r.finish(s, count))
	}
	return nil
}

// reduceWalk returns a walk over the result, with stride 0 on the reduced axes, and the input; and the number of
// elements that fold into one.
func reduceWalk(in *Array, reduced []bool) (*walk, int) {
	extents := dims(in.Shape)
	to, count, step := make([]int, len(extents)), 1, 1
	for i := len(extents) - 1; i >= 0; i-- {
		if reduced[i] {
			count *= extents[i]
			continue
		}
		to[i] = step
		step *= extents[i]
	}
	return newWalk(extents, to, strides(extents)), count
}

// logSumExp subtracts the maximum before it takes exponentials, so that none overflows.
func logSumExp[T, A number](w *walk, d, a []T) error {
	low, _ := limits[float64]()
	peaks, sums := make([]float64, len(d)), make([]float64, len(d))
	fill(peaks, low)
	each := func(visit func(o, i int)) {
		for ok := w.first(); ok; ok = w.next() {
			for i := range w.n {
				visit(w.at[0]+i*w.step[0], w.at[1]+i)
			}
		}
	}
	each(func(o, i int) { peaks[o] = max(peaks[o], float64(a[i])) })
	each(func(o, i int) {
		if !math.IsInf(peaks[o], 0) {
			sums[o] += math.Exp(float64(a[i]) - peaks[o])
		}
	})
	for o, peak := range peaks {
		if !math.IsInf(peak, 0) {
			peak += math.Log(sums[o])
		}
		d[o] = fitted[T](peak)
	}
	return nil
}

func sumInto[T, A number](sums []A, a []T) {
	if len(sums) == len(a) {
		for i, v := range a {
			sums[i] += A(v)
		}
		return
	}
	var s0, s1, s2, s3 A
	i := 0
	for ; i+4 <= len(a); i += 4 {
		v := a[i : i+4]
		s0, s1, s2, s3 = s0+A(v[0]), s1+A(v[1]), s2+A(v[2]), s3+A(v[3])
	}
	for _, v := range a[i:] {
		s0 += A(v)
	}
	sums[0] += (s0 + s1) + (s2 + s3)
}

func maxInto[T, A number](sums []A, a []T) {
	if len(sums) == len(a) {
		for i, v := range a {
			sums[i] = max(sums[i], A(v))
		}
		return
	}
	best := sums[0]
	for _, v := range a {
		best = max(best, A(v))
	}
	sums[0] = best
}

func minInto[T, A number](sums []A, a []T) {
	if len(sums) == len(a) {
		for i, v := range a {
			sums[i] = min(sums[i], A(v))
		}
		return
	}
	best := sums[0]
	for _, v := range a {
		best = min(best, A(v))
	}
	sums[0] = best
}

func productInto[T, A number](sums []A, a []T) {
	if len(sums) == len(a) {
		for i, v := range a {
			sums[i] *= A(v)
		}
		return
	}
	p := sums[0]
	for _, v := range a {
		p *= A(v)
	}
	sums[0] = p
}

func magnitudeInto[T, A number](sums []A, a []T) {
	single := len(sums) != len(a)
	for i, v := range a {
		x := A(v)
		if x < 0 {
			x = -x
		}
		if single {
			i = 0
		}
		sums[i] += x
	}
}

func squareInto[T, A number](sums []A, a []T) {
	if len(sums) == len(a) {
		for i, v := range a {
			sums[i] += A(v) * A(v)
		}
		return
	}
	s := sums[0]
	for _, v := range a {
		s += A(v) * A(v)
	}
	sums[0] = s
}
