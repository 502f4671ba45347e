package host

// buildConcat binds Concat for any element type. An input that the plan has placed inside the result, where it belongs,
// costs nothing.
func buildConcat(b *site) (func() error, error) {
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	rank := len(y.shape())
	axis, err := b.axis("axis", 0, rank)
	if err != nil || rank == 0 || len(b.op.Fused) > 1 {
		return reference(b)
	}
	g := around(y.shape(), axis, axis+1)
	size := int(y.t.DType.Size())
	pitch := g.n * g.inner * size
	var copies []func()
	at := 0
	for _, x := range b.in {
		if x == nil || len(x.shape()) != rank || x.t.DType != y.t.DType || len(x.bytes) != g.outer*int(x.shape()[axis])*g.inner*size {
			return reference(b)
		}
		width := int(x.shape()[axis]) * g.inner * size
		if at+width > pitch {
			return reference(b)
		}
		inPlace := g.outer == 1 && same(x.bytes, y.bytes[at:at+width])
		switch {
		case inPlace:
		case intersect(x.bytes, y.bytes):
			return reference(b)
		default:
			copies = append(copies, copyRows(y.bytes, x.bytes, at, pitch, width))
		}
		at += width
	}
	if at != pitch {
		return reference(b)
	}
	return func() error {
		for _, c := range copies {
			c()
		}
		return nil
	}, nil
}

// copyRows copies rows of width bytes to places that are pitch apart, the first at at.
func copyRows(dst, src []byte, at, pitch, width int) func() {
	return func() {
		for row := range len(src) / max(width, 1) {
			to := at + row*pitch
			copy(dst[to:to+width], src[row*width:])
		}
	}
}
