package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// binaryOp is a function of two numbers that broadcast.
type binaryOp struct {
	// kernel is the name of the kernel after "binary_".
	kernel string
	// test says that the result is a bool.
	test bool
	// takes are the element types.
	takes kinds
}

// kinds is a set of kinds of element types.
type kinds int

const (
	ofFloats kinds = 1 << iota
	ofIntegers
	ofBools
)

func kindOf(dtype graph.DType) kinds {
	switch {
	case dtype.IsFloat():
		return ofFloats
	case dtype == graph.Bool:
		return ofBools
	case clTypes[dtype] != "":
		return ofIntegers
	}
	return 0
}

const numbers = ofFloats | ofIntegers

// binaryOps are the functions by operator.
var binaryOps = map[string]binaryOp{
	"Add": {kernel: "add", takes: numbers}, "Sub": {kernel: "sub", takes: numbers}, "Mul": {kernel: "mul", takes: numbers},
	"Div": {kernel: "div", takes: numbers}, "Mod": {kernel: "mod", takes: numbers},
	"SquaredDifference": {kernel: "squared_difference", takes: numbers},
	"FloorDiv":          {kernel: "floor_div", takes: numbers}, "FloorMod": {kernel: "floor_mod", takes: numbers},

	"Equal": {kernel: "equal", test: true, takes: numbers | ofBools},
	"Less":  {kernel: "less", test: true, takes: numbers}, "LessOrEqual": {kernel: "less_or_equal", test: true, takes: numbers},
	"Greater": {kernel: "greater", test: true, takes: numbers}, "GreaterOrEqual": {kernel: "greater_or_equal", test: true, takes: numbers},

	"And": {kernel: "both", test: true, takes: ofBools}, "Or": {kernel: "either", test: true, takes: ofBools},
	"Xor": {kernel: "one", test: true, takes: ofBools},

	"BitwiseAnd": {kernel: "and", takes: ofIntegers}, "BitwiseOr": {kernel: "or", takes: ofIntegers}, "BitwiseXor": {kernel: "xor", takes: ofIntegers},
}

// foldOps take any number of operands, which a function of two folds from the left.
var foldOps = map[string]string{"Sum": "add", "Mean": "add", "Max": "max", "Min": "min"}

// binaryBuilders has a builder for each of them.
var binaryBuilders = func() map[string]builder {
	all := map[string]builder{"PRelu": buildPRelu, "Pow": buildPow, "BitShift": buildBitShift}
	for name := range binaryOps {
		all[name] = buildBinary
	}
	for name := range foldOps {
		all[name] = buildFold
	}
	return all
}()

// buildBinary binds a function of two numbers. The result may have the memory of an operand of its shape.
func buildBinary(b *site) ([]launch, error) {
	op := binaryOps[b.op.Op]
	if b.quantised() {
		return nil, form.RefuseTensor(b.out[0].t, "elements of type %v may hold quantised values", b.out[0].t.DType)
	}
	x, y, z, err := b.binaryOperands(op.takes, op.test)
	if err != nil {
		return nil, err
	}
	kernel := op.kernel
	if kernel == "mod" && kindOf(x.dtype) == ofIntegers && b.op.Attrs.Int("fmod", 0) == 0 {
		kernel = "floor_mod"
	}
	return one(b.binary(kernel, x, y, z))
}

// quantised reports whether an operator of TensorFlow Lite meets a type in which it stores scaled values: the op does not
// show the scale.
func (b *site) quantised() bool {
	if b.op.Domain != "tflite" {
		return false
	}
	o := b.result(0)
	return o != nil && (o.t.DType == graph.Int8 || o.t.DType == graph.Uint8 || o.t.DType == graph.Int16)
}

