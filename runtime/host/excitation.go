package host

import (
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
)

// excitation is a squeeze-and-excitation block on x: the means of its channels go through the layers, and each element of y is
// that of x times what comes out for its channel.
type excitation struct {
	d      *Device
	in     form.Picture
	x, y   []float32
	layers []layer
	// first has the means, of all images.
	first []float32
}

// layer is out = activate(weights·in + bias), for each image.
type layer struct {
	weights, bias, in, out []float32
	activate               func(data []float32)
}

// excitation binds a block, which may have been refused.
func (b *site) excitation(e *form.Excitation, err error) (func() error, error) {
	if err != nil {
		return nil, err
	}
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	k := &excitation{d: b.d}
	if k.in, err = form.PictureOf(b.op, x.t); err != nil {
		return nil, err
	}
	if last := b.input(len(b.in) - 1); k.in.Pixels() == 0 || last == nil || last.t.Name != x.t.Name || !x.shape().Equal(y.shape()) {
		return nil, form.RefuseTensor(y.t, "the shape %v is not that of %v scaled by channels", y.shape(), x.shape())
	}
	if k.x, err = b.floats(x); err != nil {
		return nil, err
	}
	k.first = b.d.work.floats(k.in.N * k.in.C)
	values := k.first
	for _, l := range e.Layers {
		bound, err := b.layer(l, values, k.in.N)
		if err != nil {
			return nil, err
		}
		k.layers, values = append(k.layers, bound), bound.out
	}
	if len(values) != k.in.N*k.in.C {
		return nil, form.RefuseTensor(x.t, "%d factors do not scale %d channels", len(values)/k.in.N, k.in.C)
	}
	// An element of x is read for the last time just before the same one of y is written.
	if k.y, err = b.resultFloats(y, true); err != nil {
		return nil, err
	}
	return k.run, nil
}

// layer binds a layer on the vectors of n images.
func (b *site) layer(l form.Layer, in []float32, n int) (layer, error) {
	w, err := b.need(l.Weights)
	if err != nil {
		return layer{}, err
	}
	columns := len(in) / n
	if columns == 0 || w.elements() == 0 || w.elements()%columns != 0 {
		return layer{}, form.RefuseTensor(w.t, "%d weights do not suit %d channels", w.elements(), columns)
	}
	rows := w.elements() / columns
	bound := layer{in: in, out: b.d.work.floats(n * rows), activate: func([]float32) {}}
	if bound.weights, err = b.floats(w); err != nil {
		return layer{}, err
	}
	if o := b.input(l.Bias); o != nil {
		if o.elements() != rows {
			return layer{}, form.RefuseTensor(o.t, "%d elements are no bias of %d channels", o.elements(), rows)
		}
		if bound.bias, err = b.floats(o); err != nil {
			return layer{}, err
		}
	}
	if op := l.Activation; op != nil {
		renamed := *op
		renamed.Attrs = b.op.Attrs
		if err := array.ApplyFloat32(&renamed, op.Op, nil); err != nil {
			return layer{}, form.Refuse("%v", err)
		}
		// It cannot fail: the attributes were good for no elements.
		bound.activate = func(data []float32) { _ = array.ApplyFloat32(&renamed, op.Op, data) }
	}
	return bound, nil
}

func (k *excitation) run() error {
	k.d.crew.Split(len(k.first), grain(k.in.Pixels()), k.means)
	for i := range k.layers {
		k.layers[i].run(k.in.N)
	}
	k.d.crew.Split(k.in.N*k.in.Pixels()*k.in.C, 1<<14, k.scale)
	return nil
}

// means takes those of the channels [lo, hi), counted over all images, in float64 as pooling does.
func (k *excitation) means(_, lo, hi int) {
	pixels, channels := k.in.Pixels(), k.in.C
	for c := lo; c < hi; c++ {
		at, step := c*pixels, 1
		if k.in.Last {
			at, step = c/channels*pixels*channels+c%channels, channels
		}
		sum := 0.0
		for i := range pixels {
			sum += float64(k.x[at+i*step])
		}
		k.first[c] = float32(sum / float64(pixels))
	}
}

func (l *layer) run(n int) {
	columns, rows := len(l.in)/n, len(l.out)/n
	for image := range n {
		in, out := l.in[image*columns:][:columns], l.out[image*rows:][:rows]
		for r := range out {
			sum := float32(0)
			if l.bias != nil {
				sum = l.bias[r]
			}
			for i, w := range l.weights[r*columns:][:columns] {
				sum += w * in[i]
			}
			out[r] = sum
		}
	}
	l.activate(l.out)
}

// scale multiplies the elements [lo, hi) of x.
func (k *excitation) scale(_, lo, hi int) {
	factors := k.layers[len(k.layers)-1].out
	pixels, channels := k.in.Pixels(), k.in.C
	for i := lo; i < hi; i++ {
		c := i / pixels
		if k.in.Last {
			c = i/(pixels*channels)*channels + i%channels
		}
		k.y[i] = k.x[i] * factors[c]
	}
}
