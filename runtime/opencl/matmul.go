package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// matmulBuilders are the matrix products.
var matmulBuilders = map[string]builder{"MatMul": buildMatMul, "Gemm": buildGemm}

// matrices are the operands of a matrix product, bound.
type matrices struct {
	left, right, result *operand
	a                   *flat
}

func (b *site) matrices() (m matrices, err error) {
	if m.left, err = b.need(0); err != nil {
		return m, err
	}
	if m.right, err = b.need(1); err != nil {
		return m, err
	}
	if m.result, err = b.needResult(0); err != nil {
		return m, err
	}
	m.a, err = b.floatsOf(m.left)
	return m, err
}

// buildMatMul binds MatMul in every combination of ranks: the last two axes are matrices, those before broadcast, and a
// vector takes the part of a row on the left and of a column on the right.
func buildMatMul(b *site) ([]launch, error) {
	m, err := b.matrices()
	if err != nil {
		return nil, err
	}
	left, right := m.left.shape(), m.right.shape()
	if len(left) == 0 || len(right) == 0 {
		return nil, form.Refuse("a matrix product of scalars has no meaning")
	}
	if len(left) == 1 {
		left = graph.Shape{1, left[0]}
	}
	if len(right) == 1 {
		right = graph.Shape{right[0], 1}
	}
	rows, k, columns := int(left[len(left)-2]), int(left[len(left)-1]), int(right[len(right)-1])
	if right[len(right)-2] != int64(k) {
		return nil, form.RefuseTensor(m.right.t, "the inner extents of %v and %v differ", m.left.shape(), m.right.shape())
	}
	batch, ok := batchOf(left[:len(left)-2], right[:len(right)-2], rows*k, rows*columns)
	if !ok || m.result.elements() != batch.products*rows*columns {
		return nil, form.RefuseTensor(m.result.t, "the shape %v is not that of a product of %v and %v", m.result.shape(), m.left.shape(), m.right.shape())
	}
	p := matmul{rows: rows, k: k, columns: columns, x: m.a, xRow: k, yRow: columns, rRow: columns, rColumn: 1}
	if p.after, err = b.absorb(m.result, len(m.result.shape())-1); err != nil {
		return nil, err
	}
	if p.y, err = b.resultAfter(m.result, &p.after); err != nil {
		return nil, err
	}
	w := panels{
		b: b, weights: m.right, slope: p.after.slope, scale: 1, groups: batch.weights, columns: columns, channels: k, lanes: 16,
		window: form.Dims{1, 1, 1}, group: k * columns, column: 1, channel: columns,
	}
	if p.w, err = w.pack(); err != nil {
		return nil, err
	}
	return p.launchBatch(b, batch)
}

// batch is a set of products whose matrices are the items of broadcast axes, as axes that were merged where all three
// operands step evenly.
type batch struct {
	axes []batchAxis
	// products is their number, weights the number of different matrices on the right.
	products, weights int
}

// batchAxis has the strides of an axis: in elements of x and y, and in matrices on the right; 0 where one repeats.
type batchAxis struct{ n, x, w, y int }

// batchOf broadcasts the leading axes of the two operands; x and y are the elements of a matrix on the left and of a
// result.
func batchOf(left, right graph.Shape, x, y int) (batch, bool) {
	rank := max(len(left), len(right))
	b := batch{products: 1, weights: 1}
	for i := rank - 1; i >= 0; i-- {
		l, r := extentFromEnd(left, rank-1-i), extentFromEnd(right, rank-1-i)
		if l != r && l != 1 && r != 1 {
			return b, false
		}
		axis := batchAxis{n: max(l, r), y: b.products * y}
		if l == 0 || r == 0 {
			axis.n = 0
		}
		if l != 1 {
			axis.x = x
		}
		if r != 1 {
			axis.w = b.weights
		}
		x, b.weights, b.products = x*l, b.weights*r, b.products*axis.n
		b.add(axis)
	}
	return b, true
}

// extentFromEnd is the extent of an axis counted from the last one, 1 for an axis that a shape does not have.
func extentFromEnd(s graph.Shape, i int) int {
	if i >= len(s) {
		return 1
	}
	return int(s[len(s)-1-i])
}

// add adds the next axis outwards, merging it with the one before where all steps continue.
func (b *batch) add(a batchAxis) {
	if a.n == 1 {
		return
	}
	if len(b.axes) > 0 {
		last := &b.axes[len(b.axes)-1]
		if a.x == last.x*last.n && a.w == last.w*last.n && a.y == last.y*last.n {
			last.n *= a.n
			return
		}
	}
	b.axes = append(b.axes, a)
}

// launchBatch makes a launch for each item of the axes beyond the two that a kernel takes.
func (p *matmul) launchBatch(b *site, all batch) ([]launch, error) {
	size := panelSize(p.columns, p.k, 16)
	p.inner, p.outer = 1, 1
	axes := all.axes
	for i, n := range []*int{&p.inner, &p.outer} {
		if i >= len(axes) {
			break
		}
		*n = axes[i].n
		p.xStep[i], p.wStep[i], p.yStep[i] = axes[i].x, axes[i].w*size, axes[i].y
	}
	items := []matmul{*p}
	for _, axis := range axes[min(2, len(axes)):] {
		if len(items)*axis.n > maxBatchLaunches {
			return nil, form.Refuse("a batch of matrix products along %d axes that repeat differently is not supported", len(axes))
		}
		items = p.along(items, axis, size)
	}
	var launches []launch
	for i := range items {
		l, err := items[i].launch(b)
		if err != nil {
			return nil, err
		}
		launches = append(launches, l...)
	}
	return launches, nil
}

