package array

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuickFunctionsAreWithinOneStepOfExact walks over the float32 numbers in large steps, with both signs.
func TestQuickFunctionsAreWithinOneStepOfExact(t *testing.T) {
	for _, name := range []string{"Exp", "Sigmoid", "Tanh", "Swish", "Erf", "Gelu"} {
		run, err := unaryRun[float32](name, params{})
		require.NoError(t, err)
		exact := smooth(name, params{})
		if name == "Gelu" {
			exact = func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) }
		}
		for bits := uint32(0); bits < 0x7f800000; bits += 39989 {
			for _, x := range []float32{math.Float32frombits(bits), -math.Float32frombits(bits)} {
				got := []float32{x}
				run(got, got)
				want := float32(exact(float64(x)))
				if math.IsInf(float64(want), 0) || got[0] == want {
					require.Equal(t, want, got[0], "%s(%v)", name, x)
					continue
				}
				below, above := math.Nextafter32(want, float32(-inf)), math.Nextafter32(want, float32(inf))
				require.True(t, got[0] == below || got[0] == above, "%s(%v) is %v, not %v", name, x, got[0], want)
			}
		}
	}
}

func TestQuickFunctionsMeetTheirLimits(t *testing.T) {
	for _, c := range []struct {
		name       string
		at, wanted float64
	}{
		{"Exp", inf, inf}, {"Exp", -inf, 0}, {"Exp", nan, nan}, {"Exp", 0, 1},
		{"Sigmoid", inf, 1}, {"Sigmoid", -inf, 0}, {"Sigmoid", nan, nan}, {"Sigmoid", 0, 0.5},
		{"Tanh", inf, 1}, {"Tanh", -inf, -1}, {"Tanh", nan, nan}, {"Tanh", 0, 0},
	} {
		run, err := unaryRun[float32](c.name, params{})
		require.NoError(t, err)
		got := []float32{float32(c.at)}
		run(got, got)
		if math.IsNaN(c.wanted) {
			require.True(t, got[0] != got[0], c)
			continue
		}
		require.Equal(t, float32(c.wanted), got[0], c)
	}
}
