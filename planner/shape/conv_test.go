package shape_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func list(v ...int64) []int64 { return v }

func TestConvolutions(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "shrinks by the kernel", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, want: []string{"float32 [1, 16, 6, 6]"}},
		{name: "pads, strides and dilates", op: "Conv", in: []operand{data(2, 3, 17, 17), weights(8, 3, 3, 3), weights(8)},
			attrs: graph.Attrs{"pads": list(2, 1, 2, 1), "strides": list(2, 3), "dilations": list(2, 1)}, want: []string{"float32 [2, 8, 9, 6]"}},
		{name: "divides and rounds up with SAME_UPPER", op: "Conv", in: []operand{data(1, 3, 15, 16), weights(8, 3, 3, 3)},
			attrs: graph.Attrs{"auto_pad": "SAME_UPPER", "strides": list(2, 2)}, want: []string{"float32 [1, 8, 8, 8]"}},
		{name: "ignores pads with VALID", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(8, 3, 3, 3)},
			attrs: graph.Attrs{"auto_pad": "VALID", "pads": list(0, 0, 0, 0)}, want: []string{"float32 [1, 8, 6, 6]"}},
		{name: "has one spatial axis", op: "Conv", in: []operand{data(1, 4, 10), weights(6, 4, 5)}, want: []string{"float32 [1, 6, 6]"}},
		{name: "has three spatial axes", op: "Conv", in: []operand{data(1, 4, 5, 6, 7), weights(6, 4, 3, 3, 3)}, want: []string{"float32 [1, 6, 3, 4, 5]"}},
		{name: "works in groups", op: "Conv", in: []operand{data(1, 8, 5, 5), weights(16, 2, 1, 1)}, attrs: graph.Attrs{"group": int64(4)}, want: []string{"float32 [1, 16, 5, 5]"}},
		{name: "reads channels last", op: "Conv", in: []operand{data(1, 8, 9, 3), weights(16, 3, 3, 3)},
			attrs: graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "OHWI"}, want: []string{"float32 [1, 6, 7, 16]"}},
		{name: "reads depthwise weights of TFLite", op: "Conv", in: []operand{data(1, 8, 8, 6), weights(1, 3, 3, 12), weights(12)},
			attrs: graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "IHWO", "group": int64(6), "auto_pad": "SAME_UPPER"}, want: []string{"float32 [1, 8, 8, 12]"}},
		{name: "keeps an empty batch", op: "Conv", in: []operand{data(0, 3, 8, 8), weights(16, 3, 3, 3)}, want: []string{"float32 [0, 16, 6, 6]"}},
		{name: "keeps quantised types", op: "Conv", domain: "tflite.quantized", in: []operand{typed(graph.Int8, 1, 3, 8, 8), weights(16, 3, 3, 3)}, want: []string{"int8 [1, 16, 6, 6]"}},

		{name: "says which channels differ", op: "Conv", in: []operand{data(1, 4, 8, 8), weights(16, 3, 3, 3)},
			id: "MP0415", says: []string{`"in0" [1, 4, 8, 8]`, "4 channels on axis 1", `"in1" [16, 3, 3, 3]`, "3 on axis 1"}},
		{name: "says that groups do not divide channels", op: "Conv", in: []operand{data(1, 4, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"group": int64(3)},
			id: "MP0419", says: []string{"3 groups", "4 channels", "axis 1"}},
		{name: "refuses a group of 0", op: "Conv", in: []operand{data(1, 4, 8, 8), weights(16, 4, 3, 3)}, attrs: graph.Attrs{"group": int64(0)}, id: "MP0412", says: []string{"group"}},
		{name: "says that nothing is left", op: "Conv", in: []operand{data(1, 3, 8, 2), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"dilations": list(1, 2)},
			id: "MP0418", says: []string{"window of 5 elements", "dilation 2", "axis 3", "which has 2"}},
		{name: "refuses another rank of the weights", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3)}, id: "MP0414", says: []string{`"in1" [16, 3, 3]`, "3 axes where 4"}},
		{name: "refuses data without space", op: "Conv", in: []operand{data(1, 3), weights(16, 3)}, id: "MP0414"},
		{name: "refuses another kernel_shape than the weights'", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"kernel_shape": list(3, 5)}, id: "MP0415"},
		{name: "refuses a negative kernel_shape", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"kernel_shape": list(3, -3)}, id: "MP0412"},
		{name: "refuses a stride of 0", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"strides": list(1, 0)}, id: "MP0412", says: []string{"strides", "position 1"}},
		{name: "refuses one stride for two axes", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"strides": list(1)}, id: "MP0412", says: []string{"1 values in strides where 2"}},
		{name: "refuses strides of another type", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"strides": "2"}, id: "MP0412", says: []string{"list of integers"}},
		{name: "refuses an unknown auto_pad", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"auto_pad": "SAME"}, id: "MP0412", says: []string{`"SAME"`}},
		{name: "does not wrap around with huge pads", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"pads": list(most, 0, most, 0)}, id: "MP0425", says: []string{"axis 2"}},
		{name: "does not wrap around with huge dilations", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{"dilations": list(1, most)}, id: "MP0425"},
		{name: "refuses a bias of another length", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3), weights(8)}, id: "MP0415", says: []string{`"in2" [8]`, "16"}},
		{name: "refuses weights without a kernel", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 0, 3)}, id: "MP0424"},
		{name: "refuses an unknown data layout", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, attrs: graph.Attrs{graph.AttrDataLayout: "HWNC"}, id: "MP0412"},
		{name: "refuses a kernel layout of another rank", op: "Conv", in: []operand{data(1, 3, 8), weights(16, 3, 3)}, attrs: graph.Attrs{graph.AttrKernelLayout: "OHWI"}, id: "MP0412"},
		{name: "needs weights", op: "Conv", in: []operand{data(1, 3, 8, 8)}, id: "MP0411", says: []string{"number 2"}},
		{name: "needs its data", op: "Conv", in: []operand{nil, weights(16, 3, 3, 3)}, id: "MP0411", says: []string{"number 1"}},
		{name: "takes no fourth input", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3), weights(16), weights(1)}, id: "MP0410", says: []string{"4 inputs", "most it takes is 3"}},
		{name: "writes no second output", op: "Conv", in: []operand{data(1, 3, 8, 8), weights(16, 3, 3, 3)}, outputs: 2, id: "MP0410", says: []string{"2 outputs"}},

		{name: "accumulates in int32", op: "ConvInteger", in: []operand{typed(graph.Uint8, 1, 1, 3, 3), typed(graph.Uint8, 1, 1, 2, 2), typed(graph.Uint8)}, want: []string{"int32 [1, 1, 2, 2]"}},
		{name: "takes the type of the output's zero point", op: "QLinearConv",
			in:   []operand{typed(graph.Uint8, 1, 1, 7, 7), data(), typed(graph.Uint8), typed(graph.Uint8, 1, 1, 1, 1), data(1), typed(graph.Uint8, 1), data(), typed(graph.Int8)},
			want: []string{"int8 [1, 1, 7, 7]"}},
		{name: "reads its weights as second input", op: "DeformConv", in: []operand{data(1, 1, 3, 3), weights(1, 1, 2, 2), data(1, 8, 4, 4)}, attrs: graph.Attrs{"pads": list(1, 1, 1, 1)}, want: []string{"float32 [1, 1, 4, 4]"}},
	})
}

