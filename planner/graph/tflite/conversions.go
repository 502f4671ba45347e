package tflite

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// conversion says how a builtin operator becomes ONNX ops.
type conversion struct {
	// least and most limit the inputs; the first least of them must be present. most is 0 when there is no limit, and
	// then all must be present.
	least, most int
	// outputs is the exact number of outputs, 0 for one or more.
	outputs int
	// run adds the ops to the call. It returns false when ONNX has no form for this use of the operator, such as an
	// axis that is computed while the graph runs.
	run func(*call) bool
}

// fits reports whether the call has the operands that run relies on.
func (v conversion) fits(c *call) bool {
	if len(c.inputs) < v.least || v.most > 0 && len(c.inputs) > v.most {
		return false
	}
	required := c.inputs
	if v.most > 0 {
		required = c.inputs[:v.least]
	}
	if slices.Contains(required, -1) {
		return false
	}
	return len(c.outputs) == v.outputs || v.outputs == 0 && len(c.outputs) > 0
}

// needs says in words what fits checks.
func (v conversion) needs() string {
	inputs, outputs := fmt.Sprintf("%d to %d inputs", v.least, v.most), fmt.Sprintf("%d outputs", v.outputs)
	if v.most == 0 {
		inputs = fmt.Sprintf("at least %d inputs", v.least)
	}
	if v.most == v.least {
		inputs = fmt.Sprintf("%d inputs", v.least)
	}
	if v.outputs == 0 {
		outputs = "at least one output"
	}
	return inputs + " and " + outputs
}

