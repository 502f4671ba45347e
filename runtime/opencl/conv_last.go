package opencl

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// convLast binds a convolution of channel-last data.
func (c *convolution) convLast() ([]launch, error) {
	kernel, columns := "conv_last_32", 32
	if c.OC <= 16 {
		kernel, columns = "conv_last_16", 16
	}
	// A row of the window is one run of memory when the window has no holes, and the pixels of one group.
	runs := c.Window.Dilation[2] == 1 && c.Groups == 1 && !c.Transposed
	zeros := c.IC
	if runs {
		zeros *= c.Window.Kernel[2]
	}
	global, group := alone(ceilDiv(c.OC, columns), ceilDiv(c.Out.N*c.Out.Pixels(), 8), c.Groups)
	return c.launchLast(kernel, [2][3]int{global, group}, zeros, btoi(runs))
}

// depthwiseLast binds a convolution of channel-last data with one channel a group.
func (c *convolution) depthwiseLast() ([]launch, error) {
	size := c.Out.Size
	global, group := alone(ceilDiv(c.Out.C, 16), c.Out.N*size[0]*size[1], 1)
	return c.launchLast("depthwise_last", [2][3]int{global, group}, 16, c.x.elements())
}

// launchLast makes the launch of a kernel of kernels/conv_last.cl; last is its out.s5.
func (c *convolution) launchLast(kernel string, size [2][3]int, zeros, last int) ([]launch, error) {
	w, err := c.panels(16, zeros)
	if err != nil {
		return nil, err
	}
	values, places, err := axisTables(&c.Window, c.In.Size, c.Out.Size, c.Transposed)
	if err != nil {
		return nil, err
	}
	tables, err := c.b.upload(values)
	if err != nil {
		return nil, err
	}
	in, out, k, step := &c.In, &c.Out, c.Window.Kernel, c.Window.Dilation[2]
	if c.Transposed {
		step = 0
	}
	return c.b.sum(c.macs(), kernel, size[0], size[1], c.x, w, c.y, c.after.other(c.y), tables,
		ints8(in.N, in.Size[0], in.Size[1], in.Size[2], in.C, c.Groups, c.IC, c.after.stages),
		ints8(out.Size[0], out.Size[1], out.Size[2], out.C, c.OC, last),
		ints8(k[0], k[1], k[2], places[0], places[1], places[2], zeros, step), c.after.limits)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// maxTable bounds the number of elements of one table.
const maxTable = 1 << 26

// axisTables returns for each axis, position of the output and element of the window the position of the input that they
// meet, -1 for padding, and where the tables of the axes start. Before them stand the positions along the last axis in
// the order in which pixels are taken: those that meet the same elements of a transposed window are neighbours. The size
// is that of the output's axes times the window's.
func axisTables(w *form.Window, in, out form.Dims, transposed bool) (values []int32, places form.Dims, err error) {
	values = stepOrder(out[2], w.Stride[2], transposed)
	for axis := range form.Spatial {
		if out[axis] > 0 && w.Kernel[axis] > maxTable/out[axis] {
			return nil, places, form.Refuse("a kernel of %d over %d positions is too large", w.Kernel[axis], out[axis])
		}
		places[axis] = len(values)
		values = slices.Grow(values, out[axis]*w.Kernel[axis])
		for o := range out[axis] {
			for k := range w.Kernel[axis] {
				values = append(values, int32(w.Meets(axis, o, k, in[axis], transposed)))
			}
		}
	}
	return values, places, nil
}

// stepOrder is the numbers below n, by their rest for a stride when the window is transposed.
func stepOrder(n, stride int, transposed bool) []int32 {
	order := make([]int32, 0, n)
	if !transposed {
		stride = 1
	}
	for rest := range min(stride, n) {
		for i := rest; i < n; i += stride {
			order = append(order, int32(i))
		}
	}
	return order
}

// upload returns memory of the workspace that holds the numbers.
func (b *site) upload(values []int32) (*flat, error) {
	f, err := b.workspace(graph.Int32, graph.Shape{int64(len(values))})
	if err != nil {
		return nil, err
	}
	return f, b.d.write(f, int32Bytes(values))
}
