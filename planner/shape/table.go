package shape

import (
	"maps"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// rule computes the types of the outputs of an op from those of its inputs, in op.Outputs' order; further ones are left
// to the file. An axis may be left graph.Unknown with a reason. The error is a diagnostic or an unknownValueError.
type rule func(n *node) ([]array.Type, error)

// spec is a row of the table. The first least inputs are present when the rule runs.
type spec struct {
	rule rule
	// least and most count inputs; most is negative for any number.
	least, most int
	// outputs is the largest number of outputs, negative for any.
	outputs int
}

// lookup returns the row of an op.
func lookup(op *graph.Op) (spec, bool) {
	switch op.Domain {
	case "", "ai.onnx", "tflite.quantized": // quantised operators of TFLite have ONNX names, attributes and shapes
		s, ok := onnxRules[op.Op]
		return s, ok
	case "tflite":
		s, ok := tfliteRules[op.Op]
		return s, ok
	}
	return spec{}, false
}

// Operators lists the operators of ONNX that have a rule, sorted.
func Operators() []string { return slices.Sorted(maps.Keys(onnxRules)) }

// onnxRules has a row for each operator of ONNX's own domain that has a rule, in the form of opset 21. It is never
// changed.
var onnxRules = map[string]spec{
	// Element-wise, one operand.
	"Abs": {same, 1, 1, 1}, "Acos": {same, 1, 1, 1}, "Acosh": {same, 1, 1, 1}, "Asin": {same, 1, 1, 1},
	"Asinh": {same, 1, 1, 1}, "Atan": {same, 1, 1, 1}, "Atanh": {same, 1, 1, 1}, "BitwiseNot": {same, 1, 1, 1},
	"Ceil": {same, 1, 1, 1}, "Celu": {same, 1, 1, 1}, "Cos": {same, 1, 1, 1}, "Cosh": {same, 1, 1, 1},
	"Elu": {same, 1, 1, 1}, "Erf": {same, 1, 1, 1}, "Exp": {same, 1, 1, 1}, "Floor": {same, 1, 1, 1},
	"Gelu": {same, 1, 1, 1}, "HardSigmoid": {same, 1, 1, 1}, "HardSwish": {same, 1, 1, 1}, "Identity": {same, 1, 1, 1},
	"LeakyRelu": {same, 1, 1, 1}, "Log": {same, 1, 1, 1}, "Mish": {same, 1, 1, 1}, "Neg": {same, 1, 1, 1},
	"Not": {predicate, 1, 1, 1}, "Reciprocal": {same, 1, 1, 1}, "Relu": {same, 1, 1, 1}, "Round": {same, 1, 1, 1},
	"Selu": {same, 1, 1, 1}, "Shrink": {same, 1, 1, 1}, "Sigmoid": {same, 1, 1, 1}, "Sign": {same, 1, 1, 1},
	"Sin": {same, 1, 1, 1}, "Sinh": {same, 1, 1, 1}, "Softplus": {same, 1, 1, 1}, "Softsign": {same, 1, 1, 1},
	"Sqrt": {same, 1, 1, 1}, "Swish": {same, 1, 1, 1}, "Tan": {same, 1, 1, 1}, "Tanh": {same, 1, 1, 1},
	"ThresholdedRelu": {same, 1, 1, 1}, "Trilu": {matrices, 1, 2, 1}, "Clip": {same, 1, 3, 1},
	"ReverseSequence": {reverseSequence, 2, 2, 1}, "IsInf": {predicate, 1, 1, 1}, "IsNaN": {predicate, 1, 1, 1},
	"Cast": {cast, 1, 1, 1}, "CastLike": {castLike, 2, 2, 1}, "Dropout": {dropout, 1, 3, 2},
	"CumSum": {cumulativeSum, 2, 2, 1},

	// Element-wise, several operands.
	"Add": {arithmetic, 2, 2, 1}, "Sub": {arithmetic, 2, 2, 1}, "Mul": {arithmetic, 2, 2, 1}, "Div": {arithmetic, 2, 2, 1},
	"Mod": {arithmetic, 2, 2, 1}, "BitShift": {arithmetic, 2, 2, 1}, "BitwiseAnd": {arithmetic, 2, 2, 1},
	"BitwiseOr": {arithmetic, 2, 2, 1}, "BitwiseXor": {arithmetic, 2, 2, 1}, "Pow": {power, 2, 2, 1},
	"Max": {arithmetic, 1, -1, 1}, "Min": {arithmetic, 1, -1, 1}, "Sum": {arithmetic, 1, -1, 1}, "Mean": {arithmetic, 1, -1, 1},
	"And": {comparison, 2, 2, 1}, "Or": {comparison, 2, 2, 1}, "Xor": {comparison, 2, 2, 1}, "Equal": {comparison, 2, 2, 1},
	"Greater": {comparison, 2, 2, 1}, "GreaterOrEqual": {comparison, 2, 2, 1}, "Less": {comparison, 2, 2, 1},
	"LessOrEqual": {comparison, 2, 2, 1}, "Where": {where, 3, 3, 1}, "PRelu": {unidirectional, 2, 2, 1},

	// Convolution and pooling.
	"Conv": {conv, 2, 3, 1}, "ConvInteger": {convInteger, 2, 4, 1}, "QLinearConv": {qlinearConv, 8, 9, 1},
	"ConvTranspose": {convTranspose, 2, 3, 1}, "DeformConv": {deformConv, 3, 5, 1},
	"AveragePool": {pool, 1, 1, 1}, "LpPool": {pool, 1, 1, 1}, "MaxPool": {pool, 1, 1, 2}, "MaxUnpool": {maxUnpool, 2, 3, 1},
	"GlobalAveragePool": {globalPool, 1, 1, 1}, "GlobalLpPool": {globalPool, 1, 1, 1}, "GlobalMaxPool": {globalPool, 1, 1, 1},
	"MaxRoiPool": {maxRoiPool, 2, 2, 1}, "RoiAlign": {roiAlign, 3, 3, 1},

	// Matrix products.
	"Gemm": {gemm, 2, 3, 1}, "MatMul": {matmul, 2, 2, 1}, "MatMulInteger": {matmulInteger, 2, 4, 1},
	"QLinearMatMul": {qlinearMatmul, 8, 8, 1}, "Einsum": {einsum, 1, -1, 1}, "Det": {determinant, 1, 1, 1},

	// Normalisation.
	"BatchNormalization": {batchNormalization, 5, 5, 5}, "InstanceNormalization": {instanceNormalization, 3, 3, 1},
	"GroupNormalization": {groupNormalization, 3, 3, 1}, "LayerNormalization": {layerNormalization, 2, 3, 3},
	"RMSNormalization": {layerNormalization, 2, 2, 1}, "LRN": {localResponse, 1, 1, 1},
	"LpNormalization": {alongAxis(-1), 1, 1, 1}, "MeanVarianceNormalization": {same, 1, 1, 1},
	"Softmax": {alongAxis(-1), 1, 1, 1}, "LogSoftmax": {alongAxis(-1), 1, 1, 1}, "Hardmax": {alongAxis(-1), 1, 1, 1},

	// Reduction.
	"ReduceL1": {reduce, 1, 2, 1}, "ReduceL2": {reduce, 1, 2, 1}, "ReduceLogSum": {reduce, 1, 2, 1},
	"ReduceLogSumExp": {reduce, 1, 2, 1}, "ReduceMax": {reduce, 1, 2, 1}, "ReduceMean": {reduce, 1, 2, 1},
	"ReduceMin": {reduce, 1, 2, 1}, "ReduceProd": {reduce, 1, 2, 1}, "ReduceSum": {reduce, 1, 2, 1},
	"ReduceSumSquare": {reduce, 1, 2, 1}, "ArgMax": {argument, 1, 1, 1}, "ArgMin": {argument, 1, 1, 1}, "TopK": {topK, 2, 2, 2},

	// Movement.
	"Reshape": {reshape, 2, 2, 1}, "Flatten": {flatten, 1, 1, 1}, "Squeeze": {squeeze, 1, 2, 1},
	"Unsqueeze": {unsqueeze, 2, 2, 1}, "Expand": {expand, 2, 2, 1}, "Transpose": {transpose, 1, 1, 1},
	"Concat": {concat, 1, -1, 1}, "Split": {split, 1, 2, -1}, "Slice": {slice, 3, 5, 1}, "Tile": {tile, 2, 2, 1},
	"Pad": {pad, 2, 4, 1}, "DepthToSpace": {depthToSpace, 1, 1, 1}, "SpaceToDepth": {spaceToDepth, 1, 1, 1},
	"Gather": {gather, 2, 2, 1}, "GatherElements": {gatherElements, 2, 2, 1}, "GatherND": {gatherND, 2, 2, 1},
	"Scatter": {scatterElements, 3, 3, 1}, "ScatterElements": {scatterElements, 3, 3, 1}, "ScatterND": {scatterND, 3, 3, 1},
	"OneHot": {oneHot, 3, 3, 1},

	// Shapes and values.
	"Shape": {extentOf, 1, 1, 1}, "Size": {sizeOf, 1, 1, 1}, "Constant": {constant, 0, 0, 1},
	"ConstantOfShape": {constantOfShape, 1, 1, 1}, "Range": {sequence, 3, 3, 1}, "EyeLike": {eyeLike, 1, 1, 1},
	"Bernoulli": {likeInput, 1, 1, 1}, "RandomNormal": {random, 0, 0, 1}, "RandomNormalLike": {likeInput, 1, 1, 1},
	"RandomUniform": {random, 0, 0, 1}, "RandomUniformLike": {likeInput, 1, 1, 1},
	"BlackmanWindow": {signalWindow, 1, 1, 1}, "HammingWindow": {signalWindow, 1, 1, 1}, "HannWindow": {signalWindow, 1, 1, 1},

	// Resizing.
	"Resize": {resize, 1, 4, 1}, "Upsample": {upsample, 2, 2, 1}, "GridSample": {gridSample, 2, 2, 1},
	"AffineGrid": {affineGrid, 2, 2, 1}, "CenterCropPad": {centerCropPad, 2, 2, 1},

	// Recurrent.
	"LSTM": {recurrent(4), 3, 8, 3}, "GRU": {recurrent(3), 3, 6, 2}, "RNN": {recurrent(1), 3, 6, 2},

	// Quantisation.
	"QuantizeLinear": {quantize, 2, 3, 1}, "DequantizeLinear": {dequantize, 2, 3, 1},
	"DynamicQuantizeLinear": {dynamicQuantize, 1, 1, 3},

	// Detection, and others whose shapes depend on data.
	"NonZero": {nonZero, 1, 1, 1}, "NonMaxSuppression": {nonMaxSuppression, 2, 5, 1}, "Compress": {compress, 2, 2, 1},
	"Unique": {unique, 1, 1, 4},

	// Losses.
	"NegativeLogLikelihoodLoss": {loss, 2, 3, 1}, "SoftmaxCrossEntropyLoss": {loss, 2, 3, 2},
}

// tfliteRules has a row for each operator of TFLite that ONNX lacks and whose shape follows from its inputs; the others
// keep the file's. It is never changed.
var tfliteRules = map[string]spec{
	"L2Normalization": {same, 1, 1, 1}, "ReverseV2": {same, 1, 2, 1}, "Rsqrt": {same, 1, 1, 1}, "Square": {same, 1, 1, 1},
	"SquaredDifference": {arithmetic, 2, 2, 1},
}
