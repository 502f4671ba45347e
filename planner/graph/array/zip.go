package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// piece is the number of elements that a repeated operand is spread to at a time.
const piece = 256

// zipRuns sets each element of out to run's combination of the elements of a and b that broadcast to it. Both operands
// of a run have its length; one that repeats along the run is spread in pieces first. out may be a or b.
func zipRuns[R, T number](out, a, b *Array, run func(d []R, a, b []T)) error {
	w, err := broadcastWalk(out, a, b)
	if err != nil {
		return err
	}
	d, x, y := View[R](out), View[T](a), View[T](b)
	if w.step[1] == 1 && w.step[2] == 1 {
		for ok := w.first(); ok; ok = w.next() {
			run(d[w.at[0]:w.at[0]+w.n], x[w.at[1]:w.at[1]+w.n], y[w.at[2]:w.at[2]+w.n])
		}
		return nil
	}
	size := min(piece, w.n)
	left, right := spread[T]{step: w.step[1]}, spread[T]{step: w.step[2]}
	for ok := w.first(); ok; ok = w.next() {
		left.start(x, w.at[1], size)
		right.start(y, w.at[2], size)
		for i := 0; i < w.n; i += size {
			n := min(size, w.n-i)
			at := w.at[0] + i
			run(d[at:at+n], left.part(i, n), right.part(i, n))
		}
	}
	return nil
}

// spread is an operand of a run: contiguous elements, or one element repeated.
type spread[T number] struct {
	step     int
	elements []T
	repeated []T
}

// start sets the run's first element; a repeated one is spread to size elements.
func (s *spread[T]) start(elements []T, at, size int) {
	if s.step != 0 {
		s.elements = elements[at:]
		return
	}
	if s.repeated == nil {
		s.repeated = make([]T, size)
	}
	fill(s.repeated, elements[at])
}

// part returns n elements from the i-th of the run, n at most the size given to start.
func (s *spread[T]) part(i, n int) []T {
	if s.step != 0 {
		return s.elements[i : i+n]
	}
	return s.repeated[:n]
}

func (of[T, A]) zip(name string, out, a, b *Array) error {
	switch name {
	case "Add":
		return zipRuns(out, a, b, addRun[T])
	case "Sub":
		return zipRuns(out, a, b, subRun[T])
	case "Mul":
		return zipRuns(out, a, b, mulRun[T])
	case "Div":
		return zipRuns(out, a, b, divRun[T])
	case "Max":
		return zipRuns(out, a, b, maxRun[T])
	case "Min":
		return zipRuns(out, a, b, minRun[T])
	case "SquaredDifference":
		return zipRuns(out, a, b, squaredDifferenceRun[T])
	case "Pow":
		return zipRuns(out, a, b, powerRun[T])
	case "FloorDiv":
		return zipRuns(out, a, b, floorDivRun[T])
	case "FloorMod":
		return zipRuns(out, a, b, floorModRun[T])
	case "Mod":
		return zipRuns(out, a, b, fmodRun[T])
	}
	return fmt.Errorf("there is no %s on %v", name, out.DType)
}

func addRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func subRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

// divRun divides; integers truncate towards 0 and their divisors are not 0.
func divRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] / b[i]
	}
}

func maxRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = max(a[i], b[i])
	}
}

func minRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = min(a[i], b[i])
	}
}

func squaredDifferenceRun[T number](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		diff := a[i] - b[i]
		d[i] = diff * diff
	}
}

// powerRun raises floats.
func powerRun[T number](d, a, b []T) {
	for i := range d {
		switch x, e := a[i], b[i]; e {
		case 1:
			d[i] = x
		case 2:
			d[i] = x * x
		default:
			d[i] = T(math.Pow(float64(x), float64(e)))
		}
	}
}

// floorDivRun, floorModRun and fmodRun are for floats; integers have their own.
func floorDivRun[T number](d, a, b []T) {
	for i := range d {
		d[i] = T(math.Floor(float64(a[i] / b[i])))
	}
}

func floorModRun[T number](d, a, b []T) {
	for i := range d {
		divisor := float64(b[i])
		r := math.Mod(float64(a[i]), divisor)
		if r != 0 && (r < 0) != (divisor < 0) {
			r += divisor
		}
		d[i] = T(r)
	}
}

func fmodRun[T number](d, a, b []T) {
	for i := range d {
		d[i] = T(math.Mod(float64(a[i]), float64(b[i])))
	}
}

// gatherSum folds any number of inputs that broadcast to out with Sum, Mean, Max or Min.
func (o of[T, A]) gatherSum(name string, out *Array, inputs []*Array) error {
	combine := addRun[T]
	switch name {
	case "Max":
		combine = maxRun[T]
	case "Min":
		combine = minRun[T]
	}
	w, err := broadcastWalk(out, inputs...)
	if err != nil {
		return err
	}
	size := min(piece, w.n)
	d, total := View[T](out), make([]T, size)
	operands, parts := make([][]T, len(inputs)), make([]spread[T], len(inputs))
	for k, in := range inputs {
		operands[k], parts[k].step = View[T](in), w.step[k+1]
	}
	for ok := w.first(); ok; ok = w.next() {
		for k := range parts {
			parts[k].start(operands[k], w.at[k+1], size)
		}
		for i := 0; i < w.n; i += size {
			n := min(size, w.n-i)
			copy(total, parts[0].part(i, n))
			for k := 1; k < len(parts); k++ {
				combine(total[:n], total[:n], parts[k].part(i, n))
			}
			if name == "Mean" {
				scaleDown(total[:n], T(len(inputs)))
			}
			copy(d[w.at[0]+i:], total[:n])
		}
	}
	return nil
}

func scaleDown[T number](d []T, by T) {
	for i := range d {
		d[i] /= by
	}
}

// arithmetic is the kernel of the ops on two numbers of one type.
func arithmetic(op *graph.Op, outputs, inputs []*Array) error {
	out, a, b := outputs[0], inputs[0], inputs[1]
	if err := sameDType(out, a, b); err != nil {
		return err
	}
	name := op.Op
	if w := wholeFor(out.DType); w != nil {
		if divides(name) && w.hasZero(b) {
			return fmt.Errorf("a divisor is 0")
		}
		if name == "Mod" && op.Attrs.Int("fmod", 0) == 0 {
			name = "FloorMod"
		}
		if isWhole(name) {
			return w.zipWhole(name, out, a, b)
		}
	}
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	return n.zip(name, out, a, b)
}

func divides(name string) bool {
	return name == "Div" || name == "Mod" || name == "FloorDiv" || name == "FloorMod"
}

// isWhole reports whether integers have an own meaning of the op.
func isWhole(name string) bool {
	return name == "Mod" || name == "FloorDiv" || name == "FloorMod"
}

// variadic is the kernel of Sum, Mean, Max and Min.
func variadic(op *graph.Op, outputs, inputs []*Array) error {
	if err := sameDType(outputs[0], inputs...); err != nil {
		return err
	}
	n, err := numericOf(outputs[0].DType)
	if err != nil {
		return err
	}
	name := op.Op
	if len(inputs) == 2 && inputs[1] != nil && name != "Mean" {
		if name == "Sum" {
			name = "Add"
		}
		return n.zip(name, outputs[0], inputs[0], inputs[1])
	}
	return n.gatherSum(name, outputs[0], inputs)
}
