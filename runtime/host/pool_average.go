package host

import (
	"math"

	"github.com/memplan/memplan/runtime/form"
)

// buildAveragePool binds AveragePool, in either layout, with dilations. The divisor counts the inputs of a window, with
// count_include_pad also the padding, but never what ceil_mode lets a window cover beyond it.
func buildAveragePool(b *site) (func() error, error) {
	p, src, dst, tail, err := floatPooling(b)
	if err != nil {
		return nil, err
	}
	padded := b.op.Attrs.Int("count_include_pad", 0) != 0
	return tail(runPooling(b, p, dst, func(q position, to []float32) {
		clear(to)
		p.accumulate(&q, to, src, 0)
		divisor := float32(covered(q.zs) * covered(q.ys) * covered(q.xs))
		if padded {
			divisor = float32(p.counted(&q))
		}
		for i := range to {
			to[i] /= divisor
		}
	})), nil
}

// buildLpPool binds LpPool: the p-th root of the sum of p-th powers of the magnitudes.
func buildLpPool(b *site) (func() error, error) {
	p, src, dst, tail, err := floatPooling(b)
	if err != nil {
		return nil, err
	}
	power := b.op.Attrs.Int("p", 2)
	if power < 1 {
		return nil, form.Refuse("p is %d, and a norm needs 1 or more", power)
	}
	return tail(runPooling(b, p, dst, func(q position, to []float32) {
		clear(to)
		p.accumulate(&q, to, src, power)
		for i, v := range to {
			to[i] = float32(math.Pow(float64(v), 1/float64(power)))
		}
	})), nil
}

func floatPooling(b *site) (p *pooling, src, dst []float32, tail func(func()) func() error, err error) {
	p, x, y, err := newPooling(b)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if src, err = b.floats(x); err != nil {
		return nil, nil, nil, nil, err
	}
	if dst, err = b.resultFloats(y, false); err != nil {
		return nil, nil, nil, nil, err
	}
	tail, err = b.tail(nil)
	return p, src, dst, tail, err
}

// accumulate adds the inputs of a position to its channels: themselves when power is 0, else that power of their
// magnitudes.
func (p *pooling) accumulate(q *position, to, src []float32, power int64) {
	for _, z := range q.zs {
		for _, y := range q.ys {
			if z < 0 || y < 0 {
				continue
			}
			row := (int(z)*p.in.Size[1] + int(y)) * p.in.Size[2]
			for _, x := range q.xs {
				if x < 0 {
					continue
				}
				from := src[q.from+(row+int(x))*p.pitch:]
				addPowers(to, from[:len(to)], power)
			}
		}
	}
}

func addPowers(to, from []float32, power int64) {
	for i, v := range from {
		switch power {
		case 0:
			to[i] += v
		case 1:
			to[i] += max(v, -v)
		case 2:
			to[i] += float32(v * v)
		default:
			to[i] += float32(math.Pow(math.Abs(float64(v)), float64(power)))
		}
	}
}

// covered is the number of kernel elements of an axis that meet an input.
func covered(at []int32) int {
	n := 0
	for _, i := range at {
		if i >= 0 {
			n++
		}
	}
	return n
}

// counted is the number of kernel elements of a window that meet inputs or padding.
func (p *pooling) counted(q *position) int {
	size := p.out.Size
	pixel := q.to / p.channels() % size.Volume()
	at := form.Dims{pixel / (size[1] * size[2]), pixel / size[2] % size[1], pixel % size[2]}
	total := 1
	for axis := range form.Spatial {
		w, n := &p.window, 0
		first := at[axis]*w.Stride[axis] - w.Before[axis]
		for k := range w.Kernel[axis] {
			if i := first + k*w.Dilation[axis]; i >= -w.Before[axis] && i < p.in.Size[axis]+w.After[axis] {
				n++
			}
		}
		total *= n
	}
	return total
}