func TestTransposedConvolutions(t *testing.T) {
	in := []operand{data(1, 2, 3, 3), weights(2, 5, 3, 3)}
	runOpCases(t, []opCase{
		{name: "grows by the kernel", op: "ConvTranspose", in: in, want: []string{"float32 [1, 5, 5, 5]"}},
		{name: "multiplies by strides and takes pads off", op: "ConvTranspose", in: in, attrs: graph.Attrs{"strides": list(3, 2), "pads": list(1, 2, 1, 2)}, want: []string{"float32 [1, 5, 7, 3]"}},
		{name: "adds output padding", op: "ConvTranspose", in: in, attrs: graph.Attrs{"strides": list(3, 2), "output_padding": list(1, 1)}, want: []string{"float32 [1, 5, 10, 8]"}},
		{name: "takes the output shape as given", op: "ConvTranspose", in: in, attrs: graph.Attrs{"strides": list(3, 2), "output_shape": list(10, 8)}, want: []string{"float32 [1, 5, 10, 8]"}},
		{name: "accepts an output shape with batch and channels", op: "ConvTranspose", in: in, attrs: graph.Attrs{"strides": list(3, 2), "output_shape": list(1, 5, 10, 8)}, want: []string{"float32 [1, 5, 10, 8]"}},
		{name: "multiplies with SAME", op: "ConvTranspose", in: in, attrs: graph.Attrs{"strides": list(2, 2), "auto_pad": "SAME_UPPER"}, want: []string{"float32 [1, 5, 6, 6]"}},
		{name: "dilates", op: "ConvTranspose", in: []operand{data(1, 1, 3, 3), weights(1, 1, 2, 2)}, attrs: graph.Attrs{"dilations": list(2, 2)}, want: []string{"float32 [1, 1, 5, 5]"}},
		{name: "works in groups", op: "ConvTranspose", in: []operand{data(1, 4, 3, 3), weights(4, 3, 1, 1)}, attrs: graph.Attrs{"group": int64(2)}, want: []string{"float32 [1, 6, 3, 3]"}},
		{name: "reads weights of TFLite", op: "ConvTranspose", in: []operand{data(1, 4, 4, 8), weights(3, 2, 2, 8), weights(3)},
			attrs: graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "OHWI", "strides": list(2, 2)}, want: []string{"float32 [1, 8, 8, 3]"}},
		{name: "says which channels differ", op: "ConvTranspose", in: []operand{data(1, 3, 3, 3), weights(2, 5, 3, 3)}, id: "MP0415", says: []string{"3 channels", "2 on axis 0"}},
		{name: "says that groups do not divide channels", op: "ConvTranspose", in: in, attrs: graph.Attrs{"group": int64(4)}, id: "MP0419"},
		{name: "says that pads leave nothing", op: "ConvTranspose", in: in, attrs: graph.Attrs{"pads": list(9, 0, 9, 0)}, id: "MP0418", says: []string{"padding 9 + 9", "axis 2"}},
		{name: "does not wrap around with huge strides", op: "ConvTranspose", in: in, attrs: graph.Attrs{"strides": list(most, 1)}, id: "MP0425"},
		{name: "does not wrap around with a huge group", op: "ConvTranspose", in: []operand{data(1, 0, 3, 3), weights(0, 5, 3, 3)}, attrs: graph.Attrs{"group": int64(most)}, id: "MP0425"},
		{name: "refuses an output shape of 0", op: "ConvTranspose", in: in, attrs: graph.Attrs{"output_shape": list(0, 8)}, id: "MP0412"},
		{name: "refuses negative output padding", op: "ConvTranspose", in: in, attrs: graph.Attrs{"output_padding": list(-1, 0)}, id: "MP0412"},
	})
}

