package shape

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// broadcastAll broadcasts the given inputs among [first, last) together, as numpy does, and checks that they are of one
// element type. At least the first must be given.
func (n *node) broadcastAll(first, last int) (graph.Shape, error) {
	shape := n.shape(first).Clone()
	for i := first + 1; i < last; i++ {
		if !n.has(i) {
			continue
		}
		if err := n.wantSameType(first, i); err != nil {
			return nil, err
		}
		var err error
		if shape, err = n.broadcast(shape, i); err != nil {
			return nil, err
		}
	}
	return shape, nil
}

// broadcast returns the common shape of a shape and input i: axes are aligned from the last; of each pair the extents
// are equal or one of them is 1.
func (n *node) broadcast(shape graph.Shape, i int) (graph.Shape, error) {
	out, axis := broadcastShapes(shape, n.shape(i))
	if axis < 0 {
		return out, nil
	}
	mine := axis - (len(out) - n.rank(i))
	other := axis - (len(out) - len(shape))
	return nil, n.fault(diag.BroadcastMismatch, "cannot broadcast %s, with %d elements on axis %d, to %s, which has %d on axis %d. Make the two extents equal, or one of them 1.",
		n.operand(i), n.shape(i)[mine], mine, shape, shape[other], other)
}

// broadcastShapes returns the common shape and -1, or the axis, counted in the longer shape, that does not fit.
func broadcastShapes(a, b graph.Shape) (graph.Shape, int) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := a.Clone()
	for i := range b {
		axis := len(a) - len(b) + i
		switch {
		case a[axis] == b[i], b[i] == 1:
		case a[axis] == 1:
			out[axis] = b[i]
		default:
			return out, axis
		}
	}
	return out, -1
}

// broadcastTo fails unless input i can be broadcast to the shape without changing it; of says whose shape it is.
func (n *node) broadcastTo(i int, shape graph.Shape, of string) error {
	out, axis := broadcastShapes(shape, n.shape(i))
	if axis < 0 && out.Equal(shape) {
		return nil
	}
	at := ""
	for k := range min(len(shape), n.rank(i)) {
		mine, target := n.rank(i)-1-k, len(shape)-1-k
		if e := n.shape(i)[mine]; e != shape[target] && e != 1 {
			at = fmt.Sprintf(": axis %d has %d elements, axis %d of the other %d", mine, e, target, shape[target])
			break
		}
	}
	return n.fault(diag.BroadcastMismatch, "cannot broadcast %s to %s%s. Make the extents equal, or 1 in %s.", n.operand(i), of, at, n.name(i))
}
