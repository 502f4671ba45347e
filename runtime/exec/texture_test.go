package exec_test

import (
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

// picture is an input for pictures.
func picture(channels int64) map[string]*array.Array {
	shape := graph.Shape{1, channels, 6, 6}
	n, _ := shape.Elements()
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(i%29) - 14
	}
	return map[string]*array.Array{"x": floatArray(shape, values...)}
}

func TestANetworkInTexturesGivesTheBitsOfFlatMemory(t *testing.T) {
	for name, how := range map[string]imaging{
		"activations":             {scope: always(texture.Activation), pitch: 1},
		"weights":                 {scope: always(texture.Weight), pitch: 64},
		"channels last":           {scope: always(texture.NHWC), pitch: 3},
		"mixed":                   {scope: everywhere, pitch: 1},
		"mixed and shared":        {scope: everywhere, pitch: 16, shared: true},
		"over a buffer":           {scope: always(texture.Activation), pitch: 64, buffers: true},
		"over a buffer, in turns": {scope: everywhere, pitch: 1, buffers: true, shared: true},
	} {
		for _, channels := range []int64{4, 5, 6, 7, 8} {
			t.Run(name, func(t *testing.T) {
				g := pictures(channels)
				flat := run(t, start(t, sequentialPlan(t, g), g, exec.Options{Poison: true}), picture(channels))
				p := sequentialPlan(t, g)
				require.Equal(t, 8, intoImages(p, how))
				r := start(t, p, g, exec.Options{Poison: true})
				allocations := r.Allocations()
				require.Equal(t, flat, run(t, r, picture(channels)))
				require.Equal(t, flat, run(t, r, picture(channels)), "a second run")
				require.Equal(t, allocations, r.Allocations())
				pool := p.Pools[len(p.Pools)-1]
				require.Equal(t, pool.Peak, r.PoolBytes()[pool.Name])
			})
		}
	}
}

func TestModelsInTexturesGiveTheBitsOfFlatMemory(t *testing.T) {
	names, all := goldens(t)
	for i, name := range names {
		if !needs.Turn(i, len(names)) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			g, flat := runAlone(t, name, all[name])
			p := sequentialPlan(t, g)
			t.Logf("%d of %d tensors are images", intoImages(p, imaging{scope: everywhere, pitch: 4, shared: true}), len(p.Graphs[0].Tensors))
			r := start(t, p, g, exec.Options{Poison: true})
			outputs := run(t, r, ramp(t, g))
			require.Equal(t, flat, outputs)
			requireGolden(t, all[name], outputs)
		})
	}
}

func TestAnImageServesTensorsOfDifferentSizesInTurn(t *testing.T) {
	g := pictures(6)
	p := sequentialPlan(t, g)
	intoImages(p, imaging{scope: always(texture.Activation), pitch: 1, shared: true})
	// "a" and "c" are 6 x 12 and 3 x 6 texels.
	a, c := tensorOf(t, p, "a"), tensorOf(t, p, "c")
	require.Equal(t, a.Storage, c.Storage)
	flat := run(t, start(t, sequentialPlan(t, g), g, exec.Options{}), picture(6))
	require.Equal(t, flat, run(t, start(t, p, g, exec.Options{Poison: true}), picture(6)))
}

func TestPoisonShowsAnImageThatIsReadAfterItsTensorDied(t *testing.T) {
	for _, buffers := range []bool{false, true} {
		g := pictures(6)
		p := sequentialPlan(t, g)
		intoImages(p, imaging{scope: always(texture.Activation), pitch: 8, buffers: buffers})
		// The plan claims that "c" dies before the addition reads it.
		tensorOf(t, p, "c").Last = 4
		for _, v := range floatsOf(run(t, start(t, p, g, exec.Options{Poison: true}), picture(6))["y"]) {
			require.True(t, math.IsNaN(float64(v)))
		}
		flat := run(t, start(t, sequentialPlan(t, g), g, exec.Options{}), picture(6))
		require.Equal(t, flat, run(t, start(t, p, g, exec.Options{}), picture(6)), "nobody overwrites the dead image without poison")
	}
}

// flatCopy makes the steps from the one given on read a flat copy of an image, made by a step of its own.
func copyBefore(t *testing.T, p *plan.Plan, step int64, name, to string) {
	planned := &p.Graphs[0]
	for i := range planned.Tensors {
		x := &planned.Tensors[i]
		if x.First >= step {
			x.First++
		}
		if x.Last > step {
			x.Last++
		}
	}
	from := *tensorOf(t, p, name)
	end := from.Last
	tensorOf(t, p, name).Last = step + 1
	copied := from
	copied.Name, copied.Role, copied.Pool, copied.Scope, copied.First, copied.Last = to, "activation", "memory", "global", step, end
	offset := p.Pools[0].Peak
	p.Pools[0].Peak += from.LogicalSize
	copied.Offset, copied.Size = &offset, from.LogicalSize
	planned.Tensors = append(planned.Tensors, copied)
	steps := append([]plan.Step{}, planned.Steps[:step]...)
	steps = append(steps, plan.Step{Step: step, Op: "Copy", Name: to, Inputs: []string{name}, Outputs: []string{to}})
	for _, s := range planned.Steps[step:] {
		s.Step++
		for i, in := range s.Inputs {
			if in == name {
				s.Inputs[i] = to
			}
		}
		steps = append(steps, s)
	}
	planned.Steps = steps
}