// maxBatchLaunches bounds the launches that one step makes.
const maxBatchLaunches = 256

// along repeats the products for each item of an axis.
func (p *matmul) along(items []matmul, axis batchAxis, size int) []matmul {
	var all []matmul
	for i := range axis.n {
		for _, item := range items {
			item.x, item.w, item.y = item.x.moved(i*axis.x), item.w.moved(i*axis.w*size), item.y.moved(i*axis.y)
			if item.after.add != nil {
				item.after.add = item.after.add.moved(i * axis.y)
			}
			all = append(all, item)
		}
	}
	return all
}

// moved is the memory from an element on.
func (f *flat) moved(element int) *flat {
	moved := *f
	moved.at += int64(element)
	return &moved
}

// buildGemm binds Gemm: alpha·a·b + beta·c, either matrix transposed, c broadcast to the result.
func buildGemm(b *site) ([]launch, error) {
	m, err := b.matrices()
	if err != nil {
		return nil, err
	}
	left, right, y := m.left.shape(), m.right.shape(), m.result.shape()
	if len(left) != 2 || len(right) != 2 || len(y) != 2 {
		return nil, form.Refuse("operands of shape %v and %v are not matrices", left, right)
	}
	p := matmul{rows: int(left[0]), k: int(left[1]), columns: int(right[1]), x: m.a, inner: 1, outer: 1}
	inner := int(right[0])
	w := panels{
		b: b, weights: m.right, scale: b.op.Attrs.Float("alpha", 1), biasScale: b.op.Attrs.Float("beta", 1),
		groups: 1, lanes: 16, window: form.Dims{1, 1, 1}, column: 1, channel: p.columns,
	}
	if b.op.Attrs.Int("transB", 0) != 0 {
		w.column, w.channel = p.columns, 1
		inner, p.columns = p.columns, inner
	}
	if b.op.Attrs.Int("transA", 0) != 0 {
		p.rows, p.k = p.k, p.rows
		if p.x, err = b.transposed(m.left, p.k, p.rows); err != nil {
			return nil, err
		}
	}
	if inner != p.k || y[0] != int64(p.rows) || y[1] != int64(p.columns) {
		return nil, form.RefuseTensor(m.result.t, "the shape %v is not that of a product of %v and %v", y, left, right)
	}
	p.xRow, p.yRow, p.rRow, p.rColumn = p.k, p.columns, p.columns, 1
	w.columns, w.channels = p.columns, p.k
	if err := p.affine(b, &w, m.result); err != nil {
		return nil, err
	}
	if p.y, err = b.resultAfter(m.result, &p.after); err != nil {
		return nil, err
	}
	if p.w, err = w.pack(); err != nil {
		return nil, err
	}
	return p.launch(b)
}

// affine reads c of Gemm: one value for each column becomes the bias of the panels, other shapes the operand of an
// addition.
func (p *matmul) affine(b *site, w *panels, y *operand) (err error) {
	c := b.input(2)
	if c == nil {
		p.after, err = b.absorb(y, 1)
		w.slope = p.after.slope
		return err
	}
	rows, columns := extentFromEnd(c.shape(), 1), extentFromEnd(c.shape(), 0)
	if len(c.shape()) > 2 || rows != 1 && rows != p.rows || columns != 1 && columns != p.columns {
		return form.RefuseTensor(c.t, "the shape %v does not broadcast to [%d, %d]", c.shape(), p.rows, p.columns)
	}
	if rows == 1 && columns == p.columns {
		w.bias = c
		p.after, err = b.absorb(y, 1)
		w.slope = p.after.slope
		return err
	}
	if p.after.add, err = b.floatsOf(c); err != nil {
		return err
	}
	p.after.stages, p.rRow, p.rColumn = stageAdd|stageAdds, 0, 0
	if rows != 1 {
		p.rRow = columns
	}
	if columns != 1 {
		p.rColumn = 1
	}
	if w.biasScale != 1 {
		p.after.add, err = b.scaled(p.after.add, w.biasScale)
	}
	return err
}

// transposed stages the transpose of a matrix of rows and columns, made anew before each run, or once for a constant.
func (b *site) transposed(o *operand, rows, columns int) (*flat, error) {
	from, err := b.floatsOf(o)
	if err != nil {
		return nil, err
	}
	to, err := b.staged(o, graph.Float32)
	if err != nil {
		return nil, err
	}
	global, group := alone(ceilDiv(columns, 16), rows, 1)
	l, err := b.launch(sums, "transpose_matrix", global, group, from, to, rows, columns)
	if err != nil {
		return nil, err
	}
	return to, b.prior(o, l)
}

// scaled stages a multiple of the operand c of Gemm.
func (b *site) scaled(from *flat, factor float32) (*flat, error) {
	to, err := b.scratch(graph.Float32, from.shape)
	if err != nil {
		return nil, err
	}
	n := from.elements()
	l, err := b.launch(sums, "scale_matrix", [3]int{ceilDiv(n, 16)}, [3]int{16}, from, to, n, factor)
	if err != nil {
		return nil, err
	}
	b.before = append(b.before, l)
	return to, nil
}
