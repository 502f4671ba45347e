package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawBox(t *rapid.T) box {
	lo, first := rapid.Int64Range(-1, 8).Draw(t, "lo"), rapid.Int64Range(-1, 8).Draw(t, "first")
	return box{lo, lo + rapid.Int64Range(0, 6).Draw(t, "bytes"), first, first + rapid.Int64Range(0, 6).Draw(t, "steps")}
}

func (b box) has(at, step int64) bool {
	return b.lo <= at && at < b.hi && b.first <= step && step < b.last
}

func TestWhatIsLeftOfABoxIsEachPointOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := drawBox(t)
		others := rapid.SliceOfN(rapid.Custom(drawBox), 0, 6).Draw(t, "others")
		left := whole.without(others)
		for at := int64(-2); at < 16; at++ {
			for step := int64(-2); step < 16; step++ {
				want := 0
				if whole.has(at, step) {
					want = 1
				}
				for _, o := range others {
					if o.has(at, step) {
						want = 0
					}
				}
				got := 0
				for _, b := range left {
					if b.has(at, step) {
						got++
					}
				}
				require.Equal(t, want, got)
			}
		}
	})
}

// TestManyGapsAreCutOutInTime cuts a stair of gaps, two of which are open at a time.
func TestManyGapsAreCutOutInTime(t *testing.T) {
	const n = 200_000
	others := make([]box, n)
	for i := range int64(n) {
		others[i] = box{lo: i, hi: i + 1, first: i, last: i + 2}
	}
	start := time.Now()
	left := box{0, n, 0, n + 1}.without(others)
	require.Less(t, len(left), 4*n)
	require.Less(t, time.Since(start), time.Minute)
}
