package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// buildDropout binds Dropout as it is outside of training: the identity, with a mask that keeps everything.
func buildDropout(b *site) ([]launch, error) {
	var all []launch
	if b.input(2) != nil {
		training, err := b.ints(2)
		if err != nil {
			return nil, err
		}
		if len(training) != 1 || training[0] != 0 {
			return nil, form.Refuse("training_mode %v is not supported, a run only infers", training)
		}
	}
	if b.result(0) != nil {
		l, err := buildCopy(b)
		if err != nil {
			return nil, err
		}
		all = l
	}
	mask := b.result(1)
	if mask == nil {
		return all, nil
	}
	if mask.t.DType != graph.Bool {
		return nil, form.RefuseTensor(mask.t, "a mask of %v is not supported, bool is", mask.t.DType)
	}
	y, err := b.resultElements(mask, false)
	if err != nil {
		return nil, err
	}
	kept, err := b.filled(graph.Bool, 1)
	if err != nil {
		return nil, err
	}
	l, err := b.spread(kept, y)
	return append(all, l), err
}

// buildReverseSequence binds ReverseSequence.
func buildReverseSequence(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	rank := len(x.shape)
	batch, err := b.axis("batch_axis", 1, rank)
	if err != nil {
		return nil, err
	}
	time, err := b.axis("time_axis", 0, rank)
	if err != nil {
		return nil, err
	}
	lengths, err := b.indexes(1)
	if err != nil {
		return nil, err
	}
	if rank < 2 || batch == time || int64(lengths.elements()) != x.shape[batch] || !x.shape.Equal(y.shape) {
		return nil, form.RefuseTensor(b.out[0].t, "batch axis %d, time axis %d and %d lengths do not suit %v", batch, time, lengths.elements(), x.shape)
	}
	fault, err := b.fault("a length is outside of the time axis")
	if err != nil {
		return nil, err
	}
	steps := rowMajor(extentsOf(x.shape))
	n := x.elements()
	return one(b.line(steered(x.dtype, lengths.dtype), "reverse_sequence", n, x, y, lengths, n,
		int(x.shape[time]), steps[time], int(x.shape[batch]), steps[batch], fault))
}

// buildTriangle binds Trilu.
func buildTriangle(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	rank := len(x.shape)
	if rank < 2 || !x.shape.Equal(y.shape) || x.dtype == graph.Complex128 {
		return nil, form.RefuseTensor(b.out[0].t, "%v %v has no triangle in %v", x.dtype, x.shape, y.shape)
	}
	k, without := x, 1
	if b.input(1) != nil {
		if k, err = b.indexes(1); err != nil {
			return nil, err
		}
		if k.elements() != 1 {
			return nil, form.RefuseTensor(b.in[1].t, "%d diagonals are given, 1 is needed", k.elements())
		}
		without = 0
	}
	// Rows do not merge with the axes around them here.
	w := walk{n: int(x.shape[rank-1])}
	w.rows = x.elements() / w.n
	index := graph.Int64
	if without == 0 {
		index = k.dtype
	}
	args := append(append([]any{x, y}, w.args()...), int(x.shape[rank-2]), int(b.op.Attrs.Int("upper", 1)), k, without)
	return one(b.line(steered(x.dtype, index), "triangle", w.items(), args...))
}
