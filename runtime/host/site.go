package host

import (
	"fmt"
	"unsafe"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/texels"
)

// site is a step while it is prepared: its operands bound to memory, and the copies that must run around the kernel.
type site struct {
	d    *Device
	step *device.Step
	op   *graph.Op
	// in and out have nil where the step has.
	in, out       []*operand
	before, after []func()
	// staged are the operands that are stored as texels, inputs first.
	staged []*operand
	// widen and narrow move operands that are held in float16 and computed with as float32, around all else.
	widen, narrow []func()
	// y is the first output as the kernel sees it, once it is bound by resultFloats.
	y *array.Array
	// ordered says that the first result overlaps an operand from below, and that the kernel computes it in rows.
	ordered bool
}

// operand is a tensor with the memory of its elements.
type operand struct {
	t *device.Tensor
	// bytes are the dense elements: the planned memory itself, or staging when texels is set. Those of a strided tensor have others
	// between them.
	bytes []byte
	// texels moves the elements between the planned memory and the staging, nil when they are dense in memory.
	texels *texels.Mover
	// written says that it is an output.
	written bool
	// spent says that a constant's elements are not read any more once the kernel is bound.
	spent bool
}

func (o *operand) shape() graph.Shape { return o.t.Shape }

// elements is the number of elements; every bound tensor has as many as its bytes hold, or its rows.
func (o *operand) elements() int {
	if o.strided() {
		return int(o.t.LogicalBytes / o.t.DType.Size())
	}
	return len(o.bytes) / int(o.t.DType.Size())
}

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
	if err := b.bindStaging(); err != nil {
		return nil, err
	}
	b.bindWide()
	return b, nil
}

// bindWide gives the kernel float32 elements of the operands that it must see so.
func (b *site) bindWide() {
	wide := form.Widened(b.step)
	for i, t := range b.step.Inputs {
		if wide[t] {
			b.in[i] = b.wideInput(b.in[i])
		}
	}
	for i, t := range b.step.Outputs {
		if wide[t] {
			held, seen := b.out[i], b.wide(b.out[i])
			b.narrow = append(b.narrow, func() { narrowings[graph.Float16](held.bytes, array.View[float32](seen.array())) })
			b.out[i] = seen
		}
	}
}

func (b *site) wideInput(held *operand) *operand {
	seen := b.wide(held)
	widen := func() { widenings[graph.Float16](array.View[float32](seen.array()), held.bytes) }
	if held.t.Role == graph.Constant {
		widen()
		held.spent = true
	} else {
		b.widen = append(b.widen, widen)
	}
	return seen
}

// wide is an operand of float32 elements in memory of its own.
func (b *site) wide(held *operand) *operand {
	return &operand{t: form.Wide(held.t), bytes: floatArray(held.shape(), b.d.work.floats(held.elements())).Data}
}

