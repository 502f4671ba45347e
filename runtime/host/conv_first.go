package host

import "github.com/memplan/memplan/runtime/form"

// firstConv is a channel-first convolution at work.
type firstConv struct {
	*convolution
	// rows has the weights of each output channel in the order [ic][window]: [groups·oc][ic·window].
	rows    []float32
	rowSize int
	// at holds for each worker where each kernel element meets the eight pixels in a channel, -1 for padding.
	at [][][lanes]int32
	// tiles is the number of groups of eight pixels of an image.
	tiles int
}

func convFirst(b *site, c *convolution, f *filter) func() {
	volume := c.Window.Kernel.Volume()
	l := &firstConv{convolution: c, rowSize: c.IC * volume, tiles: (c.Out.Pixels() + lanes - 1) / lanes}
	l.rows = b.packRows(c, f, l.rowSize)
	workers := b.d.crew.workers
	b.d.work.reserve(workers, l.rowSize*lanes)
	l.at = make([][][lanes]int32, workers)
	for i := range l.at {
		l.at[i] = make([][lanes]int32, volume)
	}
	lanesOf := &b.d.work
	body := func(worker, lo, hi int) {
		panel := lanesOf.lanes[worker][:l.rowSize*lanes]
		for item := lo; item < hi; item++ {
			tile, rest := item%l.tiles, item/l.tiles
			l.tile(panel, l.at[worker], rest/c.Groups, rest%c.Groups, tile*lanes)
		}
	}
	items := c.In.N * c.Groups * l.tiles
	work := l.rowSize * lanes * c.OC
	c.part.y = c.y
	return func() { b.d.crew.Split(items, grain(work), body) }
}

// packRows returns the weights by output channel: the planned memory itself when it has that order already.
func (b *site) packRows(c *convolution, f *filter, size int) []float32 {
	volume := c.Window.Kernel.Volume()
	k := c.Window.Kernel
	if w := &c.Filter; w.O == c.Out.C && w.SO == size && w.SI == volume && w.SW == (form.Dims{k[1] * k[2], k[2], 1}) {
		return f.data
	}
	rows := b.d.work.floats(c.Out.C * size)
	b.repack(f, func() {
		for g := range c.Groups {
			for o := range c.OC {
				row := rows[(g*c.OC+o)*size:]
				k.Each(func(number int, k form.Dims) {
					for i := range c.IC {
						row[i*volume+number] = f.at(c, g, o, i, k)
					}
				})
			}
		}
	})
	return rows
}

// tile computes all channels of a group for the eight pixels from first on.
func (l *firstConv) tile(panel []float32, at [][lanes]int32, n, g, first int) {
	pixels := l.Out.Pixels()
	width := min(lanes, pixels-first)
	l.locate(at, first, width)
	plane := l.In.Pixels()
	volume := len(at)
	for i := range l.IC {
		from := ((n*l.Groups+g)*l.IC + i) * plane
		unfold(panel[i*volume*lanes:(i+1)*volume*lanes], l.x[from:from+plane], at)
	}
	for o := range l.OC {
		channel := g*l.OC + o
		var sum [lanes]float32
		dot8(l.rows[channel*l.rowSize:(channel+1)*l.rowSize], panel, &sum)
		bias := float32(0)
		if l.bias != nil {
			bias = l.bias[channel]
		}
		to := (n*l.Out.C+channel)*pixels + first
		dst := l.part.of(to, width)
		for j := range dst {
			dst[j] = l.sum(sum[j&(lanes-1)]+bias, to+j)
		}
	}
}

// locate fills the positions of the pixels [first, first+width) for each kernel element; missing pixels read padding.
func (l *firstConv) locate(at [][lanes]int32, first, width int) {
	size, in := l.Out.Size, l.In.Size
	for j := range lanes {
		if j >= width {
			for k := range at {
				at[k][j] = -1
			}
			continue
		}
		p := first + j
		zs, ys, xs := l.tables[0].of(p/(size[1]*size[2])), l.tables[1].of(p/size[2]%size[1]), l.tables[2].of(p%size[2])
		k := 0
		for _, z := range zs {
			for _, y := range ys {
				row := (int(z)*in[1] + int(y)) * in[2]
				for _, x := range xs {
					at[k][j] = -1
					if z >= 0 && y >= 0 && x >= 0 {
						at[k][j] = int32(row + int(x))
					}
					k++
				}
			}
		}
	}
}

// unfold copies the inputs of eight pixels from one channel into rows of a panel.
func unfold(panel, plane []float32, at [][lanes]int32) {
	for k := range at {
		row := (*[lanes]float32)(panel[k*lanes:])
		a := &at[k]
		// Neighbouring pixels of one row are the common case.
		if a[0] >= 0 && a[lanes-1] == a[0]+lanes-1 && a[lanes/2] == a[0]+lanes/2 && straight(a) {
			*row = *(*[lanes]float32)(plane[a[0]:])
			continue
		}
		for j, p := range a {
			row[j] = 0
			if p >= 0 {
				row[j] = plane[p]
			}
		}
	}
}

// straight reports whether the positions are consecutive.
func straight(a *[lanes]int32) bool {
	for j := 1; j < lanes; j++ {
		if a[j] != a[0]+int32(j) {
			return false
		}
	}
	return true
}
