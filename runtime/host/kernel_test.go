package host_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"
	"pgregory.net/rapid"
)

// one runs an op of float32 inputs to one float32 output.
func one(t testing.TB, workers int, op *graph.Op, out graph.Shape, inputs ...given) []float32 {
	t.Helper()
	r := newRig(t, workers)
	own := make([]*device.Tensor, len(inputs))
	for i, in := range inputs {
		own[i] = r.floats(in.name, in.role, in.shape, in.content)
	}
	y := r.floats("y", graph.Output, out, nil)
	r.run(op, []*device.Tensor{y}, own)
	return floatsOf(r.read(y))
}

// given is an operand with its content.
type given struct {
	name    string
	role    graph.Role
	shape   graph.Shape
	content []float32
}

func in(name string, role graph.Role, content []float32, shape ...int64) given {
	return given{name, role, shape, content}
}

// toLast reorders [N, C, H, W] into [N, H, W, C].
func toLast(x []float32, n, c, pixels int) []float32 {
	y := make([]float32, len(x))
	for i := range n {
		for j := range c {
			for p := range pixels {
				y[(i*pixels+p)*c+j] = x[(i*c+j)*pixels+p]
			}
		}
	}
	return y
}

func TestPoolsGiveTheSameInBothLayouts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(rt, name) }
		n, c, h, w := draw("n", 1, 2), draw("c", 1, 9), draw("h", 3, 9), draw("w", 3, 9)
		k, s, p := draw("k", 1, 3), draw("s", 1, 3), draw("p", 0, 1)
		if p >= k {
			p = 0
		}
		oh, ow := (h+2*p-k)/s+1, (w+2*p-k)/s+1
		op := &graph.Op{Name: "pool", Attrs: graph.Attrs{
			"kernel_shape": []int64{k, k}, "strides": []int64{s, s}, "pads": []int64{p, p, p, p}, "count_include_pad": draw("include", 0, 1),
		}}
		op.Op = rapid.SampledFrom([]string{"MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"}).Draw(rt, "op")
		if op.Op[0] == 'G' {
			oh, ow = 1, 1
		}
		x := small(int(n*c*h*w), 1)
		first := one(t, 1, op, graph.Shape{n, c, oh, ow}, in("x", graph.Input, x, n, c, h, w))
		op.Attrs[graph.AttrDataLayout] = "NHWC"
		last := one(t, 2, op, graph.Shape{n, oh, ow, c}, in("x", graph.Input, toLast(x, int(n), int(c), int(h*w)), n, h, w, c))
		require.Equal(t, toLast(first, int(n), int(c), int(oh*ow)), last)
	})
}

func TestMatrixProductsMatchTheirDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, hi int) int { return rapid.IntRange(1, hi).Draw(rt, name) }
		m, k, n := draw("m", 40), draw("k", 20), draw("n", 20)
		transA, transB := rapid.Bool().Draw(rt, "transA"), rapid.Bool().Draw(rt, "transB")
		role := rapid.SampledFrom([]graph.Role{graph.Constant, graph.Activation}).Draw(rt, "role")
		a, b, c := small(m*k, 1), small(k*n, 2), small(n, 3)
		want := make([]float32, m*n)
		for i := range m {
			for j := range n {
				for l := range k {
					x, y := a[i*k+l], b[l*n+j]
					if transA {
						x = a[l*m+i]
					}
					if transB {
						y = b[j*k+l]
					}
					want[i*n+j] += x * y
				}
				want[i*n+j] = 2*want[i*n+j] + 3*c[j]
			}
		}
		aShape, bShape := []int64{int64(m), int64(k)}, []int64{int64(k), int64(n)}
		op := &graph.Op{Name: "gemm", Op: "Gemm", Attrs: graph.Attrs{"alpha": float32(2), "beta": float32(3)}}
		if transA {
			aShape[0], aShape[1] = aShape[1], aShape[0]
			op.Attrs["transA"] = int64(1)
		}
		if transB {
			bShape[0], bShape[1] = bShape[1], bShape[0]
			op.Attrs["transB"] = int64(1)
		}
		got := one(t, 3, op, graph.Shape{int64(m), int64(n)},
			in("a", graph.Input, a, aShape...), in("b", role, b, bShape...), in("c", graph.Constant, c, int64(n)))
		require.Equal(t, want, got)
	})
}

