package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// convBuilders are the convolutions.
var convBuilders = map[string]builder{
	"Conv":          buildConv,
	"ConvTranspose": func(b *site) ([]launch, error) { return buildConvolution(b, true) },
}

func buildConv(b *site) ([]launch, error) {
	if s := form.SeparableOf(b.op); s != nil {
		return buildSeparable(b, s)
	}
	return buildConvolution(b, false)
}

// sums is the program of all kernels that add products. They share it because building a program costs more than a
// kernel in it.
var sums = source{file: "lanes+panels+product+conv_last+tiles+conv_first"}

// sum makes a launch of a kernel of sums that does so many multiply-adds.
func (b *site) sum(macs int64, kernel string, global, group cl.Size, args ...any) ([]launch, error) {
	l, err := b.launch(sums, kernel, global, group, args...)
	l.macs = macs
	return one(l, err)
}

// convolution is a convolution with its operands bound.
type convolution struct {
	*form.Convolution
	b       *site
	x, y    *flat
	weights *operand
	bias    *operand
	after   after
}

// buildConvolution binds Conv and ConvTranspose with [N, C, ...] or [N, ..., C] data, weights in any order of axes, any
// groups, strides, dilations and pads, one to three window axes, a bias and fused ops.
//
// Channel-last data is a matrix of pixels, whose common factor with the weights are the channels; channel-first data is
// taken in tiles of neighbouring pixels. One channel a group has kernels of its own, in either layout. The transposed
// direction runs in its gather form, so that each result is one sum.
func buildConvolution(b *site, transposed bool) ([]launch, error) {
	c, err := newConvolution(b, transposed)
	if err != nil {
		return nil, err
	}
	return c.launches()
}

// launches chooses the kernel that suits the layout and the groups.
func (c *convolution) launches() ([]launch, error) {
	switch {
	case c.pointwise():
		return c.product()
	case c.IC == 1 && c.OC == 1 && c.In.Last:
		return c.depthwiseLast()
	case c.IC == 1 && c.OC == 1:
		return c.depthwiseFirst()
	case c.In.Last:
		return c.convLast()
	}
	return c.convFirst()
}

func newConvolution(b *site, transposed bool) (*convolution, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	c := &convolution{b: b, bias: b.input(2)}
	if c.weights, err = b.need(1); err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if c.Convolution, err = form.ConvolutionOf(b.op, x.t, c.weights.t, y.t, transposed); err != nil {
		return nil, err
	}
	if c.x, err = b.floatsOf(x); err != nil {
		return nil, err
	}
	return c, c.bindResult(y)
}

// bindResult binds the result with what follows the sums.
func (c *convolution) bindResult(y *operand) error {
	if err := c.checkBias(); err != nil {
		return err
	}
	channels := 1
	if c.In.Last {
		channels = len(y.shape()) - 1
	}
	var err error
	if c.after, err = c.b.absorb(y, channels); err != nil {
		return err
	}
	c.y, err = c.b.resultAfter(y, &c.after)
	return err
}

func (c *convolution) checkBias() error {
	if o := c.bias; o != nil && o.elements() != c.Out.C {
		return form.RefuseTensor(o.t, "a bias of %d values does not fit %d channels", o.elements(), c.Out.C)
	}
	return nil
}

// pointwise reports whether each pixel of the output is a product of one pixel of the input, in a layout in which the
// channels of a pixel are neighbours.
func (c *convolution) pointwise() bool {
	w := &c.Window
	if w.Kernel.Volume() != 1 || c.In.Size != c.Out.Size || w.Before != (form.Dims{}) {
		return false
	}
	for i := range form.Spatial {
		if w.Stride[i] != 1 && c.Out.Size[i] != 1 {
			return false
		}
	}
	return c.In.Last || c.In.Pixels() == 1
}

// product binds a pointwise convolution as a matrix product for each group.
func (c *convolution) product() ([]launch, error) {
	w, err := c.panels(16, 0)
	if err != nil {
		return nil, err
	}
	p := matmul{rows: c.In.N * c.In.Pixels(), k: c.IC, columns: c.OC, x: c.x, w: w, y: c.y, after: c.after}
	p.xRow, p.yRow, p.rRow, p.rColumn = c.In.C, c.Out.C, c.Out.C, 1
	p.inner, p.outer = c.Groups, 1
	p.xStep[0], p.wStep[0], p.yStep[0] = c.IC, panelSize(c.OC, c.IC, 16), c.OC
	return p.launch(c.b)
}

// panels packs the weights for kernels with so many lanes. One channel a group is packed as one group of all channels.
func (c *convolution) panels(lanes, zeros int) (*flat, error) {
	k, f := c.Window.Kernel, &c.Filter
	p := panels{
		b: c.b, weights: c.weights, bias: c.bias, slope: c.after.slope, scale: 1, biasScale: 1,
		groups: c.Groups, columns: c.OC, channels: c.IC, lanes: lanes, window: k, zeros: zeros,
		group: c.GroupStride(), column: f.SO, channel: f.SI, step: f.SW,
	}
	if c.IC == 1 && c.OC == 1 {
		p.groups, p.columns, p.group, p.column = 1, c.Groups, 0, c.GroupStride()
	}
	return p.pack()
}

// macs is the multiply-adds of all sums, at most: some of a transposed convolution meet padding.
func (c *convolution) macs() int64 {
	k := int64(c.IC) * int64(c.Window.Kernel.Volume())
	return k * int64(c.Out.N) * int64(c.Out.C) * int64(c.Out.Pixels())
}

// alone is the global size of a launch whose work-groups are single items: each item computes hundreds of products, and
// the explicit vectors in it leave nothing to gain from neighbours.
func alone(x, y, z int) (global, group cl.Size) { return cl.Size{x, y, z}, cl.Size{1, 1, 1} }

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// isConstant reports whether an operand that may be absent has its content when a step is prepared.
func isConstant(o *operand) bool { return o == nil || o.t.Role == graph.Constant }