func TestAStepCopiesFromAnImageToFlatMemory(t *testing.T) {
	g := pictures(7)
	flat := run(t, start(t, sequentialPlan(t, g), g, exec.Options{}), picture(7))
	p := sequentialPlan(t, g)
	intoImages(p, imaging{scope: always(texture.NHWC), pitch: 4})
	copyBefore(t, p, 3, "c", "c@global")
	require.Equal(t, flat, run(t, start(t, p, g, exec.Options{Poison: true}), picture(7)))
}

func TestStepsShareOneStaging(t *testing.T) {
	g := pictures(8)
	flat, p := sequentialPlan(t, g), sequentialPlan(t, g)
	intoImages(p, imaging{scope: always(texture.Activation), pitch: 1})
	before := start(t, flat, g, exec.Options{}).Counters()
	after := start(t, p, g, exec.Options{}).Counters()
	// The largest step reads 8x8x3x3 weights and 8x6x6 elements, and writes as many.
	largest := int64(4 * (8*8*9 + 2*8*36))
	staging := after.WorkspaceBytes - before.WorkspaceBytes
	require.GreaterOrEqual(t, staging, largest)
	require.Less(t, staging, 4*largest)
}

// reshaped is x -> Reshape -> y between two shapes.
func reshaped(from, to graph.Shape) *graph.Graph {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, from...)
	y := b.tensor("y", graph.Output, graph.Float32, to...)
	b.op("Reshape", "reshape", ids(y), ids(x), graph.Attrs{"shape": []int64(to)})
	return b.g
}

func TestAReshapeViewsAnImageWhereNoElementMoves(t *testing.T) {
	from := graph.Shape{1, 8, 14, 14}
	place := func(to graph.Shape) (*graph.Graph, *plan.Plan) {
		g := reshaped(from, to)
		p := sequentialPlan(t, g)
		base := "x"
		tensorOf(t, p, "y").ViewOf = &base
		tensorOf(t, p, "x").Last = 2
		intoImages(p, imaging{scope: always(texture.Activation), pitch: 1})
		return g, p
	}
	values := make([]float32, 8*14*14)
	for i := range values {
		values[i] = float32(i)
	}
	g, p := place(graph.Shape{2, 4, 14, 14})
	got := run(t, start(t, p, g, exec.Options{Poison: true}), map[string]*array.Array{"x": floatArray(from, values...)})
	require.Equal(t, values, floatsOf(got["y"]))

	g, p = place(graph.Shape{1, 16, 7, 14})
	requireOne(t, prepare(t, p, "net", g), "MP0817", `"reshape"`, `"x"`, `"y"`, "[1, 16, 7, 14]")
}

func TestAReshapeBetweenTwoImagesMovesElements(t *testing.T) {
	from := graph.Shape{1, 8, 14, 14}
	g := reshaped(from, graph.Shape{1, 16, 7, 14})
	p := sequentialPlan(t, g)
	require.Equal(t, 2, intoImages(p, imaging{scope: everywhere, pitch: 1}))
	values := make([]float32, 8*14*14)
	for i := range values {
		values[i] = float32(i)
	}
	got := run(t, start(t, p, g, exec.Options{Poison: true}), map[string]*array.Array{"x": floatArray(from, values...)})
	require.Equal(t, values, floatsOf(got["y"]))
}

