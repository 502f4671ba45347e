package graph_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
)

// traced is an op with its result and one operand, and what each element of the result reads by the op's plain loops.
type traced struct {
	g  *graph.Graph
	op *graph.Op
	// reads lists for each element of the result the elements of the operand.
	reads [][]int64
	// row is the number of elements of the result that a kernel computes before it writes them.
	row int64
	// exact says that no smaller distance is safe than the one found.
	exact bool
}

// overwrites runs the loops on a memory in which the operand starts distance bytes above the result, and reports whether
// a byte is written before it is read.
func (x *traced) overwrites(distance int64) bool {
	in, out := x.g.Tensors[0].DType.Size(), x.g.Tensors[1].DType.Size()
	written := int64(0) // bytes from the start of the result on
	for from := int64(0); from < int64(len(x.reads)); from += x.row {
		for _, list := range x.reads[from : from+x.row] {
			for _, element := range list {
				if distance+element*in < written {
					return true
				}
			}
		}
		written = (from + x.row) * out
	}
	return false
}

func TestDiagonalDistancesAgainstAllReadsAndWrites(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) *traced{
		"windows": drawWindow, "resizes": drawResize, "elements": drawElements,
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x := draw(t)
				bytes, _ := x.g.Tensors[1].Shape.Bytes(x.g.Tensors[1].DType)
				found := x.g.Diagonals(x.op)
				if len(found) == 0 {
					require.True(t, !x.exact || x.overwrites(bytes-1), "nothing was found, and %d bytes are enough", bytes-1)
					return
				}
				require.Len(t, found, 1)
				d := found[0]
				require.Zero(t, d.Operand)
				require.GreaterOrEqual(t, d.Distance, int64(0))
				require.Less(t, d.Distance, bytes)
				require.False(t, x.overwrites(d.Distance), "%d bytes are not enough", d.Distance)
				if x.exact && d.Distance > 0 {
					require.True(t, x.overwrites(d.Distance-1), "%d bytes are more than it takes", d.Distance)
				}
			})
		})
	}
}

var tracedTypes = []graph.DType{graph.Float32, graph.Float16, graph.Int8, graph.Float64}

func newTraced(t *rapid.T, op *graph.Op, in, out graph.Shape, sameType bool) *traced {
	x, y := rapid.SampledFrom(tracedTypes).Draw(t, "operand type"), rapid.SampledFrom(tracedTypes).Draw(t, "result type")
	if sameType {
		y = x
	}
	op.Inputs, op.Outputs = []graph.TensorID{0}, []graph.TensorID{1}
	g := &graph.Graph{Tensors: []graph.Tensor{{Name: "x", DType: x, Shape: in}, {Name: "y", DType: y, Shape: out}}}
	n, _ := out.Elements()
	return &traced{g: g, op: op, reads: make([][]int64, n), exact: true}
}