func TestMatrixProductsBroadcast(t *testing.T) {
	cases := []struct {
		name    string
		a, b, y []int64
	}{
		{"vector by vector", []int64{3}, []int64{3}, []int64{}},
		{"vector by matrix", []int64{3}, []int64{3, 2}, []int64{2}},
		{"matrix by vector", []int64{2, 3}, []int64{3}, []int64{2}},
		{"one matrix for a batch", []int64{4, 2, 3}, []int64{3, 2}, []int64{4, 2, 2}},
		{"a batch by one matrix on the left", []int64{2, 3}, []int64{4, 3, 2}, []int64{4, 2, 2}},
		{"both batches repeat", []int64{4, 1, 2, 3}, []int64{1, 5, 3, 2}, []int64{4, 5, 2, 2}},
		{"an empty batch", []int64{0, 2, 3}, []int64{3, 2}, []int64{0, 2, 2}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			count := func(s []int64) int { n, _ := graph.Shape(s).Elements(); return int(n) }
			ones := func(n int) []float32 {
				v := make([]float32, n)
				for i := range v {
					v[i] = 1
				}
				return v
			}
			got := one(t, 2, &graph.Op{Name: "m", Op: "MatMul"}, append(graph.Shape{}, c.y...),
				in("a", graph.Input, ones(count(append([]int64{}, c.a...))), c.a...), in("b", graph.Input, ones(count(append([]int64{}, c.b...))), c.b...))
			require.Len(t, got, count(append(graph.Shape{}, c.y...)))
			for _, v := range got {
				require.Equal(t, float32(3), v)
			}
		})
	}
}

func TestPreparedStepsRunWithoutAllocating(t *testing.T) {
	window := graph.Attrs{"kernel_shape": []int64{3, 3}, "pads": []int64{1, 1, 1, 1}}
	lastWindow := graph.Attrs{"kernel_shape": []int64{3, 3}, "pads": []int64{1, 1, 1, 1}, graph.AttrDataLayout: "NHWC"}
	same := graph.Shape{1, 8, 8, 8}
	x, w := small(512, 1), small(8*8*9, 2)
	weights := in("w", graph.Constant, w, 8, 8, 3, 3)
	each := in("w", graph.Constant, w[:72], 8, 1, 3, 3)
	depthwise := graph.Attrs{"pads": []int64{1, 1, 1, 1}, "group": int64(8)}
	scale := in("scale", graph.Constant, small(8, 1), 8)
	cases := []struct {
		op     *graph.Op
		inputs []given
	}{
		{&graph.Op{Op: "Conv", Attrs: window}, []given{weights}},
		{&graph.Op{Op: "Conv", Attrs: window, Fused: []string{"Conv", "Relu"}}, []given{weights}},
		{&graph.Op{Op: "Conv", Attrs: lastWindow}, []given{weights}},
		{&graph.Op{Op: "Conv", Attrs: depthwise}, []given{each}},
		{&graph.Op{Op: "ConvTranspose", Attrs: window}, []given{weights}},
		{&graph.Op{Op: "MaxPool", Attrs: window}, nil},
		{&graph.Op{Op: "AveragePool", Attrs: lastWindow}, nil},
		{&graph.Op{Op: "Softmax"}, nil},
		{&graph.Op{Op: "MatMul"}, []given{in("b", graph.Constant, small(64, 2), 8, 8)}},
		{&graph.Op{Op: "InstanceNormalization"}, []given{scale, scale}},
		{&graph.Op{Op: "BatchNormalization"}, []given{scale, scale, scale, in("var", graph.Constant, []float32{1, 1, 1, 1, 1, 1, 1, 1}, 8)}},
		{&graph.Op{Op: "Resize"}, nil},
	}
	for _, c := range cases {
		t.Run(c.op.Op, func(t *testing.T) {
			r := newRig(t, 2)
			inputs := []*device.Tensor{r.floats("x", graph.Input, same, x)}
			for _, o := range c.inputs {
				inputs = append(inputs, r.floats(o.name, o.role, o.shape, o.content))
			}
			h := r.run(c.op, []*device.Tensor{r.floats("y", graph.Output, same, nil)}, inputs)
			before := r.dev.Counters()
			require.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, r.dev.Run(context.Background(), h)) }))
			require.Equal(t, before, r.dev.Counters())
		})
	}
}

