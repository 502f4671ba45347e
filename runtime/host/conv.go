package host

import (
	"math"

	"github.com/memplan/memplan/runtime/form"
)

// convolution is what both directions and both layouts share: extents, the window's tables and the channel groups.
// The transposed direction runs in its gather form, so that each result is one sum.
type convolution struct {
	*form.Convolution
	tables [form.Spatial]taps
	x, y   []float32
	// pitch is how many elements after the start of a pixel of channel-last data the next one starts.
	pitch int
	// part is what is being computed of y.
	part window[float32]
	// bias has one value for each output channel, nil for none.
	bias []float32
	// residual is added to each result before it is clamped, nil for nothing. It may be y itself: each element is read before
	// it is written.
	residual []float32
	// low and high clamp each result: the activation that is fused into the store.
	low, high float32
}

// buildConv binds Conv: [N, C, ...] or [N, ..., C] with weights in any order of axes, any groups, strides, dilations,
// pads, one to three window axes, a bias and fused element-wise ops.
//
// Channel-last data takes a pixel's channels as the common factor of eight output channels whose weights were
// interleaved at preparation; channel-first data takes the weights of a channel as the factor of eight neighbouring
// pixels that are unfolded once for all channels. One channel a group has kernels of its own.
func buildConv(b *site) (func() error, error) {
	if s := form.SeparableOf(b.op); s != nil {
		return buildSeparable(b, s)
	}
	return buildConvolution(b, false)
}

// buildConvTranspose binds ConvTranspose with the same generality; output_shape and output_padding are in the shape of
// the result already, the padding follows from it.
func buildConvTranspose(b *site) (func() error, error) { return buildConvolution(b, true) }

func buildConvolution(b *site, transposed bool) (func() error, error) {
	c, f, err := newConvolution(b, transposed)
	if err != nil {
		return nil, err
	}
	tail, err := b.tailOf(func(o *operand) (bool, error) { return c.addResidual(b, o) }, c.fuse)
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
	switch {
	case c.IC == 1 && c.OC == 1 && c.In.Last:
		return depthwiseLast(b, c, f)
	case c.IC == 1 && c.OC == 1 && !transposed:
		return depthwiseFirst(b, c, f)
	case c.In.Last || c.single():
		return convLast(b, c, f)
	}
	return convFirst(b, c, f)
}

// single reports whether images have one pixel, so that channels first and last are the same.
func (c *convolution) single() bool { return c.In.Pixels() == 1 && c.Out.Pixels() == 1 }

// inRows reports whether the kernel goes through the result in the order of memory.
func (c *convolution) inRows(transposed bool) bool {
	return c.In.Last || c.single() || c.IC == 1 && c.OC == 1 && !transposed
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
	if c.Convolution, err = form.ConvolutionOf(b.op, x.t, weights.t, y.t, transposed); err != nil {
		return nil, nil, err
	}
	b.ordered = b.ordered && c.inRows(transposed)
	if c.tables, err = newTapTables(&c.Window, c.In.Size, c.Out.Size, transposed); err != nil {
		return nil, nil, err
	}
	f, err := newFilter(b, weights)
	if err != nil {
		return nil, nil, err
	}
	c.pitch = x.pitch(c.In.C)
	if c.x, err = b.floats(x); err != nil {
		return nil, nil, err
	}
	if c.y, err = b.convolved(y); err != nil {
		return nil, nil, err
	}
	return c, f, c.readBias(b)
}

// convolved is the memory of the results. What the op adds to them as it stores them may be in the same bytes.
func (b *site) convolved(y *operand) ([]float32, error) {
	i, ok := b.op.Residual()
	if !ok || b.in[i] == nil || !same(b.in[i].bytes, y.bytes) || b.in[i].t.DType != y.t.DType {
		return b.resultFloats(y, false)
	}
	summand := b.in[i]
	b.in[i] = nil
	out, err := b.resultFloats(y, false)
	b.in[i] = summand
	return out, err
}

// addResidual takes a sum with an operand of the result's shape into the store.
func (c *convolution) addResidual(b *site, o *operand) (bool, error) {
	if o == nil || o.elements() != b.result(0).elements() || !o.shape().Equal(b.result(0).shape()) {
		return false, nil
	}
	values, err := b.floats(o)
	c.residual = values
	return err == nil, err
}

// sum adds what belongs to the result at the given place to it, and clamps it.
func (c *convolution) sum(v float32, at int) float32 {
	if c.residual != nil {
		v = float32(v) + c.residual[at]
	}
	return c.clamp(v)
}

func (c *convolution) readBias(b *site) error {
	o := b.input(2)
	if o == nil {
		return nil
	}
	if o.elements() != c.Out.C {
		return form.RefuseTensor(o.t, "a bias of %d values does not fit %d channels", o.elements(), c.Out.C)
	}
	var err error
	c.bias, err = b.floats(o)
	return err
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
