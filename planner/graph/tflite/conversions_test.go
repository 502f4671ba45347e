package tflite_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
)

// The numbers of tensor types.
const (
	f32 = 0
	f16 = 1
	i32 = 2
	u8  = 3
	i64 = 4
	str = 5
	boo = 6
	i8  = 9
)

// importFile imports a model that is free of faults.
func importFile(t *testing.T, m modelFile) *graph.Graph {
	t.Helper()
	g, diags := tflite.Import(source.FromBytes("m.tflite", m.bytes()))
	require.Empty(t, diags)
	checkGraph(t, g)
	return g
}

// one is a model of one operator. Tensors without data that come first are inputs, the last n are outputs.
func one(code int32, options []option, outputs int, tensors ...tensorDef) modelFile {
	m := modelFile{tensors: tensors}
	op := opDef{code: code, options: options}
	for i, tensor := range tensors {
		if i >= len(tensors)-outputs {
			op.out = append(op.out, int32(i))
			m.outputs = append(m.outputs, int32(i))
			continue
		}
		op.in = append(op.in, int32(i))
		if tensor.data == nil && !tensor.variable {
			m.inputs = append(m.inputs, int32(i))
		}
	}
	m.ops = []opDef{op}
	return m
}

func tensor(name string, code byte, shape ...int32) tensorDef {
	return tensorDef{name: name, code: code, shape: shape}
}

func vector(name string, values ...int32) tensorDef {
	return tensorDef{name: name, code: i32, shape: []int32{int32(len(values))}, data: i32s(values...)}
}

// weights is a float constant of zeros.
func weights(name string, shape ...int32) tensorDef {
	n := int32(4)
	for _, axis := range shape {
		n *= axis
	}
	return tensorDef{name: name, shape: shape, data: make([]byte, n)}
}

