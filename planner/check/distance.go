package check

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// converts are the ops that change the element type of each element, beside those of [pointwise].
var converts = []string{"Cast", "DequantizeLinear", "QuantizeLinear"}

// mostRows and widestKernel bound what is gone through for one op: more rows of a result, or a wider window along an axis, are
// not followed.
const (
	mostRows     = 1 << 20
	widestKernel = 1 << 10
)

// distance is how many bytes above the start of its result the operand of an op must start, so that a kernel that writes
// the result row by row in the order of memory, each row after all that is read for it, destroys nothing that it reads
// later; or why there is none. It follows the reads of every row.
func (pg *planned) distance(op *graph.Op, position int) (bytes int64, because string) {
	x, y := pg.g.Tensor(op.Inputs[position]), pg.g.Tensor(op.Outputs[0])
	const unknown = "it is not known in which order the op reads it"
	if !slices.Contains([]string{"", "ai.onnx", "tflite"}, op.Domain) || x == nil || y == nil || elements(x.Shape) < 1 || elements(y.Shape) < 1 {
		return 0, unknown
	}
	var t *trace
	switch {
	case position == 0 && len(op.Fused) > 1 && slices.Contains(op.Fused[1:], "Conv"):
		return 0, unknown // the result of the first convolution is held in lines, and nothing says when they are read
	case op.Op == "Conv" || op.Op == "ConvTranspose" || op.Op == "MaxPool" || op.Op == "AveragePool" || op.Op == "LpPool":
		t = pg.traceWindow(op, x, y)
	case op.Op == "Resize":
		t = pg.traceResize(op, x, y)
	case slices.Contains(converts, op.Op) || takesPlace(op, position) && !slices.Contains(pointwise.once, op.Op):
		t = traceElements(x, y)
	}
	if t == nil || position != 0 && !takesPlace(op, position) {
		return 0, unknown
	}
	return t.distance(), ""
}

// trace is what the rows of a result read. The result is parts of rows; the rows of each read their own part of the operand,
// and the rows of all parts read the same bytes of it.
type trace struct {
	parts int64
	// row and part are bytes: of a row of the result, and of a part of the operand.
	row, part int64
	// lowest is the lowest byte that each row reads, from the start of its part; none when it reads nothing.
	lowest []int64
}

const none = -1

// distance goes through the rows from the last to the first. Parts between the second and the last but one need not be
// looked at: from part to part all bytes move by the same amounts.
func (t *trace) distance() int64 {
	rows := int64(len(t.lowest))
	worst, later := int64(0), int64(math.MaxInt64)
	parts := []int64{0, min(1, t.parts-1), max(0, t.parts-2), t.parts - 1}
	slices.Sort(parts)
	for _, part := range slices.Backward(slices.Compact(parts)) {
		for r := rows - 1; r >= 0; r-- {
			if later != math.MaxInt64 {
				worst = max(worst, (part*rows+r+1)*t.row-later)
			}
			if t.lowest[r] != none {
				later = min(later, part*t.part+t.lowest[r])
			}
		}
	}
	return worst
}

func traceElements(x, y *graph.Tensor) *trace {
	if !x.Shape.Equal(y.Shape) || x.Layout != y.Layout {
		return nil
	}
	return &trace{parts: elements(y.Shape), row: y.DType.Size(), part: x.DType.Size(), lowest: []int64{0}}
}

