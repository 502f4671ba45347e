package eval_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/eval"
)

func TestOrder(t *testing.T) {
	tests := []struct {
		name   string
		deps   [][]int
		order  []int
		cycles [][]int
	}{
		{"nothing", nil, nil, nil},
		{"independent nodes keep their order", [][]int{nil, nil, nil}, []int{0, 1, 2}, nil},
		{"a chain is turned around", [][]int{{1}, {2}, nil}, []int{2, 1, 0}, nil},
		{"a diamond", [][]int{{1, 2}, {3}, {3}, nil}, []int{3, 1, 2, 0}, nil},
		{"repeats do no harm", [][]int{{1, 1}, nil}, []int{1, 0}, nil},
		{"a node that needs itself", [][]int{{0}, nil}, []int{0, 1}, [][]int{{0}}},
		{"a circle of three is one circle", [][]int{{1}, {2}, {0}}, []int{2, 1, 0}, [][]int{{0, 1, 2}}},
		{"two circles are two", [][]int{{1}, {0}, {3}, {2}}, []int{1, 0, 3, 2}, [][]int{{0, 1}, {2, 3}}},
		{"circles that share a node are reported once", [][]int{{1, 2}, {0}, {0}}, []int{1, 2, 0}, [][]int{{0, 1}}},
		{"what hangs on a circle is not part of it", [][]int{{1}, {2}, {1}}, []int{2, 1, 0}, [][]int{{1, 2}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order, cycles := eval.Order(test.deps)
			assert.Equal(t, test.order, order)
			assert.Equal(t, test.cycles, cycles)
		})
	}
}

func TestOrderGoesAsDeepAsAFileMay(t *testing.T) {
	const n = 300_000
	deps := make([][]int, n)
	for i := range n - 1 {
		deps[i] = []int{i + 1}
	}
	order, cycles := eval.Order(deps)
	assert.Len(t, order, n)
	assert.Empty(t, cycles)
}

func TestOrderPutsNeedsFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "nodes")
		deps := make([][]int, n)
		for i := range deps {
			deps[i] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "deps")
		}
		order, cycles := eval.Order(deps)
		if len(order) != n {
			t.Fatalf("%d of %d nodes", len(order), n)
		}
		for _, cycle := range cycles {
			for i, node := range cycle {
				if !slices.Contains(deps[node], cycle[(i+1)%len(cycle)]) {
					t.Fatalf("%v is no circle", cycle)
				}
			}
		}
		if len(cycles) > 0 {
			return
		}
		for i, needs := range deps {
			for _, need := range needs {
				if slices.Index(order, need) > slices.Index(order, i) {
					t.Fatalf("%d stands after %d, which needs it: %v", need, i, order)
				}
			}
		}
	})
}
