package exact_test

import (
	"context"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

// window is a problem between two times: what is live then, for as long as it is.
func window(p *exact.Problem, from, to int64) *exact.Problem {
	out := &exact.Problem{}
	for _, b := range p.Buffers {
		live := exact.Span{First: max(from, b.Live[0].First), Last: min(to, b.Live[0].Last)}
		if live.First < live.Last {
			b.Live = []exact.Span{live}
			out.Buffers = append(out.Buffers, b)
		}
	}
	return out
}

// mostLive is the largest sum of live bytes.
func mostLive(p *exact.Problem) int64 {
	most := int64(0)
	for _, at := range p.Buffers {
		live := int64(0)
		for _, b := range p.Buffers {
			if b.Live[0].First <= at.Live[0].First && at.Live[0].First < b.Live[0].Last {
				live += b.Size
			}
		}
		most = max(most, live)
	}
	return most
}

// TestWindowsOfTimeProveNoMoreThanTheLiveBytes: D and J, whose least peaks nobody knows, fit in the bytes live at once for as
// long as any of these windows, a half of their time and more. What keeps them from it, if anything, is no short stretch.
func TestWindowsOfTimeProveNoMoreThanTheLiveBytes(t *testing.T) {
	for i, name := range []string{"D", "J"} {
		if !needs.Turn(i, 2) {
			continue
		}
		p := instance(t, name)
		bound := mostLive(p)
		var times []int64
		for _, b := range p.Buffers {
			times = append(times, b.Live[0].First, b.Live[0].Last)
		}
		slices.Sort(times)
		times = slices.Compact(times)
		steps := len(times) - 1
		for _, eighths := range [][2]int{{0, 5}, {1, 6}, {4, 8}} {
			part := window(p, times[steps*eighths[0]/8], times[steps*eighths[1]/8])
			r, err := exact.Decide(context.Background(), part, bound, exact.Options{Workers: 2})
			require.NoError(t, err)
			require.Contains(t, []exact.Status{exact.Feasible, exact.Optimal}, r.Status, "%s, eighths %d", name, eighths)
			require.Empty(t, fault(part, r.Offsets))
		}
	}
}
