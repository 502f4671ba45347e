package host

import "github.com/memplan/memplan/planner/graph"

// builders has the device's own kernels by operator. It is never changed.
var builders = map[string]builder{
	"Conv":          buildConv,
	"ConvTranspose": buildConvTranspose,

	"MaxPool":           buildMaxPool,
	"AveragePool":       buildAveragePool,
	"LpPool":            buildLpPool,
	"GlobalAveragePool": buildGlobal,
	"GlobalMaxPool":     buildGlobal,
	"GlobalLpPool":      buildGlobal,

	"MatMul": buildMatMul,
	"Gemm":   buildGemm,

	"Softmax":    buildSoftmax,
	"LogSoftmax": buildSoftmax,
	"Resize":     buildResize,
	"Concat":     buildConcat,
	"Pad":        buildPad,

	"LayoutTransform": buildLayoutTransform,

	"LSTM": buildRecurrent,
	"GRU":  buildRecurrent,
	"RNN":  buildRecurrent,

	"BatchNormalization":        buildBatchNorm,
	"InstanceNormalization":     buildInstanceNorm,
	"GroupNormalization":        buildGroupNorm,
	"LayerNormalization":        buildLayerNorm,
	"MeanVarianceNormalization": buildMeanVariance,
	"LRN":                       buildLRN,
	"LpNormalization":           buildLpNorm,
	"L2Normalization":           buildL2Norm,
}

// lookup returns the device's own kernel for an op.
func lookup(op *graph.Op) (builder, bool) {
	if op.Domain == graph.CopyDomain && op.Op == graph.CopyOp {
		return buildCopy, true
	}
	if op.Domain != "" && op.Domain != "tflite" {
		return nil, false
	}
	build, ok := builders[op.Op]
	return build, ok
}
