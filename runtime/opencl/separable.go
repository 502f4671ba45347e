package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// separable is a depthwise convolution and the pointwise one that reads its results. Items hold all channels of a few pixels
// between the two in local memory, so that no other memory does.
type separable struct{ first, second *convolution }

// buildSeparable binds the two convolutions of an op, and what follows the second. A device whose local memory is too small for
// the channels of an item runs one after the other, with staging between.
func buildSeparable(b *site, s *form.Separable) ([]launch, error) {
	k, err := newSeparable(b, s)
	if err != nil {
		return nil, err
	}
	if k.held() > b.d.facts.LocalBytes {
		return k.apart()
	}
	if k.first.In.Last {
		return k.last()
	}
	return k.firstLayout()
}

func newSeparable(b *site, s *form.Separable) (*separable, error) {
	var operands [3]*operand
	for i, at := range []int{0, 1, 3} {
		var err error
		if operands[i], err = b.need(at); err != nil {
			return nil, err
		}
	}
	x, w, v := operands[0], operands[1], operands[2]
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	k := &separable{&convolution{b: b, weights: w, bias: b.input(2)}, &convolution{b: b, weights: v, bias: b.input(4)}}
	if k.first.Convolution, k.second.Convolution, err = s.Convolutions(x.t, w.t, v.t, y.t); err != nil {
		return nil, err
	}
	if err := k.first.checkBias(); err != nil {
		return nil, err
	}
	if op := s.Activation(); op != nil {
		if k.first.after.stages = k.first.after.unary(op); k.first.after.stages == 0 {
			return nil, form.Refuse("the fused operator %q is not supported between two convolutions", op.Op)
		}
	}
	if k.first.x, err = b.floatsOf(x); err != nil {
		return nil, err
	}
	// From here on the step is the second convolution; its data is in no memory.
	b.op, b.in = s.Pointwise, append([]*operand{x}, b.in[3:]...)
	return k, k.second.bindResult(y)
}

// heldPixels are the pixels that an item holds: two tiles, or PIXELS of kernels/conv_last.cl.
func (k *separable) heldPixels() int {
	if k.first.In.Last {
		return 8
	}
	return 2 * tileLanes
}

// held is the bytes of local memory that an item takes.
func (k *separable) held() int64 {
	return 4 * int64(k.heldPixels()) * int64(ceilDiv(k.first.In.C, tileLanes)*tileLanes)
}

// apart makes the launches of both convolutions.
func (k *separable) apart() ([]launch, error) {
	between := k.first.Out
	n := int64(between.N) * int64(between.C) * int64(between.Pixels())
	mem, err := k.first.b.scratch(graph.Float32, graph.Shape{n})
	if err != nil {
		return nil, err
	}
	k.first.y, k.second.x = mem, mem
	launches, err := k.first.launches()
	if err != nil {
		return nil, err
	}
	more, err := k.second.launches()
	return append(launches, more...), err
}

// firstLayout binds channel-first data.
func (k *separable) firstLayout() ([]launch, error) {
	a, c := k.first, k.second
	w, v, err := k.panels(8, 0)
	if err != nil {
		return nil, err
	}
	values, err := tileTable(&a.Window, a.In.Size, a.Out.Size, false)
	if err != nil {
		return nil, err
	}
	tables, err := a.b.upload(values)
	if err != nil {
		return nil, err
	}
	tiles := ceilDiv(a.Out.Pixels(), tileLanes)
	global, group := alone(ceilDiv(tiles, 2), a.In.N, 1)
	return a.b.sum(a.macs()+c.macs(), "separable_first", global, group, a.x, w, v, c.y, c.after.other(c.y), tables, local(k.held()),
		ints8(a.In.C, c.OC, a.after.stages, c.after.stages, tiles, a.x.elements()),
		ints8(a.In.Pixels(), a.Out.Pixels(), a.Window.Kernel.Volume()), a.after.limits, c.after.limits)
}

// last binds channel-last data.
func (k *separable) last() ([]launch, error) {
	a, c := k.first, k.second
	w, v, err := k.panels(16, 16)
	if err != nil {
		return nil, err
	}
	values, places, err := axisTables(&a.Window, a.In.Size, a.Out.Size, false)
	if err != nil {
		return nil, err
	}
	tables, err := a.b.upload(values)
	if err != nil {
		return nil, err
	}
	in, out, window := &a.In, &a.Out, a.Window.Kernel
	global, group := alone(ceilDiv(out.Size[2], k.heldPixels()), out.N*out.Size[0]*out.Size[1], 1)
	return a.b.sum(a.macs()+c.macs(), "separable_last", global, group, a.x, w, v, c.y, c.after.other(c.y), tables, local(k.held()),
		ints8(in.N, in.Size[0], in.Size[1], in.Size[2], in.C, a.Groups, a.IC, a.after.stages),
		ints8(out.Size[0], out.Size[1], out.Size[2], out.C, c.OC, a.x.elements(), c.after.stages),
		ints8(window[0], window[1], window[2], places[0], places[1], places[2], 16, a.Window.Dilation[2]), a.after.limits, c.after.limits)
}

// panels are those of both, the first behind zeros that its kernel reads in place of padding.
func (k *separable) panels(lanes, zeros int) (w, v *flat, err error) {
	if w, err = k.first.panels(lanes, zeros); err != nil {
		return nil, nil, err
	}
	v, err = k.second.panels(lanes, 0)
	return w, v, err
}
