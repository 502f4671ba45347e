package export

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph/tflite"
)

// tflmSpan is a tensor with an offset: its bytes [low, high) and the operators [first, last] during which the runtime keeps
// it, both included, as it counts them. Inputs are there from the start, outputs to the end.
type tflmSpan struct {
	tensor      int
	low, high   int64
	first, last int
}

// verify checks that no two tensors that the runtime keeps at the same time have bytes in common, except that a reshape
// may leave its input where it is. The cost is O(n log n + pairs that share bytes).
func (t *tflm) verify() error {
	spans := t.spans()
	slices.SortFunc(spans, func(a, b tflmSpan) int { return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.tensor, b.tensor)) })
	same := t.reshapes()
	for i, a := range spans {
		for _, b := range spans[i+1:] {
			if b.low >= a.high {
				break
			}
			if a.first <= b.last && b.first <= a.last && (same[a.tensor] != same[b.tensor] || a.low != b.low) {
				return fmt.Errorf("the tensors %q and %q share bytes, and the runtime, which runs the operators in the order of the file, has both at operator %q. "+
					"Plan with order = \"source\" and views = [\"reshape\"]", t.stored.Tensors[a.tensor].Name, t.stored.Tensors[b.tensor].Name, t.operator(max(a.first, b.first)))
			}
		}
	}
	return nil
}

func (t *tflm) operator(i int) string {
	if i < 0 || i >= len(t.stored.Operators) {
		return "of the start"
	}
	return t.stored.Operators[i].Name
}

func (t *tflm) spans() []tflmSpan {
	const never = -1
	all := make([]tflmSpan, len(t.stored.Tensors))
	for i := range all {
		all[i] = tflmSpan{tensor: i, low: t.offsets[i], high: t.offsets[i] + t.stored.Tensors[i].Bytes, first: never, last: never}
	}
	for i, op := range t.stored.Operators {
		for _, n := range op.Outputs {
			if all[n].first == never {
				all[n].first = i
			}
			all[n].last = i
		}
		for _, n := range op.Inputs {
			if n >= 0 {
				all[n].last = i
			}
		}
	}
	for _, n := range t.stored.Inputs {
		all[n].first, all[n].last = 0, max(0, all[n].last)
	}
	for _, n := range t.stored.Outputs {
		all[n].first, all[n].last = max(0, all[n].first), len(t.stored.Operators)
	}
	return slices.DeleteFunc(all, func(s tflmSpan) bool { return s.low < 0 || s.last == never })
}

// reshapes gives each tensor a number that it shares with those that are the same bytes to the runtime: the inputs and
// outputs of its reshapes, whose kernels copy nothing when both are at the same place.
func (t *tflm) reshapes() []int {
	same := make([]int, len(t.stored.Tensors))
	for i := range same {
		same[i] = i
	}
	for i := range t.stored.Operators {
		op := &t.stored.Operators[i]
		if isTFLMReshape(op) {
			same[op.Outputs[0]] = same[op.Inputs[0]]
		}
	}
	return same
}

func isTFLMReshape(op *tflite.StoredOperator) bool {
	return slices.Contains([]string{"RESHAPE", "SQUEEZE", "EXPAND_DIMS"}, op.Kind) && len(op.Inputs) > 0 && op.Inputs[0] >= 0 && len(op.Outputs) == 1
}
