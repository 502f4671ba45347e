package host

import "github.com/memplan/memplan/runtime/form"

// block is the number of pixels that share a panel of weights while it is in the first-level cache.
const block = 8

// segment is a run of inputs that lie in memory in the order of the weights.
type segment struct{ x, n, panel int }

// lastConv is a channel-last convolution at work.
type lastConv struct {
	*convolution
	// panels has [groups][ceil(oc/8)][window][ic][8].
	panels    []float32
	perGroup  int
	panelSize int
	// runs holds for each worker the segments of a block of pixels, ends where those of each pixel end.
	runs [][]segment
	// parts is the number of ranges that the panels are split into.
	parts int
}

func convLast(b *site, c *convolution, f *filter) func() {
	volume := c.Window.Kernel.Volume()
	l := &lastConv{convolution: c, perGroup: (c.OC + lanes - 1) / lanes, panelSize: volume * c.IC * lanes}
	l.panels = b.packPanels(c, f, l.perGroup, l.panelSize)
	workers := b.d.crew.workers
	l.runs = make([][]segment, workers)
	for i := range l.runs {
		l.runs[i] = make([]segment, 0, block*volume)
	}
	all := c.Groups * l.perGroup
	var from, to int
	body := func(worker, lo, hi int) {
		for item := lo; item < hi; item++ {
			part := item % l.parts
			first := from + item/l.parts*block
			l.block(worker, first, min(first+block, to), part*all/l.parts, (part+1)*all/l.parts)
		}
	}
	return inRows(b, c.y, &c.part, rows{c.In.N * c.Out.Pixels(), c.Out.C, c.Out.Size[2]}, func(lo, hi int) {
		from, to = lo, hi
		blocks := (hi - lo + block - 1) / block
		l.parts = 1
		if blocks < 4*workers {
			l.parts = min(all, (4*workers+blocks-1)/blocks)
		}
		b.d.crew.Split(blocks*l.parts, grain(block*l.panelSize*(all/l.parts+1)), body)
	})
}

// grain is the number of items of so many multiplications each that are worth handing to another core.
func grain(work int) int { return 1 + 1<<15/max(work, 1) }

// packPanels interleaves the weights of eight output channels; missing ones are zeros.
func (b *site) packPanels(c *convolution, f *filter, perGroup, size int) []float32 {
	panels := b.d.work.floats(c.Groups * perGroup * size)
	b.repack(f, func() {
		for g := range c.Groups {
			for o := range c.OC {
				panel := panels[(g*perGroup+o/lanes)*size:]
				c.Window.Kernel.Each(func(number int, k form.Dims) {
					for i := range c.IC {
						panel[(number*c.IC+i)*lanes+o%lanes] = f.at(c, g, o, i, k)
					}
				})
			}
		}
	})
	return panels
}

// block computes the panels [from, to) of the pixels [first, last).
func (l *lastConv) block(worker, first, last, from, to int) {
	runs := l.runs[worker][:0]
	var ends [block]int
	for p := first; p < last; p++ {
		runs = l.segments(runs, p)
		ends[p-first] = len(runs)
	}
	for q := from; q < to; q++ {
		panel := l.panels[q*l.panelSize : (q+1)*l.panelSize]
		shift := q / l.perGroup * l.IC
		at := q/l.perGroup*l.OC + q%l.perGroup*lanes
		width := min(lanes, (q/l.perGroup+1)*l.OC-at)
		begin := 0
		for p := first; p < last; p++ {
			var sum [lanes]float32
			for _, s := range runs[begin:ends[p-first]] {
				dot8(l.x[shift+s.x:shift+s.x+s.n], panel[s.panel:], &sum)
			}
			begin = ends[p-first]
			l.store(&sum, p*l.Out.C+at, at, width)
		}
	}
}

// store writes width results of consecutive channels from channel on.
func (l *lastConv) store(sum *[lanes]float32, to, channel, width int) {
	dst := l.part.of(to, width)
	if l.bias != nil {
		bias := l.bias[channel : channel+width]
		for j := range dst {
			dst[j] = l.sum(sum[j&(lanes-1)]+bias[j], to+j)
		}
		return
	}
	for j := range dst {
		dst[j] = l.sum(sum[j&(lanes-1)], to+j)
	}
}

// segments appends what a pixel of the output reads: one run for each stretch of neighbouring inputs when there is one
// group, else one for each kernel element.
func (l *lastConv) segments(runs []segment, pixel int) []segment {
	size, kernel := l.Out.Size, l.Window.Kernel
	n, rest := pixel/size.Volume(), pixel%size.Volume()
	zs, ys, xs := l.tables[0].of(rest/(size[1]*size[2])), l.tables[1].of(rest/size[2]%size[1]), l.tables[2].of(rest%size[2])
	for kz, z := range zs {
		for ky, y := range ys {
			if z < 0 || y < 0 {
				continue
			}
			row := ((n*l.In.Size[0]+int(z))*l.In.Size[1] + int(y)) * l.In.Size[2]
			weights := (kz*kernel[1] + ky) * kernel[2]
			previous := int32(-2)
			for kx, x := range xs {
				if x < 0 {
					previous = -2
					continue
				}
				if x == previous+1 && l.Groups == 1 && l.pitch == l.In.C {
					runs[len(runs)-1].n += l.IC
				} else {
					runs = append(runs, segment{(row + int(x)) * l.pitch, l.IC, (weights + kx) * l.IC * lanes})
				}
				previous = x
			}
		}
	}
	return runs
}
