package host

import (
	"math"

	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
)

// separable is a depthwise convolution and the pointwise one that reads its results. Each worker holds one line of pixels of
// what is between them, with the channels innermost.
type separable struct {
	first, second *convolution
	d             *Device
	// weights are those of the first as depthwiseWeights orders them, panels those of the second as packPanels does.
	weights, panels []float32
	inside          []span
	lines           []separableLine
	activate        func(data []float32)
}

// separableLine is what a worker has: its own view of the first convolution, which writes to part, and the pixels between.
type separableLine struct {
	first convolution
	part  []float32
	held  []float32
}

// buildSeparable binds the two convolutions of an op, and what follows the second.
func buildSeparable(b *site, s *form.Separable) (func() error, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	w, err := b.need(1)
	if err != nil {
		return nil, err
	}
	v, err := b.need(3)
	if err != nil {
		return nil, err
	}
	b.ordered = false
	k := &separable{d: b.d, activate: func([]float32) {}}
	one, two, err := s.Convolutions(x.t, w.t, v.t, y.t)
	if err != nil {
		return nil, err
	}
	if k.first, err = k.bindFirst(b, one, x, w); err != nil {
		return nil, err
	}
	if err := k.activateBy(s); err != nil {
		return nil, err
	}
	// From here on the step is the second convolution, whose data is only told by the first.
	b.op, b.in = s.Pointwise, append([]*operand{x}, b.in[3:]...)
	if k.second, err = k.bindSecond(b, two, v, y); err != nil {
		return nil, err
	}
	tail, err := b.tailOf(func(o *operand) (bool, error) { return k.second.addResidual(b, o) }, k.second.fuse)
	if err != nil {
		return nil, err
	}
	k.hold(b)
	lines := k.second.Out.N * k.second.Out.Size[0] * k.second.Out.Size[1]
	work := k.second.Out.Size[2] * k.second.IC * (k.second.OC + k.first.Window.Kernel.Volume())
	return tail(func() { b.d.crew.Split(lines, grain(work), k.run) }), nil
}

func (k *separable) bindFirst(b *site, of *form.Convolution, x, w *operand) (*convolution, error) {
	c := &convolution{Convolution: of, pitch: x.pitch(of.In.C), low: float32(math.Inf(-1)), high: float32(math.Inf(1))}
	var err error
	if c.tables, err = newTapTables(&c.Window, c.In.Size, c.Out.Size, false); err != nil {
		return nil, err
	}
	f, err := newFilter(b, w)
	if err != nil {
		return nil, err
	}
	if c.x, err = b.floats(x); err != nil {
		return nil, err
	}
	if err := c.readBias(b); err != nil {
		return nil, err
	}
	k.weights = b.depthwiseWeights(c, f, c.In.Last)
	k.inside = make([]span, c.Window.Kernel[2])
	for i := range k.inside {
		k.inside[i] = c.tables[2].inside(i)
	}
	return c, nil
}

func (k *separable) bindSecond(b *site, of *form.Convolution, v, y *operand) (*convolution, error) {
	c := &convolution{Convolution: of, low: float32(math.Inf(-1)), high: float32(math.Inf(1))}
	f, err := newFilter(b, v)
	if err != nil {
		return nil, err
	}
	k.panels = b.packPanels(c, f, (c.OC+lanes-1)/lanes, c.IC*lanes)
	if err := c.readBias(b); err != nil {
		return nil, err
	}
	c.y, err = b.convolved(y)
	return c, err
}

// activateBy takes what follows the first convolution.
func (k *separable) activateBy(s *form.Separable) error {
	op := s.Activation()
	if op == nil {
		return nil
	}
	if low, high, ok := clampOf(op); ok {
		k.first.fuse(low, high)
		return nil
	}
	renamed := *op
	renamed.Attrs = s.Depthwise.Attrs
	if err := array.ApplyFloat32(&renamed, op.Op, nil); err != nil {
		return form.Refuse("%v", err)
	}
	// It cannot fail: the attributes were good for no elements.
	k.activate = func(data []float32) { _ = array.ApplyFloat32(&renamed, op.Op, data) }
	return nil
}

// hold gives each worker its line.
func (k *separable) hold(b *site) {
	width, channels := k.first.Out.Size[2], k.first.In.C
	k.lines = make([]separableLine, b.d.crew.workers)
	for i := range k.lines {
		l := &k.lines[i]
		l.first, l.held = *k.first, b.d.work.floats(width*channels)
		if l.part = l.held; !k.first.In.Last {
			l.part = b.d.work.floats(width)
		}
		l.first.part.y = l.part
	}
}

// run computes the lines [lo, hi) of pixels, counted over all images.
func (k *separable) run(worker, lo, hi int) {
	l := &k.lines[worker]
	for line := lo; line < hi; line++ {
		if k.first.In.Last {
			k.between(l, line)
		} else {
			k.betweenPlanes(l, line)
		}
		k.activate(l.held)
		k.combine(l.held, line)
	}
}

// between computes a line of what is between the convolutions.
func (k *separable) between(l *separableLine, line int) {
	width, channels := k.first.Out.Size[2], k.first.In.C
	l.first.part.from = line * width * channels
	for pixel := line * width; pixel < (line+1)*width; pixel++ {
		l.first.pixelLast(k.weights, nil, pixel)
	}
}

// betweenPlanes does the same where channels lie apart.
func (k *separable) betweenPlanes(l *separableLine, line int) {
	size, channels := k.first.Out.Size, k.first.In.C
	lines := size[0] * size[1]
	for c := range channels {
		plane, row := line/lines*channels+c, line%lines
		l.first.part.from = (plane*lines + row) * size[2]
		l.first.rowFirst(k.weights, nil, k.inside, plane, row)
		for i, v := range l.part {
			l.held[i*channels+c] = v
		}
	}
}

// combine computes a line of the result.
func (k *separable) combine(held []float32, line int) {
	c := k.second
	width, pixels := c.Out.Size[2], c.Out.Pixels()
	for i := range width {
		pixel := line*width + i
		for first := 0; first < c.OC; first += lanes {
			var sum [lanes]float32
			dot8(held[i*c.IC:(i+1)*c.IC], k.panels[first*c.IC:(first+lanes)*c.IC], &sum)
			for o := first; o < min(first+lanes, c.OC); o++ {
				at := pixel*c.OC + o
				if !c.Out.Last {
					at = (pixel/pixels*c.OC+o)*pixels + pixel%pixels
				}
				v := sum[o-first]
				if c.bias != nil {
					v += c.bias[o]
				}
				c.y[at] = c.sum(v, at)
			}
		}
	}
}
