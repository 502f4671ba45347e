package shape

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCheckedArithmeticNeverWrapsAround(t *testing.T) {
	number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, 1 << 32, -1 << 31}))
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		for _, op := range []struct {
			name    string
			checked func(*checked, int64, int64) int64
			exact   func(z, x, y *big.Int) *big.Int
		}{{"add", (*checked).add, (*big.Int).Add}, {"sub", (*checked).sub, (*big.Int).Sub}, {"mul", (*checked).mul, (*big.Int).Mul}} {
			var c checked
			got := op.checked(&c, a, b)
			want := op.exact(new(big.Int), big.NewInt(a), big.NewInt(b))
			if !c.overflow {
				require.Equal(t, want.String(), big.NewInt(got).String(), "%s %d %d", op.name, a, b)
			} else {
				fits := want.IsInt64() && want.Int64() != math.MinInt64 && b != math.MinInt64
				require.False(t, fits, "%s %d %d", op.name, a, b)
			}
		}
	})
}

// TestSlicesTakeTheElementsThatALoopTakes counts the elements of a slice one by one.
func TestSlicesTakeTheElementsThatALoopTakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		extent := rapid.Int64Range(0, 9).Draw(t, "extent")
		start, end := rapid.Int64Range(-12, 12).Draw(t, "start"), rapid.Int64Range(-12, 12).Draw(t, "end")
		step := rapid.Int64Range(-4, 4).Filter(func(s int64) bool { return s != 0 }).Draw(t, "step")
		got := sliceExtent(extent, start, end, step)
		if start < 0 {
			start += extent
		}
		if end < 0 {
			end += extent
		}
		count := int64(0)
		if step > 0 {
			for i := max(start, 0); i < min(end, extent); i += step {
				count++
			}
		} else if extent > 0 {
			for i := min(max(start, 0), extent-1); i > max(end, -1); i += step {
				count++
			}
		}
		require.Equal(t, count, got)
	})
}

func TestDivisionsRoundUp(t *testing.T) {
	for _, c := range []struct{ a, b, want int64 }{{0, 3, 0}, {1, 3, 1}, {3, 3, 1}, {4, 3, 2}, {math.MaxInt64, 1, math.MaxInt64}} {
		require.Equal(t, c.want, divideUp(c.a, c.b))
	}
}
