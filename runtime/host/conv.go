package host

import (
	"math"

	"github.com/memplan/memplan/runtime/form"
)

// convolution is what both directions and both layouts share: extents, the window's tables and the channel groups.
// The transposed direction runs in its gather form, so that each result is one sum.
type convolution struct {
	in, out form.Picture
	window  form.Window
	tables  [form.Spatial]taps
	groups  int
	// ic and oc are the channels of one group.
	ic, oc int
	x, y   []float32
	// bias has one value for each output channel, nil for none.
	bias []float32
	// low and high clamp each result: the activation that is fused into the store.
	low, high float32
}

// buildConv binds Conv: [N, C, ...] or [N, ..., C] with weights in any order of axes, any groups, strides, dilations,
// pads, one to three window axes, a bias and fused element-wise ops.
//
// Channel-last data takes a pixel's channels as the common factor of eight output channels whose weights were
// interleaved at preparation; channel-first data takes the weights of a channel as the factor of eight neighbouring
// pixels that are unfolded once for all channels. One channel a group has kernels of its own.
func buildConv(b *site) (func() error, error) { return buildConvolution(b, false) }

// buildConvTranspose binds ConvTranspose with the same generality; output_shape and output_padding are in the shape of
// the result already, the padding follows from it.
func buildConvTranspose(b *site) (func() error, error) { return buildConvolution(b, true) }

func buildConvolution(b *site, transposed bool) (func() error, error) {
	c, f, err := newConvolution(b, transposed)
	if err != nil {
		return nil, err
	}
	tail, err := b.tail(c.fuse)
	if err != nil {
		return nil, err
	}
	if len(c.y) == 0 {
		return func() error { return nil }, nil
	}
	return tail(c.kernel(b, f, transposed)), nil
}

// kernel chooses the loops that suit the layout and the groups.
func (c *convolution) kernel(b *site, f *filter, transposed bool) func() {
	single := c.in.Pixels() == 1 && c.out.Pixels() == 1
	switch {
	case c.ic == 1 && c.oc == 1 && c.in.Last:
		return depthwiseLast(b, c, f)
	case c.ic == 1 && c.oc == 1 && !transposed:
		return depthwiseFirst(b, c, f)
	case c.in.Last || single:
		return convLast(b, c, f)
	}
	return convFirst(b, c, f)
}

func newConvolution(b *site, transposed bool) (*convolution, *filter, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, nil, err
	}
	weights, err := b.need(1)
	if err != nil {
		return nil, nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, nil, err
	}
	c := &convolution{low: float32(math.Inf(-1)), high: float32(math.Inf(1))}
	if c.in, err = form.PictureOf(b.op, x.t); err != nil {
		return nil, nil, err
	}
	if c.out, err = form.PictureOf(b.op, y.t); err != nil {
		return nil, nil, err
	}
	f, err := c.weights(b, weights, transposed)
	if err != nil {
		return nil, nil, err
	}
	if err := c.slide(b, len(x.shape()), f, transposed); err != nil {
		return nil, nil, err
	}
	if c.x, err = b.floats(x); err != nil {
		return nil, nil, err
	}
	if c.y, err = b.resultFloats(y, false); err != nil {
		return nil, nil, err
	}
	return c, f, c.readBias(b)
}

// weights reads the filter and the groups and checks the channels.
func (c *convolution) weights(b *site, o *operand, transposed bool) (*filter, error) {
	groups := b.op.Attrs.Int("group", 1)
	if groups < 1 || groups > form.Limit {
		return nil, form.Refuse("group %d is not positive", groups)
	}
	c.groups = int(groups)
	standard := "OI"
	if transposed {
		standard = "IO"
	}
	f, err := newFilter(b, o, standard)
	if err != nil {
		return nil, err
	}
	if c.in.C%c.groups != 0 || c.out.C%c.groups != 0 || c.in.N != c.out.N {
		return nil, form.Refuse("%d input and %d output channels do not divide into %d groups", c.in.C, c.out.C, c.groups)
	}
	c.ic, c.oc = c.in.C/c.groups, c.out.C/c.groups
	// A forward filter stores all output channels and the inputs of one group; a transposed one the other way round.
	wantO, wantI := c.out.C, c.ic
	if transposed {
		wantO, wantI = c.oc, c.in.C
	}
	if f.o != wantO || f.i != wantI {
		return nil, form.RefuseTensor(o.t, "weights for %d output and %d input channels do not fit data of %d and %d in %d groups",
			f.o, f.i, c.out.C, c.in.C, c.groups)
	}
	return f, nil
}

// slide resolves the window.
func (c *convolution) slide(b *site, rank int, f *filter, transposed bool) error {
	var err error
	if c.window, err = form.WindowOf(b.op, rank, f.window, c.in.Size, c.out.Size, transposed); err != nil {
		return err
	}
	if transposed {
		c.padFromShape(b, rank-2)
	}
	c.tables, err = newTapTables(&c.window, c.in.Size, c.out.Size, transposed)
	return err
}

// padFromShape derives the padding of a transposed convolution from output_shape, which outranks pads: the total is
// what is missing, the larger half at the start unless auto_pad is SAME_UPPER.
func (c *convolution) padFromShape(b *site, axes int) {
	if len(b.op.Attrs.Ints("output_shape")) == 0 {
		return
	}
	extra := b.op.Attrs.Ints("output_padding")
	upper := b.op.Attrs.String("auto_pad", "NOTSET") == "SAME_UPPER"
	for i := form.Spatial - axes; i < form.Spatial; i++ {
		w := &c.window
		total := (c.in.Size[i]-1)*w.Stride[i] + w.Reach(i) - c.out.Size[i]
		if at := i - (form.Spatial - axes); at < len(extra) {
			total += int(extra[at])
		}
		// A result larger than the products reach has zeros at its end.
		total = max(total, 0)
		w.Before[i] = total - total/2
		if upper {
			w.Before[i] = total / 2
		}
		w.After[i] = total - w.Before[i]
	}
}

func (c *convolution) readBias(b *site) error {
	o := b.input(2)
	if o == nil {
		return nil
	}
	if o.elements() != c.out.C {
		return form.RefuseTensor(o.t, "a bias of %d values does not fit %d channels", o.elements(), c.out.C)
	}
	var err error
	c.bias, err = b.floats(o)
	return err
}

// weight returns the weight from input channel i to output channel o of group g.
func (c *convolution) weight(f *filter, g, o, i int, k form.Dims) float32 {
	if f.i == c.ic && f.o == c.out.C {
		return f.at(g*c.oc+o, i, k)
	}
	return f.at(o, g*c.ic+i, k)
}

// clamp limits a result; a NaN stays one.
func (c *convolution) clamp(v float32) float32 {
	if v < c.low {
		return c.low
	}
	if v > c.high {
		return c.high
	}
	return v
}

// fuse takes a clamp into the store.
func (c *convolution) fuse(low, high float32) bool {
	c.low, c.high = low, high
	return true
}