func (d *Device) operands(tensors []*device.Tensor, plain form.Plain, inputs bool) ([]*operand, error) {
	list := make([]*operand, len(tensors))
	for i, t := range tensors {
		if t == nil {
			continue
		}
		var err error
		weights := inputs && i == 1 && plain.Kernel != ""
		if list[i], err = d.operand(t, plain, weights); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// operand finds the memory of a tensor. One that is stored as texels, or that the kernel wants in another order, gets its
// elements by bindStaging.
func (d *Device) operand(t *device.Tensor, plain form.Plain, weights bool) (*operand, error) {
	seen, order, repacked := plain.Of(t, weights)
	var m *texels.Mover
	var err error
	switch {
	case repacked && t.Place.Image >= 0:
		m, err = d.image(t, &order)
	case repacked:
		m, err = d.packed(t, order)
	case t.Place.Image >= 0:
		m, err = d.mover(t)
	default:
		return d.flat(t)
	}
	if err != nil {
		return nil, err
	}
	if repacked {
		t = seen
	}
	return &operand{t: t, texels: m}, nil
}

func (d *Device) flat(t *device.Tensor) (*operand, error) {
	if t.Strided() {
		return d.strided(t)
	}
	memory, err := d.dense(t)
	if err != nil {
		return nil, err
	}
	if n, ok := t.Shape.Bytes(t.DType); !ok || n != int64(len(memory)) {
		return nil, fmt.Errorf("tensor %s: %v %v does not take %d bytes", t.Name, t.DType, t.Shape, len(memory))
	}
	return &operand{t: t, bytes: memory}, nil
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

// constant returns the integers of a constant operand, refusing the step when its content is known only in a run.
func (b *site) constant(i int) ([]int64, error) {
	o, err := b.need(i)
	if err != nil {
		return nil, err
	}
	if o.t.Role != graph.Constant {
		return nil, form.RefuseTensor(o.t, "the kernel needs a constant here, and the tensor is computed during the run")
	}
	values, err := o.array().Ints()
	if err != nil {
		return nil, form.RefuseTensor(o.t, "%v", err)
	}
	return values, nil
}

func (o *operand) array() *array.Array {
	return &array.Array{DType: o.t.DType, Shape: o.t.Shape, Data: o.bytes}
}

// floats returns the elements of an input as float32: the planned memory itself, or for a narrower or wider float type
// a staged copy that is made before each run.
func (b *site) floats(o *operand) ([]float32, error) {
	if o.t.DType == graph.Float32 {
		return view[float32](o)
	}
	widen, ok := widenings[o.t.DType]
	if !ok {
		return nil, form.RefuseTensor(o.t, "elements of type %v are not supported, float32 is", o.t.DType)
	}
	staged := b.d.work.floats(o.elements())
	if o.t.Role == graph.Constant {
		widen(staged, o.bytes)
		o.spent = true
		return staged, nil
	}
	b.before = append(b.before, func() { widen(staged, o.bytes) })
	return staged, nil
}

// resultFloats returns memory for the elements of an output as float32: the planned memory, or a staged copy that is
// rounded into it after each run. Memory that an input also uses is staged, unless aliased says that the kernel reads
// each element before it writes it.
func (b *site) resultFloats(o *operand, aliased bool) ([]float32, error) {
	out, err := b.boundFloats(o, aliased)
	if err == nil && o == b.result(0) && !o.strided() {
		b.y = floatArray(o.shape(), out)
	}
	return out, err
}

// floatArray is an array on existing memory.
func floatArray(shape graph.Shape, values []float32) *array.Array {
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*len(values))
	return &array.Array{DType: graph.Float32, Shape: shape, Data: data}
}

func (b *site) boundFloats(o *operand, aliased bool) ([]float32, error) {
	if o.t.DType != graph.Float32 {
		narrow, ok := narrowings[o.t.DType]
		if !ok {
			return nil, form.RefuseTensor(o.t, "elements of type %v are not supported, float32 is", o.t.DType)
		}
		staged := b.d.work.floats(o.elements())
		b.after = append(b.after, func() { narrow(o.bytes, staged) })
		return staged, nil
	}
	out, err := view[float32](o)
	if err != nil || b.ordered || !b.overlaps(o, aliased) {
		return out, err
	}
	if o.strided() {
		return nil, form.RefuseTensor(o.t, "the result shares bytes with an operand, and has others between its own")
	}
	staged := b.d.work.floats(len(out))
	b.after = append(b.after, func() { copy(out, staged) })
	return staged, nil
}

// overlaps reports whether an output shares bytes with an input. With aliased, sharing all of them does not count.
func (b *site) overlaps(o *operand, aliased bool) bool {
	for _, in := range b.in {
		if in == nil || !in.lane().meets(o.lane()) {
			continue
		}
		if aliased && sameLane(in.lane(), o.lane()) && in.t.DType == o.t.DType {
			continue
		}
		return true
	}
	return false
}

// finish wraps a kernel into the copies around it.
func (b *site) finish(run func() error) func() error {
	before, after := append(b.widen, b.before...), append(b.after, b.narrow...)
	if len(before)+len(after) == 0 {
		return b.throughStaging(run)
	}
	return b.throughStaging(func() error {
		for _, f := range before {
			f()
		}
		if err := run(); err != nil {
			return err
		}
		for _, f := range after {
			f()
		}
		return nil
	})
}

func start(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

func intersect(a, b []byte) bool {
	return len(a) > 0 && len(b) > 0 && start(a) < start(b)+uintptr(len(b)) && start(b) < start(a)+uintptr(len(a))
}

func same(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || start(a) == start(b)) }

// view returns the elements of an operand in place. It fails where the processor cannot read them there: an odd offset
// on a machine without unaligned loads.
func view[T array.Element](o *operand) ([]T, error) {
	v := array.View[T](o.array())
	if len(v) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(v))) != start(o.bytes) {
		return nil, form.RefuseTensor(o.t, "this processor cannot read elements of type %v at its offset; plan with a larger alignment", o.t.DType)
	}
	return v, nil
}