func TestPooling(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "shrinks by the kernel", op: "MaxPool", in: []operand{data(1, 3, 32, 32)}, attrs: graph.Attrs{"kernel_shape": list(2, 2)}, want: []string{"float32 [1, 3, 31, 31]"}},
		{name: "writes indices too", op: "MaxPool", in: []operand{data(1, 3, 4, 4)}, attrs: graph.Attrs{"kernel_shape": list(2, 2), "strides": list(2, 2)}, want: []string{"float32 [1, 3, 2, 2]", "int64 [1, 3, 2, 2]"}},
		{name: "rounds up with ceil_mode", op: "MaxPool", in: []operand{data(1, 1, 4, 4)}, attrs: graph.Attrs{"kernel_shape": list(3, 3), "strides": list(2, 2), "ceil_mode": int64(1)}, want: []string{"float32 [1, 1, 2, 2]"}},
		{name: "starts no window in the padding at the end", op: "MaxPool", in: []operand{data(1, 1, 2, 2)},
			attrs: graph.Attrs{"kernel_shape": list(1, 1), "strides": list(2, 2), "ceil_mode": int64(1)}, want: []string{"float32 [1, 1, 1, 1]"}},
		{name: "dilates", op: "MaxPool", in: []operand{data(1, 1, 4, 4)}, attrs: graph.Attrs{"kernel_shape": list(2, 2), "dilations": list(2, 2)}, want: []string{"float32 [1, 1, 2, 2]"}},
		{name: "reads channels last", op: "AveragePool", in: []operand{data(1, 7, 7, 64)}, attrs: graph.Attrs{"kernel_shape": list(7, 7), graph.AttrDataLayout: "NHWC"}, want: []string{"float32 [1, 1, 1, 64]"}},
		{name: "divides and rounds up with SAME_LOWER", op: "AveragePool", in: []operand{data(1, 3, 5, 5)}, attrs: graph.Attrs{"kernel_shape": list(2, 2), "strides": list(2, 2), "auto_pad": "SAME_LOWER"}, want: []string{"float32 [1, 3, 3, 3]"}},
		{name: "has one spatial axis", op: "LpPool", in: []operand{data(1, 3, 9)}, attrs: graph.Attrs{"kernel_shape": list(3), "pads": list(1, 1)}, want: []string{"float32 [1, 3, 9]"}},
		{name: "needs a kernel_shape", op: "AveragePool", in: []operand{data(1, 3, 9)}, id: "MP0412", says: []string{"kernel_shape"}},
		{name: "refuses a kernel of 0", op: "AveragePool", in: []operand{data(1, 3, 9)}, attrs: graph.Attrs{"kernel_shape": list(0)}, id: "MP0412"},
		{name: "says that nothing is left", op: "AveragePool", in: []operand{data(1, 3, 2, 2)}, attrs: graph.Attrs{"kernel_shape": list(3, 3)}, id: "MP0418", says: []string{"window of 3", "axis 2", "which has 2"}},
		{name: "refuses data without space", op: "AveragePool", in: []operand{data(3, 4)}, attrs: graph.Attrs{"kernel_shape": list(3)}, id: "MP0414"},
		{name: "refuses a scalar", op: "MaxPool", in: []operand{data()}, attrs: graph.Attrs{"kernel_shape": list(3)}, id: "MP0414"},

		{name: "leaves one element of each channel", op: "GlobalAveragePool", in: []operand{data(2, 8, 5, 6)}, want: []string{"float32 [2, 8, 1, 1]"}},
		{name: "reads channels last", op: "GlobalMaxPool", in: []operand{data(2, 5, 6, 8)}, attrs: graph.Attrs{graph.AttrDataLayout: "NHWC"}, want: []string{"float32 [2, 1, 1, 8]"}},
		{name: "has one spatial axis", op: "GlobalLpPool", in: []operand{data(2, 5, 6)}, want: []string{"float32 [2, 5, 1]"}},

		{name: "undoes a pooling", op: "MaxUnpool", in: []operand{data(1, 1, 2, 2), typed(graph.Int64, 1, 1, 2, 2)}, attrs: graph.Attrs{"kernel_shape": list(2, 2), "strides": list(2, 2)}, want: []string{"float32 [1, 1, 4, 4]"}},
		{name: "takes the output shape as given", op: "MaxUnpool", in: []operand{data(1, 1, 2, 2), typed(graph.Int64, 1, 1, 2, 2), ints(1, 1, 5, 5)}, attrs: graph.Attrs{"kernel_shape": list(2, 2)}, want: []string{"float32 [1, 1, 5, 5]"}},
		{name: "refuses indices of another shape", op: "MaxUnpool", in: []operand{data(1, 1, 2, 2), typed(graph.Int64, 1, 1, 2, 3)}, attrs: graph.Attrs{"kernel_shape": list(2, 2)}, id: "MP0415"},

		{name: "crops each region", op: "RoiAlign", in: []operand{data(1, 4, 10, 10), data(3, 4), typed(graph.Int64, 3)}, attrs: graph.Attrs{"output_height": int64(5), "output_width": int64(6)}, want: []string{"float32 [3, 4, 5, 6]"}},
		{name: "refuses batch indices of another number", op: "RoiAlign", in: []operand{data(1, 4, 10, 10), data(3, 4), typed(graph.Int64, 2)}, id: "MP0415"},
		{name: "pools each region", op: "MaxRoiPool", in: []operand{data(1, 4, 10, 10), data(3, 5)}, attrs: graph.Attrs{"pooled_shape": list(2, 3)}, want: []string{"float32 [3, 4, 2, 3]"}},
		{name: "needs a pooled_shape", op: "MaxRoiPool", in: []operand{data(1, 4, 10, 10), data(3, 5)}, id: "MP0412"},
	})
}
