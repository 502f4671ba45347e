package array

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// params are the attributes of an op, or of one that is fused into it: those carry the name as a prefix.
type params struct {
	attrs  graph.Attrs
	prefix string
}

func (p params) float(name string, def float32) float32 { return p.attrs.Float(p.prefix+name, def) }

func (p params) text(name, def string) string { return p.attrs.String(p.prefix+name, def) }

// mapping is the kernel of the ops on one number.
func mapping(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := sameDType(out, in); err != nil {
		return err
	}
	if err := wantShape(out, dims(in.Shape)); err != nil {
		return err
	}
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	return n.unary(op.Op, params{attrs: op.Attrs}, out, in)
}

func (of[T, A]) unary(name string, p params, out, in *Array) error {
	run, err := unaryRun[T](name, p)
	if err != nil {
		return err
	}
	run(View[T](out), View[T](in))
	return nil
}

// unaryRun returns the function that maps each element of a run; both runs may be the same memory.
func unaryRun[T number](name string, p params) (func(d, a []T), error) {
	if run := plainRun[T](name, p); run != nil {
		return run, nil
	}
	if !isFloat[T]() {
		return nil, fmt.Errorf("there is no %s on integers", name)
	}
	if run := floatRun[T](name, p); run != nil {
		return run, nil
	}
	if run := quickRun[T](name, p); run != nil {
		return run, nil
	}
	f := smooth(name, p)
	if f == nil {
		return nil, fmt.Errorf("%s is no function of one number", name)
	}
	return func(d, a []T) {
		var buffer [piece]float64
		for at := 0; at < len(d); at += piece {
			x := buffer[:min(piece, len(d)-at)]
			numbers(x, a[at:])
			for i, v := range x {
				x[i] = f(v)
			}
			numbers(d[at:at+len(x)], x)
		}
	}, nil
}

// plainRun returns the functions that integers have too, nil for others.
func plainRun[T number](name string, p params) func(d, a []T) {
	switch name {
	case "Identity":
		return func(d, a []T) { copy(d, a) }
	case "Neg":
		return func(d, a []T) {
			for i, v := range a[:len(d)] {
				d[i] = -v
			}
		}
	case "Abs":
		return absRun[T]
	case "Sign":
		return signRun[T]
	case "Relu":
		return func(d, a []T) {
			for i, v := range a[:len(d)] {
				d[i] = max(v, 0)
			}
		}
	case "Square":
		return func(d, a []T) {
			for i, v := range a[:len(d)] {
				d[i] = v * v
			}
		}
	case "Clip":
		return clipAttributes[T](p)
	case "Shrink":
		return shrinkRun[T](p)
	}
	return nil
}

func absRun[T number](d, a []T) {
	for i, v := range a[:len(d)] {
		if v < 0 {
			v = -v
		}
		d[i] = v + 0 // clears the sign of a zero
	}
}

func signRun[T number](d, a []T) {
	for i, v := range a[:len(d)] {
		switch {
		case v > 0:
			v = 1
		case v < 0:
			v = 0
			v--
		}
		d[i] = v
	}
}

func shrinkRun[T number](p params) func(d, a []T) {
	bias, limit := p.float("bias", 0), p.float("lambd", 0.5)
	return func(d, a []T) {
		for i, v := range a[:len(d)] {
			x := float32(v)
			switch {
			case x < -limit:
				d[i] = T(x + bias)
			case x > limit:
				d[i] = T(x - bias)
			default:
				d[i] = 0
			}
		}
	}
}

// floatRun returns the functions that floats calculate in their own precision, for speed, nil for others.
func floatRun[T number](name string, p params) func(d, a []T) {
	switch name {
	case "LeakyRelu":
		return slopeRun(T(p.float("alpha", 0.01)))
	case "HardSigmoid":
		return hardSigmoidRun(T(p.float("alpha", 0.2)), T(p.float("beta", 0.5)))
	case "HardSwish":
		return hardSwishRun[T]
	case "ThresholdedRelu":
		return thresholdRun(T(p.float("alpha", 1)))
	case "Reciprocal":
		return func(d, a []T) {
			for i, v := range a[:len(d)] {
				d[i] = 1 / v
			}
		}
	case "Sqrt":
		return func(d, a []T) {
			for i, v := range a[:len(d)] {
				d[i] = T(math.Sqrt(float64(v)))
			}
		}
	case "Softsign":
		return func(d, a []T) {
			for i, v := range a[:len(d)] {
				d[i] = v / (1 + max(v, -v))
			}
		}
	}
	return nil
}

func slopeRun[T number](slope T) func(d, a []T) {
	return func(d, a []T) {
		for i, v := range a[:len(d)] {
			if v < 0 {
				v *= slope
			}
			d[i] = v
		}
	}
}

func hardSigmoidRun[T number](alpha, beta T) func(d, a []T) {
	return func(d, a []T) {
		for i, v := range a[:len(d)] {
			d[i] = max(0, min(1, T(alpha*v)+beta))
		}
	}
}

func hardSwishRun[T number](d, a []T) {
	for i, v := range a[:len(d)] {
		d[i] = v * max(0, min(6, v+3)) / 6
	}
}

func thresholdRun[T number](alpha T) func(d, a []T) {
	return func(d, a []T) {
		for i, v := range a[:len(d)] {
			if v <= alpha {
				v = 0
			}
			d[i] = v
		}
	}
}