// drawWindow is a convolution of one or more groups or a pooling, in either layout, over one to three axes.
func drawWindow(t *rapid.T) *traced {
	axes := rapid.IntRange(1, 3).Draw(t, "axes")
	draw := func(name string, from, to int) []int64 {
		out := make([]int64, axes)
		for i := range out {
			out[i] = int64(rapid.IntRange(from, to).Draw(t, name))
		}
		return out
	}
	images, channels := int64(rapid.IntRange(1, 3).Draw(t, "images")), int64(rapid.IntRange(1, 3).Draw(t, "channels"))
	kernel, strides, dilations := draw("kernel", 1, 3), draw("strides", 1, 3), draw("dilations", 1, 3)
	before, in, out := draw("before", 0, 4), draw("in", 1, 6), draw("out", 1, 6)
	last, kind := rapid.Bool().Draw(t, "channels last"), rapid.SampledFrom([]string{"depthwise", "Conv", "ConvTranspose", "MaxPool", "AveragePool"}).Draw(t, "op")
	results, transposed := channels, kind == "ConvTranspose"
	last = last || transposed
	if (kind == "Conv" || transposed) && last {
		results = int64(rapid.IntRange(1, 4).Draw(t, "results"))
	}
	attrs := graph.Attrs{"strides": strides, "dilations": dilations, "pads": append(slices.Clone(before), make([]int64, axes)...), "kernel_shape": kernel}
	if !transposed && rapid.Bool().Draw(t, "same") {
		delete(attrs, "pads")
		attrs["auto_pad"] = rapid.SampledFrom([]string{"SAME_UPPER", "SAME_LOWER"}).Draw(t, "auto_pad")
		for i := range before {
			total := max(0, (out[i]-1)*strides[i]+(kernel[i]-1)*dilations[i]+1-in[i])
			if before[i] = total / 2; attrs["auto_pad"] == "SAME_LOWER" {
				before[i] = total - total/2
			}
		}
	}
	op := &graph.Op{Op: kind, Attrs: attrs}
	shape := func(c int64, size []int64) graph.Shape {
		if last {
			return append(append(graph.Shape{images}, size...), c)
		}
		return append(graph.Shape{images, c}, size...)
	}
	if last {
		attrs[graph.AttrDataLayout] = "NHWC"
	}
	x := newTraced(t, op, shape(channels, in), shape(results, out), false)
	// reads is the position along an axis that element k of the window of position o falls on, which may be outside.
	reads := func(axis int, o, k int64) int64 {
		if !transposed {
			return o*strides[axis] - before[axis] + k*dilations[axis]
		}
		if at := o + before[axis] - k*dilations[axis]; at%strides[axis] == 0 {
			return at / strides[axis]
		}
		return -1
	}
	if kind == "Conv" || kind == "depthwise" || transposed {
		if kind == "depthwise" {
			op.Op = "Conv"
		}
		groups := int64(1)
		if kind == "depthwise" {
			groups = channels
		}
		attrs["group"] = groups
		x.g.Tensors = append(x.g.Tensors, graph.Tensor{Name: "w", DType: graph.Float32, Role: graph.Constant, Shape: append(graph.Shape{results, channels / groups}, kernel...)})
		op.Inputs = append(op.Inputs, 2)
	}
	dense := kind == "Conv" || transposed
	x.exact = false
	for o := range out[axes-1] {
		for k := range kernel[axes-1] {
			// The planner takes a row of the operand as read from its start on.
			x.exact = x.exact || axes == 1 || reads(axes-1, o, k) == 0
		}
	}
	x.exact = x.exact && (!dense || last || channels == 1 && results == 1)
	place := func(c, channels, n int64, at, size []int64) int64 {
		pixel := int64(0)
		for i := range at {
			pixel = pixel*size[i] + at[i]
		}
		if last {
			return (n*volume(size)+pixel)*channels + c
		}
		return (n*channels+c)*volume(size) + pixel
	}
	for n := range images {
		for c := range results {
			each(out, func(o []int64) {
				var list []int64
				each(kernel, func(k []int64) {
					i := make([]int64, axes)
					for a := range i {
						if i[a] = reads(a, o[a], k[a]); i[a] < 0 || i[a] >= in[a] {
							return
						}
					}
					for from := range channels {
						if dense || from == c {
							list = append(list, place(from, channels, n, i, in))
						}
					}
				})
				x.reads[place(c, results, n, o, out)] = list
			})
		}
	}
	x.row = out[axes-1]
	if axes == 1 {
		x.row = 1
	}
	if last {
		x.row *= results
	}
	return x
}

func volume(size []int64) int64 {
	total := int64(1)
	for _, n := range size {
		total *= n
	}
	return total
}

// each visits all positions in the order of memory.
func each(size []int64, visit func(at []int64)) {
	at := make([]int64, len(size))
	for range volume(size) {
		visit(at)
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < size[i] {
				break
			}
			at[i] = 0
		}
	}
}

