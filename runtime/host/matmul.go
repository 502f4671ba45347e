package host

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// buildMatMul binds MatMul in every combination of ranks: the last two axes are matrices, those before broadcast, and a
// vector takes the part of a row on the left and of a column on the right.
func buildMatMul(b *site) (func() error, error) {
	left, right, y, err := b.matrices()
	if err != nil {
		return nil, err
	}
	a, c := left.shape(), right.shape()
	if len(a) == 0 || len(c) == 0 {
		return nil, form.Refuse("a matrix product of scalars has no meaning")
	}
	if len(a) == 1 {
		a = graph.Shape{1, a[0]}
	}
	if len(c) == 1 {
		c = graph.Shape{c[0], 1}
	}
	p := &product{m: int(a[len(a)-2]), k: int(a[len(a)-1]), n: int(c[len(c)-1]), alpha: 1}
	p.bk, p.bn = p.n, 1
	if c[len(c)-2] != int64(p.k) {
		return nil, form.RefuseTensor(right.t, "the inner extents of %v and %v differ", left.shape(), right.shape())
	}
	if !p.batch(a[:len(a)-2], c[:len(c)-2]) || y.elements() != len(p.yAt)*p.m*p.n {
		return nil, form.RefuseTensor(y.t, "the shape %v is not that of a product of %v and %v", y.shape(), left.shape(), right.shape())
	}
	if err := p.operands(b, left, right, y); err != nil {
		return nil, err
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	return tail(p.run(b, right.t.Role == graph.Constant)), nil
}

func (b *site) matrices() (left, right, y *operand, err error) {
	if left, err = b.need(0); err != nil {
		return nil, nil, nil, err
	}
	if right, err = b.need(1); err != nil {
		return nil, nil, nil, err
	}
	y, err = b.needResult(0)
	return left, right, y, err
}

func (p *product) operands(b *site, left, right, y *operand) (err error) {
	if p.a, err = b.floats(left); err != nil {
		return err
	}
	if p.b, err = b.floats(right); err != nil {
		return err
	}
	p.y, err = b.resultFloats(y, false)
	return err
}

// batch works out where each product of broadcast leading axes starts.
func (p *product) batch(a, b graph.Shape) bool {
	rank := max(len(a), len(b))
	out := make(graph.Shape, rank)
	for i := range out {
		out[i] = 1
	}
	aStrides, ok := broadcastStrides(a, out, p.m*p.k)
	bStrides, ok2 := broadcastStrides(b, out, p.k*p.n)
	if !ok || !ok2 {
		return false
	}
	total := 1
	for _, n := range out {
		total *= int(n)
	}
	p.aAt, p.bAt, p.yAt = make([]int, total), make([]int, total), make([]int, total)
	for item := range total {
		p.yAt[item] = item * p.m * p.n
		rest := item
		for i := rank - 1; i >= 0; i-- {
			at := rest % int(out[i])
			rest /= int(out[i])
			p.aAt[item] += at * aStrides[i]
			p.bAt[item] += at * bStrides[i]
		}
	}
	return true
}

// extent is the extent of axis i of a shape seen with rank axes.
func extent(s graph.Shape, rank, i int) int64 {
	if i -= rank - len(s); i >= 0 {
		return s[i]
	}
	return 1
}

// broadcastStrides raises the axes of out that are 1 to the extents of s and returns the strides of s along out's axes, 0 where it repeats;
// unit is the number of elements of the innermost item.
func broadcastStrides(s, out graph.Shape, unit int) ([]int, bool) {
	strides := make([]int, len(out))
	for i := len(out) - 1; i >= 0; i-- {
		n := extent(s, len(out), i)
		if n != 1 {
			strides[i] = unit
			unit *= int(n)
		}
		switch {
		case out[i] == 1:
			out[i] = n
		case n != 1 && n != out[i]:
			return nil, false
		}
	}
	return strides, true
}

// buildGemm binds Gemm: alpha·a·b + beta·c, either matrix transposed, c broadcast to the result.
func buildGemm(b *site) (func() error, error) {
	left, right, y, err := b.matrices()
	if err != nil {
		return nil, err
	}
	a, w := left.shape(), right.shape()
	if len(a) != 2 || len(w) != 2 || len(y.shape()) != 2 {
		return nil, form.Refuse("operands of shape %v and %v are not matrices", a, w)
	}
	p := &product{m: int(y.shape()[0]), n: int(y.shape()[1]), k: int(a[1]), aAt: []int{0}, bAt: []int{0}, yAt: []int{0}}
	rows := int(a[0])
	transA, transB := b.op.Attrs.Int("transA", 0) != 0, b.op.Attrs.Int("transB", 0) != 0
	if transA {
		p.k, rows = int(a[0]), int(a[1])
	}
	inner, columns := int(w[0]), int(w[1])
	p.bk, p.bn = columns, 1
	if transB {
		p.bk, p.bn = 1, columns
		inner, columns = columns, inner
	}
	if rows != p.m || inner != p.k || columns != p.n {
		return nil, form.RefuseTensor(y.t, "the shape %v is not that of a product of %v and %v", y.shape(), a, w)
	}
	if err := p.operands(b, left, right, y); err != nil {
		return nil, err
	}
	if transA {
		p.a = b.transposed(p.a, p.k, p.m)
	}
	if err := p.affine(b); err != nil {
		return nil, err
	}
	tail, err := b.tail(nil)
	if err != nil {
		return nil, err
	}
	return tail(p.run(b, right.t.Role == graph.Constant)), nil
}

// transposed stages the transpose of a matrix of rows and columns, made anew before each run.
func (b *site) transposed(src []float32, rows, columns int) []float32 {
	dst := b.d.work.floats(len(src))
	b.before = append(b.before, func() {
		for i := range rows {
			for j := range columns {
				dst[j*rows+i] = src[i*columns+j]
			}
		}
	})
	return dst
}

// affine reads alpha, beta and c of Gemm.
func (p *product) affine(b *site) error {
	p.alpha, p.beta = b.op.Attrs.Float("alpha", 1), b.op.Attrs.Float("beta", 1)
	o := b.input(2)
	if o == nil {
		return nil
	}
	whole := graph.Shape{int64(p.m), int64(p.n)}
	strides, ok := broadcastStrides(o.shape(), whole, 1)
	if !ok || len(o.shape()) > 2 || whole[0] != int64(p.m) || whole[1] != int64(p.n) {
		return form.RefuseTensor(o.t, "the shape %v does not broadcast to [%d, %d]", o.shape(), p.m, p.n)
	}
	p.cm, p.cn = strides[0], strides[1]
	var err error
	p.c, err = b.floats(o)
	return err
}
