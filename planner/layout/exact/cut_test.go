package exact_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rect is a buffer in place: live in [first, last), at [low, high).
type rect struct{ first, last, low, high int64 }

// cut splits a rectangle of time and memory into pieces without waste, again and again, a random one each time.
func cut(t *rapid.T, pieces int, side int64) []rect {
	out := []rect{{0, side, 0, side}}
	for range pieces {
		k := rapid.IntRange(0, len(out)-1).Draw(t, "piece")
		r := out[k]
		a, b := r, r
		if rapid.Bool().Draw(t, "through time") {
			if r.last-r.first < 2 {
				continue
			}
			at := rapid.Int64Range(r.first+1, r.last-1).Draw(t, "at")
			a.last, b.first = at, at
		} else {
			if r.high-r.low < 2 {
				continue
			}
			at := rapid.Int64Range(r.low+1, r.high-1).Draw(t, "at")
			a.high, b.low = at, at
		}
		out[k] = a
		out = append(out, b)
	}
	return out
}

// jumbled makes buffers of the pieces: now and then a pin where the piece was, an alignment that its offset meets, or one
// buffer with a hole in its life from two pieces at the same place.
func jumbled(t *rapid.T, rects []rect) *exact.Problem {
	p := &exact.Problem{}
	used := make([]bool, len(rects))
	for i, r := range rects {
		if used[i] {
			continue
		}
		b := exact.Buffer{Size: r.high - r.low, Alignment: 1, Live: live(r.first, r.last), Hint: exact.NoHint}
		for j := i + 1; j < len(rects); j++ {
			if q := rects[j]; !used[j] && q.low == r.low && q.high == r.high && q.first >= r.last {
				b.Live = append(b.Live, exact.Span{First: q.first, Last: q.last})
				used[j] = true
				break
			}
		}
		switch rapid.IntRange(0, 9).Draw(t, "extra") {
		case 0:
			b.Pinned, b.Offset = true, r.low
		case 1:
			for b.Alignment = 7; r.low%b.Alignment != 0; {
				b.Alignment--
			}
		}
		p.Buffers = append(p.Buffers, b)
	}
	return p
}

// The search has little slack here or none at all, so that a rule which prunes too much shows at sizes beyond trying everything.
func TestWhatWasCutFromAFullRectangleFitsIntoIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.Int64Range(4, 40).Draw(t, "side")
		p := jumbled(t, cut(t, rapid.IntRange(1, 45).Draw(t, "pieces"), side))
		loose := rapid.Bool().Draw(t, "loose")
		if loose {
			for i := range p.Buffers {
				p.Buffers[i].Size -= min(p.Buffers[i].Size-1, rapid.SampledFrom([]int64{0, 0, 0, 1}).Draw(t, "less"))
			}
		}
		r, err := exact.Decide(context.Background(), p, side, exact.Options{Workers: 2, Nodes: 20_000})
		require.NoError(t, err)
		require.NotEqual(t, exact.Infeasible, r.Status)
		if r.Offsets != nil {
			require.Empty(t, fault(p, r.Offsets))
			require.LessOrEqual(t, peak(p, r.Offsets), side)
		}
		if loose {
			return
		}
		tight, err := exact.Decide(context.Background(), p, side-1, exact.Options{})
		require.NoError(t, err)
		require.Equal(t, exact.Infeasible, tight.Status)
	})
}
