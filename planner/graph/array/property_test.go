package array

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawShape(t *rapid.T, least, most int, label string) graph.Shape {
	return rapid.SliceOfN(rapid.Int64Range(least64, most64), least, most).Draw(t, label)
}

// Extents are small and may be 0.
const least64, most64 = 0, 4

// counting returns an array with the elements 0, 1, 2, ..., as far as the element type goes.
func counting(t require.TestingT, d graph.DType, shape graph.Shape) *Array {
	n, _ := shape.Elements()
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(i)
	}
	from, err := Of(shape, values...)
	require.NoError(t, err)
	a := New(Type{d, from.Shape})
	require.NoError(t, convert(a, from))
	return a
}

func eval(t require.TestingT, op *graph.Op, typ Type, inputs ...*Array) *Array {
	op.Name = "node"
	out, err := Eval(op, inputs, []Type{typ})
	require.NoError(t, err)
	return out[0]
}

func intList(t require.TestingT, values ...int64) *Array {
	a, err := Of(list(int64(len(values))), values...)
	require.NoError(t, err)
	return a
}

var movedTypes = []graph.DType{graph.Uint8, graph.Float16, graph.Float32, graph.Int64, graph.Complex128}

func TestTransposingBackGivesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t, 1, 5, "shape")
		x := New(Type{rapid.SampledFrom(movedTypes).Draw(t, "dtype"), shape})
		for i := range x.Data {
			x.Data[i] = byte(i * 7)
		}
		axes := make([]int64, len(shape))
		for i := range axes {
			axes[i] = int64(i)
		}
		perm := rapid.Permutation(axes).Draw(t, "perm")
		back, permuted := make([]int64, len(perm)), make(graph.Shape, len(perm))
		for i, p := range perm {
			back[p], permuted[i] = int64(i), shape[p]
		}
		y := eval(t, &graph.Op{Op: "Transpose", Attrs: graph.Attrs{"perm": perm}}, Type{x.DType, permuted}, x)
		z := eval(t, &graph.Op{Op: "Transpose", Attrs: graph.Attrs{"perm": back}}, x.Type(), y)
		require.Equal(t, x.Data, z.Data)
	})
}

func TestTransposingLargePlanesMovesEachElement(t *testing.T) {
	for _, shape := range []graph.Shape{{37, 53}, {3, 20, 17}, {2, 40, 3, 5}} {
		x := counting(t, graph.Int32, shape)
		rank := len(shape)
		permuted := shape.Clone()
		permuted[rank-1], permuted[0] = shape[0], shape[rank-1]
		perm := make([]int64, rank)
		for i := range perm {
			perm[i] = int64(i)
		}
		perm[0], perm[rank-1] = int64(rank-1), 0
		y := View[int32](eval(t, &graph.Op{Op: "Transpose", Attrs: graph.Attrs{"perm": perm}}, Type{x.DType, permuted}, x))
		by, to := strides(dims(shape)), strides(dims(permuted))
		for i, v := range View[int32](x) {
			at := 0
			for axis, p := range perm {
				at += i / by[p] % int(shape[p]) * to[axis]
			}
			require.Equal(t, v, y[at])
		}
	}
}

func TestSlicesOfAConcatAreItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t, 1, 4, "shape")
		axis := rapid.IntRange(0, len(shape)-1).Draw(t, "axis")
		lengths := rapid.SliceOfN(rapid.Int64Range(0, 4), 1, 4).Draw(t, "lengths")
		var parts []*Array
		whole := shape.Clone()
		whole[axis] = 0
		for _, n := range lengths {
			part := shape.Clone()
			part[axis] = n
			whole[axis] += n
			a := counting(t, graph.Int16, part)
			for i := range a.Data {
				a.Data[i] += byte(len(parts))
			}
			parts = append(parts, a)
		}
		attrs := graph.Attrs{"axis": int64(axis)}
		joined := eval(t, &graph.Op{Op: "Concat", Attrs: attrs}, Type{graph.Int16, whole}, parts...)
		start := int64(0)
		for i, part := range parts {
			end := start + lengths[i]
			cut := eval(t, &graph.Op{Op: "Slice"}, part.Type(), joined, intList(t, start), intList(t, end), intList(t, int64(axis)))
			require.Equal(t, part.Data, cut.Data)
			start = end
		}
		types := make([]Type, len(parts))
		for i, part := range parts {
			types[i] = part.Type()
		}
		pieces, err := Eval(&graph.Op{Op: "Split", Attrs: attrs}, []*Array{joined, intList(t, lengths...)}, types)
		require.NoError(t, err)
		for i, part := range parts {
			require.Equal(t, part.Data, pieces[i].Data)
		}
	})
}

func TestSlicingBackwardsTwiceGivesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t, 1, 4, "shape")
		axis := rapid.Int64Range(0, int64(len(shape))-1).Draw(t, "axis")
		x := counting(t, graph.Float32, shape)
		turn := func(a *Array) *Array {
			return eval(t, &graph.Op{Op: "Slice"}, a.Type(), a, intList(t, -1), intList(t, math.MinInt64), intList(t, axis), intList(t, -1))
		}
		require.Equal(t, x.Data, turn(turn(x)).Data)
	})
}

// broadcastable draws a shape and two that broadcast to it.
func broadcastable(t *rapid.T) (whole, a, b graph.Shape) {
	whole = drawShape(t, 0, 5, "shape")
	a, b = whole.Clone(), whole.Clone()
	for i := range whole {
		switch rapid.IntRange(0, 2).Draw(t, "which") {
		case 0:
			a[i] = 1
		case 1:
			b[i] = 1
		}
	}
	drop := rapid.IntRange(0, len(whole)).Draw(t, "drop")
	for drop > 0 && b[drop-1] != 1 && whole[drop-1] != 1 {
		drop--
	}
	for i := range drop {
		if whole[i] != 1 && a[i] == 1 {
			drop = i
			break
		}
	}
	return whole, a, b[drop:]
}

// naive returns the element of a that broadcasts to element i of shape.
func naive(a *Array, shape graph.Shape, i int) int {
	by, from := strides(dims(shape)), strides(dims(a.Shape))
	lead, at := len(shape)-len(a.Shape), 0
	for axis, d := range a.Shape {
		if d != 1 {
			at += i / by[lead+axis] % int(shape[lead+axis]) * from[axis]
		}
	}
	return at
}

func TestBroadcastingMeetsTheNaiveLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape, sa, sb := broadcastable(t)
		a, b := counting(t, graph.Float32, sa), counting(t, graph.Float32, sb)
		diff := eval(t, &graph.Op{Op: "Sub"}, Type{graph.Float32, shape}, a, b)
		less := eval(t, &graph.Op{Op: "Less"}, Type{graph.Bool, shape}, a, b)
		total := eval(t, &graph.Op{Op: "Sum"}, Type{graph.Float32, shape}, a, b, a)
		chosen := eval(t, &graph.Op{Op: "Where"}, Type{graph.Float32, shape}, less, a, b)
		spread := eval(t, &graph.Op{Op: "Expand"}, Type{graph.Float32, shape}, b)
		for i, d := range View[float32](diff) {
			x, y := View[float32](a)[naive(a, shape, i)], View[float32](b)[naive(b, shape, i)]
			require.Equal(t, x-y, d)
			require.Equal(t, truth(x < y), less.Data[i])
			require.Equal(t, x+y+x, View[float32](total)[i])
			require.Equal(t, min(x, y), View[float32](chosen)[i])
			require.Equal(t, y, View[float32](spread)[i])
		}
	})
}

func TestLongBroadcastsGoOnWhereAPieceEnds(t *testing.T) {
	const n = 3*piece + 17
	a := counting(t, graph.Float32, graph.Shape{2, n})
	b := counting(t, graph.Float32, graph.Shape{2, 1})
	sum := View[float32](eval(t, &graph.Op{Op: "Add"}, a.Type(), a, b))
	mean := View[float32](eval(t, &graph.Op{Op: "Mean"}, a.Type(), a, b, b))
	for i := range sum {
		require.Equal(t, float32(i)+float32(i/n), sum[i])
		require.Equal(t, (float32(i)+2*float32(i/n))/3, mean[i])
	}
}

func TestReducingMeetsTheNaiveLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t, 1, 5, "shape")
		x := counting(t, graph.Float32, shape)
		kept := shape.Clone()
		var axes []int64
		for i := range shape {
			if rapid.Bool().Draw(t, "reduced") {
				axes, kept[i] = append(axes, int64(i)), 1
			}
		}
		if len(axes) == 0 {
			fill(kept, 1)
		}
		typ := Type{graph.Float32, kept}
		sum, most := make([]float32, 1), make([]float32, 1)
		if n, _ := kept.Elements(); n != 1 {
			sum, most = make([]float32, n), make([]float32, n)
		}
		fill(most, float32(-inf))
		for i, v := range View[float32](x) {
			at := naive(&Array{Shape: kept}, shape, i)
			sum[at] += v
			most[at] = max(most[at], v)
		}
		got := eval(t, &graph.Op{Op: "ReduceSum"}, typ, x, intList(t, axes...))
		require.Equal(t, sum, append([]float32{}, View[float32](got)...))
		got = eval(t, &graph.Op{Op: "ReduceMax"}, typ, x, intList(t, axes...))
		require.Equal(t, most, append([]float32{}, View[float32](got)...))
	})
}

