package tflite_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
)

// int8Tensor is a quantised tensor.
func int8Tensor(name string, scale float32, zero int64, shape ...int32) tensorDef {
	return tensorDef{name: name, code: i8, shape: shape, scale: []float32{scale}, zero: []int64{zero}}
}

func quantizedConv() modelFile {
	w := int8Tensor("w", 0.5, 0, 2, 1, 1, 2)
	w.data, w.scale, w.zero = []byte{1, 2, 3, 4}, []float32{0.5, 0.25}, []int64{0, 0}
	return one(3, []option{{1, int32(1)}, {2, int32(1)}, {3, byte(1)}}, 1,
		int8Tensor("x", 0.5, -3, 1, 4, 4, 2), w, int8Tensor("z", 0.1, 7, 1, 4, 4, 2))
}

func TestQuantisedOperators(t *testing.T) {
	x, y, z := int8Tensor("x", 0.5, -3, 2, 3), int8Tensor("y", 0.5, -3, 2, 3), int8Tensor("z", 0.5, -3, 2, 6)
	other := int8Tensor("z", 0.25, 0, 2, 6)
	perAxis := tensorDef{name: "x", code: i8, shape: []int32{2, 3}, scale: []float32{1, 2, 3}, zero: []int64{4, 5, 6}, axis: 1}
	wrongAxis := perAxis
	wrongAxis.axis = 0
	tests := map[string]struct {
		model modelFile
		want  string
	}{
		"a convolution has a domain of its own": {
			quantizedConv(),
			"z = tflite.quantized:Conv(x, w) auto_pad=SAME_UPPER data_layout=NHWC dilations=[1 1] group=1 kernel_layout=OHWI " +
				"kernel_shape=[1 1] strides=[1 1] fused=[Conv Relu]\n",
		},
		"so has an addition":                           {one(0, nil, 1, x, y, int8Tensor("z", 0.5, -3, 2, 3)), "z = tflite.quantized:Add(x, y)\n"},
		"moving elements of one scale needs none":      {one(2, []option{{0, int32(1)}}, 1, x, y, z), "z = Concat(x, y) axis=1\n"},
		"moving elements of several scales does":       {one(2, []option{{0, int32(1)}}, 1, x, y, other), "z = tflite.quantized:Concat(x, y) axis=1\n"},
		"the flattening before a product needs none":   {one(9, nil, 1, int8Tensor("x", 0.5, 1, 1, 2, 2), int8Tensor("w", 0.5, 1, 3, 4), int8Tensor("z", 0.5, 1, 1, 3)), "z/flat = Reshape(x, [1 4])\nz = tflite.quantized:Gemm(z/flat, w) transB=1\n"},
		"padding is the zero point":                    {one(34, nil, 1, x, pairs("p", 0, 0, 1, 2), z), "z = Pad(x, [0 1 0 2], -3)\n"},
		"dequantising has scale and zero point":        {one(6, nil, 1, x, tensor("z", f32, 2, 3)), "z = DequantizeLinear(x, 0.5, -3)\n"},
		"dequantising along an axis":                   {one(6, nil, 1, perAxis, tensor("z", f32, 2, 3)), "z = DequantizeLinear(x, [1 2 3], [4 5 6]) axis=1\n"},
		"dequantising along an axis of another length": {one(6, nil, 1, wrongAxis, tensor("z", f32, 2, 3)), "z = tflite:Dequantize(x)\n"},
		"quantising":   {one(114, nil, 1, tensor("x", f32, 2, 6), z), "z = QuantizeLinear(x, 0.5, -3)\n"},
		"requantising": {one(114, nil, 1, int8Tensor("x", 1, 1, 2, 6), z), "z = tflite:Quantize(x)\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := importFile(t, test.model)
			assert.Equal(t, test.want, text(t, g))
			assert.Equal(t, int64(1), min(g.Tensor(g.Inputs[0]).DType.Size(), 1))
		})
	}
}

// csr is the matrix [[1, 0, 2], [0, 0, 3]] of bytes in rows.
func csr() (tensorDef, []byte) {
	return tensorDef{
		name: "w", code: i8, shape: []int32{2, 3}, data: []byte{1, 2, 3},
		sparse: &sparseDef{order: []int32{0, 1}, dims: []dimDef{
			{size: 2},
			{segments: []int32{0, 2, 3}, indices: []int32{0, 2, 2}, width: 1},
		}},
	}, []byte{1, 0, 2, 0, 0, 3}
}

// blocks is a 4x4 matrix of bytes in blocks of 2x2, stored by columns of blocks.
func blocks() (tensorDef, []byte) {
	return tensorDef{
			name: "w", code: i8, shape: []int32{4, 4}, data: []byte{1, 2, 3, 4, 5, 6, 7, 8},
			sparse: &sparseDef{order: []int32{1, 0, 2, 3}, blockMap: []int32{0, 1}, dims: []dimDef{
				{size: 2},
				{segments: []int32{0, 1, 2}, indices: []int32{1, 0}, width: 2},
				{size: 2},
				{size: 2},
			}},
		}, []byte{
			0, 0, 5, 6,
			0, 0, 7, 8,
			1, 2, 0, 0,
			3, 4, 0, 0,
		}
}

