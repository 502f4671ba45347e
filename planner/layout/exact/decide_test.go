package exact_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/stretchr/testify/require"
)

const capacity = 1 << 20

var names = []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"}

func TestEveryPublicInstanceFitsItsCapacity(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p := instance(t, name)
			r, err := exact.Decide(context.Background(), p, capacity, exact.Options{Workers: 2})
			require.NoError(t, err)
			require.Contains(t, []exact.Status{exact.Feasible, exact.Optimal}, r.Status)
			require.Empty(t, fault(p, r.Offsets))
			require.LessOrEqual(t, peak(p, r.Offsets), int64(capacity))
			t.Logf("%v, peak %d, bound %d, %d nodes", r.Status, r.Peak, r.Bound, r.Nodes)
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, name := range names {
		p := instance(b, name)
		for _, workers := range []int{1, 2} {
			b.Run(name+"/"+strconv.Itoa(workers), func(b *testing.B) {
				nodes := int64(0)
				for b.Loop() {
					r, err := exact.Decide(context.Background(), p, capacity, exact.Options{Workers: workers})
					if err != nil || r.Offsets == nil {
						b.Fatal("not decided")
					}
					nodes = r.Nodes
				}
				b.ReportMetric(float64(nodes), "nodes")
			})
		}
	}
}
