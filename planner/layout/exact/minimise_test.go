package exact_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

func TestTightInstancesReachTheirBound(t *testing.T) {
	for _, name := range names {
		if name == "D" || name == "J" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := instance(t, name)
			r, err := exact.Minimise(context.Background(), p, exact.Options{Workers: 2})
			require.NoError(t, err)
			require.Equal(t, exact.Optimal, r.Status)
			require.Equal(t, r.Bound, r.Peak)
			require.Empty(t, fault(p, r.Offsets))
			require.Equal(t, r.Peak, peak(p, r.Offsets))
			t.Logf("peak %d, %d nodes", r.Peak, r.Nodes)
		})
	}
}

// The best placements published for D and J have peaks of 1,024,000 and 1,029,120; BenchmarkMinimise shows what the whole
// budget finds.
func TestLooseInstancesComeCloseWithPartOfTheBudget(t *testing.T) {
	for i, c := range []struct {
		name        string
		nodes, most int64
	}{{"J", 12_000, 1_036_288}, {"D", 280_000, 1_024_000}} {
		if !needs.Turn(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			p := instance(t, c.name)
			r, err := exact.Minimise(context.Background(), p, exact.Options{Workers: 2, Nodes: c.nodes})
			require.NoError(t, err)
			require.Equal(t, exact.Feasible, r.Status)
			require.Empty(t, fault(p, r.Offsets))
			require.Equal(t, r.Peak, peak(p, r.Offsets))
			require.LessOrEqual(t, r.Peak, c.most)
			require.LessOrEqual(t, r.Bound, r.Peak)
		})
	}
}

func BenchmarkMinimise(b *testing.B) {
	for _, name := range names {
		p := instance(b, name)
		b.Run(name, func(b *testing.B) {
			var r exact.Result
			for b.Loop() {
				var err error
				if r, err = exact.Minimise(context.Background(), p, exact.Options{Workers: 2}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Peak), "peak")
			b.ReportMetric(float64(r.Bound), "bound")
			b.ReportMetric(float64(r.Nodes), "nodes")
		})
	}
}
