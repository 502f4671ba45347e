package array

import "math"

// functions are the ops on one float without parameters, calculated in float64.
var functions = map[string]func(float64) float64{
	"Exp":      math.Exp,
	"Log":      math.Log,
	"Sin":      math.Sin,
	"Cos":      math.Cos,
	"Tan":      math.Tan,
	"Asin":     math.Asin,
	"Acos":     math.Acos,
	"Atan":     math.Atan,
	"Sinh":     math.Sinh,
	"Cosh":     math.Cosh,
	"Tanh":     math.Tanh,
	"Asinh":    math.Asinh,
	"Acosh":    math.Acosh,
	"Atanh":    math.Atanh,
	"Ceil":     math.Ceil,
	"Floor":    math.Floor,
	"Round":    math.RoundToEven,
	"Erf":      math.Erf,
	"Sigmoid":  sigmoid,
	"Softplus": softplus,
	"Mish":     func(x float64) float64 { return x * math.Tanh(softplus(x)) },
	"Rsqrt":    func(x float64) float64 { return 1 / math.Sqrt(x) },
}

// sigmoid is 1/(1+exp(-x)), without overflow.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// softplus is log(1+exp(x)), without overflow.
func softplus(x float64) float64 {
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

// smooth returns the function of one float, nil for an unknown one.
func smooth(name string, p params) func(float64) float64 {
	if f, ok := functions[name]; ok {
		return f
	}
	switch name {
	case "Elu":
		return elu(float64(p.float("alpha", 1)), 1)
	case "Selu":
		return elu(float64(p.float("alpha", 1.67326319217681884765625)), float64(p.float("gamma", 1.05070102214813232421875)))
	case "Celu":
		return celu(float64(p.float("alpha", 1)))
	case "Swish":
		alpha := float64(p.float("alpha", 1))
		return func(x float64) float64 { return x * sigmoid(alpha*x) }
	case "Gelu":
		if p.text("approximate", "none") == "tanh" {
			return geluTanh
		}
		return func(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) }
	}
	return nil
}

func elu(alpha, gamma float64) func(float64) float64 {
	return func(x float64) float64 {
		if x > 0 {
			return gamma * x
		}
		return gamma * alpha * math.Expm1(x)
	}
}

func celu(alpha float64) func(float64) float64 {
	return func(x float64) float64 {
		return max(0, x) + min(0, alpha*math.Expm1(x/alpha))
	}
}

// geluTanh is the approximation by a hyperbolic tangent.
func geluTanh(x float64) float64 {
	return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}
