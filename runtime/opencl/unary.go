package opencl

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// unaryOp is a function of one number.
type unaryOp struct {
	// kernel is the name of the kernel after "unary_".
	kernel string
	// a and b are the attributes that the kernel takes, by name and default; "" for none.
	a, b parameter
	// integers says that the function exists for integers too.
	integers bool
}

// parameter is an attribute of type float.
type parameter struct {
	name  string
	value float32
}

func (p parameter) of(attrs graph.Attrs) float64 {
	if p.name == "" {
		return float64(p.value)
	}
	return float64(attrs.Float(p.name, p.value))
}

func alpha(value float32) parameter { return parameter{"alpha", value} }

// unaryOps are the functions by operator, with the defaults of ONNX.
var unaryOps = map[string]unaryOp{
	"Neg": {kernel: "neg", integers: true}, "Abs": {kernel: "abs", integers: true}, "Sign": {kernel: "sign", integers: true},
	"Relu": {kernel: "relu", integers: true}, "Square": {kernel: "square", integers: true},

	"LeakyRelu": {kernel: "leaky_relu", a: alpha(0.01)}, "ThresholdedRelu": {kernel: "thresholded_relu", a: alpha(1)},
	"HardSigmoid": {kernel: "hard_sigmoid", a: alpha(0.2), b: parameter{"beta", 0.5}}, "HardSwish": {kernel: "hard_swish"},
	"Shrink":  {kernel: "shrink", a: parameter{"bias", 0}, b: parameter{"lambd", 0.5}},
	"Elu":     {kernel: "selu", a: alpha(1), b: parameter{value: 1}},
	"Selu":    {kernel: "selu", a: alpha(1.67326319217681884765625), b: parameter{"gamma", 1.05070102214813232421875}},
	"Celu":    {kernel: "celu", a: alpha(1)},
	"Sigmoid": {kernel: "sigmoid"}, "Swish": {kernel: "swish", a: alpha(1)}, "Gelu": {kernel: "gelu"}, "Mish": {kernel: "mish"},
	"Softplus": {kernel: "softplus"}, "Softsign": {kernel: "softsign"},

	"Reciprocal": {kernel: "reciprocal"}, "Sqrt": {kernel: "sqrt"}, "Rsqrt": {kernel: "rsqrt"}, "Exp": {kernel: "exp"}, "Log": {kernel: "log"},
	"Sin": {kernel: "sin"}, "Cos": {kernel: "cos"}, "Tan": {kernel: "tan"}, "Asin": {kernel: "asin"}, "Acos": {kernel: "acos"}, "Atan": {kernel: "atan"},
	"Sinh": {kernel: "sinh"}, "Cosh": {kernel: "cosh"}, "Tanh": {kernel: "tanh"},
	"Asinh": {kernel: "asinh"}, "Acosh": {kernel: "acosh"}, "Atanh": {kernel: "atanh"},
	"Ceil": {kernel: "ceil"}, "Floor": {kernel: "floor"}, "Round": {kernel: "rint"}, "Erf": {kernel: "erf"},
}

// unaryBuilders has a builder for each of them.
var unaryBuilders = func() map[string]builder {
	all := map[string]builder{"Clip": buildClip}
	for name := range unaryOps {
		all[name] = buildUnary
	}
	return all
}()

// unaryItem is how many elements an item of the unary kernels computes, and unaryGroup the items of a group.
const (
	unaryItem  = 16
	unaryGroup = 64
)

// buildUnary binds a function of one number. The result may have the memory of the input.
func buildUnary(b *site) ([]launch, error) {
	op := unaryOps[b.op.Op]
	if op.kernel == "gelu" && b.op.Attrs.String("approximate", "none") == "tanh" {
		op.kernel = "gelu_tanh"
	}
	x, y, err := b.unaryOperands(op.integers)
	if err != nil {
		return nil, err
	}
	return one(b.unary(op.kernel, x, y, op.a.of(b.op.Attrs), op.b.of(b.op.Attrs)))
}

