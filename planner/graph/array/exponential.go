package array

import "math"

// This file has the float32 forms of functions built on the exponential, for activations: calculated in float64 with a
// polynomial that is exact to 6e-9, several times faster than the functions of package math. Products are converted
// explicitly, which keeps every compiler from fusing them with the sum that follows: all hosts give the same bits.

// quickRun returns the float32 form of a function, nil for other functions and types.
func quickRun[T number](name string, p params) func(d, a []T) {
	alpha := 1.0
	switch name {
	case "Exp", "Sigmoid", "Tanh", "Erf":
	case "Swish":
		alpha = float64(p.float("alpha", 1))
	case "Gelu":
		if p.text("approximate", "none") == "tanh" {
			name = "Gelu tanh"
		}
	default:
		return nil
	}
	run := func(d, a []float32) { quick(name, alpha, d, a) }
	typed, _ := any(run).(func(d, a []T))
	return typed
}

// quick widens a piece at a time, then calculates, then rounds: converting a number and calling a function on it in one
// loop makes each call wait for the one before, since the conversion keeps a part of its target register.
func quick(name string, alpha float64, d, a []float32) {
	var buffer [piece]float64
	for at := 0; at < len(d); at += piece {
		x := buffer[:min(piece, len(d)-at)]
		numbers(x, a[at:])
		switch name {
		case "Exp":
			quickExp(x)
		case "Sigmoid":
			quickSigmoid(x)
		case "Tanh":
			quickTanh(x)
		case "Swish":
			quickSwish(x, alpha)
		case "Gelu":
			quickGeluErf(x)
		case "Gelu tanh":
			quickGeluTanh(x)
		case "Erf":
			quickErf(x)
		}
		numbers(d[at:at+len(x)], x)
	}
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
func quickExp(x []float64) {
	for i, v := range x {
		scale, p := exponent(clampNaN(v, -110, 89))
		x[i] = scale + float64(scale*p)
	}
}

func quickSigmoid(x []float64) {
	for i, v := range x {
		scale, p := exponent(clampNaN(-v, -700, 700))
		x[i] = 1 / (1 + (scale + float64(scale*p)))
	}
}

func quickSwish(x []float64, alpha float64) {
	for i, v := range x {
		scale, p := exponent(clampNaN(-alpha*v, -700, 700))
		x[i] = v / (1 + (scale + float64(scale*p)))
	}
}

func quickTanh(x []float64) {
	for i, v := range x {
		x[i] = tanh(v)
	}
}

// tanh is 1 beyond 20. With e = exp(2x)-1 it loses no digits near 0.
func tanh(x float64) float64 {
	scale, p := exponent(2 * clampNaN(x, -20, 20))
	e := float64(scale*p) + (scale - 1)
	return e / (e + 2)
}

func quickGeluTanh(x []float64) {
	for i, v := range x {
		cube := float64(0.044715 * float64(v*float64(v*v)))
		x[i] = 0.5 * v * (1 + tanh(math.Sqrt2/math.SqrtPi*(v+cube)))
	}
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