// traceWindow is that of convolutions and poolings. Each position of all window axes but the innermost is a row.
func (pg *planned) traceWindow(op *graph.Op, x, y *graph.Tensor) *trace {
	rank := len(y.Shape)
	layout := op.Attrs.String(graph.AttrDataLayout, "NCHW")
	last := strings.HasSuffix(layout, "C")
	if rank < 3 || len(x.Shape) != rank || !last && strings.IndexByte(layout, 'C') != 1 || strings.ContainsAny(layout+x.Layout+y.Layout, "0123456789") {
		return nil
	}
	channel, from := 1, 2
	if last {
		channel, from = rank-1, 1
	}
	transposed := op.Op == "ConvTranspose"
	if transposed && (!last || op.Attrs.String("auto_pad", "NOTSET") != "NOTSET" || op.Attrs["output_shape"] != nil) {
		return nil // the padding follows from the result, or the result is not computed in lines
	}
	alone := op.Op != "Conv" || op.Attrs.Int("group", 1) == x.Shape[channel]
	if x.Shape[0] != y.Shape[0] || !transposed && (x.Shape[channel] != y.Shape[channel] || !alone) && (op.Op != "Conv" || !last) {
		return nil
	}
	kernel := pg.kernel(op, rank-2)
	if kernel == nil {
		return nil
	}
	parts, lines := y.Shape[0], int64(1)
	if !last {
		parts *= y.Shape[1]
	}
	lowest := []int64{0}
	for axis := range max(1, rank-3) {
		if kernel[axis] > widestKernel || y.Shape[from+axis] > mostRows/int64(len(lowest)) {
			return nil
		}
		starts := axisStarts(op, axis, kernel[axis], x.Shape[from+axis], y.Shape[from+axis])
		next := make([]int64, 0, len(lowest)*len(starts))
		for _, before := range lowest {
			for _, at := range starts {
				if before == none || at == none {
					next = append(next, none)
				} else {
					next = append(next, before*x.Shape[from+axis]+at)
				}
			}
		}
		lowest, lines = next, lines*x.Shape[from+axis]
	}
	part := elements(x.Shape) * x.DType.Size() / parts
	for i := range lowest {
		if lowest[i] != none {
			lowest[i] *= part / lines
		}
	}
	return &trace{parts: parts, row: elements(y.Shape) * y.DType.Size() / (parts * int64(len(lowest))), part: part, lowest: lowest}
}

// axisStarts is the lowest position of the input that each position of the output meets on a window axis.
func axisStarts(op *graph.Op, axis int, kernel, in, out int64) []int64 {
	value := func(name string, otherwise int64) int64 {
		if list := op.Attrs.Ints(name); axis < len(list) {
			return list[axis]
		}
		return otherwise
	}
	stride, dilation, pad := value("strides", 1), value("dilations", 1), value("pads", 0)
	if auto := op.Attrs.String("auto_pad", ""); strings.HasPrefix(auto, "SAME") {
		total := max(0, (out-1)*stride+(kernel-1)*dilation+1-in)
		if pad = total / 2; auto == "SAME_LOWER" {
			pad = total - pad
		}
	} else if auto == "VALID" {
		pad = 0
	}
	starts := make([]int64, out)
	for o := range starts {
		starts[o] = none
		for k := range kernel {
			i := int64(o)*stride + k*dilation - pad
			if op.Op == "ConvTranspose" {
				// The element k of position i of the input falls on i*stride + k*dilation - pad.
				if i = int64(o) + pad - k*dilation; stride < 1 || i%stride != 0 {
					continue
				}
				i /= stride
			}
			if i >= 0 && i < in && (starts[o] == none || i < starts[o]) {
				starts[o] = i
			}
		}
	}
	return starts
}

// kernel is the extent of an op's window, nil when it is not known.
func (pg *planned) kernel(op *graph.Op, axes int) []int64 {
	if op.Op != "Conv" && op.Op != "ConvTranspose" {
		if list := op.Attrs.Ints("kernel_shape"); len(list) == axes {
			return list
		}
		return nil
	}
	if len(op.Inputs) < 2 || pg.g.Tensor(op.Inputs[1]) == nil {
		return nil
	}
	shape := pg.g.Tensor(op.Inputs[1]).Shape
	layout := op.Attrs.String(graph.AttrKernelLayout, "OI")
	var out []int64
	for i, n := range shape {
		if i >= len(layout) || layout[i] != 'O' && layout[i] != 'I' {
			out = append(out, n)
		}
	}
	if len(out) != axes {
		return nil
	}
	return out
}