// unaryOperands binds input and result: float types as float32, integers as they are.
func (b *site) unaryOperands(integers bool) (x, y *flat, err error) {
	in, err := b.need(0)
	if err != nil {
		return nil, nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, nil, err
	}
	if in.t.DType != out.t.DType || in.elements() != out.elements() {
		return nil, nil, form.RefuseTensor(out.t, "%v %v is not the type of %v %v", out.t.DType, out.shape(), in.t.DType, in.shape())
	}
	if !integers || in.t.DType.IsFloat() {
		if x, err = b.floatsOf(in); err == nil {
			y, err = b.resultFloats(out, true)
		}
		return x, y, err
	}
	if kindOf(in.t.DType) != ofIntegers {
		return nil, nil, form.RefuseTensor(in.t, "elements of type %v are not supported", in.t.DType)
	}
	if x, err = b.elementsOf(in); err == nil {
		y, err = b.resultElements(out, true)
	}
	return x, y, err
}

// unary returns the launch of a unary kernel.
func (b *site) unary(kernel string, x, y *flat, first, second float64) (launch, error) {
	n := x.elements()
	global := cl.Size{(n + unaryItem - 1) / unaryItem}
	return b.launch(unarySource(x.dtype), "unary_"+kernel, global, cl.Size{unaryGroup}, x, y, n, scalar{x.dtype, first}, scalar{x.dtype, second})
}

func unarySource(dtype graph.DType) source {
	s := of("unary", dtype)
	if dtype == graph.Float32 {
		s.options += " -DFLOATS"
	}
	return s
}

// buildClip binds Clip. The limits are attributes, or optional inputs of one element; as constants they become arguments
// of the kernel.
func buildClip(b *site) ([]launch, error) {
	x, y, err := b.unaryOperands(true)
	if err != nil {
		return nil, err
	}
	lowest, highest := limits(x.dtype)
	low, high := attribute(b.op.Attrs, "min", lowest), attribute(b.op.Attrs, "max", highest)
	known := true
	for i, limit := range []*float64{&low, &high} {
		o := b.input(1 + i)
		if o == nil {
			continue
		}
		if o.t.DType != b.in[0].t.DType || o.elements() != 1 {
			return nil, form.RefuseTensor(o.t, "a limit of %v %v is not one element of %v", o.t.DType, o.shape(), b.in[0].t.DType)
		}
		if o.t.Role != graph.Constant || o.t.DType == graph.Int64 || o.t.DType == graph.Uint64 {
			known = false
			continue
		}
		a, err := b.constant(1 + i)
		if err != nil {
			return nil, err
		}
		values, err := a.Floats()
		if err != nil {
			return nil, form.RefuseTensor(o.t, "%v", err)
		}
		*limit = values[0]
	}
	if known {
		return one(b.unary("clip", x, y, low, high))
	}
	return b.clipBy(x, y)
}

// clipBy clamps by limits that are known only in a run.
func (b *site) clipBy(x, y *flat) ([]launch, error) {
	without := 0
	var by [2]*flat
	for i := range by {
		o := b.input(1 + i)
		if o == nil {
			without |= 1 << i
			by[i] = x
			continue
		}
		var err error
		if x.dtype == graph.Float32 {
			by[i], err = b.floatsOf(o)
		} else {
			by[i], err = b.elementsOf(o)
		}
		if err != nil {
			return nil, err
		}
	}
	n := x.elements()
	return one(b.launch(unarySource(x.dtype), "unary_clip_by", cl.Size{n}, cl.Size{unaryGroup}, x, y, n, by[0], by[1], without))
}

// attribute is a limit that the op carries, as a fused one does.
func attribute(attrs graph.Attrs, name string, def float64) float64 {
	if v, ok := attrs[name].(float32); ok {
		return float64(v)
	}
	return def
}

// limits are the least and the largest value of an element type.
func limits(dtype graph.DType) (low, high float64) {
	if dtype.IsFloat() {
		return math.Inf(-1), math.Inf(1)
	}
	bits := 8 * float64(dtype.Size())
	switch dtype {
	case graph.Int8, graph.Int16, graph.Int32, graph.Int64:
		return -math.Exp2(bits - 1), math.Exp2(bits-1) - 1
	}
	return 0, math.Exp2(bits) - 1
}
