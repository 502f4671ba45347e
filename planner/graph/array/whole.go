package array

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// wholeKernels are for integers alone.
var wholeKernels = map[string]entry{
	"BitwiseAnd": {kernel: bitwise, needed: 2, most: 2, outputs: 1},
	"BitwiseOr":  {kernel: bitwise, needed: 2, most: 2, outputs: 1},
	"BitwiseXor": {kernel: bitwise, needed: 2, most: 2, outputs: 1},
	"BitwiseNot": {kernel: bitwise, needed: 1, most: 1, outputs: 1},
	"BitShift":   {kernel: bitwise, needed: 2, most: 2, outputs: 1},
}

func bitwise(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := sameDType(out, inputs...); err != nil {
		return err
	}
	w := wholeFor(out.DType)
	if w == nil {
		return fmt.Errorf("%v has no bits to change", out.DType)
	}
	name := op.Op
	switch name {
	case "BitwiseNot":
		if err := wantShape(out, dims(in.Shape)); err != nil {
			return err
		}
		w.invert(out, in)
		return nil
	case "BitShift":
		direction := op.Attrs.String("direction", "")
		if direction != "LEFT" && direction != "RIGHT" {
			return fmt.Errorf("unknown direction %q", direction)
		}
		name = direction
	}
	return w.zipWhole(name, out, in, inputs[1])
}

func (wholeOf[T]) zipWhole(name string, out, a, b *Array) error {
	switch name {
	case "Mod":
		return zipRuns(out, a, b, remainderRun[T])
	case "FloorDiv":
		return zipRuns(out, a, b, wholeFloorDivRun[T])
	case "FloorMod":
		return zipRuns(out, a, b, wholeFloorModRun[T])
	case "BitwiseAnd":
		return zipRuns(out, a, b, andRun[T])
	case "BitwiseOr":
		return zipRuns(out, a, b, orRun[T])
	case "BitwiseXor":
		return zipRuns(out, a, b, xorRun[T])
	case "LEFT":
		return zipRuns(out, a, b, shiftLeftRun[T])
	case "RIGHT":
		return zipRuns(out, a, b, shiftRightRun[T])
	}
	return fmt.Errorf("there is no %s on %v", name, out.DType)
}

func (wholeOf[T]) invert(out, in *Array) {
	d := View[T](out)
	for i, v := range View[T](in) {
		d[i] = ^v
	}
}

func (wholeOf[T]) hasZero(a *Array) bool { return slices.Contains(View[T](a), 0) }

// remainderRun has the sign of the dividend. Divisors are not 0.
func remainderRun[T integer](d, a, b []T) {
	for i := range d {
		d[i] = a[i] % b[i]
	}
}

// wholeFloorModRun has the sign of the divisor. Divisors are not 0.
func wholeFloorModRun[T integer](d, a, b []T) {
	for i := range d {
		divisor := b[i]
		r := a[i] % divisor
		if r != 0 && (r < 0) != (divisor < 0) {
			r += divisor
		}
		d[i] = r
	}
}

// wholeFloorDivRun rounds towards minus infinity. Divisors are not 0.
func wholeFloorDivRun[T integer](d, a, b []T) {
	for i := range d {
		x, divisor := a[i], b[i]
		q := x / divisor
		if x%divisor != 0 && (x < 0) != (divisor < 0) {
			q--
		}
		d[i] = q
	}
}

func andRun[T integer](d, a, b []T) {
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func orRun[T integer](d, a, b []T) {
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

func xorRun[T integer](d, a, b []T) {
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

// shiftLeftRun and shiftRightRun shift everything out for a distance that is negative or too long.
func shiftLeftRun[T integer](d, a, b []T) {
	for i := range d {
		d[i] = a[i] << uint64(b[i])
	}
}

func shiftRightRun[T integer](d, a, b []T) {
	for i := range d {
		d[i] = a[i] >> uint64(b[i])
	}
}
