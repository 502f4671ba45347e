package opencl

// matmul is a batch of matrix products y = x·w, [rows, k] by [k, columns], of one extent; w is panels of 16 lanes.
type matmul struct {
	rows, k, columns int
	x, w, y          *flat
	after            after
	// Strides of the rows of x and y and of the operand of an addition, which has 0 as stride of rows or columns where it
	// repeats.
	xRow, yRow, rRow, rColumn int
	// The batch has two axes; steps are strides along the inner and the outer one.
	inner, outer        int
	xStep, wStep, yStep [2]int
}

// launch makes the products. A single row takes one block of columns an item, else an item takes eight rows, so that each
// weight that is loaded serves them all.
func (p *matmul) launch(b *site) ([]launch, error) {
	kernel, rows, columns := "product_8x32", 8, 32
	switch {
	case p.rows == 1:
		kernel, rows, columns = "product_1x16", 1, 16
	case p.columns <= 16:
		kernel, columns = "product_8x16", 16
	}
	global, group := alone(ceilDiv(p.columns, columns), ceilDiv(p.rows, rows), p.inner*p.outer)
	macs := int64(p.rows) * int64(p.k) * int64(p.columns) * int64(p.inner*p.outer)
	return b.sum(macs, kernel, global, group, p.x, p.w, p.y, p.after.other(p.y),
		ints8(p.rows, p.k, p.columns, p.xRow, p.yRow, p.rRow, p.rColumn, p.after.stages),
		ints8(p.inner, p.xStep[0], p.xStep[1], p.wStep[0], p.wStep[1], p.yStep[0], p.yStep[1]), p.after.limits)
}