// text writes the ops of a graph, one a line: small constants by value, attributes sorted.
func text(t *testing.T, g *graph.Graph) string {
	t.Helper()
	var out strings.Builder
	for i := range g.Ops {
		op := &g.Ops[i]
		fmt.Fprintf(&out, "%s = ", operands(t, g, op.Outputs))
		if op.Domain != "" {
			fmt.Fprintf(&out, "%s:", op.Domain)
		}
		fmt.Fprintf(&out, "%s(%s)", op.Op, operands(t, g, op.Inputs))
		for _, name := range op.Attrs.Names() {
			fmt.Fprintf(&out, " %s=%v", name, op.Attrs[name])
		}
		if op.Fused != nil {
			fmt.Fprintf(&out, " fused=%v", op.Fused)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func operands(t *testing.T, g *graph.Graph, ids []graph.TensorID) string {
	t.Helper()
	parts := make([]string, len(ids))
	for i, id := range ids {
		tensor := g.Tensor(id)
		switch {
		case tensor == nil:
			parts[i] = "-"
		case tensor.Data != nil && tensor.Data.Size() <= 64 && strings.Contains(tensor.Name, "/"):
			parts[i] = value(t, tensor)
		default:
			parts[i] = tensor.Name
		}
	}
	return strings.Join(parts, ", ")
}

func value(t *testing.T, tensor *graph.Tensor) string {
	t.Helper()
	content, err := tensor.Data.Read()
	require.NoError(t, err)
	var values []string
	for width := int(tensor.DType.Size()); len(content) > 0; content = content[width:] {
		switch tensor.DType {
		case graph.Int64:
			n := int64(binary.LittleEndian.Uint64(content))
			switch n {
			case math.MaxInt64:
				values = append(values, "max")
			case math.MinInt64:
				values = append(values, "min")
			default:
				values = append(values, fmt.Sprint(n))
			}
		case graph.Float32:
			values = append(values, fmt.Sprint(math.Float32frombits(binary.LittleEndian.Uint32(content))))
		default:
			values = append(values, fmt.Sprint(int8(content[0])))
		}
	}
	if len(tensor.Shape) == 0 {
		return values[0]
	}
	return fmt.Sprintf("%v", values)
}

func TestOperatorsBecomeONNXOps(t *testing.T) {
	x := tensor("x", f32, 1, 4, 6, 2)
	conv := []option{{1, int32(2)}, {2, int32(1)}, {3, byte(3)}, {4, int32(1)}, {5, int32(3)}}
	tests := map[string]struct {
		model modelFile
		want  string
	}{
		"add with relu6": {
			one(0, []option{{0, byte(3)}}, 1, x, tensor("y", f32, 1, 1, 1, 2), tensor("z", f32, 1, 4, 6, 2)),
			"z = Add(x, y) Clip.max=6 Clip.min=0 fused=[Add Clip]\n",
		},
		"subtraction with tanh": {
			one(41, []option{{0, byte(4)}}, 1, x, x2(), tensor("z", f32, 1, 4, 6, 2)),
			"z = Sub(x, y) fused=[Sub Tanh]\n",
		},
		"multiplication with a sign bit stays": {
			one(18, []option{{0, byte(5)}}, 1, x, x2(), tensor("z", f32, 1, 4, 6, 2)),
			"z = tflite:Mul(x, y)\n",
		},
		"maximum": {one(55, nil, 1, x, x2(), tensor("z", f32, 1, 4, 6, 2)), "z = Max(x, y)\n"},
		"inequality": {
			one(72, nil, 1, x, x2(), tensor("z", boo, 1, 4, 6, 2)),
			"z/equal = Equal(x, y)\nz = Not(z/equal)\n",
		},
		"relu to one":    {one(20, nil, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = Clip(x, -1, 1)\n"},
		"relu6":          {one(21, nil, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = Clip(x, 0, 6)\n"},
		"logistic":       {one(14, nil, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = Sigmoid(x)\n"},
		"leaky relu":     {one(98, []option{{0, float32(0.25)}}, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = LeakyRelu(x) alpha=0.25\n"},
		"gelu by tanh":   {one(150, []option{{0, true}}, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = Gelu(x) approximate=tanh\n"},
		"rsqrt stays":    {one(76, nil, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = tflite:Rsqrt(x)\n"},
		"L2 norm stays":  {one(11, nil, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = tflite:L2Normalization(x)\n"},
		"square diff":    {one(99, nil, 1, x, x2(), tensor("z", f32, 1, 4, 6, 2)), "z = tflite:SquaredDifference(x, y)\n"},
		"unknown number": {one(250, nil, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = tflite:Builtin250(x)\n"},
		"softmax":        {one(25, []option{{0, float32(1)}}, 1, x, tensor("z", f32, 1, 4, 6, 2)), "z = Softmax(x) axis=-1\n"},
		"softmax with beta": {
			one(25, []option{{0, float32(2)}}, 1, x, tensor("z", f32, 1, 4, 6, 2)),
			"z/scaled = Mul(x, 2)\nz = Softmax(z/scaled) axis=-1\n",
		},

		"convolution": {
			one(3, conv, 1, x, weights("w", 8, 3, 3, 2), weights("b", 8), tensor("z", f32, 1, 4, 3, 8)),
			"z = Conv(x, w, b) Clip.max=6 Clip.min=0 auto_pad=SAME_UPPER data_layout=NHWC dilations=[3 1] group=1 " +
				"kernel_layout=OHWI kernel_shape=[3 3] strides=[1 2] fused=[Conv Clip]\n",
		},
		"grouped convolution without bias and padding": {
			one(3, []option{{0, byte(1)}, {1, int32(1)}, {2, int32(1)}}, 1, x, weights("w", 8, 3, 1, 1), tensor("z", f32, 1, 2, 6, 8)),
			"z = Conv(x, w) auto_pad=VALID data_layout=NHWC dilations=[1 1] group=2 kernel_layout=OHWI kernel_shape=[3 1] strides=[1 1]\n",
		},
		"convolution without strides stays": {
			one(3, nil, 1, x, weights("w", 8, 3, 1, 1), tensor("z", f32, 1, 2, 6, 8)),
			"z = tflite:Conv2D(x, w)\n",
		},
		"depthwise convolution": {
			one(4, []option{{1, int32(1)}, {2, int32(2)}, {3, int32(3)}, {4, byte(1)}, {5, int32(2)}}, 1,
				x, weights("w", 1, 5, 3, 6), weights("b", 6), tensor("z", f32, 1, 2, 6, 6)),
			"z = Conv(x, w, b) auto_pad=SAME_UPPER data_layout=NHWC dilations=[1 2] group=2 kernel_layout=IHWO " +
				"kernel_shape=[5 3] strides=[2 1] fused=[Conv Relu]\n",
		},
		"transposed convolution": {
			one(67, []option{{1, int32(2)}, {2, int32(2)}}, 1,
				vector("shape", 1, 8, 12, 5), weights("w", 5, 3, 3, 2), x, tensor("z", f32, 1, 8, 12, 5)),
			"z = ConvTranspose(x, w) auto_pad=SAME_UPPER data_layout=NHWC group=1 kernel_layout=OHWI kernel_shape=[3 3] " +
				"output_shape=[8 12] strides=[2 2]\n",
		},
		"transposed convolution into a computed shape stays": {
			one(67, []option{{1, int32(2)}, {2, int32(2)}}, 1,
				tensor("shape", i32, 4), weights("w", 5, 3, 3, 2), x, tensor("z", f32, 1, 8, 12, 5)),
			"z = tflite:TransposeConv(shape, w, x)\n",
		},
		"max pool": {
			one(17, []option{{1, int32(2)}, {2, int32(1)}, {3, int32(3)}, {4, int32(2)}, {5, byte(1)}}, 1, x, tensor("z", f32, 1, 4, 3, 2)),
			"z = MaxPool(x) auto_pad=SAME_UPPER data_layout=NHWC kernel_shape=[2 3] strides=[1 2] fused=[MaxPool Relu]\n",
		},
		"average pool": {
			one(1, []option{{0, byte(1)}, {1, int32(1)}, {2, int32(1)}, {3, int32(2)}, {4, int32(2)}}, 1, x, tensor("z", f32, 1, 3, 5, 2)),
			"z = AveragePool(x) auto_pad=VALID count_include_pad=0 data_layout=NHWC kernel_shape=[2 2] strides=[1 1]\n",
		},
		"fully connected on a matrix": {
			one(9, []option{{0, byte(1)}}, 1, tensor("x", f32, 2, 3), weights("w", 4, 3), weights("b", 4), tensor("z", f32, 2, 4)),
			"z = Gemm(x, w, b) transB=1 fused=[Gemm Relu]\n",
		},
		"fully connected on an image": {
			one(9, nil, 1, x, weights("w", 4, 24), tensor("z", f32, 2, 4)),
			"z/flat = Reshape(x, [2 24])\nz = Gemm(z/flat, w) transB=1\n",
		},
		"fully connected that keeps the axes": {
			one(9, []option{{0, byte(3)}, {2, true}}, 1, tensor("x", f32, 1, 5, 3), weights("w", 4, 3), tensor("z", f32, 1, 5, 4)),
			"z/flat = Reshape(x, [5 3])\nz/product = Gemm(z/flat, w) Clip.max=6 Clip.min=0 transB=1 fused=[Gemm Clip]\nz = Reshape(z/product, [1 5 4])\n",
		},
		"batch matrix product with the right side transposed": {
			one(126, []option{{1, true}}, 1, tensor("x", f32, 7, 2, 3), tensor("y", f32, 7, 4, 3), tensor("z", f32, 7, 2, 4)),
			"z/right = Transpose(y) perm=[0 2 1]\nz = MatMul(x, z/right)\n",
		},

		"reshape":         {one(22, nil, 1, x, vector("s", 2, -1), tensor("z", f32, 2, 24)), "z = Reshape(x, [2 24])\n"},
		"reshape to none": {one(22, nil, 1, tensor("x", f32, 0, 3), tensor("z", f32, 3, 0)), "z = Reshape(x, [3 0]) allowzero=1\n"},
		"squeeze of all":  {one(43, nil, 1, tensor("x", f32, 1, 3, 1), tensor("z", f32, 3)), "z = Squeeze(x, [0 2])\n"},
		"squeeze of one": {
			one(43, []option{{0, []int32{-1}}}, 1, tensor("x", f32, 1, 3, 1), tensor("z", f32, 1, 3)),
			"z = Squeeze(x, [2])\n",
		},
		"expand dims":  {one(70, nil, 1, tensor("x", f32, 3), vector("a", -1), tensor("z", f32, 3, 1)), "z = Unsqueeze(x, [1])\n"},
		"concat":       {one(2, []option{{0, int32(-1)}}, 1, x, x2(), tensor("z", f32, 1, 4, 6, 4)), "z = Concat(x, y) axis=3\n"},
		"concat no ax": {one(2, []option{{0, int32(9)}}, 1, x, x2(), tensor("z", f32, 1, 4, 6, 4)), "z = tflite:Concatenation(x, y)\n"},
		"pack": {
			one(83, []option{{0, int32(2)}, {1, int32(1)}}, 1, tensor("x", f32, 3), tensor("y", f32, 3), tensor("z", f32, 3, 2)),
			"z/part_0 = Unsqueeze(x, [1])\nz/part_1 = Unsqueeze(y, [1])\nz = Concat(z/part_0, z/part_1) axis=1\n",
		},
		"unpack": {
			one(88, []option{{0, int32(2)}}, 2, tensor("x", f32, 2, 3), tensor("y", f32, 3), tensor("z", f32, 3)),
			"y/part_0, y/part_1 = Split(x, [1 1]) axis=0\ny = Squeeze(y/part_0, [0])\nz = Squeeze(y/part_1, [0])\n",
		},
		"split": {
			one(49, []option{{0, int32(2)}}, 2, vector("a", 1), tensor("x", f32, 2, 6), tensor("y", f32, 2, 3), tensor("z", f32, 2, 3)),
			"y, z = Split(x, [3 3]) axis=1\n",
		},
		"split by sizes": {
			one(102, nil, 2, tensor("x", f32, 6), vector("s", 2, -1), vector("a", 0), tensor("y", f32, 2), tensor("z", f32, 4)),
			"y, z = Split(x, [2 4]) axis=0\n",
		},
		"transpose":                {one(39, nil, 1, tensor("x", f32, 2, 3), vector("p", 1, 0), tensor("z", f32, 3, 2)), "z = Transpose(x) perm=[1 0]\n"},
		"transpose computed":       {one(39, nil, 1, tensor("x", f32, 2, 3), tensor("p", i32, 2), tensor("z", f32, 3, 2)), "z = tflite:Transpose(x, p)\n"},
		"transpose by no order":    {one(39, nil, 1, tensor("x", f32, 2, 3), vector("p", 1, 1), tensor("z", f32, 3, 2)), "z = tflite:Transpose(x, p)\n"},
		"gather":                   {one(36, []option{{0, int32(1)}}, 1, tensor("x", f32, 2, 3), tensor("i", i32, 4), tensor("z", f32, 2, 4)), "z = Gather(x, i) axis=1\n"},
		"gather by batch stays":    {one(36, []option{{0, int32(1)}, {1, int32(1)}}, 1, tensor("x", f32, 2, 3), tensor("i", i32, 2, 4), tensor("z", f32, 2, 4)), "z = tflite:Gather(x, i)\n"},
		"slice":                    {one(65, nil, 1, tensor("x", f32, 5, 4), vector("b", 1, 0), vector("s", 2, -1), tensor("z", f32, 2, 4)), "z = Slice(x, [1 0], [3 4], [0 1])\n"},
		"slice outside stays":      {one(65, nil, 1, tensor("x", f32, 5, 4), vector("b", 4, 0), vector("s", 2, -1), tensor("z", f32, 2, 4)), "z = tflite:Slice(x, b, s)\n"},
		"strided slice with masks": {one(45, []option{{0, int32(1)}, {1, int32(2)}}, 1, tensor("x", f32, 5, 4), vector("b", 3, 1), vector("e", 4, 0), vector("s", 2, 1), tensor("z", f32, 2, 3)), "z = Slice(x, [0 1], [4 max], [0 1], [2 1])\n"},
		"strided slice backwards":  {one(45, []option{{0, int32(1)}, {1, int32(1)}}, 1, tensor("x", f32, 5), vector("b", 0), vector("e", 0), vector("s", -2), tensor("z", f32, 3)), "z = Slice(x, [max], [min], [0], [-2])\n"},
		"strided slice of offsets": {one(45, []option{{5, true}}, 1, tensor("x", f32, 5), vector("b", 1), vector("e", 3), vector("s", 1), tensor("z", f32, 3)), "z = Slice(x, [1], [4], [0], [1])\n"},
		"strided slice of an index": {
			one(45, []option{{4, int32(1)}}, 1, tensor("x", f32, 5, 4), vector("b", -1, 0), vector("e", 0, 4), vector("s", 1, 1), tensor("z", f32, 4)),
			"z/slice = Slice(x, [4 0], [5 4], [0 1], [1 1])\nz = Squeeze(z/slice, [0])\n",
		},
		"strided slice with an ellipsis stays": {
			one(45, []option{{2, int32(1)}}, 1, tensor("x", f32, 5), vector("b", 0), vector("e", 0), vector("s", 1), tensor("z", f32, 5)),
			"z = tflite:StridedSlice(x, b, e, s)\n",
		},

		"pad":                  {one(34, nil, 1, tensor("x", f32, 2, 3), pairs("p", 0, 1, 2, 3), tensor("z", f32, 3, 8)), "z = Pad(x, [0 2 1 3])\n"},
		"pad with a value":     {one(60, nil, 1, tensor("x", f32, 2, 3), pairs("p", 0, 1, 2, 3), weights("v"), tensor("z", f32, 3, 8)), "z = Pad(x, [0 2 1 3], v)\n"},
		"mirror pad":           {one(100, nil, 1, tensor("x", f32, 2, 3), pairs("p", 0, 1, 0, 1), tensor("z", f32, 3, 4)), "z = Pad(x, [0 0 1 1]) mode=reflect\n"},
		"symmetric pad stays":  {one(100, []option{{0, byte(1)}}, 1, tensor("x", f32, 2, 3), pairs("p", 0, 1, 0, 1), tensor("z", f32, 3, 4)), "z = tflite:MirrorPad(x, p)\n"},
		"tile":                 {one(69, nil, 1, tensor("x", f32, 2, 3), vector("m", 2, 1), tensor("z", f32, 4, 3)), "z = Tile(x, [2 1])\n"},
		"fill":                 {one(94, nil, 1, vector("d", 2, 3), weights("v"), tensor("z", f32, 2, 3)), "z = Expand(v, [2 3])\n"},
		"broadcast to":         {one(130, nil, 1, tensor("x", f32, 3), vector("d", 2, 3), tensor("z", f32, 2, 3)), "z = Expand(x, [2 3])\n"},
		"shape as int32":       {one(77, nil, 1, tensor("x", f32, 3), tensor("z", i32, 1)), "z/int64 = Shape(x)\nz = Cast(z/int64) to=6\n"},
		"shape as int64":       {one(77, nil, 1, tensor("x", f32, 3), tensor("z", i64, 1)), "z = Shape(x)\n"},
		"select of rows stays": {one(64, nil, 1, tensor("c", boo, 2), tensor("x", f32, 2, 3), tensor("y", f32, 2, 3), tensor("z", f32, 2, 3)), "z = tflite:Select(c, x, y)\n"},
		"select":               {one(64, nil, 1, tensor("c", boo, 2, 3), tensor("x", f32, 2, 3), tensor("y", f32, 2, 3), tensor("z", f32, 2, 3)), "z = Where(c, x, y)\n"},
		"depth to space":       {one(5, []option{{0, int32(2)}}, 1, tensor("x", f32, 1, 2, 2, 8), tensor("z", f32, 1, 4, 4, 2)), "z = DepthToSpace(x) blocksize=2 data_layout=NHWC mode=DCR\n"},
		"space to depth":       {one(26, []option{{0, int32(2)}}, 1, x, tensor("z", f32, 1, 2, 3, 8)), "z = SpaceToDepth(x) blocksize=2 data_layout=NHWC\n"},
		"bilinear at half pixels": {
			one(23, []option{{3, true}}, 1, x, vector("s", 8, 12), tensor("z", f32, 1, 8, 12, 2)),
			"z = Resize(x, -, -, [1 8 12 2]) coordinate_transformation_mode=half_pixel mode=linear\n",
		},
		"bilinear at corners": {
			one(23, []option{{2, true}}, 1, x, vector("s", 8, 12), tensor("z", f32, 1, 8, 12, 2)),
			"z = Resize(x, -, -, [1 8 12 2]) coordinate_transformation_mode=align_corners mode=linear\n",
		},
		"nearest": {
			one(97, nil, 1, x, vector("s", 8, 12), tensor("z", f32, 1, 8, 12, 2)),
			"z = Resize(x, -, -, [1 8 12 2]) coordinate_transformation_mode=asymmetric mode=nearest nearest_mode=floor\n",
		},
		"nearest at half pixels": {
			one(97, []option{{1, true}}, 1, x, vector("s", 8, 12), tensor("z", f32, 1, 8, 12, 2)),
			"z = Resize(x, -, -, [1 8 12 2]) coordinate_transformation_mode=tf_half_pixel_for_nn mode=nearest nearest_mode=floor\n",
		},
		"nearest at corners": {
			one(97, []option{{0, true}}, 1, x, vector("s", 8, 12), tensor("z", f32, 1, 8, 12, 2)),
			"z = Resize(x, -, -, [1 8 12 2]) coordinate_transformation_mode=align_corners mode=nearest nearest_mode=round_prefer_ceil\n",
		},

		"mean":            {one(40, []option{{0, true}}, 1, x, vector("a", 1, -2), tensor("z", f32, 1, 1, 1, 2)), "z = ReduceMean(x, [1 2]) keepdims=1\n"},
		"sum of no axis":  {one(74, nil, 1, tensor("x", f32, 3), vector("a"), tensor("z", f32, 3)), "z = ReduceSum(x, []) keepdims=0 noop_with_empty_axes=1\n"},
		"arg max":         {one(56, nil, 1, tensor("x", f32, 3, 4), vector("a", 1), tensor("z", i32, 3)), "z/int64 = ArgMax(x) axis=1 keepdims=0\nz = Cast(z/int64) to=6\n"},
		"top k":           {one(48, nil, 2, tensor("x", f32, 9), vector("k", 2), tensor("y", f32, 2), tensor("z", i32, 2)), "y, y/int64 = TopK(x, [2]) axis=-1 largest=1 sorted=1\nz = Cast(y/int64) to=6\n"},
		"cumulative sum":  {one(128, []option{{1, true}}, 1, tensor("x", f32, 9), vector("a", 0), tensor("z", f32, 9)), "z = CumSum(x, a) exclusive=0 reverse=1\n"},
		"cast":            {one(53, nil, 1, tensor("x", f32, 9), tensor("z", boo, 9)), "z = Cast(x) to=9\n"},
		"half to float":   {one(6, nil, 1, tensor("x", f16, 9), tensor("z", f32, 9)), "z = Cast(x) to=1\n"},
		"no quantisation": {one(6, nil, 1, tensor("x", u8, 9), tensor("z", f32, 9)), "z = tflite:Dequantize(x)\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, text(t, importFile(t, test.model)))
		})
	}
}

func x2() tensorDef { return tensor("y", f32, 1, 4, 6, 2) }

// pairs is a constant of paddings [axes, 2].
func pairs(name string, values ...int32) tensorDef {
	return tensorDef{name: name, code: i32, shape: []int32{int32(len(values) / 2), 2}, data: i32s(values...)}
}

func TestCustomOperatorsKeepTheirName(t *testing.T) {
	m := one(32, nil, 1, tensor("x", f32, 3), tensor("z", f32, 3))
	m.ops[0].custom = "TransformLandmarks"
	assert.Equal(t, "z = tflite.custom:TransformLandmarks(x)\n", text(t, importFile(t, m)))
}

func TestLayoutsReachThroughElementwiseOps(t *testing.T) {
	m := modelFile{
		tensors: []tensorDef{
			tensor("x", f32, 1, 4, 4, 2), pairs("p", 0, 0, 1, 1, 1, 1, 0, 0), tensor("padded", f32, 1, 6, 6, 2),
			weights("w", 8, 3, 3, 2), tensor("c", f32, 1, 4, 4, 8), tensor("r", f32, 1, 4, 4, 8), tensor("flat", f32, 1, 128),
		},
		ops: []opDef{
			{code: 34, in: []int32{0, 1}, out: []int32{2}},
			{code: 3, in: []int32{2, 3}, out: []int32{4}, options: []option{{0, byte(1)}, {1, int32(1)}, {2, int32(1)}}},
			{code: 19, in: []int32{4}, out: []int32{5}},
			{code: 22, in: []int32{5}, out: []int32{6}},
		},
		inputs: []int32{0}, outputs: []int32{6},
	}
	g := importFile(t, m)
	layouts := map[string]string{}
	for i := range g.Tensors {
		layouts[g.Tensors[i].Name] = g.Tensors[i].Layout
	}
	assert.Equal(t, map[string]string{
		"x": "NHWC", "padded": "NHWC", "c": "NHWC", "r": "NHWC", "w": "OHWI", "flat": "", "flat/shape": "", "padded/pads": "",
	}, layouts)
}
