package opencl

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
)

// site is a step while it is prepared: its operands bound to memory, and the launches around its own.
type site struct {
	d    *Device
	step *device.Step
	op   *graph.Op
	// in and out have nil where the step has.
	in, out       []*operand
	before, after []launch
	// y is the first output as the kernel sees it, once it is bound by result.
	y *flat
	// fused is the number of fused ops that the kernel does itself.
	fused int
}

// operand is a tensor of a step.
type operand struct {
	t *device.Tensor
	// stored says where the elements stand when the tensor is stored as texels, or in an order that the kernel does not
	// want; nil for dense memory.
	stored *stored
	// held is the operand as memory holds it, in float16, where the kernel must see float32; nil elsewhere.
	held *operand
	// dense is the elements as they are, float the same as float32, once they are bound.
	dense, float *flat
}

func (o *operand) shape() graph.Shape { return o.t.Shape }

// elements is the number of elements.
func (o *operand) elements() int {
	n, _ := o.t.Shape.Elements()
	return int(n)
}

// maxElements keeps the indexes of kernels, which are ints, from overflow.
const maxElements = math.MaxInt32 - 1<<16

func (d *Device) bind(s *device.Step) (*site, error) {
	plain := form.PlainOf(s)
	b := &site{d: d, step: s, op: plain.Rename(s.Op)}
	var err error
	if b.in, err = d.operands(s.Inputs, plain, true); err != nil {
		return nil, err
	}
	if b.out, err = d.operands(s.Outputs, plain, false); err != nil {
		return nil, err
	}
	wide := form.Widened(s)
	for i, t := range s.Inputs {
		if wide[t] {
			b.in[i] = widened(b.in[i])
		}
	}
	for i, t := range s.Outputs {
		if wide[t] {
			b.out[i] = widened(b.out[i])
		}
	}
	return b, nil
}

// widened is an operand that memory holds in float16 as one of float32.
func widened(held *operand) *operand {
	return &operand{t: form.Wide(held.t), stored: held.stored, held: held}
}

func (d *Device) operands(tensors []*device.Tensor, plain form.Plain, inputs bool) ([]*operand, error) {
	list := make([]*operand, len(tensors))
	for i, t := range tensors {
		if t == nil {
			continue
		}
		n, ok := t.Shape.Elements()
		if bytes, counted := t.Shape.Bytes(t.DType); !ok || !counted || bytes != t.LogicalBytes {
			return nil, fmt.Errorf("tensor %s: %v %v does not take %d bytes", t.Name, t.DType, t.Shape, t.LogicalBytes)
		}
		if n > maxElements {
			return nil, form.RefuseTensor(t, "%d elements are more than the kernels count, %d", n, maxElements)
		}
		var err error
		if list[i], err = d.operand(t, plain, inputs && i == 1 && plain.Kernel != ""); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// operand finds out how a tensor is stored.
func (d *Device) operand(t *device.Tensor, plain form.Plain, weights bool) (*operand, error) {
	seen, order, repacked := plain.Of(t, weights)
	o := &operand{t: t}
	if repacked {
		o.t = seen
	}
	var err error
	switch {
	case t.Place.Image >= 0:
		o.stored, err = d.storedImage(t)
		if err == nil && repacked {
			o.stored.order = order
		}
	case repacked:
		o.stored, err = d.storedFlat(t, order)
	}
	return o, err
}

// compile finds the kernels of a step, with what moves operands before and after it.
func (d *Device) compile(s *device.Step) ([]launch, error) {
	build, ok := lookup(s.Op)
	if !ok {
		return nil, &form.Refusal{ID: diag.NoKernel, Reason: fmt.Sprintf("the OpenCL device has no kernel for the operator %q", form.OpName(s.Op))}
	}
	b, err := d.bind(s)
	if err != nil {
		return nil, err
	}
	if b.empty() {
		return nil, nil
	}
	d.work.taken, d.made = 0, 0
	if own, ok, err := b.onTexels(); ok || err != nil {
		return own, err
	}
	own, err := build(b)
	if err != nil {
		return nil, err
	}
	tail, err := b.tail()
	if err != nil {
		return nil, err
	}
	return append(append(append(b.before, own...), tail...), b.after...), nil
}

// empty reports whether no result has an element: then there is nothing to compute.
func (b *site) empty() bool {
	for _, o := range b.out {
		if o != nil && o.elements() > 0 {
			return false
		}
	}
	return true
}

// input returns an operand that may be absent, as nil.
func (b *site) input(i int) *operand {
	return form.At(b.in, i)
}

// need returns the input i, refusing the step when it is absent.
func (b *site) need(i int) (*operand, error) {
	return form.Need(b.in, i, "input")
}

// result returns the output i, nil when nobody wants it.
func (b *site) result(i int) *operand {
	return form.At(b.out, i)
}

// needResult returns the output i, refusing the step when it is absent.
func (b *site) needResult(i int) (*operand, error) {
	return form.Need(b.out, i, "output")
}

// constant returns a constant operand's content, refusing the step when it is known only in a run.
func (b *site) constant(i int) (*array.Array, error) {
	o, err := b.need(i)
	if err != nil {
		return nil, err
	}
	if o.t.Role != graph.Constant {
		return nil, form.RefuseTensor(o.t, "the kernel needs a constant here, and the tensor is computed during the run")
	}
	a := &array.Array{DType: o.t.DType, Shape: o.t.Shape, Data: make([]byte, o.t.LogicalBytes)}
	return a, b.d.readOperand(o, a.Data)
}

// ints returns the integers of a constant operand.
func (b *site) ints(i int) ([]int64, error) {
	a, err := b.constant(i)
	if err != nil {
		return nil, err
	}
	values, err := a.Ints()
	if err != nil {
		return nil, form.RefuseTensor(b.in[i].t, "%v", err)
	}
	return values, nil
}