// drawResize is a Resize in which one or two axes change.
func drawResize(t *rapid.T) *traced {
	rank := rapid.IntRange(2, 4).Draw(t, "rank")
	in, out := make(graph.Shape, rank), make(graph.Shape, rank)
	scales := make([]float64, rank)
	resized := map[int]bool{rapid.IntRange(0, rank-1).Draw(t, "axis"): true, rapid.IntRange(0, rank-1).Draw(t, "other axis"): true}
	for i := range in {
		in[i] = int64(rapid.IntRange(1, 5).Draw(t, "in"))
		scales[i] = 1
		if resized[i] {
			scales[i] = float64(float32(rapid.SampledFrom([]float64{0.5, 0.7, 1.25, 2, 3}).Draw(t, "scale")))
		}
		out[i] = max(1, int64(math.Floor(float64(in[i])*scales[i])))
	}
	mode := rapid.SampledFrom([]string{"nearest", "linear", "cubic"}).Draw(t, "mode")
	coordinates := rapid.SampledFrom([]string{"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn"}).Draw(t, "coordinates")
	rounding := rapid.SampledFrom([]string{"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}).Draw(t, "rounding")
	op := &graph.Op{Op: "Resize", Attrs: graph.Attrs{"mode": mode, "coordinate_transformation_mode": coordinates, "nearest_mode": rounding}}
	x := newTraced(t, op, in, out, true)
	if rapid.Bool().Draw(t, "scales given") {
		data := make([]byte, 4*rank)
		for i, s := range scales {
			binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(s)))
		}
		x.g.Tensors = append(x.g.Tensors, graph.Tensor{Name: "scales", Role: graph.Constant, DType: graph.Float32, Shape: graph.Shape{int64(rank)}, Data: graph.Bytes(data)})
		op.Inputs = append(op.Inputs, graph.NoTensor, 2)
	} else {
		for i := range scales {
			scales[i] = float64(out[i]) / float64(in[i])
		}
	}
	x.exact, x.row = false, 1
	first := 0
	for first < rank && in[first] == out[first] && scales[first] == 1 {
		first++
	}
	for _, n := range out[min(first+1, rank):] {
		x.row *= n
	}
	element := int64(0)
	each(out, func(o []int64) {
		list := []int64{0}
		for a := range o {
			var next []int64
			for _, at := range neighbours(mode, coordinates, rounding, float64(o[a]), in[a], out[a], scales[a]) {
				for _, before := range list {
					next = append(next, before*in[a]+at)
				}
			}
			list = next
		}
		x.reads[element] = list
		element++
	})
	return x
}

// neighbours are the positions that the definition of Resize reads for a position of one axis.
func neighbours(mode, coordinates, rounding string, o float64, in, out int64, scale float64) []int64 {
	if in == out && scale == 1 {
		return []int64{int64(o)}
	}
	n, m := float64(in), float64(out)
	at := (o+0.5)/scale - 0.5
	switch coordinates {
	case "asymmetric":
		at = o / scale
	case "align_corners":
		if at = 0; out > 1 {
			at = o * (n - 1) / (m - 1)
		}
	case "tf_half_pixel_for_nn":
		at = (o + 0.5) / scale
	case "half_pixel_symmetric":
		at += n / 2 * (1 - m/(scale*n))
	case "pytorch_half_pixel":
		if out == 1 {
			at = 0
		}
	}
	low := int64(math.Floor(at))
	var list []int64
	switch mode {
	case "nearest":
		list = []int64{map[string]int64{"floor": low, "ceil": int64(math.Ceil(at)), "round_prefer_ceil": int64(math.Floor(at + 0.5)), "round_prefer_floor": int64(math.Ceil(at - 0.5))}[rounding]}
	case "linear":
		list = []int64{low, low + 1}
	default:
		list = []int64{low - 1, low, low + 1, low + 2}
	}
	for i := range list {
		list[i] = min(max(list[i], 0), in-1)
	}
	return list
}

