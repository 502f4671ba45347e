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
	var copies []piece
	at := 0
	for _, x := range b.in {
		if x == nil || len(x.shape()) != rank || x.t.DType != y.t.DType || len(x.bytes) != g.outer*int(x.shape()[axis])*g.inner*size {
			return reference(b)
		}
		width := int(x.shape()[axis]) * g.inner * size
		if at+width > pitch {
			return reference(b)
		}
		if g.outer != 1 || !same(x.bytes, y.bytes[at:at+width]) {
			copies = append(copies, piece{x.bytes, at, width})
		}
		at += width
	}
	if at != pitch || meetsTarget(copies, y.bytes, pitch) {
		return reference(b)
	}
	return func() error {
		for _, c := range copies {
			copyRows(y.bytes, c.from, c.at, pitch, c.width)
		}
		return nil
	}, nil
}

// piece is what a concatenation copies: rows of width bytes, the first to the byte at of the result.
type piece struct {
	from      []byte
	at, width int
}

// meetsTarget reports whether a piece to copy lies where another one, or itself, is copied to. One that lies in the result
// because it belongs to it in another place can be read from there.
func meetsTarget(copies []piece, result []byte, pitch int) bool {
	for _, c := range copies {
		for _, target := range copies {
			if len(target.from) == 0 {
				continue
			}
			last := len(target.from)/target.width - 1
			if intersect(c.from, result[target.at:last*pitch+target.at+target.width]) {
				return true
			}
		}
	}
	return false
}

// copyRows copies rows of width bytes to places that are pitch apart, the first at at.
func copyRows(dst, src []byte, at, pitch, width int) {
	for row := range len(src) / max(width, 1) {
		to := at + row*pitch
		copy(dst[to:to+width], src[row*width:])
	}
}