func TestEveryHalfSurvivesACast(t *testing.T) {
	all := New(Type{graph.Float16, list(1 << 16)})
	for i, bits := 0, View[uint16](all); i < len(bits); i++ {
		bits[i] = uint16(i)
	}
	for _, d := range []graph.DType{graph.Float16, graph.BFloat16} {
		all.DType = d
		for _, through := range []graph.DType{graph.Float32, graph.Float64} {
			wide := eval(t, &graph.Op{Op: "Cast"}, Type{through, all.Shape}, all)
			back := eval(t, &graph.Op{Op: "Cast"}, all.Type(), wide)
			values, err := wide.Floats()
			require.NoError(t, err)
			for i, bits := range View[uint16](back) {
				if !math.IsNaN(values[i]) {
					require.Equal(t, uint16(i), bits, d)
				}
			}
		}
	}
}

func TestRoundingToHalvesIsToTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-65504, 65504).Draw(t, "value")
		got := float64(float16Value(float16Bits(v)))
		below, above := float64(float16Value(float16Bits(v)-1)), float64(float16Value(float16Bits(v)+1))
		for _, other := range []float64{below, above} {
			if !math.IsNaN(other) {
				require.LessOrEqual(t, math.Abs(got-v), math.Abs(other-v))
			}
		}
	})
}

// TestNoKernelPanics gives every kernel arrays and attributes that fit together by chance only.
func TestNoKernelPanics(t *testing.T) {
	for _, domain := range []struct {
		name    string
		kernels map[string]entry
	}{{"", table}, {"tflite", tfliteKernels}} {
		for _, name := range slices.Sorted(maps.Keys(domain.kernels)) {
			t.Run(domain.name+name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { callByChance(t, domain.name, name, domain.kernels[name]) })
			})
		}
	}
}

func callByChance(t *rapid.T, domain, name string, e entry) {
	shapes := rapid.OneOf(
		rapid.SampledFrom([]graph.Shape{{}, {1}, {2}, {0}, {2, 2}, {1, 2, 2, 4}, {4, 1, 2, 2}}),
		rapid.Custom(func(t *rapid.T) graph.Shape { return drawShape(t, 0, 4, "shape") }),
		rapid.SampledFrom([]graph.Shape{{0, math.MaxInt64}, {math.MaxInt64, 0, math.MaxInt64}}),
	)
	common := rapid.SampledFrom([]graph.DType{graph.Float32, graph.Int64, graph.Bool, graph.Int8, graph.Float16, graph.Complex128}).Draw(t, "dtype")
	draw := func(label string, index bool) *Array {
		d := common
		if index && rapid.Bool().Draw(t, label+" is index") {
			d = graph.Int64
		}
		a := New(Type{d, shapes.Draw(t, label)})
		for i := range a.Data {
			a.Data[i] = byte(rapid.IntRange(-2, 3).Draw(t, "byte"))
		}
		if d == graph.Int64 {
			for i := range View[int64](a) {
				View[int64](a)[i] = rapid.OneOf(rapid.Int64Range(-3, 4), rapid.Int64()).Draw(t, "int")
			}
		}
		return a
	}
	most := e.most
	if most < 0 {
		most = 4
	}
	inputs := make([]*Array, rapid.IntRange(e.needed, most).Draw(t, "inputs"))
	for i := range inputs {
		if i < e.needed || rapid.Bool().Draw(t, "present") {
			inputs[i] = draw("input", i > 0)
		}
	}
	outputs := make([]*Array, max(e.outputs, rapid.IntRange(1, 2).Draw(t, "outputs")*-min(e.outputs, 0), 1))
	for i := range outputs {
		outputs[i] = draw("output", true)
	}
	op := &graph.Op{Name: "node", Op: name, Domain: domain, Attrs: graph.Attrs{}}
	for _, attr := range []string{"axis", "batch_dims", "blocksize", "block_size", "keepdims", "batch_axis", "time_axis", "k", "upper", "fmod"} {
		if rapid.Bool().Draw(t, attr+" is set") {
			op.Attrs[attr] = rapid.OneOf(rapid.Int64Range(-2, 3), rapid.Int64()).Draw(t, attr)
		}
	}
	op.Attrs["mode"] = rapid.SampledFrom([]string{"constant", "reflect", "edge", "wrap", "symmetric", "DCR", "CRD"}).Draw(t, "mode")
	op.Attrs["reduction"] = rapid.SampledFrom([]string{"none", "add"}).Draw(t, "reduction")
	_ = e.run(op, outputs, inputs)
}
