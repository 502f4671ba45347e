package scope

import (
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// Operands lists what a tensor can be to an op, in the order of the documentation.
func Operands() []string { return []string{"output", "data", "weight", "bias", "index", "other"} }

// inputs says what the inputs of an op are, in order; the last word holds for all further ones when it ends in "*". Inputs
// beyond the list, such as the second summand of a fused addition, and those of ops that are not listed are data.
var inputs = map[string]string{
	"BatchNormalization":    "data weight bias other other data*",
	"Clip":                  "data other*",
	"Conv":                  "data weight bias data*",
	"ConvInteger":           "data weight other*",
	"ConvTranspose":         "data weight bias data*",
	"DequantizeLinear":      "data other*",
	"Expand":                "data other*",
	"GRU":                   "data weight weight bias other*",
	"Gather":                "data index",
	"GatherElements":        "data index",
	"GatherND":              "data index",
	"Gemm":                  "data weight bias data*",
	"GlobalAveragePool":     "data weight bias weight bias data",
	"GroupNormalization":    "data weight bias data*",
	"InstanceNormalization": "data weight bias data*",
	"LSTM":                  "data weight weight bias other*",
	"LayerNormalization":    "data weight bias data*",
	"MatMulInteger":         "data weight other*",
	"OneHot":                "index other*",
	"PRelu":                 "data weight",
	"Pad":                   "data other*",
	"QLinearConv":           "data other other weight other other other other bias",
	"QLinearMatMul":         "data other other weight other*",
	"QuantizeLinear":        "data other*",
	"RNN":                   "data weight weight bias other*",
	"ReduceL1":              "data other*",
	"ReduceL2":              "data other*",
	"ReduceMax":             "data other*",
	"ReduceMean":            "data other*",
	"ReduceMin":             "data other*",
	"ReduceProd":            "data other*",
	"ReduceSum":             "data other*",
	"Reshape":               "data other*",
	"Resize":                "data other*",
	"ScatterElements":       "data index data",
	"ScatterND":             "data index data",
	"Slice":                 "data other*",
	"Split":                 "data other*",
	"Squeeze":               "data other*",
	"Tile":                  "data other*",
	"TopK":                  "data other*",
	"Unsqueeze":             "data other*",
}

// summands are the element-wise ops of several tensors, of which a constant one is a factor or a bias rather than data.
var summands = map[string]bool{"Add": true, "Sub": true, "Mul": true, "Div": true, "Max": true, "Min": true, "Pow": true}

// operand says what the i-th input is to the op. The second factor of a matrix product is a weight when it is constant,
// and a constant
// operand of an element-wise op is a bias: kernels read them as such, flat as a rule.
func operand(g *graph.Graph, op *graph.Op, i int) string {
	if t := g.Tensor(op.Inputs[i]); t != nil && t.Role == graph.Constant {
		switch {
		case op.Op == "MatMul" && i == 1:
			return "weight"
		case summands[op.Op]:
			return "bias"
		}
	}
	words := strings.Fields(inputs[op.Op])
	if i < len(words) {
		return strings.TrimSuffix(words[i], "*")
	}
	if len(words) > 0 {
		if word, all := strings.CutSuffix(words[len(words)-1], "*"); all {
			return word
		}
	}
	return "data"
}

// touch is one use of a tensor by an op.
type touch struct {
	op      int32
	operand string
}

// touches lists for each tensor the ops that read or write it, in order of execution, inputs before outputs.
func touches(g *graph.Graph) [][]touch {
	out := make([][]touch, len(g.Tensors))
	for step := range g.Ops {
		op := &g.Ops[step]
		for i, id := range op.Inputs {
			if g.Tensor(id) != nil {
				out[id] = append(out[id], touch{int32(step), operand(g, op, i)})
			}
		}
		for _, id := range op.Outputs {
			if g.Tensor(id) != nil {
				out[id] = append(out[id], touch{int32(step), "output"})
			}
		}
	}
	return out
}
