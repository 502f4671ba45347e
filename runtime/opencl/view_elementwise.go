package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// viewPairs are the functions of two numbers on texels, by the name of their macro.
var viewPairs = map[string]string{
	"Add": "ADD", "Sub": "SUB", "Mul": "MUL", "Div": "DIV", "Max": "MAX", "Min": "MIN", "PRelu": "PRELU",
}

// viewElementwiseBuilders are the functions of one and of two numbers.
var viewElementwiseBuilders = func() map[string]viewBuilder {
	all := map[string]viewBuilder{"Clip": viewClip}
	for name := range viewPairs {
		all[name] = viewPair
	}
	for name := range unaryOps {
		all[name] = viewUnary
	}
	return all
}()

// elementwise is a function whose result is counted by its own layout.
type elementwise struct {
	y      *operand
	order  arrangement
	count  extents
	to     *view
	end    *viewEnd
	inputs []*view
}

// elementwise binds the first operands of a step and its result; nil when a kernel on texels does not take one of them.
func (b *site) elementwise(operands int) (*elementwise, error) {
	y := b.result(0)
	if y == nil || b.overlaps(y, true) {
		return nil, nil
	}
	e := &elementwise{y: y, order: b.arrangement(y)}
	if e.order == nil {
		return nil, nil
	}
	e.count = e.order.extents(y.shape())
	channels := 0
	for i, axis := range e.order {
		if axis == e.count.lanes {
			channels = i
		}
	}
	if e.to = b.view(y, e.count, false); e.to == nil {
		return nil, nil
	}
	for i := range operands {
		x := b.input(i)
		if x == nil || !broadcasts(x.shape(), y.shape()) {
			return nil, nil
		}
		v := b.view(x, e.order.extents(x.shape()), true)
		if v == nil || x.stored != nil && len(x.shape()) != len(y.shape()) {
			return nil, nil
		}
		e.inputs = append(e.inputs, v)
	}
	tail, ok := b.viewTail(y, channels)
	if !ok {
		return nil, nil
	}
	var err error
	e.end, err = tail.endOf(b, e.count)
	if e.end == nil {
		return nil, err
	}
	return e, nil
}

// viewPair binds a function of two numbers.
func viewPair(b *site) ([]launch, bool, error) {
	if len(b.in) != 2 {
		return nil, false, nil
	}
	e, err := b.elementwise(2)
	if e == nil {
		return nil, false, err
	}
	program := viewSource("view_binary", e.inputs[0], e.inputs[1], e.end.other, e.to)
	program.options += " -DOF=" + viewPairs[b.op.Op]
	return b.texelLaunch(program, "binary_view", e.count.size(), e.inputs, e.to, e.end.args, e.count.numbers())
}

// viewUnary binds a function of one number.
func viewUnary(b *site) ([]launch, bool, error) {
	op := unaryOps[b.op.Op]
	if op.kernel == "gelu" && b.op.Attrs.String("approximate", "none") == "tanh" {
		op.kernel = "gelu_tanh"
	}
	return b.viewFunction(op.kernel, op.a.of(b.op.Attrs), op.b.of(b.op.Attrs))
}

func (b *site) viewFunction(kernel string, first, second float64) ([]launch, bool, error) {
	e, err := b.elementwise(1)
	if e == nil {
		return nil, false, err
	}
	program := viewSource("unary", e.inputs[0], nil, e.end.other, e.to)
	program.options += " -DT=float -DFLOATS -DTEXELS"
	return b.texelLaunch(program, "view_"+kernel, e.count.size(), e.inputs, e.to, e.end.args,
		e.count.numbers(), float32(first), float32(second))
}

// viewClip binds Clip with limits that are attributes or constants.
func viewClip(b *site) ([]launch, bool, error) {
	if x := b.input(0); x == nil || !x.t.DType.IsFloat() {
		return nil, false, nil
	}
	low, high := limits(graph.Float32)
	low, high = attribute(b.op.Attrs, "min", low), attribute(b.op.Attrs, "max", high)
	for i, limit := range []*float64{&low, &high} {
		o := b.input(1 + i)
		if o == nil {
			continue
		}
		if o.elements() != 1 {
			return nil, false, form.RefuseTensor(o.t, "a limit of %v is not one element", o.shape())
		}
		values, ok, err := b.contents(o)
		if err != nil || !ok {
			return nil, false, err
		}
		*limit = float64(values[0])
	}
	return b.viewFunction("clip", low, high)
}
