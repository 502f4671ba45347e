package opencl

import (
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/texels"
)

// viewConvBuilders are the convolutions on texels.
var viewConvBuilders = map[string]viewBuilder{
	"Conv":          func(b *site) ([]launch, bool, error) { return viewConvolution(b, false) },
	"ConvTranspose": func(b *site) ([]launch, bool, error) { return viewConvolution(b, true) },
}

// viewConvolution binds Conv and ConvTranspose of which data, weights or result are images, in any mixture with flat
// memory. Groups of several channels need whole blocks of four.
func viewConvolution(b *site, transposed bool) ([]launch, bool, error) {
	x, w, y := b.input(0), b.input(1), b.result(0)
	if x == nil || w == nil || y == nil || b.op.Separable() > 0 {
		return nil, false, nil
	}
	c, err := form.ConvolutionOf(b.op, x.t, w.t, y.t, transposed)
	if err != nil {
		return nil, false, err
	}
	weights := b.viewWeights(c, w)
	from, to := b.view(x, pictureExtents(c.In), false), b.view(y, pictureExtents(c.Out), false)
	channels := 1
	if c.In.Last {
		channels = len(y.shape()) - 1
	}
	tail, ok := b.viewTail(y, channels)
	bias := b.input(2)
	if weights == nil || from == nil || to == nil || !ok || b.overlaps(y, false) || !isConstant(bias) || bias != nil && bias.elements() != c.Out.C {
		return nil, false, nil
	}
	end, err := tail.endOf(b, pictureExtents(c.Out))
	if err != nil || end == nil {
		return nil, false, err
	}
	biases, err := b.blocks(bias, c.Out.C)
	if err != nil {
		return nil, false, err
	}
	values, places, err := axisTables(&c.Window, c.In.Size, c.Out.Size, transposed)
	if err != nil {
		return nil, false, err
	}
	tables, err := b.upload(values)
	if err != nil {
		return nil, false, err
	}
	blocks, size, k := ceilDiv(c.Out.C, texels.Channels), c.Out.Size, c.Window.Kernel
	program := viewSource("view_conv", from, weights, end.other, to)
	program.options += " -DWEIGHTS"
	if depthwise(c) {
		program.options += " -DDEPTHWISE"
	}
	return b.texelLaunch(program, "conv_view", cl.Size{ceilDiv(size[2], 4), size[0] * size[1], c.Out.N * blocks}, []*view{from, weights}, to, end.args,
		biases, tables,
		ints8(ceilDiv(c.IC, texels.Channels), c.IC, ceilDiv(c.OC, texels.Channels)),
		ints8(c.Out.N, blocks, size[0], size[1], size[2], c.Out.C),
		ints8(k[0], k[1], k[2], places[0], places[1], places[2]))
}

// viewGroup is the work-group of kernels on texels: neighbours in both directions share what they read.
var viewGroup = cl.Size{4, 4, 1}

// viewSource is the variant of a file for the kinds of its operands: x, w, r and y; nil for those it has not.
func viewSource(file string, x, w, r, y *view) source {
	s := source{file: "view+" + file}
	for i, v := range []*view{x, w, r, y} {
		if v != nil {
			s.options += v.option("XWRY"[i : i+1])
		}
	}
	return s
}

// depthwise reports whether each group has one channel.
func depthwise(c *form.Convolution) bool { return c.Groups > 1 && c.IC == 1 && c.OC == 1 }

// viewWeights returns the view of the weights, by blocks of output channels; nil where groups are no whole blocks.
func (b *site) viewWeights(c *form.Convolution, w *operand) *view {
	f, k := &c.Filter, c.Window.Kernel
	if c.Groups > 1 && !depthwise(c) && (c.Transposed || c.IC%texels.Channels != 0 || c.OC%texels.Channels != 0) {
		return nil
	}
	e := extents{
		count:  [viewAxes]int{f.O, f.I, k[0], k[1], k[2]},
		stride: [viewAxes]int{f.SO, f.SI, f.SW[0], f.SW[1], f.SW[2]},
	}
	if depthwise(c) && c.Transposed {
		// The channels are the input's.
		e.count[0], e.count[1], e.stride[0], e.stride[1] = f.I, f.O, f.SI, f.SO
	}
	return b.view(w, e, false)
}
