package graph

import (
	"slices"
	"strings"
)

// windowAxes is the most axes that a window has, widestWindow the most elements along one.
const (
	windowAxes   = 3
	widestWindow = 1 << 8
)

// slide is how a window moves along one axis: kernel elements dilation apart, the first of position o at o*stride-before. Of a
// transposed convolution the position i of the input adds to those of the output instead, the first of which is at i*stride-before.
type slide struct {
	in, out, kernel, stride, dilation, before int64
	transposed                                bool
}

// first is the lowest position of the input that position o of the output reads, false when it reads padding alone.
func (s slide) first(o int64) (int64, bool) {
	if s.transposed {
		return s.firstTransposed(o)
	}
	at := o*s.stride - s.before
	k := int64(0)
	if at < 0 {
		k = (-at + s.dilation - 1) / s.dilation
		at += k * s.dilation
	}
	return at, k < s.kernel && at < s.in
}

// firstTransposed is the position whose last element that there is falls on o.
func (s slide) firstTransposed(o int64) (int64, bool) {
	for k := s.kernel - 1; k >= 0; k-- {
		if at := o + s.before - k*s.dilation; at >= 0 && at%s.stride == 0 && at/s.stride < s.in {
			return at / s.stride, true
		}
	}
	return 0, false
}

// windowSweep is that of a convolution or a pooling.
func (g *Graph) windowSweep(op *Op, operand, result *Tensor) (sweep, bool) {
	last, ok := channelsLast(op, operand, result)
	rank := len(result.Shape)
	if !ok || op.Separable() > 0 || len(operand.Shape) != rank || rank < 3 || rank > 2+windowAxes || operand.Shape[0] != result.Shape[0] {
		return sweep{}, false
	}
	channel, from := 1, 2
	if last {
		channel, from = rank-1, 1
	}
	same, transposed := operand.Shape[channel] == result.Shape[channel], op.Op == "ConvTranspose"
	switch {
	case transposed && (!last || op.Attrs.String("auto_pad", "NOTSET") != "NOTSET" || op.Attrs["output_shape"] != nil):
		return sweep{}, false // the padding follows from the result, or the result is not computed in lines
	case op.Op != "Conv" && !transposed && !same:
		return sweep{}, false
	case op.Op == "Conv" && !last && (!same || op.Attrs.Int("group", 1) != operand.Shape[channel]):
		return sweep{}, false // each channel of the result reads all of its group: nothing is gained
	}
	slides, ok := g.slides(op, operand.Shape[from:from+rank-2], result.Shape[from:from+rank-2])
	if !ok {
		return sweep{}, false
	}
	return windowRows(slides, last, operand, result)
}

// windowRows puts the rows together: all positions of the window axes but the innermost, where there are two or more.
func windowRows(slides []slide, last bool, operand, result *Tensor) (sweep, bool) {
	outer := slides[:max(1, len(slides)-1)]
	s := sweep{units: result.Shape[0], rows: 1}
	if !last {
		s.units *= result.Shape[1]
	}
	inRows := int64(1)
	for _, a := range outer {
		if a.out > mostDiagonalRows/s.rows {
			return sweep{}, false
		}
		s.rows *= a.out
		inRows *= a.in
	}
	s.row = bytesOf(result) / (s.units * s.rows)
	s.unit = bytesOf(operand) / s.units
	inRow := s.unit / inRows
	s.first = func(row int64) (int64, bool) {
		at, weight := int64(0), int64(1)
		for _, a := range slices.Backward(outer) {
			low, ok := a.first(row % a.out)
			if !ok {
				return 0, false
			}
			at += low * weight
			row, weight = row/a.out, weight*a.in
		}
		return at * inRow, true
	}
	return s, true
}

// bytesOf is the size of a tensor whose size is known.
func bytesOf(t *Tensor) int64 {
	bytes, _ := t.Shape.Bytes(t.DType)
	return bytes
}

// channelsLast says where the channels of both tensors are; false when they are neither second nor last, as in packed
// layouts.
func channelsLast(op *Op, operand, result *Tensor) (last, ok bool) {
	layout := op.Attrs.String(AttrDataLayout, "NCHW")
	if strings.ContainsAny(layout+operand.Layout+result.Layout, "0123456789") {
		return false, false
	}
	at := strings.IndexByte(layout, 'C')
	return at == len(layout)-1, at == 1 || at == len(layout)-1
}

// slides reads the window of an op, outermost axis first. It takes no value for which a product could leave the range of
// numbers.
func (g *Graph) slides(op *Op, in, out Shape) ([]slide, bool) {
	const limit = 1 << 31
	kernel := Shape(op.Attrs.Ints("kernel_shape"))
	transposed := op.Op == "ConvTranspose"
	if op.Op == "Conv" || transposed {
		kernel = g.kernelOf(op, len(in))
	}
	if len(kernel) != len(in) {
		return nil, false
	}
	list := make([]slide, len(in))
	for i := range list {
		s := slide{transposed: transposed, in: in[i], out: out[i], kernel: kernel[i], stride: axisValue(op, "strides", i, 1), dilation: axisValue(op, "dilations", i, 1)}
		reach := (s.kernel-1)*s.dilation + 1
		switch op.Attrs.String("auto_pad", "NOTSET") {
		case "VALID":
		case "SAME_UPPER":
			s.before = max(0, (s.out-1)*s.stride+reach-s.in) / 2
		case "SAME_LOWER":
			s.before = (max(0, (s.out-1)*s.stride+reach-s.in) + 1) / 2
		default:
			s.before = axisValue(op, "pads", i, 0)
		}
		for _, v := range []int64{s.in, s.out, s.kernel, s.stride, s.dilation} {
			if v < 1 || v > limit {
				return nil, false
			}
		}
		if s.kernel > widestWindow || s.before < -limit || s.before > limit {
			return nil, false
		}
		list[i] = s
	}
	return list, true
}

// axisValue is the value of a list attribute for the i-th window axis.
func axisValue(op *Op, name string, i int, otherwise int64) int64 {
	if list := op.Attrs.Ints(name); i < len(list) {
		return list[i]
	}
	return otherwise
}

// kernelOf is the window of a convolution's weights, nil when their layout does not say it.
func (g *Graph) kernelOf(op *Op, axes int) Shape {
	if len(op.Inputs) < 2 {
		return nil
	}
	w := g.Tensor(op.Inputs[1])
	if w == nil || len(w.Shape) != axes+2 {
		return nil
	}
	layout := op.Attrs.String(AttrKernelLayout, "")
	if layout == "" {
		return w.Shape[2:]
	}
	if len(layout) != len(w.Shape) {
		return nil
	}
	var out Shape
	for i, axis := range layout {
		if axis != 'O' && axis != 'I' {
			out = append(out, w.Shape[i])
		}
	}
	return out
}
