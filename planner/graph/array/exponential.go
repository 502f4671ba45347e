package array

import "math"

// This file has the float32 forms of functions built on the exponential, for activations: calculated in float64 with a
// polynomial that is exact to 6e-9, several times faster than the functions of package math. Products are converted
// explicitly, which keeps every compiler from fusing them with the sum that follows: all hosts give the same bits.

// quickRun returns the float32 form of a function, nil for other functions and types.
func quickRun[T number](name string, p params) func(d, a []T) {
	var f func(float64) float64
	switch name {
	case "Exp":
		f = quickExp
	case "Sigmoid":
		f = quickSigmoid
	case "Tanh":
		f = quickTanh
	case "Swish":
		alpha := float64(p.float("alpha", 1))
		f = func(x float64) float64 { return x * quickSigmoid(alpha*x) }
	case "Gelu":
		if p.text("approximate", "none") == "tanh" {
			f = quickGelu
		}
	}
	if f == nil {
		return nil
	}
	run := func(d, a []float32) {
		for i, v := range a[:len(d)] {
			d[i] = float32(f(float64(v)))
		}
	}
	typed, _ := any(run).(func(d, a []T))
	return typed
}

// exponent returns scale, a power of 2, and p with exp(x) = scale * (1 + p) and |p| < 0.42, for |x| up to 700. After
// reduction to |r| <= ln(2)/2, p is the Taylor polynomial of degree 7.
func exponent(x float64) (scale, p float64) {
	// Adding magic rounds to an integer, which then stands in the low bits.
	const magic = 3 << 51
	t := float64(x*math.Log2E) + magic
	scale = math.Float64frombits((math.Float64bits(t) + 1023) << 52)
	r := x - float64((t-magic)*math.Ln2)
	r2 := r * r
	low := 0.5 + float64(r*(1.0/6))
	middle := 1.0/24 + float64(r*(1.0/120))
	high := 1.0/720 + float64(r*(1.0/5040))
	p = r + float64(r2*(low+float64(r2*(middle+float64(r2*high)))))
	return scale, p
}

// quickExp is beyond the range of float32 outside of [-110, 89].
func quickExp(x float64) float64 {
	scale, p := exponent(clampNaN(x, -110, 89))
	return scale + float64(scale*p)
}

func quickSigmoid(x float64) float64 {
	scale, p := exponent(clampNaN(-x, -700, 700))
	return 1 / (1 + (scale + float64(scale*p)))
}

// quickTanh is 1 beyond 20. With e = exp(2x)-1 it loses no digits near 0.
func quickTanh(x float64) float64 {
	scale, p := exponent(2 * clampNaN(x, -20, 20))
	e := float64(scale*p) + (scale - 1)
	return e / (e + 2)
}

func quickGelu(x float64) float64 {
	cube := float64(0.044715 * float64(x*float64(x*x)))
	return 0.5 * x * (1 + quickTanh(math.Sqrt2/math.SqrtPi*(x+cube)))
}

// clampNaN keeps NaN.
func clampNaN(x, low, high float64) float64 {
	if x > high {
		return high
	}
	if x < low {
		return low
	}
	return x
}
