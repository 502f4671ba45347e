package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// matmul: [..., M, K] by [..., K, N] gives [..., M, N], numpy's rules for vectors and batch axes.
func matmul(n *node) ([]array.Type, error) {
	shape, err := n.product(0, 1)
	return one(n.dtype(0), shape), err
}

// matmulInteger: as matmul, accumulated in int32.
func matmulInteger(n *node) ([]array.Type, error) {
	shape, err := n.product(0, 1)
	return one(graph.Int32, shape), err
}

// qlinearMatmul: as matmul, each operand with scale and zero point; the output's zero point gives its type.
func qlinearMatmul(n *node) ([]array.Type, error) {
	shape, err := n.product(0, 3)
	return one(n.dtype(7), shape), err
}

// product returns the shape of the matrix product of inputs i and j. A vector is a row on the left and a column on the
// right; its axis is not in the result.
func (n *node) product(i, j int) (graph.Shape, error) {
	if err := n.wantMinRank(i, 1); err != nil {
		return nil, err
	}
	if err := n.wantMinRank(j, 1); err != nil {
		return nil, err
	}
	a, b := n.shape(i), n.shape(j)
	inner := max(len(b)-2, 0)
	if a[len(a)-1] != b[inner] {
		return nil, n.fault(diag.ExtentMismatch, "multiplies %s, with %d elements on axis %d, by %s, with %d on axis %d; the two must be equal. Correct one of the shapes.",
			n.operand(i), a[len(a)-1], len(a)-1, n.operand(j), b[inner], inner)
	}
	batch, axis := broadcastShapes(a[:max(len(a)-2, 0)], b[:inner])
	if axis >= 0 {
		return nil, n.fault(diag.BroadcastMismatch, "cannot broadcast the batch axes of %s and %s: batch axis %d differs. Make the two extents equal, or one of them 1.",
			n.operand(i), n.operand(j), axis)
	}
	out := append(make(graph.Shape, 0, len(batch)+2), batch...)
	if len(a) > 1 {
		out = append(out, a[len(a)-2])
	}
	if len(b) > 1 {
		out = append(out, b[len(b)-1])
	}
	return out, nil
}

// gemm: [M, K] by [K, N], each possibly transposed, plus something that broadcasts to [M, N].
func gemm(n *node) ([]array.Type, error) {
	var inner, outer [2]int
	for i, name := range []string{"transA", "transB"} {
		if err := n.wantRank(i, 2); err != nil {
			return nil, err
		}
		flipped, err := n.flagAttr(name, false)
		if err != nil {
			return nil, err
		}
		if inner[i] = 1 - i; flipped {
			inner[i] = i
		}
		outer[i] = 1 - inner[i]
	}
	a, b := n.shape(0), n.shape(1)
	if a[inner[0]] != b[inner[1]] {
		return nil, n.fault(diag.ExtentMismatch, "multiplies %s, with %d elements on axis %d, by %s, with %d on axis %d; the two must be equal. Correct one of the shapes.",
			n.operand(0), a[inner[0]], inner[0], n.operand(1), b[inner[1]], inner[1])
	}
	out := graph.Shape{a[outer[0]], b[outer[1]]}
	if n.has(2) {
		if err := n.broadcastTo(2, out, "the product "+out.String()); err != nil {
			return nil, err
		}
	}
	return one(n.dtype(0), out), nil
}

// determinant: [..., M, M] gives [...].
func determinant(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 2); err != nil {
		return nil, err
	}
	s := n.shape(0)
	last := len(s) - 1
	if err := n.wantExtent(0, last, s[last-1], "its last two axes are a square matrix"); err != nil {
		return nil, err
	}
	return one(n.dtype(0), s[:last-1].Clone()), nil
}