// conversions are the builtin operators with an ONNX form, by the schema's name. Every other one is kept as it is.
var conversions = map[string]conversion{
	"ADD":           {2, 2, 1, activated("Add")},
	"SUB":           {2, 2, 1, activated("Sub")},
	"MUL":           {2, 2, 1, activated("Mul")},
	"DIV":           {2, 2, 1, activated("Div")},
	"POW":           {2, 2, 1, direct("Pow")},
	"MAXIMUM":       {2, 2, 1, direct("Max")},
	"MINIMUM":       {2, 2, 1, direct("Min")},
	"ADD_N":         {1, 0, 1, direct("Sum")},
	"EQUAL":         {2, 2, 1, direct("Equal")},
	"NOT_EQUAL":     {2, 2, 1, (*call).notEqual},
	"LESS":          {2, 2, 1, direct("Less")},
	"LESS_EQUAL":    {2, 2, 1, direct("LessOrEqual")},
	"GREATER":       {2, 2, 1, direct("Greater")},
	"GREATER_EQUAL": {2, 2, 1, direct("GreaterOrEqual")},
	"LOGICAL_OR":    {2, 2, 1, direct("Or")},
	"LOGICAL_AND":   {2, 2, 1, direct("And")},
	"LOGICAL_NOT":   {1, 1, 1, direct("Not")},

	"ABS":   {1, 1, 1, direct("Abs")},
	"CEIL":  {1, 1, 1, direct("Ceil")},
	"COS":   {1, 1, 1, direct("Cos")},
	"EXP":   {1, 1, 1, direct("Exp")},
	"FLOOR": {1, 1, 1, direct("Floor")},
	"LOG":   {1, 1, 1, direct("Log")},
	"NEG":   {1, 1, 1, direct("Neg")},
	"ROUND": {1, 1, 1, direct("Round")},
	"SIGN":  {1, 1, 1, direct("Sign")},
	"SIN":   {1, 1, 1, direct("Sin")},
	"SQRT":  {1, 1, 1, direct("Sqrt")},

	"RELU":         {1, 1, 1, direct("Relu")},
	"RELU6":        {1, 1, 1, clip(0, 6)},
	"RELU_N1_TO_1": {1, 1, 1, clip(-1, 1)},
	"RELU_0_TO_1":  {1, 1, 1, clip(0, 1)},
	"LOGISTIC":     {1, 1, 1, direct("Sigmoid")},
	"TANH":         {1, 1, 1, direct("Tanh")},
	"HARD_SWISH":   {1, 1, 1, direct("HardSwish")},
	"ELU":          {1, 1, 1, direct("Elu")},
	"LEAKY_RELU":   {1, 1, 1, (*call).leakyRelu},
	"PRELU":        {2, 2, 1, direct("PRelu")},
	"GELU":         {1, 1, 1, (*call).gelu},
	"SOFTMAX":      {1, 1, 1, (*call).softmax},
	"LOG_SOFTMAX":  {1, 1, 1, (*call).logSoftmax},

	"CONV_2D":           {2, 3, 1, (*call).conv2D},
	"DEPTHWISE_CONV_2D": {2, 3, 1, (*call).depthwiseConv2D},
	"TRANSPOSE_CONV":    {3, 4, 1, (*call).transposeConv},
	"FULLY_CONNECTED":   {2, 3, 1, (*call).fullyConnected},
	"BATCH_MATMUL":      {2, 2, 1, (*call).batchMatMul},
	"MAX_POOL_2D":       {1, 1, 1, pool("MaxPool")},
	"AVERAGE_POOL_2D":   {1, 1, 1, pool("AveragePool")},

	"RESHAPE":                 {1, 2, 1, (*call).reshape},
	"SQUEEZE":                 {1, 1, 1, (*call).squeeze},
	"EXPAND_DIMS":             {2, 2, 1, (*call).expandDims},
	"CONCATENATION":           {1, 0, 1, (*call).concatenation},
	"PACK":                    {1, 0, 1, (*call).pack},
	"UNPACK":                  {1, 1, 0, (*call).unpack},
	"SPLIT":                   {2, 2, 0, (*call).split},
	"SPLIT_V":                 {3, 3, 0, (*call).splitV},
	"TRANSPOSE":               {2, 2, 1, (*call).transpose},
	"STRIDED_SLICE":           {4, 4, 1, (*call).stridedSlice},
	"SLICE":                   {3, 3, 1, (*call).slice},
	"GATHER":                  {2, 2, 1, (*call).gather},
	"PAD":                     {2, 2, 1, (*call).pad},
	"PADV2":                   {3, 3, 1, (*call).pad},
	"MIRROR_PAD":              {2, 2, 1, (*call).mirrorPad},
	"TILE":                    {2, 2, 1, (*call).tile},
	"FILL":                    {2, 2, 1, expand(1)},
	"BROADCAST_TO":            {2, 2, 1, expand(0)},
	"SHAPE":                   {1, 1, 1, (*call).shapeOf},
	"SELECT":                  {3, 3, 1, (*call).selectV1},
	"SELECT_V2":               {3, 3, 1, direct("Where")},
	"DEPTH_TO_SPACE":          {1, 1, 1, (*call).depthToSpace},
	"SPACE_TO_DEPTH":          {1, 1, 1, (*call).spaceToDepth},
	"RESIZE_BILINEAR":         {2, 2, 1, (*call).resizeBilinear},
	"RESIZE_NEAREST_NEIGHBOR": {2, 2, 1, (*call).resizeNearest},

	"MEAN":        {2, 2, 1, reduce("ReduceMean")},
	"SUM":         {2, 2, 1, reduce("ReduceSum")},
	"REDUCE_MAX":  {2, 2, 1, reduce("ReduceMax")},
	"REDUCE_MIN":  {2, 2, 1, reduce("ReduceMin")},
	"REDUCE_PROD": {2, 2, 1, reduce("ReduceProd")},
	"ARG_MAX":     {2, 2, 1, argument("ArgMax")},
	"ARG_MIN":     {2, 2, 1, argument("ArgMin")},
	"TOPK_V2":     {2, 2, 2, (*call).topK},
	"CUMSUM":      {2, 2, 1, (*call).cumSum},

	"CAST":       {1, 1, 1, (*call).cast},
	"QUANTIZE":   {1, 1, 1, (*call).quantize},
	"DEQUANTIZE": {1, 1, 1, (*call).dequantize},
	"DENSIFY":    {1, 1, 1, direct("Identity")},
}

// direct converts to one op with the same operands and no attributes.
func direct(op string) func(*call) bool {
	return func(c *call) bool {
		c.emit("", op, c.all(c.inputs), c.all(c.outputs), nil)
		return true
	}
}

// wrap converts to one op that reads the first input and has the given attributes.
func (c *call) wrap(op string, attrs graph.Attrs) bool {
	c.emit("", op, ids(c.in(0)), ids(c.out(0)), attrs)
	return true
}
