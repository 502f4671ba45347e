package host

import (
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
)

// pooling is what the windowed poolings share.
type pooling struct {
	in, out form.Picture
	window  form.Window
	tables  [form.Spatial]taps
	// pitch is how many elements after the start of a pixel of the input the next one starts.
	pitch int
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
	if p.in, err = form.PictureOf(b.op, x.t); err != nil {
		return nil, nil, nil, err
	}
	if p.out, err = form.PictureOf(b.op, y.t); err != nil {
		return nil, nil, nil, err
	}
	if p.in.N != p.out.N || p.in.C != p.out.C {
		return nil, nil, nil, form.RefuseTensor(y.t, "the shape %v does not keep images and channels of %v", y.shape(), x.shape())
	}
	if p.window, err = form.WindowOf(b.op, len(x.shape()), form.Dims{}, p.in.Size, p.out.Size, false); err != nil {
		return nil, nil, nil, err
	}
	p.pitch = x.pitch(p.channels())
	p.tables, err = newTapTables(&p.window, p.in.Size, p.out.Size, false)
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
	if p.in.Last {
		return p.out.N * p.out.Pixels()
	}
	return p.out.N * p.out.C * p.out.Pixels()
}

// at locates the position with the number item.
func (p *pooling) at(item int) position {
	size := p.out.Size
	picture, pixel := item/size.Volume(), item%size.Volume()
	width := 1
	if p.in.Last {
		width = p.in.C
	}
	return position{
		to: item * width, from: picture * p.in.Pixels() * p.pitch,
		zs: p.tables[0].of(pixel / (size[1] * size[2])), ys: p.tables[1].of(pixel / size[2] % size[1]), xs: p.tables[2].of(pixel % size[2]),
	}
}

// channels is the number of neighbouring elements that each position has.
func (p *pooling) channels() int {
	if p.in.Last {
		return p.in.C
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
			row := (int(z)*p.in.Size[1] + int(y)) * p.in.Size[2]
			for _, x := range q.xs {
				if x >= 0 {
					visit(row + int(x))
				}
			}
		}
	}
}

// runPooling shares the positions of a result among the workers: each computes what belongs into to.
func runPooling[T array.Element](b *site, p *pooling, dst []T, each func(q position, to []T)) func() {
	var part window[T]
	first, channels := 0, p.channels()
	body := func(_, lo, hi int) {
		for item := first + lo; item < first+hi; item++ {
			q := p.at(item)
			each(q, part.of(q.to, channels))
		}
	}
	size := grain(channels * p.window.Kernel.Volume())
	return inRows(b, dst, &part, rows{p.items(), channels, p.out.Size[2]}, func(lo, hi int) {
		first = lo
		b.d.crew.Split(hi-lo, size, body)
	})
}