// binaryOperands binds two operands of one type and the result.
func (b *site) binaryOperands(takes kinds, test bool) (x, y, z *flat, err error) {
	var in [2]*operand
	for i := range in {
		if in[i], err = b.need(i); err != nil {
			return nil, nil, nil, err
		}
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, nil, nil, err
	}
	dtype := in[0].t.DType
	want := dtype
	if test {
		want = graph.Bool
	}
	if in[1].t.DType != dtype || out.t.DType != want {
		return nil, nil, nil, form.RefuseTensor(out.t, "operands of type %v and %v do not give %v", dtype, in[1].t.DType, out.t.DType)
	}
	if kindOf(dtype)&takes == 0 {
		return nil, nil, nil, form.RefuseTensor(in[0].t, "elements of type %v are not supported", dtype)
	}
	if x, err = b.numbersOf(in[0]); err != nil {
		return nil, nil, nil, err
	}
	if y, err = b.numbersOf(in[1]); err != nil {
		return nil, nil, nil, err
	}
	z, err = b.resultNumbers(out, true)
	return x, y, z, err
}

// numbersOf returns an input that a kernel computes with: narrow floats as float32, others as they are. float64 becomes
// float32 where the device does not compute with it, and where ops are fused, which compute with float32.
func (b *site) numbersOf(o *operand) (*flat, error) {
	if b.narrowed(o) {
		return b.floatsOf(o)
	}
	if clTypes[o.t.DType] == "" {
		return nil, form.RefuseTensor(o.t, "elements of type %v are not supported", o.t.DType)
	}
	return b.elementsOf(o)
}

// narrowed reports whether kernels compute with float32 in place of an operand's type.
func (b *site) narrowed(o *operand) bool {
	if o.t.DType == graph.Float64 && b.d.facts.Float64 && len(b.op.Fused) < 2 {
		return false
	}
	return o.t.DType.IsFloat()
}

// resultNumbers is numbersOf for an output.
func (b *site) resultNumbers(o *operand, aliased bool) (*flat, error) {
	if b.narrowed(o) {
		return b.resultFloats(o, aliased)
	}
	if clTypes[o.t.DType] == "" {
		return nil, form.RefuseTensor(o.t, "elements of type %v are not supported", o.t.DType)
	}
	return b.resultElements(o, aliased)
}

// numeric is the variant of a file for an element type that kernels compute with.
func numeric(file string, dtype graph.DType) source {
	s := of(file, dtype)
	if dtype == graph.Float64 {
		s.options += " -DFLOAT64"
	}
	return s
}

// arithmetic is the variant of a file for an element type that kernels compute with: FLOATS is defined for floats,
// DIVIDES for integers.
func arithmetic(file string, dtype graph.DType) source {
	s := numeric(file, dtype)
	switch kindOf(dtype) {
	case ofFloats:
		s.options += " -DFLOATS"
	case ofIntegers:
		s.options += " -DDIVIDES"
	}
	return s
}

// binary returns the launch of a binary kernel.
func (b *site) binary(kernel string, x, y, z *flat) (launch, error) {
	xs, fits := broadcast(x.shape, z.shape)
	ys, fits2 := broadcast(y.shape, z.shape)
	if !fits || !fits2 {
		return launch{}, form.Refuse("the shapes %v and %v do not broadcast to %v", x.shape, y.shape, z.shape)
	}
	extents := extentsOf(z.shape)
	// The result takes part in merging: its rows are contiguous.
	w, err := newWalk(extents, xs, ys, rowMajor(extents))
	if err != nil {
		return launch{}, err
	}
	w.strides, w.item = w.strides[:2], long
	args := append([]any{x, y, z}, w.args()...)
	if kindOf(x.dtype) == ofIntegers {
		switch kernel {
		case "div", "mod", "floor_div", "floor_mod":
			fault, err := b.fault("a divisor is 0")
			if err != nil {
				return launch{}, err
			}
			args = append(args, fault)
		}
	}
	return b.line(arithmetic("walk+binary", x.dtype), "binary_"+kernel, w.items(), args...)
}

// buildPRelu binds PRelu, whose slope broadcasts to the input.
func buildPRelu(b *site) ([]launch, error) {
	x, slope, y, err := b.binaryOperands(numbers, false)
	if err != nil {
		return nil, err
	}
	return one(b.binary("prelu", x, slope, y))
}

// buildBitShift binds BitShift.
func buildBitShift(b *site) ([]launch, error) {
	kernel := map[string]string{"LEFT": "shift_left", "RIGHT": "shift_right"}[b.op.Attrs.String("direction", "")]
	if kernel == "" {
		return nil, form.Refuse("direction %q is not known", b.op.Attrs.String("direction", ""))
	}
	x, y, z, err := b.binaryOperands(ofIntegers, false)
	if err != nil {
		return nil, err
	}
	return one(b.binary(kernel, x, y, z))
}

