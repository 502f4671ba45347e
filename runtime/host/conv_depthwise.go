package host

import "github.com/memplan/memplan/runtime/form"

// depthwiseLast is a channel-last convolution with one channel a group, in either direction: for each pixel, whole rows
// of channels are multiplied by rows of weights. A row of kernel elements is added three at a time.
func depthwiseLast(b *site, c *convolution, f *filter) func() {
	w := b.depthwiseWeights(c, f, true)
	size := c.Out.Size
	sums := c.sums(b, c.In.C)
	first := 0
	body := func(worker, lo, hi int) {
		for pixel := first + lo; pixel < first+hi; pixel++ {
			c.pixelLast(w, sums[worker], pixel)
		}
	}
	work := c.In.C * c.Window.Kernel.Volume()
	return inRows(b, c.y, &c.part, rows{c.In.N * size.Volume(), c.In.C, size[2]}, func(lo, hi int) {
		first = lo
		b.d.crew.Split(hi-lo, grain(work), body)
	})
}

// depthwiseWeights orders the weights as [window][C] or [C][window].
func (b *site) depthwiseWeights(c *convolution, f *filter, last bool) []float32 {
	volume := c.Window.Kernel.Volume()
	w := b.d.work.floats(c.Groups * volume)
	b.repack(f, func() {
		for g := range c.Groups {
			c.Window.Kernel.Each(func(number int, k form.Dims) {
				at := g*volume + number
				if last {
					at = number*c.Groups + g
				}
				w[at] = f.at(c, g, 0, 0, k)
			})
		}
	})
	return w
}

// sums gives each worker a place for n sums where the result's memory has something to read until it is written; nil for
// each where sums are taken in the result itself.
func (c *convolution) sums(b *site, n int) [][]float32 {
	list := make([][]float32, b.d.crew.workers)
	if c.residual == nil {
		return list
	}
	for i := range list {
		list[i] = b.d.work.floats(n)
	}
	return list
}

// sumsOf is where the sums of the results [from, from+n) are taken.
func (c *convolution) sumsOf(own []float32, from, n int) []float32 {
	if own != nil {
		return own[:n]
	}
	return c.part.of(from, n)
}

func (c *convolution) pixelLast(w, own []float32, pixel int) {
	size, channels := c.Out.Size, c.In.C
	n, rest := pixel/size.Volume(), pixel%size.Volume()
	zs, ys, xs := c.tables[0].of(rest/(size[1]*size[2])), c.tables[1].of(rest/size[2]%size[1]), c.tables[2].of(rest%size[2])
	dst := c.sumsOf(own, pixel*channels, channels)
	clear(dst)
	for kz, z := range zs {
		for ky, y := range ys {
			if z < 0 || y < 0 {
				continue
			}
			row := ((n*c.In.Size[0]+int(z))*c.In.Size[1] + int(y)) * c.In.Size[2]
			weights := (kz*len(ys) + ky) * len(xs)
			c.rowLast(dst, w[weights*channels:(weights+len(xs))*channels], c.x[row*c.pitch:(row+c.In.Size[2]-1)*c.pitch+channels], xs)
		}
	}
	c.finish(dst, pixel*channels)
}

// rowLast adds one row of kernel elements to the channels of a pixel.
func (c *convolution) rowLast(dst, w, x []float32, xs []int32) {
	n, p := len(dst), c.pitch
	for k := 0; k < len(xs); {
		if k+3 <= len(xs) && xs[k] >= 0 && xs[k+1] >= 0 && xs[k+2] >= 0 {
			addProducts3(dst, x[int(xs[k])*p:], x[int(xs[k+1])*p:], x[int(xs[k+2])*p:], w[k*n:], w[(k+1)*n:], w[(k+2)*n:])
			k += 3
			continue
		}
		if xs[k] >= 0 {
			addProducts(dst, x[int(xs[k])*p:], w[k*n:])
		}
		k++
	}
}

// addProducts adds a[i]*w[i] to dst[i].
func addProducts(dst, a, w []float32) {
	a, w = a[:len(dst)], w[:len(dst)]
	for i := range dst {
		dst[i] += float32(a[i] * w[i])
	}
}