func TestHalfPrecisionIsComputedInFloat32(t *testing.T) {
	r := newRig(t, 1)
	half := func(values ...float32) []byte {
		data := make([]byte, 2*len(values))
		for i, v := range values {
			binary.LittleEndian.PutUint16(data[2*i:], float16.Fromfloat32(v).Bits())
		}
		return data
	}
	x := r.tensor("x", graph.Input, graph.Float16, graph.Shape{1, 2, 1, 1}, half(1.5, 2))
	w := r.tensor("w", graph.Constant, graph.Float16, graph.Shape{1, 2, 1, 1}, half(2, 0.25))
	y := r.tensor("y", graph.Output, graph.Float16, graph.Shape{1, 1, 1, 1}, nil)
	r.run(&graph.Op{Name: "conv", Op: "Conv"}, []*device.Tensor{y}, []*device.Tensor{x, w})
	require.Equal(t, half(3.5), r.read(y))
}

func TestOddOffsetsAndResultsInPlaceOfInputsAreRight(t *testing.T) {
	r := newRig(t, 1)
	place := func(name string, role graph.Role, offset int64) *device.Tensor {
		x := r.tensor(name, role, graph.Float32, graph.Shape{1, 2, 2, 2}, nil)
		x.Place.Offset = offset
		return x
	}
	x := place("x", graph.Input, 1)
	y := place("y", graph.Output, 1)
	r.data[x] = floatBytes([]float32{1, 2, 3, 4, 5, 6, 7, 8})
	r.run(&graph.Op{Name: "pool", Op: "AveragePool", Attrs: graph.Attrs{"kernel_shape": []int64{2, 2}, "pads": []int64{0, 0, 1, 1}}},
		[]*device.Tensor{y}, []*device.Tensor{x})
	require.Equal(t, []float32{2.5, 3, 3.5, 4, 6.5, 7, 7.5, 8}, floatsOf(r.read(y)))
}

func TestANaNIsTheMaximumOfItsWindow(t *testing.T) {
	nan := float32(math.NaN())
	for _, x := range [][]float32{{nan, 1, 2, 3}, {1, 2, nan, 3}, {1, 2, 3, nan}} {
		got := one(t, 1, &graph.Op{Name: "pool", Op: "MaxPool", Attrs: graph.Attrs{"kernel_shape": []int64{4}}}, graph.Shape{1, 1, 1},
			in("x", graph.Input, x, 1, 1, 4))
		require.True(t, math.IsNaN(float64(got[0])))
	}
}

func TestRegionsOutsideOfThePoolsAreRefused(t *testing.T) {
	r := newRig(t, 1)
	r.floats("x", graph.Input, graph.Shape{4}, nil)
	r.open()
	for _, bad := range []device.Region{{Pool: 1, Image: -1}, {Image: 3}, {Image: -1, Offset: -1}, {Image: -1, Bytes: 1 << 40}, {Image: -1, Offset: math.MaxInt64, Bytes: 8}} {
		require.Error(t, r.dev.Fill(bad, 0))
	}
	require.NoError(t, r.dev.Fill(device.Region{Image: -1, Bytes: 7}, 0xab))
	_, err := r.dev.Open(device.Memory{})
	require.Error(t, err, "a second Open")
}

func TestASplitCoversEachItemOnce(t *testing.T) {
	dev, err := host.New(host.Options{Workers: 5})
	require.NoError(t, err)
	require.NoError(t, dev.Close())
	require.NoError(t, dev.Close(), "closing twice")
}
