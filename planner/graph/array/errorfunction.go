package array

import "math"

// quickErf is the error function.
func quickErf(x []float64) {
	for i, v := range x {
		z := math.Abs(v)
		if z < 0.8 {
			x[i] = float64(v * erfSmall(float64(v*v)))
			continue
		}
		x[i] = math.Copysign(1-complement(z), v)
	}
}

// quickGeluErf is x times the normal distribution function, which keeps its digits for x far below 0.
func quickGeluErf(x []float64) {
	for i, v := range x {
		q := 0.5 * complement(math.Abs(v)*(1/math.Sqrt2))
		if v >= 0 {
			q = 1 - q
		}
		x[i] = v * q
	}
}

// erfSmall is erf(x)/x by x squared, to 4e-9 for |x| up to 0.8: a polynomial of degree 5 through Chebyshev nodes.
func erfSmall(s float64) float64 {
	const c0, c1, c2 = 1.1283791638960725, -0.37612602868847816, 0.11283130959424097
	const c3, c4, c5 = -0.02682158974447111, 0.005086514370185749, -0.0006543816850004732
	s2 := float64(s * s)
	low := c0 + float64(c1*s)
	middle := c2 + float64(c3*s)
	high := c4 + float64(c5*s)
	return low + float64(s2*(middle+float64(s2*high)))
}

// complement is 1-erf(z) for z of 0 or more, to 1e-8 relative where float32 can hold it. It is exp(-z*z) times a
// polynomial of degree 10 in t = 1/(1+p*z), a form of Hastings ("Approximations for Digital Computers", 1955), here
// through Chebyshev nodes for z up to 10.5.
func complement(z float64) float64 {
	const p = 0.3275911
	const c0, c1, c2, c3 = 1.2415751540477903e-05, 0.18451039263966365, 0.1883336375405623, 0.1518290694887176
	const c4, c5, c6, c7 = 0.2537906913865239, -0.16081877566014502, 0.6735385383890974, -0.7392162771989537
	const c8, c9, c10 = 0.7466037192952949, -0.36302789209394826, 0.0644444809708125
	t := 1 / (1 + float64(p*z))
	t2 := float64(t * t)
	t4 := float64(t2 * t2)
	low := c0 + float64(c1*t) + float64(t2*(c2+float64(c3*t)))
	middle := c4 + float64(c5*t) + float64(t2*(c6+float64(c7*t)))
	high := c8 + float64(c9*t) + float64(t2*c10)
	scale, e := exponent(clampNaN(-float64(z*z), -700, 0))
	return (scale + float64(scale*e)) * (low + float64(t4*(middle+float64(t4*high))))
}