// addProducts3 adds three products to each element, one after the other.
func addProducts3(dst, a, b, c, u, v, w []float32) {
	n := len(dst)
	a, b, c, u, v, w = a[:n], b[:n], c[:n], u[:n], v[:n], w[:n]
	for i := range dst {
		s := dst[i] + float32(a[i]*u[i])
		s += float32(b[i] * v[i])
		dst[i] = s + float32(c[i]*w[i])
	}
}

// finish adds the bias to the sums of all channels of a pixel and stores them from the place at on.
func (c *convolution) finish(sums []float32, at int) {
	dst := c.part.of(at, len(sums))
	if c.bias == nil {
		for i, v := range sums {
			dst[i] = c.sum(v, at+i)
		}
		return
	}
	bias := c.bias[:len(dst)]
	for i, v := range sums {
		dst[i] = c.sum(v+bias[i], at+i)
	}
}

// depthwiseFirst is the channel-first form: for each row of the output of a channel, each kernel element adds a scaled
// row of the input.
func depthwiseFirst(b *site, c *convolution, f *filter) func() {
	w := b.depthwiseWeights(c, f, false)
	inside := make([]span, c.Window.Kernel[2])
	for k := range inside {
		inside[k] = c.tables[2].inside(k)
	}
	lines := c.Out.Size[0] * c.Out.Size[1]
	sums := c.sums(b, c.Out.Size[2])
	first := 0
	body := func(worker, lo, hi int) {
		for item := first + lo; item < first+hi; item++ {
			c.rowFirst(w, sums[worker], inside, item/lines, item%lines)
		}
	}
	work := c.Out.Size[2] * c.Window.Kernel.Volume()
	return inRows(b, c.y, &c.part, rows{c.In.N * c.In.C * lines, c.Out.Size[2], 1}, func(lo, hi int) {
		first = lo
		b.d.crew.Split(hi-lo, grain(work), body)
	})
}

// span is the half-open range of outputs whose input for a kernel element is not padding, and the first such input.
type span struct{ lo, hi, x int }

// inside returns the span of kernel element k of a forward window.
func (t taps) inside(k int) span {
	s := span{}
	outputs := len(t.at) / t.kernel
	for s.lo < outputs && t.of(s.lo)[k] < 0 {
		s.lo++
	}
	for s.hi = s.lo; s.hi < outputs && t.of(s.hi)[k] >= 0; s.hi++ {
	}
	if s.lo < s.hi {
		s.x = int(t.of(s.lo)[k])
	}
	return s
}

// rowFirst computes one row of the output of a plane, which is an image's channel.
func (c *convolution) rowFirst(w, own []float32, inside []span, plane, row int) {
	size, in, kernel := c.Out.Size, c.In.Size, c.Window.Kernel
	channel := plane % c.In.C
	from := (plane*size[0]*size[1] + row) * size[2]
	dst := c.sumsOf(own, from, size[2])
	clear(dst)
	zs, ys := c.tables[0].of(row/size[1]), c.tables[1].of(row%size[1])
	for kz, z := range zs {
		for ky, y := range ys {
			if z < 0 || y < 0 {
				continue
			}
			at := ((plane*in[0]+int(z))*in[1] + int(y)) * in[2]
			weights := (channel*kernel[0]+kz)*kernel[1] + ky
			c.scaleRow(dst, c.x[at:at+in[2]], w[weights*kernel[2]:(weights+1)*kernel[2]], inside)
		}
	}
	bias := float32(0)
	if c.bias != nil {
		bias = c.bias[channel]
	}
	to := c.part.of(from, size[2])
	for i, v := range dst {
		to[i] = c.sum(v+bias, from+i)
	}
}

// scaleRow adds a row of kernel elements times a row of the input.
func (c *convolution) scaleRow(dst, x, w []float32, inside []span) {
	stride := c.Window.Stride[2]
	for k, s := range inside {
		if s.lo >= s.hi {
			continue
		}
		if stride == 1 {
			addScaled(dst[s.lo:s.hi], x[s.x:], w[k])
			continue
		}
		d, v := dst[s.lo:s.hi], w[k]
		for i, at := 0, s.x; i < len(d); i, at = i+1, at+stride {
			d[i] += float32(x[at] * v)
		}
	}
}

// addScaled adds a[i]*v to dst[i].
func addScaled(dst, a []float32, v float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] += float32(a[i] * v)
	}
}
