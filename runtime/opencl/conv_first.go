package opencl

// convFirst binds a convolution of channel-first data.
func (c *convolution) convFirst() ([]launch, error) {
	tiles := ceilDiv(c.Out.Pixels(), tileLanes)
	// An item computes two tiles of eight channels.
	global, group := alone(ceilDiv(tiles, 2), ceilDiv(c.OC, 8)*c.Groups, c.Out.N)
	return c.launchFirst("conv_first", [2][3]int{global, group})
}

// depthwiseFirst binds a convolution of channel-first data with one channel a group.
func (c *convolution) depthwiseFirst() ([]launch, error) {
	global, group := alone(ceilDiv(c.Out.Pixels(), tileLanes), ceilDiv(c.Out.C, 8), c.Out.N)
	return c.launchFirst("depthwise_first", [2][3]int{global, group})
}

// launchFirst makes the launch of a kernel of kernels/conv_first.cl.
func (c *convolution) launchFirst(kernel string, size [2][3]int) ([]launch, error) {
	w, err := c.panels(8, 0)
	if err != nil {
		return nil, err
	}
	values, err := tileTable(&c.Window, c.In.Size, c.Out.Size, c.Transposed)
	if err != nil {
		return nil, err
	}
	tables, err := c.b.upload(values)
	if err != nil {
		return nil, err
	}
	return c.b.sum(c.macs(), kernel, size[0], size[1], c.x, w, c.y, c.after.other(c.y), tables,
		ints8(c.In.C, c.Out.C, c.Groups, c.IC, c.OC, c.after.stages, ceilDiv(c.Out.Pixels(), tileLanes), c.x.elements()),
		ints8(c.In.Pixels(), c.Out.Pixels(), c.Window.Kernel.Volume(), 0), c.after.limits)
}
