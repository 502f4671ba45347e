package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/x448/float16"
)

func isHalf(a *Array) bool {
	return a != nil && (a.DType == graph.Float16 || a.DType == graph.BFloat16)
}

// widened returns the kernel for float16 and bfloat16 as well: it calculates in float32, fused activations included,
// and rounds the results once.
func widened(kernel Kernel) Kernel {
	return func(op *graph.Op, outputs, inputs []*Array) error {
		wideIn, err := widenAll(inputs, true)
		if err != nil {
			return err
		}
		wideOut, err := widenAll(outputs, false)
		if err != nil {
			return err
		}
		if err := kernel(op, wideOut, wideIn); err != nil {
			return err
		}
		for i, out := range outputs {
			if isHalf(out) {
				if err := convert(out, wideOut[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// widenAll returns the arrays with new float32 ones in place of the halves, holding their elements when filled is set.
func widenAll(arrays []*Array, filled bool) ([]*Array, error) {
	wide := arrays
	for i, a := range arrays {
		if !isHalf(a) {
			continue
		}
		if &wide[0] == &arrays[0] {
			wide = append([]*Array{}, arrays...)
		}
		if wide[i] = New(Type{graph.Float32, a.Shape}); wide[i] == nil {
			return nil, fmt.Errorf("an array of float32 %v cannot be allocated", a.Shape)
		}
		if filled {
			if err := convert(wide[i], a); err != nil {
				return nil, err
			}
		}
	}
	return wide, nil
}

func float16Value(bits uint16) float32 { return float16.Frombits(bits).Float32() }

func bfloat16Value(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

// float16Bits rounds to the nearest float16, ties to even.
func float16Bits(v float64) uint16 { return float16.Fromfloat32(roundToOdd(v)).Bits() }

// bfloat16Bits rounds to the nearest bfloat16, ties to even.
func bfloat16Bits(v float64) uint16 {
	f := roundToOdd(v)
	bits := math.Float32bits(f)
	if f != f {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// roundToOdd returns v as float32, exact where that is possible; otherwise the neighbour whose last bit is odd. A
// further rounding to fewer bits then gives what rounding v itself would give.
func roundToOdd(v float64) float32 {
	f := float32(v)
	exact := float64(f)
	if exact == v || v != v || math.IsInf(exact, 0) {
		return f
	}
	bits := math.Float32bits(f)
	if math.Abs(exact) > math.Abs(v) {
		bits--
	}
	return math.Float32frombits(bits | 1)
}
