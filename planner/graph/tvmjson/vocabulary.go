package tvmjson

// vocabulary gives the names that Relay's and, before it, NNVM's operators have in function names the operators' names in
// ONNX, or in memplan's own terms for what ONNX does not have. It is never changed.
var vocabulary = map[string]string{
	// Convolution, matrix products and pooling.
	"nn_conv1d": "Conv", "nn_conv2d": "Conv", "nn_conv3d": "Conv", "nn_contrib_conv2d_NCHWc": "Conv",
	"nn_contrib_depthwise_conv2d_NCHWc": "Conv", "nn_contrib_conv2d_NCHWc_int8": "Conv",
	"nn_contrib_conv2d_gemm_without_weight_transform":     "Conv",
	"nn_contrib_conv2d_winograd_without_weight_transform": "Conv",
	"nn_conv1d_transpose":                                 "ConvTranspose", "nn_conv2d_transpose": "ConvTranspose", "nn_conv3d_transpose": "ConvTranspose",
	"nn_deformable_conv2d": "DeformConv",
	"nn_dense":             "Gemm", "nn_contrib_dense_pack": "Gemm", "nn_matmul": "MatMul", "nn_batch_matmul": "MatMul", "einsum": "Einsum",
	"nn_max_pool1d": "MaxPool", "nn_max_pool2d": "MaxPool", "nn_max_pool3d": "MaxPool",
	"nn_avg_pool1d": "AveragePool", "nn_avg_pool2d": "AveragePool", "nn_avg_pool3d": "AveragePool",
	"nn_global_avg_pool2d": "GlobalAveragePool", "nn_global_max_pool2d": "GlobalMaxPool",
	"vision_roi_align": "RoiAlign",

	// Element-wise.
	"add": "Add", "nn_bias_add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "power": "Pow", "mod": "Mod",
	"maximum": "Max", "minimum": "Min", "clip": "Clip", "where": "Where", "cast": "Cast", "cast_like": "CastLike",
	"nn_relu": "Relu", "nn_leaky_relu": "LeakyRelu", "nn_prelu": "PRelu", "nn_fast_softmax": "Softmax",
	"sigmoid": "Sigmoid", "tanh": "Tanh", "fast_tanh": "Tanh", "erf": "Erf", "fast_erf": "Erf", "exp": "Exp", "fast_exp": "Exp", "log": "Log",
	"sqrt": "Sqrt", "negative": "Neg", "abs": "Abs", "sign": "Sign", "round": "Round", "floor": "Floor", "ceil": "Ceil",
	"sin": "Sin", "cos": "Cos", "tan": "Tan", "atan": "Atan", "isnan": "IsNaN", "isinf": "IsInf",
	"less": "Less", "less_equal": "LessOrEqual", "greater": "Greater", "greater_equal": "GreaterOrEqual", "equal": "Equal",
	"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor", "logical_not": "Not",

	// Normalisation and reduction.
	"nn_softmax": "Softmax", "nn_log_softmax": "LogSoftmax", "nn_batch_norm": "BatchNormalization", "nn_lrn": "LRN",
	"nn_layer_norm": "LayerNormalization", "nn_instance_norm": "InstanceNormalization", "nn_group_norm": "GroupNormalization",
	"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax", "min": "ReduceMin", "prod": "ReduceProd",
	"argmax": "ArgMax", "argmin": "ArgMin", "cumsum": "CumSum", "topk": "TopK",

	// Movement.
	"reshape": "Reshape", "squeeze": "Reshape", "expand_dims": "Reshape", "nn_batch_flatten": "Reshape",
	"contrib_reverse_reshape": "Reshape",
	"layout_transform":        "LayoutTransform", "transpose": "Transpose", "concatenate": "Concat", "split": "Split",
	"strided_slice": "Slice", "take": "Gather", "gather": "GatherElements", "gather_nd": "GatherND", "scatter_nd": "ScatterND",
	"nn_pad": "Pad", "tile": "Tile", "broadcast_to": "Expand", "one_hot": "OneHot", "reverse_sequence": "ReverseSequence",
	"nn_depth_to_space": "DepthToSpace", "nn_space_to_depth": "SpaceToDepth",
	"nn_upsampling": "Resize", "image_resize2d": "Resize", "image_resize": "Resize", "image_grid_sample": "GridSample",

	// NNVM.
	"conv2d": "Conv", "contrib_conv2d_NCHWc": "Conv", "conv2d_transpose": "ConvTranspose", "dense": "Gemm",
	"max_pool2d": "MaxPool", "avg_pool2d": "AveragePool", "global_avg_pool2d": "GlobalAveragePool", "global_max_pool2d": "GlobalMaxPool",
	"relu": "Relu", "leaky_relu": "LeakyRelu", "prelu": "PRelu", "softmax": "Softmax", "log_softmax": "LogSoftmax",
	"elemwise_add": "Add", "elemwise_sub": "Sub", "elemwise_mul": "Mul", "elemwise_div": "Div",
	"broadcast_add": "Add", "broadcast_sub": "Sub", "broadcast_mul": "Mul", "broadcast_div": "Div",
	"add_scalar": "Add", "sub_scalar": "Sub", "mul_scalar": "Mul", "div_scalar": "Div",
	"flatten": "Reshape", "pad": "Pad", "upsampling": "Resize", "batch_norm": "BatchNormalization", "lrn": "LRN",
}
