package array

// walk visits the elements of several arrays of one logical shape, each with strides of its own, in row-major order, as
// runs along the innermost axis. Axes along which all arrays are contiguous are merged first, so that runs are long.
//
//	for ok := w.first(); ok; ok = w.next() { ... w.at[k] + i*w.step[k] for i < w.n ... }
type walk struct {
	// n is the length of a run, step the distance in elements between its neighbours in each array.
	n    int
	step []int
	// at is the offset in elements of the current run in each array.
	at []int

	outer   []int   // extent of each axis outside the run
	strides [][]int // of each array on these axes
	index   []int
	empty   bool
}

// newWalk returns a walk over dims for arrays with the given strides, one slice for each array. It costs
// O(axes * arrays).
func newWalk(dims []int, strides ...[]int) *walk {
	w := &walk{at: make([]int, len(strides)), step: make([]int, len(strides))}
	outer, merged := merge(dims, strides)
	w.empty = product(outer) == 0
	last := len(outer) - 1
	w.n = outer[last]
	w.outer = outer[:last]
	for k := range merged {
		w.step[k] = merged[k][last]
		merged[k] = merged[k][:last]
	}
	w.strides = merged
	w.index = make([]int, last)
	return w
}

// merge drops the axes of extent 1 and joins neighbours that are contiguous in every array. The result has at least
// one axis.
func merge(dims []int, strides [][]int) ([]int, [][]int) {
	outDims := make([]int, 0, len(dims)+1)
	out := make([][]int, len(strides))
	for k := range out {
		out[k] = make([]int, 0, len(dims)+1)
	}
	for i, d := range dims {
		if d == 1 {
			continue
		}
		if last := len(outDims) - 1; last >= 0 && joins(out, strides, last, i, d) {
			outDims[last] *= d
			for k := range out {
				out[k][last] = strides[k][i]
			}
			continue
		}
		outDims = append(outDims, d)
		for k := range out {
			out[k] = append(out[k], strides[k][i])
		}
	}
	if len(outDims) == 0 {
		outDims = append(outDims, 1)
		for k := range out {
			out[k] = append(out[k], 1)
		}
	}
	return outDims, out
}

// joins reports whether stepping once along the merged axis equals d steps along axis i, in every array.
func joins(merged, strides [][]int, axis, i, d int) bool {
	for k := range merged {
		if merged[k][axis] != strides[k][i]*d {
			return false
		}
	}
	return true
}

// first goes to the first run; it reports whether there is one.
func (w *walk) first() bool {
	clear(w.at)
	clear(w.index)
	return !w.empty
}

// next goes to the next run; it reports whether there is one. Amortised O(arrays).
func (w *walk) next() bool {
	for axis := len(w.outer) - 1; axis >= 0; axis-- {
		w.index[axis]++
		if w.index[axis] < w.outer[axis] {
			for k, s := range w.strides {
				w.at[k] += s[axis]
			}
			return true
		}
		for k, s := range w.strides {
			w.at[k] -= s[axis] * (w.outer[axis] - 1)
		}
		w.index[axis] = 0
	}
	return false
}