// buildFold binds Sum, Mean, Max and Min of any number of operands that broadcast.
func buildFold(b *site) ([]launch, error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if kindOf(out.t.DType)&numbers == 0 || len(b.in) == 0 {
		return nil, form.RefuseTensor(out.t, "%d operands of type %v are not supported", len(b.in), out.t.DType)
	}
	var operands []*flat
	for i := range b.in {
		o, err := b.need(i)
		if err != nil {
			return nil, err
		}
		if o.t.DType != out.t.DType {
			return nil, form.RefuseTensor(o.t, "operands of type %v and %v do not go together", out.t.DType, o.t.DType)
		}
		x, err := b.numbersOf(o)
		if err != nil {
			return nil, err
		}
		operands = append(operands, x)
	}
	// The result is written before the last operand is read, unless there are two.
	z, err := b.resultNumbers(out, len(b.in) <= 2)
	if err != nil {
		return nil, err
	}
	return b.fold(foldOps[b.op.Op], operands, z)
}

func (b *site) fold(kernel string, operands []*flat, z *flat) ([]launch, error) {
	var all []launch
	sum := operands[0]
	if len(operands) == 1 {
		l, err := b.spread(sum, z)
		if err != nil {
			return nil, err
		}
		all, sum = append(all, l), z
	}
	for _, x := range operands[1:] {
		l, err := b.binary(kernel, sum, x, z)
		if err != nil {
			return nil, err
		}
		all, sum = append(all, l), z
	}
	if b.op.Op != "Mean" {
		return all, nil
	}
	count, err := b.filled(z.dtype, float64(len(operands)))
	if err != nil {
		return nil, err
	}
	l, err := b.binary("div", z, count, z)
	return append(all, l), err
}

// buildPow binds Pow, which has the element type of the base. With an integer base, an integer exponent is exact.
func buildPow(b *site) ([]launch, error) {
	base, err := b.need(0)
	if err != nil {
		return nil, err
	}
	exponent, err := b.need(1)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if out.t.DType != base.t.DType || kindOf(base.t.DType)&numbers == 0 || kindOf(exponent.t.DType)&numbers == 0 {
		return nil, form.RefuseTensor(out.t, "%v to the power of %v does not give %v", base.t.DType, exponent.t.DType, out.t.DType)
	}
	x, err := b.numbersOf(base)
	if err != nil {
		return nil, err
	}
	y, err := b.numbersOf(exponent)
	if err != nil {
		return nil, err
	}
	z, err := b.resultNumbers(out, true)
	if err != nil {
		return nil, err
	}
	if x.dtype.IsFloat() && y.dtype == x.dtype {
		return one(b.binary("pow", x, y, z))
	}
	return b.powerThrough(x, y, z)
}

// powerThrough raises in a type that holds base and exponent: the base's own for a float, int64 for integers, float64 for
// an integer base and a float exponent.
func (b *site) powerThrough(x, y, z *flat) ([]launch, error) {
	wide := graph.Int64
	switch {
	case x.dtype.IsFloat():
		wide = x.dtype
	case y.dtype.IsFloat():
		wide = graph.Float64
	}
	all := []launch{}
	through := func(f *flat, before bool) (*flat, error) {
		if f.dtype == wide {
			return f, nil
		}
		staged, err := b.scratch(wide, f.shape)
		if err != nil || !before {
			return staged, err
		}
		l, err := b.cast(f, staged)
		all = append(all, l)
		return staged, err
	}
	wx, err := through(x, true)
	if err != nil {
		return nil, err
	}
	wy, err := through(y, true)
	if err != nil {
		return nil, err
	}
	wz, err := through(z, false)
	if err != nil {
		return nil, err
	}
	l, err := b.binary("pow", wx, wy, wz)
	if err != nil {
		return nil, err
	}
	if all = append(all, l); wz != z {
		l, err = b.cast(wz, z)
		all = append(all, l)
	}
	return all, err
}
