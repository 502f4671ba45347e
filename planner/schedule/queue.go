package schedule

import "cmp"

// queue is a heap of states: the lowest peak first, of equal ones the most ops executed, then the least live bytes, then the
// one found first. Peaks below the floor count as the floor.
type queue struct {
	states []*state
	floor  int64
	heap   []int32
}

func (q *queue) before(a, b int32) bool {
	x, y := q.states[a], q.states[b]
	return cmp.Or(cmp.Compare(max(x.peak, q.floor), max(y.peak, q.floor)), -cmp.Compare(x.count, y.count), cmp.Compare(x.live, y.live), cmp.Compare(a, b)) < 0
}

// compare orders states of the same number of ops: by peak, then by live bytes.
func compare(a, b *state, floor int64) int {
	return cmp.Or(cmp.Compare(max(a.peak, floor), max(b.peak, floor)), cmp.Compare(a.live, b.live))
}

func (q *queue) push(x int32) {
	q.heap = append(q.heap, x)
	for i := len(q.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.before(q.heap[i], q.heap[up]) {
			return
		}
		q.heap[i], q.heap[up] = q.heap[up], q.heap[i]
		i = up
	}
}

func (q *queue) pop() int32 {
	top := q.heap[0]
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < last && q.before(q.heap[child], q.heap[least]) {
				least = child
			}
		}
		if least == i {
			return top
		}
		q.heap[i], q.heap[least] = q.heap[least], q.heap[i]
		i = least
	}
}