func TestImagesThatDoNotHoldTheirTensorsAreReported(t *testing.T) {
	cases := []struct {
		name   string
		change func(s *plan.Storage, a *plan.Tensor, p *plan.Plan)
		id     string
		words  []string
	}{
		{"an image that is too narrow", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.Width = 5 }, "MP0814", []string{`"a"`, "6 x 12", "5 x 12"}},
		{"an image that is too low", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.Height = 11 }, "MP0814", []string{`"a"`, "6 x 12", "6 x 11"}},
		{"rows that overlap", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.RowPitch = 80 }, "MP0814", []string{`"a"`, "80"}},
		{"rows beyond the size", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.Size-- }, "MP0814", []string{`"a"`, "12 rows"}},
		{"texels of another type", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.Texel = "rgba_float16" }, "MP0815", []string{`"a"`, "rgba_float16", "rgba_float32"}},
		{"a storage that is flat", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.Width, s.Height = 0, 0 }, "MP0816", []string{`"a"`, "global.texture", "no image"}},
		{"an unknown scope", func(_ *plan.Storage, a *plan.Tensor, _ *plan.Plan) { a.Scope = "global.textur" }, "MP0816", []string{`"a"`, "global.textur"}},
		{"a layout that has no packed form", func(_ *plan.Storage, a *plan.Tensor, _ *plan.Plan) { a.Layout = "CHWN" }, "MP0816", []string{`"a"`, "CHWN"}},
		{"an offset in a texture pool", func(s *plan.Storage, _ *plan.Tensor, _ *plan.Plan) { s.Offset = new(int64) }, "MP0810", []string{`"images"`}},
		{"an image beyond its flat pool", func(s *plan.Storage, _ *plan.Tensor, p *plan.Plan) {
			s.Offset, p.Pools[len(p.Pools)-1].Type, p.Pools[len(p.Pools)-1].Peak = new(int64), "flat", 100
		}, "MP0810", []string{"100"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := pictures(6)
			p := sequentialPlan(t, g)
			onlyA := func(x *plan.Tensor) texture.Scope {
				if x.Name == "a" {
					return texture.Activation
				}
				return texture.Global
			}
			require.Equal(t, 1, intoImages(p, imaging{scope: onlyA, pitch: 1}))
			c.change(&p.Storages[len(p.Storages)-1], tensorOf(t, p, "a"), p)
			requireOne(t, prepare(t, p, "net", g)[:1], c.id, c.words...)
		})
	}
}

func TestAConstantInAnImageIsNotPoisoned(t *testing.T) {
	b := newBuilder()
	shape := graph.Shape{1, 1, 1, 1, 4}
	x := b.tensor("x", graph.Input, graph.Float32, shape...)
	c := b.constant("c", shape, 1, 2, 3, 4)
	y := b.tensor("y", graph.Output, graph.Float32, shape...)
	b.op("Add", "add", ids(y), ids(x, c), nil)
	for _, buffers := range []bool{false, true} {
		p := sequentialPlan(t, b.g)
		require.Equal(t, 3, intoImages(p, imaging{scope: always(texture.Weight), pitch: 4, buffers: buffers}))
		got := run(t, start(t, p, b.g, exec.Options{Poison: true}), map[string]*array.Array{"x": floatArray(shape, 10, 20, 30, 40)})
		require.Equal(t, []float32{11, 22, 33, 44}, floatsOf(got["y"]))
	}
}

func TestAGraphOfPackedTensorsRunsInImagesAsInFlatMemory(t *testing.T) {
	b := newBuilder()
	label := func(id graph.TensorID, layout string) graph.TensorID {
		b.g.Tensors[id].Layout = layout
		return id
	}
	x := label(b.tensor("x", graph.Input, graph.Float32, 1, 8, 14, 14, 4), "NCHW4c")
	values := make([]float32, 8*32*3*3*4)
	for i := range values {
		values[i] = float32(i%23-11) / 64
	}
	w := label(b.constant("w", graph.Shape{8, 32, 3, 3, 4}, values...), "OIHW4o")
	a := label(b.tensor("a", graph.Activation, graph.Float32, 1, 8, 12, 12, 4), "NCHW4c")
	y := label(b.tensor("y", graph.Output, graph.Float32, 1, 8, 12, 12, 4), "NCHW4c")
	b.op("Conv", "conv1", ids(a), ids(x, w), graph.Attrs{})
	b.op("Relu", "relu", ids(y), ids(a), nil)
	data := make([]float32, 8*14*14*4)
	for i := range data {
		data[i] = float32(i%31) - 15
	}
	inputs := map[string]*array.Array{"x": floatArray(graph.Shape{1, 8, 14, 14, 4}, data...)}
	flat := run(t, start(t, sequentialPlan(t, b.g), b.g, exec.Options{Poison: true}), inputs)
	// One result by the definition: output channel 6 is channel 2 of block 1, at row 3 and column 5.
	sum := float64(0)
	for i := range 32 {
		for k := range 9 {
			pixel := data[((i/4*14+3+k/3)*14+5+k%3)*4+i%4]
			sum += float64(pixel) * float64(values[((32+i)*9+k)*4+2])
		}
	}
	require.InDelta(t, max(sum, 0), floatsOf(flat["y"])[((12+3)*12+5)*4+2], 1e-3)
	p := sequentialPlan(t, b.g)
	require.Equal(t, 4, intoImages(p, imaging{scope: everywhere, pitch: 8, shared: true}))
	require.Equal(t, flat, run(t, start(t, p, b.g, exec.Options{Poison: true}), inputs))
}
