package array

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/require"
)

// perturb runs variants of an example that mostly have no meaning: changed shapes, element types, content and
// attributes. A kernel may refuse them; it must not panic, and must not write outside of its outputs.
func (e example) perturb(t *testing.T) {
	random := rand.New(rand.NewPCG(1, uint64(len(e.name))))
	for range 300 {
		op := &graph.Op{Name: "node", Op: e.op, Domain: e.domain, Attrs: maps.Clone(e.attrs), Fused: e.fused}
		kernel, ok := Lookup(op)
		require.True(t, ok)
		var arrays []*Array
		for _, in := range e.inputs {
			arrays = append(arrays, in.array(t))
		}
		for _, want := range e.wants {
			arrays = append(arrays, New(Type{want.dtype, want.shape.Clone()}))
		}
		for range 1 + random.IntN(2) {
			arrays[random.IntN(len(arrays))] = change(random, arrays[random.IntN(len(arrays))])
			if random.IntN(3) == 0 {
				changeAttribute(random, op)
			}
		}
		inputs, outputs := arrays[:len(e.inputs)], arrays[len(e.inputs):]
		guarded := make([][]byte, len(outputs))
		for i, out := range outputs {
			if out != nil {
				guarded[i] = append(make([]byte, len(out.Data)), "guard..."...)
				out.Data = guarded[i][:len(out.Data)]
			}
		}
		_ = kernel(op, outputs, inputs)
		for i, out := range outputs {
			if out != nil {
				require.Equal(t, "guard...", string(guarded[i][len(out.Data):]))
			}
		}
	}
}

// change returns an array that differs from a in one respect.
func change(random *rand.Rand, a *Array) *Array {
	if a == nil || random.IntN(12) == 0 {
		return nil
	}
	d, shape := a.DType, a.Shape.Clone()
	switch random.IntN(5) {
	case 0:
		d = []graph.DType{graph.Float32, graph.Int64, graph.Int32, graph.Int8, graph.Bool, graph.Float16, graph.Complex64}[random.IntN(7)]
	case 1:
		if len(shape) > 0 {
			shape[random.IntN(len(shape))] = []int64{0, 1, 2, 3, 5}[random.IntN(5)]
		}
	case 2:
		if len(shape) > 0 {
			shape = shape[:len(shape)-1]
		}
	case 3:
		shape = append(shape, []int64{0, 1, 2}[random.IntN(3)])
	}
	changed := New(Type{d, shape})
	copy(changed.Data, a.Data)
	if len(changed.Data) > 0 && random.IntN(2) == 0 {
		if d == graph.Int64 {
			ints := View[int64](changed)
			ints[random.IntN(len(ints))] = []int64{-1, 0, 1, 2, 3, math.MaxInt64, math.MinInt64, 1 << 40}[random.IntN(8)]
		} else {
			changed.Data[random.IntN(len(changed.Data))] = byte(random.IntN(256))
		}
	}
	return changed
}

func changeAttribute(random *rand.Rand, op *graph.Op) {
	names := []string{"axis", "batch_dims", "blocksize", "block_size", "keepdims", "batch_axis", "time_axis", "k", "upper", "fmod", "start"}
	if op.Attrs == nil {
		op.Attrs = graph.Attrs{}
	}
	op.Attrs[names[random.IntN(len(names))]] = []int64{-2, -1, 0, 1, 2, 3, math.MaxInt64, math.MinInt64}[random.IntN(8)]
}
