package graph_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
)

// box is some of the elements of a tensor: extent of each axis from first on.
type box struct{ first, extent graph.Shape }

// bytesIn lists where the bytes of a box of elements stand among those of a tensor, in the order of the box's own.
func bytesIn(whole graph.Shape, b box, size int64) []int64 {
	out := []int64{0}
	for axis, n := range whole {
		var next []int64
		for _, at := range out {
			for i := range b.extent[axis] {
				next = append(next, at*n+b.first[axis]+i)
			}
		}
		out = next
	}
	var bytes []int64
	for _, at := range out {
		for k := range size {
			bytes = append(bytes, at*size+k)
		}
	}
	return bytes
}

// bytesOf lists where a part says that the bytes of a piece stand.
func bytesOf(p graph.Part, size int64) []int64 {
	out := make([]int64, size)
	for i := range out {
		out[i] = p.Offset + int64(i)
		if p.Strided() {
			out[i] = p.Offset + int64(i)/p.Row*p.Stride + int64(i)%p.Row
		}
	}
	return out
}

// rowsOf reports whether bytes are one run, or rows of one length at one stride.
func rowsOf(bytes []int64) bool {
	row := 1
	for row < len(bytes) && bytes[row] == bytes[row-1]+1 {
		row++
	}
	if len(bytes)%row != 0 {
		return false
	}
	for i := range bytes {
		if i%row > 0 && bytes[i] != bytes[i-1]+1 || i%row == 0 && i >= 2*row && bytes[i]-bytes[i-row] != bytes[row]-bytes[0] {
			return false
		}
	}
	return true
}

func integers(values ...int64) graph.Data {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	return graph.Bytes(data)
}

// eachList calls visit with all lists of so many numbers from low to high.
func eachList(n int, low, high int64, visit func([]int64)) {
	list := make([]int64, n)
	var fill func(at int)
	fill = func(at int) {
		if at == n {
			visit(list)
			return
		}
		for list[at] = low; list[at] <= high; list[at]++ {
			fill(at + 1)
		}
	}
	fill(0)
}

// parts builds an op on tensors of these shapes, the first of which is the whole, and gives its parts.
func parts(op graph.Op, whole graph.Shape, pieces ...graph.Shape) []graph.Part {
	g := &graph.Graph{Tensors: []graph.Tensor{{DType: graph.Float32, Shape: whole}}}
	ids := []graph.TensorID{}
	for _, shape := range pieces {
		g.Tensors = append(g.Tensors, graph.Tensor{DType: graph.Float32, Shape: shape})
		ids = append(ids, graph.TensorID(len(g.Tensors)-1))
	}
	if op.Op == "Concat" {
		op.Inputs, op.Outputs = ids, []graph.TensorID{0}
	} else {
		op.Inputs, op.Outputs = []graph.TensorID{0}, ids
	}
	for _, name := range []string{"starts", "ends"} {
		if values := op.Attrs.Ints(name); values != nil {
			g.Tensors = append(g.Tensors, graph.Tensor{Role: graph.Constant, DType: graph.Int64, Shape: graph.Shape{int64(len(values))}, Data: integers(values...)})
			op.Inputs = append(op.Inputs, graph.TensorID(len(g.Tensors)-1))
		}
	}
	return g.Parts(&op)
}

// A part says of each byte of a slice where it belongs, and there is one wherever the bytes are a run or rows.
func TestPartsOfSlicesSayWhereEachByteBelongs(t *testing.T) {
	strided, none := 0, 0
	eachList(9, 0, 2, func(v []int64) {
		whole, b := graph.Shape{v[0] + 1, v[1] + 1, v[2] + 1}, box{graph.Shape(v[3:6]).Clone(), make(graph.Shape, 3)}
		ends := make([]int64, 3)
		for axis := range ends {
			b.extent[axis] = v[6+axis] + 1
			ends[axis] = b.first[axis] + b.extent[axis]
			if ends[axis] > whole[axis] {
				return
			}
		}
		want := bytesIn(whole, b, 4)
		found := parts(graph.Op{Op: "Slice", Attrs: graph.Attrs{"starts": []int64(b.first), "ends": ends}}, whole, b.extent)
		if len(found) == 0 {
			require.False(t, rowsOf(want), "%v of %v", b, whole)
			none++
			return
		}
		require.Equal(t, want, bytesOf(found[0], int64(len(want))), "%v of %v", b, whole)
		if found[0].Strided() {
			strided++
		}
	})
	require.Positive(t, strided)
	require.Positive(t, none)
}

// Every piece of a concatenation or a split has a part, whichever axis it is along.
func TestPartsOfConcatenationsSayWhereEachByteBelongs(t *testing.T) {
	strided := 0
	eachList(5, 1, 3, func(v []int64) {
		axis := int(v[4]) - 1
		first, second := graph.Shape(v[:3]).Clone(), graph.Shape(v[:3]).Clone()
		second[axis] = v[3]
		whole := first.Clone()
		whole[axis] += second[axis]
		at := make(graph.Shape, 3)
		at[axis] = first[axis]
		for _, kind := range []string{"Concat", "Split"} {
			found := parts(graph.Op{Op: kind, Attrs: graph.Attrs{"axis": int64(axis)}}, whole, first, second)
			require.Len(t, found, 2)
			for i, b := range []box{{make(graph.Shape, 3), first}, {at, second}} {
				want := bytesIn(whole, b, 4)
				require.Equal(t, want, bytesOf(found[i], int64(len(want))), "%v of %v", b, whole)
				if found[i].Strided() {
					strided++
				}
			}
		}
	})
	require.Positive(t, strided)
}
