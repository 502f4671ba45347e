package exec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/runtime/device"
)

func TestWhatDiesWithAStep(t *testing.T) {
	at := func(offset, bytes int64) device.Region { return device.Region{Image: -1, Offset: offset, Bytes: bytes} }
	for _, c := range []struct {
		name   string
		claims []claim
		want   [][]device.Region
	}{
		{"the end of a claim", []claim{{at(0, 8), 0, 2}}, [][]device.Region{nil, {at(0, 8)}, nil}},
		{"what the next step holds stays", []claim{{at(0, 8), 0, 1}, {at(2, 2), 1, 3}}, [][]device.Region{{at(0, 2), at(4, 4)}, nil, {at(2, 2)}}},
		{"a claim on no step ends with its first", []claim{{at(0, 8), 1, 1}}, [][]device.Region{nil, {at(0, 8)}, nil}},
		{"what lives always never dies", []claim{{at(0, 8), math.MinInt64, math.MaxInt64}, {at(4, 8), 0, 1}}, [][]device.Region{{at(8, 4)}, nil, nil}},
		{"an output outlives the last step", []claim{{at(0, 8), 2, 4}}, [][]device.Region{nil, nil, nil}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, deaths(c.claims, 3)) })
	}
}

// A byte dies with a step exactly when a claim on it ends there and none holds it at the next.
func TestEachByteDiesWhenItsLastClaimEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const steps, size = 6, 12
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) claim {
			first := rapid.Int64Range(0, steps-1).Draw(t, "first")
			offset := rapid.Int64Range(0, size-1).Draw(t, "offset")
			return claim{
				region: device.Region{Image: -1, Offset: offset, Bytes: rapid.Int64Range(1, size-offset).Draw(t, "bytes")},
				first:  first, last: rapid.Int64Range(first+1, steps+1).Draw(t, "last"),
			}
		}), 0, 8).Draw(t, "claims")
		dead := deaths(all, steps)
		for step := range int64(steps) {
			var want, got [size]bool
			for _, c := range all {
				for i := c.region.Offset; i < c.region.Offset+c.region.Bytes; i++ {
					want[i] = want[i] || c.last == step+1
				}
			}
			for _, c := range all {
				for i := c.region.Offset; i < c.region.Offset+c.region.Bytes; i++ {
					want[i] = want[i] && !(c.first <= step+1 && step+1 < c.last)
				}
			}
			for _, r := range dead[step] {
				for i := r.Offset; i < r.Offset+r.Bytes; i++ {
					got[i] = true
				}
			}
			if got != want {
				t.Fatalf("step %d: %v, want %v", step, got, want)
			}
		}
	})
}