// drawElements is an op from one element type to another.
func drawElements(t *rapid.T) *traced {
	shape := graph.Shape{int64(rapid.IntRange(1, 4).Draw(t, "rows")), int64(rapid.IntRange(1, 4).Draw(t, "columns"))}
	x := newTraced(t, &graph.Op{Op: rapid.SampledFrom([]string{"Cast", "QuantizeLinear", "DequantizeLinear", "Relu", "Add"}).Draw(t, "op")}, shape, shape, false)
	x.exact = x.g.Tensors[0].DType != x.g.Tensors[1].DType
	x.row = 1
	for i := range x.reads {
		x.reads[i] = []int64{int64(i)}
	}
	return x
}

func TestWhatHasNoDiagonal(t *testing.T) {
	tensor := func(layout string, shape ...int64) graph.Tensor {
		return graph.Tensor{DType: graph.Float32, Shape: shape, Layout: layout}
	}
	pool := graph.Attrs{"kernel_shape": []int64{1, 1}}
	for _, c := range []struct {
		name    string
		op      graph.Op
		tensors []graph.Tensor
	}{
		{"a custom operator", graph.Op{Op: "MaxPool", Domain: "mine", Attrs: pool}, []graph.Tensor{tensor("", 1, 2, 8, 8), tensor("", 1, 2, 8, 8)}},
		{"an op with a second result", graph.Op{Op: "MaxPool", Attrs: pool, Outputs: []graph.TensorID{1, 0}}, []graph.Tensor{tensor("", 1, 2, 8, 8), tensor("", 1, 2, 8, 8)}},
		{"packed channels", graph.Op{Op: "MaxPool", Attrs: pool}, []graph.Tensor{tensor("NCHW4c", 1, 2, 8, 8), tensor("NCHW4c", 1, 2, 8, 8)}},
		{"a matrix product", graph.Op{Op: "MatMul"}, []graph.Tensor{tensor("", 8, 8), tensor("", 8, 8)}},
		{"an empty tensor", graph.Op{Op: "MaxPool", Attrs: pool}, []graph.Tensor{tensor("", 0, 2, 8, 8), tensor("", 0, 2, 8, 8)}},
		{"a window without a size", graph.Op{Op: "MaxPool"}, []graph.Tensor{tensor("", 1, 2, 8, 8), tensor("", 1, 2, 8, 8)}},
		{"a stride of nothing", graph.Op{Op: "MaxPool", Attrs: graph.Attrs{"kernel_shape": []int64{1, 1}, "strides": []int64{0, 1}}}, []graph.Tensor{tensor("", 1, 2, 8, 8), tensor("", 1, 2, 8, 8)}},
		{"numbers beyond all use", graph.Op{Op: "MaxPool", Attrs: graph.Attrs{"kernel_shape": []int64{1, 1}, "pads": []int64{math.MinInt64, 0, 0, 0}}}, []graph.Tensor{tensor("", 1, 2, 8, 8), tensor("", 1, 2, 8, 8)}},
		{"more rows than are gone through", graph.Op{Op: "MaxPool", Attrs: pool}, []graph.Tensor{tensor("", 1, 1, 1<<21, 1), tensor("", 1, 1, 1<<21, 1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &graph.Graph{Tensors: c.tensors}
			c.op.Inputs = []graph.TensorID{0}
			if c.op.Outputs == nil {
				c.op.Outputs = []graph.TensorID{1}
			}
			require.Empty(t, g.Diagonals(&c.op))
		})
	}
}

func TestDiagonalOfAConvolutionThatDoublesItsChannels(t *testing.T) {
	g := &graph.Graph{Tensors: []graph.Tensor{
		{DType: graph.Float32, Shape: graph.Shape{1, 112, 112, 32}}, {DType: graph.Float32, Shape: graph.Shape{64, 1, 1, 32}}, {DType: graph.Float32, Shape: graph.Shape{1, 112, 112, 64}},
	}}
	op := graph.Op{Op: "Conv", Inputs: []graph.TensorID{0, 1}, Outputs: []graph.TensorID{2}, Attrs: graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "OHWI"}}
	// The row before the last ends at 111 rows of the result, and the last row of the operand is at 111 rows of its own.
	require.Equal(t, []graph.Diagonal{{Operand: 0, Distance: 111 * 112 * (64 - 32) * 4}}, g.Diagonals(&op))
}
