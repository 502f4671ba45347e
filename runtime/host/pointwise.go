package host

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
)

// pointwise is an elementwise op of which an operand or the result is strided: the reference kernel goes through some runs of the
// last axis at a time, which are copied beside the plan's memory where they are not one run there.
type pointwise struct {
	op              *graph.Op
	kernel          array.Kernel
	bands           []band
	inputs, outputs []*array.Array
	// unit is the elements of the last axis, units how many of them there are, held how many at a time.
	unit, units, held int
}

// band is an operand with the result's shape, or the result: so many of its elements at a time.
type band struct {
	of      lane
	strided bool
	// memory holds the elements of a strided one.
	memory []byte
	a      *array.Array
}

// buildPointwise binds an elementwise op with a strided operand or result.
func buildPointwise(b *site) (func() error, error) {
	kernel, ok := array.Lookup(b.op)
	if !ok {
		return nil, &form.Refusal{ID: diag.NoKernel, Reason: fmt.Sprintf("the host device has no kernel for the operator %q", form.OpName(b.op))}
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	p := &pointwise{op: b.op, kernel: kernel, unit: int(y.shape()[len(y.shape())-1])}
	if p.unit == 0 || y.elements() == 0 {
		return func() error { return nil }, nil
	}
	p.units = y.elements() / p.unit
	width := p.unit * int(y.t.DType.Size())
	p.held = min(p.units, max(1, b.d.held/width))
	strided := 0
	for _, o := range append(b.in[:len(b.in):len(b.in)], y) {
		if o != nil && o.strided() {
			strided++
		}
	}
	memory := b.d.rows.take(&b.d.work, int64(strided*p.held*width))
	take := func(o *operand) *array.Array {
		x := band{of: o.lane(), strided: o.strided(), a: &array.Array{DType: o.t.DType, Shape: graph.Shape{0, int64(p.unit)}}}
		if x.strided {
			x.memory, memory = memory[:p.held*width], memory[p.held*width:]
		}
		p.bands = append(p.bands, x)
		return x.a
	}
	for _, o := range b.in {
		switch {
		case o == nil:
			p.inputs = append(p.inputs, nil)
		case o.shape().Equal(y.shape()):
			p.inputs = append(p.inputs, take(o))
		case o.elements() == 1 && len(o.shape()) < 2:
			p.inputs = append(p.inputs, o.array())
		default:
			p.inputs = append(p.inputs, &array.Array{DType: o.t.DType, Shape: graph.Shape{int64(o.elements())}, Data: o.bytes})
		}
	}
	if b.overlaps(y, true) {
		return nil, form.RefuseTensor(y.t, "the result shares bytes with an operand in other places")
	}
	p.outputs = []*array.Array{take(y)}
	if err := p.run(); err != nil {
		return nil, form.Refuse("the reference kernel does not take this form (%v)", err)
	}
	return p.run, nil
}

// run goes through the bands. The result's is the last.
func (p *pointwise) run() error {
	result := &p.bands[len(p.bands)-1]
	size := int(result.a.DType.Size())
	for first := 0; first < p.units; first += p.held {
		n := min(p.held, p.units-first)
		at, bytes := first*p.unit*size, n*p.unit*size
		for i := range p.bands {
			x := &p.bands[i]
			x.a.Shape[0] = int64(n)
			switch {
			case !x.strided:
				x.a.Data = x.of.bytes[at : at+bytes]
			case x != result:
				x.a.Data = x.memory[:bytes]
				x.of.gather(x.a.Data, at)
			default:
				x.a.Data = x.memory[:bytes]
			}
		}
		if err := p.kernel(p.op, p.outputs, p.inputs); err != nil {
			return err
		}
		if result.strided {
			result.of.scatter(result.a.Data, at)
		}
	}
	return nil
}
