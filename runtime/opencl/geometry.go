package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// maxAxes is the number of axes that a kernel walks, after those that are contiguous in every operand are merged.
const maxAxes = 8

// chunk is the number of neighbouring elements that an item of most kernels computes, and group the items of a group.
const (
	chunk = 16
	group = 64
	// long is LONG of walk.cl: what an item of the simplest kernels computes, so that finding its place costs little.
	long = 64
)

// walk is a box of elements in several arrays, each with strides of its own, as kernels take it: rows of n elements
// along the innermost axis, and up to seven axes around them.
type walk struct {
	// n is the elements of a row, rows their number.
	n, rows int
	rank    int
	extents [maxAxes]int32
	// item is the elements that an item computes, 0 for a chunk.
	item int
	// strides has for each array the strides of the outer axes, outermost first, and at index 7 that of the row.
	strides [][maxAxes]int32
}

// newWalk merges the axes of a box, outermost first, for arrays with the given strides in elements. It costs
// O(axes · arrays).
func newWalk(extents []int, strides ...[]int) (walk, error) {
	dims, merged := mergeAxes(extents, strides)
	outer := len(dims) - 1
	if outer >= maxAxes {
		return walk{}, form.Refuse("%d axes that do not merge are more than the kernel walks, %d", len(dims), maxAxes)
	}
	w := walk{n: dims[outer], rows: volume(dims[:outer]), rank: outer, strides: make([][maxAxes]int32, len(strides))}
	for i, d := range dims[:outer] {
		w.extents[i] = int32(d)
	}
	for k, s := range merged {
		for i := range outer {
			w.strides[k][i] = int32(s[i])
		}
		w.strides[k][maxAxes-1] = int32(s[outer])
	}
	return w, nil
}

// chunks is the number of items that a row takes, items that of the whole walk.
func (w *walk) chunks() int {
	size := max(w.item, chunk)
	return (w.n + size - 1) / size
}

func (w *walk) items() int { return w.rows * w.chunks() }

// args are the arguments WALK of a kernel, and the strides of each array.
func (w *walk) args() []any {
	list := []any{w.n, max(w.chunks(), 1), w.items(), w.rank, w.extents}
	for _, s := range w.strides {
		list = append(list, s)
	}
	return list
}

// mergeAxes drops the axes of extent 1 and joins neighbours that are contiguous in every array. At least one axis is
// left.
func mergeAxes(extents []int, strides [][]int) ([]int, [][]int) {
	var dims []int
	merged := make([][]int, len(strides))
	for i, d := range extents {
		if d == 1 {
			continue
		}
		last := len(dims) - 1
		joins := last >= 0
		for k := range strides {
			joins = joins && merged[k][last] == strides[k][i]*d
		}
		if joins {
			dims[last] *= d
		} else {
			dims = append(dims, d)
		}
		for k := range strides {
			if joins {
				merged[k][last] = strides[k][i]
			} else {
				merged[k] = append(merged[k], strides[k][i])
			}
		}
	}
	if len(dims) > 0 {
		return dims, merged
	}
	for k := range merged {
		merged[k] = []int{1}
	}
	return []int{1}, merged
}

// extentsOf returns a shape as ints; tensors of a site have no more elements than an int counts.
func extentsOf(s graph.Shape) []int {
	list := make([]int, len(s))
	for i, n := range s {
		list[i] = int(n)
	}
	return list
}

// shapeOf is the inverse of extentsOf.
func shapeOf(extents []int) graph.Shape {
	s := make(graph.Shape, len(extents))
	for i, n := range extents {
		s[i] = int64(n)
	}
	return s
}

// rowMajor returns the strides of a dense array.
func rowMajor(extents []int) []int {
	strides := make([]int, len(extents))
	step := 1
	for i := len(extents) - 1; i >= 0; i-- {
		strides[i] = step
		step *= extents[i]
	}
	return strides
}

func volume(extents []int) int {
	n := 1
	for _, d := range extents {
		n *= d
	}
	return n
}

// broadcast returns the strides with which an array of shape s is read once for each element of shape out: 0 along the
// axes that repeat. The second result is false when s does not broadcast to out.
func broadcast(s, out graph.Shape) ([]int, bool) {
	lead := len(out) - len(s)
	if lead < 0 {
		return nil, false
	}
	own, result := rowMajor(extentsOf(s)), make([]int, len(out))
	for i := range s {
		switch s[i] {
		case out[lead+i]:
			result[lead+i] = own[i]
		case 1:
		default:
			return nil, false
		}
	}
	return result, true
}

// axisSplit is a tensor seen as [outer][n][inner] around a run of axes.
type axisSplit struct{ outer, n, inner int }

// around splits a shape at the axes [from, to).
func around(shape graph.Shape, from, to int) axisSplit {
	e := extentsOf(shape)
	return axisSplit{volume(e[:from]), volume(e[from:to]), volume(e[to:])}
}

// axis resolves an axis attribute that may count from the end. A scalar has the axis 0, of extent 1.
func (b *site) axis(name string, def int64, rank int) (int, error) {
	return axisOf(b.op.Attrs.Int(name, def), max(rank, 1))
}

// axisOf maps an axis that may count from the end to [0, rank).
func axisOf(axis int64, rank int) (int, error) {
	if axis < -int64(rank) || axis >= int64(rank) {
		return 0, form.Refuse("axis %d does not exist in rank %d", axis, rank)
	}
	return int((axis + int64(rank)) % int64(rank)), nil
}

// line is a launch of items along one axis.
func (b *site) line(from source, kernel string, items int, args ...any) (launch, error) {
	return b.launch(from, kernel, cl.Size{items}, cl.Size{group}, args...)
}

// reshaped is the same memory seen in another shape of as many elements.
func (f *flat) reshaped(shape ...int) *flat {
	seen := *f
	seen.shape = shapeOf(shape)
	return &seen
}