func sparseModel(w tensorDef, _ []byte) modelFile {
	return one(124, nil, 1, w, tensorDef{name: "z", code: i8, shape: w.shape})
}

func TestSparseConstantsBecomeDense(t *testing.T) {
	for name, make := range map[string]func() (tensorDef, []byte){"rows": csr, "blocks": blocks} {
		t.Run(name, func(t *testing.T) {
			w, want := make()
			g := importFile(t, sparseModel(w, nil))
			assert.Equal(t, "z = Identity(w)\n", text(t, g))
			data := g.Tensor(g.ByName("w")).Data
			assert.Equal(t, int64(len(want)), data.Size())
			got, err := data.Read()
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestDamagedSparseConstantsAreRefused(t *testing.T) {
	changes := map[string]struct {
		change func(*tensorDef)
		want   string
	}{
		"too few levels":       {func(w *tensorDef) { w.sparse.dims = w.sparse.dims[:1] }, "2 axes, 0 block axes, 2 in traversal order and 1 with metadata"},
		"an order twice":       {func(w *tensorDef) { w.sparse.order[1] = 0 }, "traversal order is not one"},
		"an order too high":    {func(w *tensorDef) { w.sparse.order[1] = 2 }, "traversal order is not one"},
		"another dense size":   {func(w *tensorDef) { w.sparse.dims[0].size = 3 }, "axis 0 has 3 indices in its metadata, but 2 in the shape"},
		"a negative size":      {func(w *tensorDef) { w.sparse.dims[0].size = -3 }, "a level has -3 indices"},
		"a missing segment":    {func(w *tensorDef) { w.sparse.dims[1].segments = []int32{0, 3} }, "axis 1 has 1 segments over 3 indices below 2 nodes"},
		"descending segments":  {func(w *tensorDef) { w.sparse.dims[1].segments[1] = 5 }, "the segments of axis 1 do not ascend"},
		"an index outside":     {func(w *tensorDef) { w.sparse.dims[1].indices[2] = 3 }, "index 3 lies outside of the 3 of axis 1"},
		"a value too few":      {func(w *tensorDef) { w.data = w.data[:2] }, "its index has 3 elements of 1 bytes, but 2 bytes are stored"},
		"an unknown width":     {func(w *tensorDef) { w.sparse.dims[1].width = 8 }, "an index vector is missing or of unknown type"},
		"a block of no axis":   {func(w *tensorDef) { w.sparse.addBlock(7, 2) }, "a block axis belongs to axis 7 of 2"},
		"a block that divides": {func(w *tensorDef) { w.sparse.addBlock(1, 2) }, "axis 1 of 3 elements has blocks that do not divide it"},
	}
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			w, _ := csr()
			test.change(&w)
			g, diags := tflite.Import(source.FromBytes("m.tflite", sparseModel(w, nil).bytes()))
			require.Nil(t, g)
			require.Len(t, diags, 1)
			assert.Equal(t, "MP0358", string(diags[0].ID))
			assert.Contains(t, diags[0].Detail, `Sparse constant "w" of shape [2, 3] cannot be read: `)
			assert.Contains(t, diags[0].Detail, test.want)
		})
	}
}

func (s *sparseDef) addBlock(axis, size int32) {
	s.order, s.blockMap = append(s.order, 2), append(s.blockMap, axis)
	s.dims = append(s.dims, dimDef{size: size})
}

func TestSparseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, columns := rapid.IntRange(1, 6).Draw(t, "rows"), rapid.IntRange(1, 6).Draw(t, "columns")
		dense := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 0, 1, 2, 9}), rows*columns, rows*columns).Draw(t, "dense")
		width := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "width")
		w := tensorDef{name: "w", code: i8, shape: []int32{int32(rows), int32(columns)}, data: []byte{}}
		level := dimDef{segments: []int32{0}, indices: []int32{}, width: width}
		for i, v := range dense {
			if v != 0 {
				w.data = append(w.data, v)
				level.indices = append(level.indices, int32(i%columns))
			}
			if i%columns == columns-1 {
				level.segments = append(level.segments, int32(len(level.indices)))
			}
		}
		w.sparse = &sparseDef{order: []int32{0, 1}, dims: []dimDef{{size: int32(rows)}, level}}
		g, diags := tflite.Import(source.FromBytes("m.tflite", sparseModel(w, nil).bytes()))
		require.Empty(t, diags)
		constant := g.Tensor(g.ByName("w"))
		require.Equal(t, graph.Constant, constant.Role)
		got, err := constant.Data.Read()
		require.NoError(t, err)
		require.Equal(t, dense, got)
	})
}
