package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// The flags of kernels/excite.cl.
const (
	exciteMeans = 1 << iota
	exciteScaling
	exciteLast
)

// exciteAlone is the most elements of an image that one work-group takes the means of and scales: about what it does in the time
// of a launch. Beyond, these are launches of their own, for all work-groups.
const exciteAlone = 1 << 16

// excitations is the program of the blocks.
var excitations = source{file: "lanes+excite"}

// excitation binds a squeeze-and-excitation block of two layers, which may have been refused.
func (b *site) excitation(e *form.Excitation, err error) ([]launch, error) {
	if err != nil {
		return nil, err
	}
	if len(e.Layers) != 2 {
		return nil, form.Refuse("a block of %d layers is not supported, of 2 it is", len(e.Layers))
	}
	k, err := b.newExcitation(e)
	if err != nil {
		return nil, err
	}
	var layers [2]*flat
	var tails [2]after
	for i, l := range e.Layers {
		if layers[i], tails[i], err = k.layer(b, l, i); err != nil {
			return nil, err
		}
	}
	b.fused = len(b.op.Fused) - 1
	flags := 0
	if k.in.Last {
		flags |= exciteLast
	}
	alone := k.in.Pixels()*k.in.C <= exciteAlone
	if alone {
		flags |= exciteMeans | exciteScaling
	}
	items := min(64, int(b.d.facts.MaxGroup))
	l, err := b.launch(excitations, "excite", cl.Size{items * k.in.N}, cl.Size{items}, k.x, layers[0], layers[1], k.y, k.means, k.middle, k.factors,
		ints8(k.in.Pixels(), k.in.C, k.between, flags, tails[0].stages, tails[1].stages), tails[0].limits, tails[1].limits)
	l.macs = 2 * int64(k.in.N) * int64(k.in.C) * int64(k.between)
	if err != nil || alone {
		return []launch{l}, err
	}
	means, err := b.globalPool("average", k.in, k.x, k.means, 0)
	if err != nil {
		return nil, err
	}
	scale, err := b.binary("mul", k.x, k.factors, k.y)
	return []launch{means, l, scale}, err
}

// excitation is a block with its memory: means and factors have the shape of a pixel, of all images.
type excitation struct {
	in                           form.Picture
	x, y, means, middle, factors *flat
	between                      int
}

func (b *site) newExcitation(e *form.Excitation) (*excitation, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	w, err := b.need(e.Layers[0].Weights)
	if err != nil {
		return nil, err
	}
	k := &excitation{}
	if k.in, err = form.PictureOf(b.op, x.t); err != nil {
		return nil, err
	}
	if last := b.input(len(b.in) - 1); k.in.Pixels()*k.in.C == 0 || last == nil || last.t.Name != x.t.Name || !x.shape().Equal(y.shape()) {
		return nil, form.RefuseTensor(y.t, "the shape %v is not that of %v scaled by channels", y.shape(), x.shape())
	}
	k.between = w.elements() / k.in.C
	pixel, channels := x.shape().Clone(), 1
	if k.in.Last {
		channels = len(pixel) - 1
	}
	for axis := 1; axis < len(pixel); axis++ {
		if axis != channels {
			pixel[axis] = 1
		}
	}
	for _, m := range []struct {
		to    **flat
		shape graph.Shape
	}{{&k.means, pixel}, {&k.middle, graph.Shape{int64(k.in.N * k.between)}}, {&k.factors, pixel}} {
		if *m.to, err = b.scratch(graph.Float32, m.shape); err != nil {
			return nil, err
		}
	}
	if k.x, err = b.floatsOf(x); err != nil {
		return nil, err
	}
	k.y, err = b.resultFloats(y, true)
	return k, err
}

// layer packs the weights of a layer and reads what follows it.
func (k *excitation) layer(b *site, l form.Layer, i int) (w *flat, tail after, err error) {
	channels, columns := k.in.C, k.between
	if i == 1 {
		channels, columns = columns, channels
	}
	weights, err := b.need(l.Weights)
	if err != nil {
		return nil, tail, err
	}
	bias := b.input(l.Bias)
	if columns == 0 || weights.elements() != channels*columns || bias != nil && bias.elements() != columns {
		return nil, tail, form.RefuseTensor(weights.t, "the shape %v does not suit layers of %d and %d channels", weights.shape(), channels, columns)
	}
	if op := l.Activation; op != nil {
		if tail.stages = tail.unary(op); tail.stages == 0 {
			return nil, tail, form.Refuse("the fused operator %q is not supported in a block", op.Op)
		}
	}
	p := panels{b: b, weights: weights, bias: bias, scale: 1, biasScale: 1, groups: 1, columns: columns, channels: channels, lanes: 16,
		window: form.Dims{1, 1, 1}, group: channels * columns, column: channels, channel: 1}
	w, err = p.pack()
	return w, tail, err
}
