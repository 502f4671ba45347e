package host

// pooling is what the windowed poolings share.
type pooling struct {
	in, out picture
	window  window
	tables  [spatial]taps
}

func newPooling(b *site) (*pooling, *operand, *operand, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, nil, nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, nil, nil, err
	}
	p := &pooling{}
	if p.in, err = newPicture(b, x); err != nil {
		return nil, nil, nil, err
	}
	if p.out, err = newPicture(b, y); err != nil {
		return nil, nil, nil, err
	}
	if p.in.n != p.out.n || p.in.c != p.out.c {
		return nil, nil, nil, refuseTensor(y.t, "the shape %v does not keep images and channels of %v", y.shape(), x.shape())
	}
	if p.window, err = newWindow(b, len(x.shape()), dims{}, p.in.size, p.out.size, false); err != nil {
		return nil, nil, nil, err
	}
	p.tables, err = newTapTables(&p.window, p.in.size, p.out.size, false)
	return p, x, y, err
}

// position is one result of a pooling: of one image and all its channels when channels come last, else of one channel.
type position struct {
	// to is the place of the (first) result, from that of the first element of the input picture.
	to, from   int
	zs, ys, xs []int32
}

// items is the number of positions.
func (p *pooling) items() int {
	if p.in.last {
		return p.out.n * p.out.pixels()
	}
	return p.out.n * p.out.c * p.out.pixels()
}

// at locates the position with the number item.
func (p *pooling) at(item int) position {
	size := p.out.size
	picture, pixel := item/size.volume(), item%size.volume()
	width := 1
	if p.in.last {
		width = p.in.c
	}
	return position{
		to: item * width, from: picture * p.in.pixels() * width,
		zs: p.tables[0].of(pixel / (size[1] * size[2])), ys: p.tables[1].of(pixel / size[2] % size[1]), xs: p.tables[2].of(pixel % size[2]),
	}
}

// channels is the number of neighbouring elements that each position has.
func (p *pooling) channels() int {
	if p.in.last {
		return p.in.c
	}
	return 1
}

// each calls visit with the number of each input pixel that a position covers, within its picture, in row-major order.
func (p *pooling) each(q *position, visit func(pixel int)) {
	for _, z := range q.zs {
		for _, y := range q.ys {
			if z < 0 || y < 0 {
				continue
			}
			row := (int(z)*p.in.size[1] + int(y)) * p.in.size[2]
			for _, x := range q.xs {
				if x >= 0 {
					visit(row + int(x))
				}
			}
		}
	}
}

// run shares the positions among the workers.
func (p *pooling) run(b *site, each func(q position)) func() {
	body := func(_, lo, hi int) {
		for item := lo; item < hi; item++ {
			each(p.at(item))
		}
	}
	items, size := p.items(), grain(p.channels()*p.window.kernel.volume())
	return func() { b.d.crew.split(items, size, body) }
}
