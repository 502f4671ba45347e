package host

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
)

// builder binds a step to a kernel. The kernel it returns allocates nothing.
type builder func(*site) (func() error, error)

// compile finds the kernel of a step: the device's own where the form suits it, else the reference kernel.
func (d *Device) compile(s *device.Step) (func() error, error) {
	b, err := d.bind(s)
	if err != nil {
		return nil, err
	}
	if at := s.Diagonal; at != nil && at.Input < len(b.in) && b.in[at.Input] != nil && b.out[0] != nil {
		b.ordered = intersect(b.in[at.Input].bytes, b.out[0].bytes)
	}
	build, ok := lookup(s.Op)
	if !ok {
		build = reference
	}
	if b.anyStrided() {
		if build, err = stridedKernel(b, build); err != nil {
			return nil, err
		}
	}
	run, err := build(b)
	if err != nil {
		return nil, err
	}
	if b.empty() {
		return func() error { return nil }, nil
	}
	return b.finish(run), nil
}

// stridedKernel is the kernel of a step with a strided operand or result: its own where that finds rows, else one that copies them.
func stridedKernel(b *site, own builder) (builder, error) {
	switch {
	case !b.d.TakesRows(b.step):
		return nil, form.Refuse("the kernel does not read or write tensors with other bytes between their rows")
	case b.op.Op == "Concat" || b.op.Op == "Split":
		return buildMoves, nil
	case b.op.Elementwise():
		return buildPointwise, nil
	}
	return own, nil
}

// empty reports whether no result has an element: then there is nothing to compute.
func (b *site) empty() bool {
	for _, o := range b.out {
		if o != nil && len(o.bytes) > 0 {
			return false
		}
	}
	return true
}

// reference runs the kernel that constant folding uses. Outputs that share bytes with inputs in a way the kernel does
// not allow are staged.
func reference(b *site) (func() error, error) {
	kernel, ok := array.Lookup(b.op)
	if !ok {
		return nil, &form.Refusal{ID: diag.NoKernel, Reason: fmt.Sprintf("the host device has no kernel for the operator %q", form.OpName(b.op))}
	}
	inputs := make([]*array.Array, len(b.in))
	for i, o := range b.in {
		if o != nil {
			inputs[i] = o.array()
		}
	}
	outputs := make([]*array.Array, len(b.out))
	for i, o := range b.out {
		if o != nil {
			outputs[i] = b.stagedArray(o)
		}
	}
	run := func() error { return kernel(b.op, outputs, inputs) }
	if b.typesDecide() {
		if err := run(); err != nil {
			return nil, form.Refuse("the reference kernel does not take this form (%v)", err)
		}
	} else if b.op.Elementwise() && b.hasOperandLike(0) {
		if err := kernel(b.op, samples(outputs), samples(inputs)); err != nil {
			return nil, form.Refuse("the reference kernel does not take these types (%v)", err)
		}
	}
	return run, nil
}

// hasOperandLike reports whether an operand has the type and the shape of a result: of the ops called elementwise TensorFlow Lite's
// Where with one operand is none, and has none.
func (b *site) hasOperandLike(result int) bool {
	y := b.result(result)
	return y != nil && slices.ContainsFunc(b.in, func(o *operand) bool {
		return o != nil && o.t.DType == y.t.DType && o.t.Shape.Equal(y.t.Shape)
	})
}

// samples are arrays of the same types with one element each, false or a number that is not 0: an elementwise kernel that fails on
// them fails on the types, whatever the content is in a run.
func samples(arrays []*array.Array) []*array.Array {
	list := make([]*array.Array, len(arrays))
	for i, a := range arrays {
		if a == nil {
			continue
		}
		data := make([]byte, a.DType.Size())
		if a.DType != graph.Bool {
			data[0] = 1
		}
		list[i] = &array.Array{DType: a.DType, Shape: graph.Shape{1}, Data: data}
	}
	return list
}

// contentDecides are the ops for which the content of float operands may be an error.
var contentDecides = map[string]bool{"Range": true, "NonZero": true, "Unique": true, "OneHot": true}

// typesDecide reports whether types, shapes, attributes and constants alone tell if a reference kernel can run: what
// is computed in the run is float then, and one try on the present content of the memory shows it.
func (b *site) typesDecide() bool {
	for _, o := range b.in {
		if o != nil && o.t.Role != graph.Constant && !o.t.DType.IsFloat() {
			return false
		}
	}
	return !contentDecides[b.op.Op]
}

// stagedArray is the array of an output, in a copy when the output shares bytes with an input other than all of them.
func (b *site) stagedArray(o *operand) *array.Array {
	if !b.overlaps(o, true) {
		return o.array()
	}
	staged := b.d.work.memory(int64(len(o.bytes)))
	b.after = append(b.after, func() { copy(o.bytes, staged) })
	return &array.Array{DType: o.t.DType, Shape: o.t.Shape, Data: staged}
}