// traceResize is that of a Resize: a row is a position of the first axis that changes.
func (pg *planned) traceResize(op *graph.Op, x, y *graph.Tensor) *trace {
	if len(x.Shape) != len(y.Shape) || x.Layout != y.Layout || op.Attrs.Int("antialias", 0) != 0 || op.Attrs["axes"] != nil || op.Attrs.String("keep_aspect_ratio_policy", "stretch") != "stretch" {
		return nil
	}
	scales, ok := pg.scales(op, x, y)
	parts := int64(1)
	for axis := 0; ok && axis < len(scales); axis++ {
		in, out, scale := x.Shape[axis], y.Shape[axis], scales[axis]
		if in == out && scale == 1 {
			parts *= out
			continue
		}
		if out > mostRows {
			return nil
		}
		t := &trace{parts: parts, part: elements(x.Shape) * x.DType.Size() / parts, row: elements(y.Shape) * y.DType.Size() / (parts * out)}
		for o := range out {
			at, known := sampledAt(op, float64(o), float64(in), float64(out), scale)
			if !known {
				return nil
			}
			t.lowest = append(t.lowest, min(max(lowestSample(op, at), 0), in-1)*(t.part/in))
		}
		return t
	}
	return nil
}

// scales are the factors of the axes: those that the op is given, else the quotients of the extents.
func (pg *planned) scales(op *graph.Op, x, y *graph.Tensor) ([]float64, bool) {
	out := make([]float64, len(y.Shape))
	for i := range out {
		out[i] = float64(y.Shape[i]) / float64(x.Shape[i])
	}
	if len(op.Inputs) < 3 || pg.g.Tensor(op.Inputs[2]) == nil || elements(pg.g.Tensor(op.Inputs[2]).Shape) == 0 {
		return out, true
	}
	given := pg.g.Tensor(op.Inputs[2])
	if given.Data == nil || given.DType != graph.Float32 || given.Data.Size() != int64(4*len(out)) {
		return nil, false
	}
	data, err := given.Data.Read()
	if err != nil || len(data) != 4*len(out) {
		return nil, false
	}
	for i := range out {
		if out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))); !(out[i] > 0) || math.IsInf(out[i], 0) {
			return nil, false
		}
	}
	return out, true
}

// sampledAt is the coordinate in the operand of a position of the result.
func sampledAt(op *graph.Op, o, in, out, scale float64) (at float64, known bool) {
	middle := (o+0.5)/scale - 0.5
	switch mode := op.Attrs.String("coordinate_transformation_mode", "half_pixel"); {
	case (mode == "align_corners" || mode == "pytorch_half_pixel") && out == 1:
		return 0, true
	case mode == "half_pixel" || mode == "pytorch_half_pixel":
		return middle, true
	case mode == "half_pixel_symmetric":
		return middle + in/2*(1-out/(in*scale)), true
	case mode == "tf_half_pixel_for_nn":
		return middle + 0.5, true
	case mode == "asymmetric":
		return o / scale, true
	case mode == "align_corners":
		return o * (in - 1) / (out - 1), true
	}
	return 0, false
}

// lowestSample is the first position that is read for a coordinate.
func lowestSample(op *graph.Op, at float64) int64 {
	switch op.Attrs.String("mode", "nearest") {
	case "cubic":
		return int64(math.Floor(at)) - 1
	case "linear":
		return int64(math.Floor(at))
	}
	switch op.Attrs.String("nearest_mode", "round_prefer_floor") {
	case "floor":
		return int64(math.Floor(at))
	case "ceil":
		return int64(math.Ceil(at))
	case "round_prefer_ceil":
		return int64(math.Floor(at + 0.5))
	}
	return int64(math.Ceil(at - 0.5))
}
