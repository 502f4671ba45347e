package array

import (
	"fmt"
)

// region is a box of elements inside an array: the offset of its first element and the stride of each axis, both in
// elements. Strides may be 0 (repeat) for a source and negative.
type region struct {
	offset  int
	strides []int
}

// dense is the whole of an array of the given axes.
func dense(dims []int) region { return region{0, strides(dims)} }

// move copies a box of extent dims from one array into another of the same element type. Both boxes must lie inside
// their arrays. It costs O(elements) and copies contiguous runs at memory speed.
func move(dst *Array, to region, src *Array, from region, dims []int) error {
	if err := sameDType(dst, src); err != nil {
		return err
	}
	switch dst.DType.Size() {
	case 1:
		moveElements(View[uint8](dst), to, View[uint8](src), from, dims)
	case 2:
		moveElements(View[uint16](dst), to, View[uint16](src), from, dims)
	case 4:
		moveElements(View[uint32](dst), to, View[uint32](src), from, dims)
	case 8:
		moveElements(View[uint64](dst), to, View[uint64](src), from, dims)
	case 16:
		moveElements(View[[2]uint64](dst), to, View[[2]uint64](src), from, dims)
	default:
		return fmt.Errorf("element type %v cannot be copied", dst.DType)
	}
	return nil
}

func moveElements[T Element](dst []T, to region, src []T, from region, dims []int) {
	extents, s := merge(dims, [][]int{to.strides, from.strides})
	if product(extents) == 0 {
		return
	}
	last := len(extents) - 1
	if across := transposedAxis(s, last); across >= 0 {
		movePlanes(dst, to.offset, src, from.offset, extents, s, across)
		return
	}
	w := newWalk(extents, s[0], s[1])
	for ok := w.first(); ok; ok = w.next() {
		moveRun(dst, to.offset+w.at[0], w.step[0], src, from.offset+w.at[1], w.step[1], w.n)
	}
}

func moveRun[T Element](dst []T, at, step int, src []T, from, fromStep, n int) {
	switch {
	case step == 1 && fromStep == 1:
		copy(dst[at:at+n], src[from:from+n])
	case step == 1 && fromStep == 0:
		fill(dst[at:at+n], src[from])
	default:
		for i := range n {
			dst[at+i*step] = src[from+i*fromStep]
		}
	}
}

// transposedAxis returns the axis along which the source is contiguous when the target is contiguous along the last
// one and the source is not, -1 otherwise.
func transposedAxis(s [][]int, last int) int {
	if s[0][last] != 1 || s[1][last] == 1 || s[1][last] == 0 {
		return -1
	}
	for axis := last - 1; axis >= 0; axis-- {
		if s[1][axis] == 1 {
			return axis
		}
	}
	return -1
}

// movePlanes copies the planes spanned by the axis across and the last one as blocked transpositions.
func movePlanes[T Element](dst []T, at int, src []T, from int, extents []int, s [][]int, across int) {
	last := len(extents) - 1
	rows, cols := extents[across], extents[last]
	rest := make([]int, 0, len(extents))
	strides := [2][]int{}
	for axis := range last {
		if axis != across {
			rest = append(rest, extents[axis])
			strides[0] = append(strides[0], s[0][axis])
			strides[1] = append(strides[1], s[1][axis])
		}
	}
	w := newWalk(rest, strides[0], strides[1])
	for ok := w.first(); ok; ok = w.next() {
		for i := range w.n {
			transpose(dst, at+w.at[0]+i*w.step[0], s[0][across], src, from+w.at[1]+i*w.step[1], s[1][last], rows, cols)
		}
	}
}

// transpose sets dst[at+r*pitch+c] to src[from+c*srcPitch+r] in blocks that fit a few cache lines of either side.
func transpose[T Element](dst []T, at, pitch int, src []T, from, srcPitch, rows, cols int) {
	const block = 8
	for r0 := 0; r0 < rows; r0 += block {
		r1 := min(r0+block, rows)
		for c0 := 0; c0 < cols; c0 += block {
			c1 := min(c0+block, cols)
			for r := r0; r < r1; r++ {
				start := at + r*pitch
				line := dst[start+c0 : start+c1]
				column := from + c0*srcPitch + r
				for c := range line {
					line[c] = src[column+c*srcPitch]
				}
			}
		}
	}
}

// fill sets every element to v.
func fill[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// fillPattern repeats the bytes of one element over data, whose length is a multiple of it.
func fillPattern(data, element []byte) {
	n := copy(data, element)
	for n > 0 && n < len(data) {
		n += copy(data[n:], data[:n])
	}
}
