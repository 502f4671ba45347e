package liveness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// build makes a graph from lines such as "y = Relu(x)"; tensors are uint8[16] activations. Names listed in roles get that
// role, and inputs and outputs are listed as the graph's.
func build(roles map[string]graph.Role, lines ...string) *graph.Graph {
	g := &graph.Graph{Name: "g"}
	ids := map[string]graph.TensorID{}
	tensor := func(name string) graph.TensorID {
		if name == "" {
			return graph.NoTensor
		}
		id, ok := ids[name]
		if ok {
			return id
		}
		role := roles[name]
		if role == "" {
			role = graph.Activation
		}
		id = graph.TensorID(len(g.Tensors))
		ids[name] = id
		g.Tensors = append(g.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Uint8, Shape: graph.Shape{1, 4, 4}})
		switch role {
		case graph.Input:
			g.Inputs = append(g.Inputs, id)
		case graph.Output:
			g.Outputs = append(g.Outputs, id)
		}
		return id
	}
	for i, line := range lines {
		left, right, _ := strings.Cut(line, " = ")
		op, args, _ := strings.Cut(strings.TrimSuffix(right, ")"), "(")
		o := graph.Op{Name: fmt.Sprintf("op%d", i), Op: op, Attrs: graph.Attrs{}}
		for _, name := range strings.Split(args, ", ") {
			o.Inputs = append(o.Inputs, tensor(name))
		}
		for _, name := range strings.Split(left, ", ") {
			o.Outputs = append(o.Outputs, tensor(name))
		}
		g.Ops = append(g.Ops, o)
	}
	return g
}

// show writes buffers as "name role [first, last) views", one a line.
func show(g *graph.Graph, buffers []liveness.Buffer) string {
	var b strings.Builder
	for _, x := range buffers {
		fmt.Fprintf(&b, "%s %s [%d, %d)", x.Name, x.Role, x.First, x.Last)
		if x.External {
			b.WriteString(" external")
		}
		for _, v := range x.Views {
			fmt.Fprintf(&b, " %s [%d, %d)", g.Tensors[v.Tensor].Name, v.First, v.Last)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestLifetimes(t *testing.T) {
	io := func(more map[string]graph.Role) map[string]graph.Role {
		roles := map[string]graph.Role{"x": graph.Input, "y": graph.Output}
		for name, role := range more {
			roles[name] = role
		}
		return roles
	}
	for _, c := range []struct {
		name  string
		roles map[string]graph.Role
		keep  []string
		lines []string
		want  string
	}{
		{"an op's input and output are live together", io(nil), nil, []string{"a = Relu(x)", "y = Relu(a)"},
			"x input [0, 1) external\na activation [0, 2)\ny output [1, 2) external\n"},
		{"a result that nobody reads lives for one step", io(nil), nil, []string{"a = Relu(x)", "b = Relu(a)", "y = Relu(a)"},
			"x input [0, 1) external\na activation [0, 3)\nb activation [1, 2)\ny output [2, 3) external\n"},
		{"outputs live to the end", io(nil), nil, []string{"y = Relu(x)", "b = Relu(x)", "c = Relu(b)"},
			"x input [0, 2) external\ny output [0, 3) external\nb activation [1, 3)\nc activation [2, 3)\n"},
		{"kept tensors live to the end", io(nil), []string{"a"}, []string{"a = Relu(x)", "b = Relu(a)", "c = Relu(b)", "y = Relu(c)"},
			"x input [0, 1) external\na activation [0, 4)\nb activation [1, 3)\nc activation [2, 4)\ny output [3, 4) external\n"},
		{"constants and state live always", io(map[string]graph.Role{"w": graph.Constant, "s": graph.State}), nil,
			[]string{"a = Relu(x)", "b = Mul(a, w)", "s = Add(s, b)", "y = Relu(b)"},
			"x input [0, 1) external\na activation [0, 2)\nw constant [0, 4)\nb activation [1, 4)\ns state [0, 4)\ny output [3, 4) external\n"},
		{"absent optional inputs are nothing", io(nil), nil, []string{"y = Clip(x, , )"},
			"x input [0, 1) external\ny output [0, 1) external\n"},
		{"chains of reshapes are one buffer", io(nil), nil,
			[]string{"a = Relu(x)", "b = Reshape(a)", "c = Flatten(b)", "d = Relu(c)", "y = Relu(d)"},
			"x input [0, 1) external\na activation [0, 4) b [1, 3) c [2, 4)\nd activation [3, 5)\ny output [4, 5) external\n"},
		{"the base lives until each view is dead", io(nil), nil,
			[]string{"a = Relu(x)", "b = Reshape(a)", "c = Relu(a)", "d = Relu(c)", "y = Add(d, b)"},
			"x input [0, 1) external\na activation [0, 5) b [1, 5)\nc activation [2, 4)\nd activation [3, 5)\ny output [4, 5) external\n"},
		{"input, reshape, output is one storage of the caller", io(nil), nil, []string{"a = Reshape(x)", "y = Squeeze(a)"},
			"x input [0, 2) external a [0, 2) y [1, 2)\n"},
		{"a view that is an output makes the buffer one", io(nil), nil, []string{"a = Relu(x)", "y = Reshape(a)", "b = Relu(a)"},
			"x input [0, 1) external\na output [0, 3) external y [1, 3)\nb activation [2, 3)\n"},
		{"a constant is viewed inside the graph", io(map[string]graph.Role{"w": graph.Constant}), nil,
			[]string{"v = Reshape(w)", "y = Mul(x, v)"},
			"w constant [0, 2) v [0, 2)\nx input [0, 2) external\ny output [1, 2) external\n"},
		{"a constant is not handed out as output", io(map[string]graph.Role{"w": graph.Constant}), nil, []string{"y = Reshape(w)"},
			"w constant [0, 1)\ny output [0, 1) external\n"},
		{"state is not viewed", io(map[string]graph.Role{"s": graph.State}), nil, []string{"a = Reshape(s)", "s = Relu(x)", "y = Relu(a)"},
			"s state [0, 3)\na activation [0, 3)\nx input [0, 2) external\ny output [2, 3) external\n"},
		{"an unused mask does not hinder a dropout's view", io(nil), nil, []string{"a, m = Dropout(x)", "y = Relu(a)"},
			"x input [0, 2) external a [0, 2)\nm activation [0, 1)\ny output [1, 2) external\n"},
		{"a used mask does", io(nil), nil, []string{"a, m = Dropout(x)", "y = Mul(a, m)"},
			"x input [0, 1) external\na activation [0, 2)\nm activation [0, 2)\ny output [1, 2) external\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := build(c.roles, c.lines...)
			opts := liveness.Options{Reshape: true}
			for _, name := range c.keep {
				opts.Keep = append(opts.Keep, g.ByName(name))
			}
			buffers, diags := liveness.Analyze(g, opts)
			require.Empty(t, diags)
			require.Equal(t, c.want, show(g, buffers))
		})
	}
}

func TestWhatIsAndIsNoView(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*graph.Graph)
		view   bool
	}{
		{"an identity", func(g *graph.Graph) { g.Ops[1].Op = "Identity" }, true},
		{"a cast to the same type", func(g *graph.Graph) { g.Ops[1].Op = "Cast" }, true},
		{"a cast to another type of the same size", func(g *graph.Graph) { g.Ops[1].Op, g.Tensors[2].DType = "Cast", graph.Int8 }, false},
		{"a transposition of an axis of 1", func(g *graph.Graph) {
			g.Ops[1].Op, g.Ops[1].Attrs = "Transpose", graph.Attrs{"perm": []int64{1, 0, 2}}
		}, true},
		{"a transposition that moves elements", func(g *graph.Graph) { g.Ops[1].Op = "Transpose" }, false},
		{"a transposition by a wrong permutation", func(g *graph.Graph) {
			g.Ops[1].Op, g.Ops[1].Attrs = "Transpose", graph.Attrs{"perm": []int64{0, 1, 7}}
		}, false},
		{"a reshape of quantised integers", func(g *graph.Graph) { g.Ops[1].Domain = "tflite.quantized" }, true},
		{"quantised arithmetic", func(g *graph.Graph) { g.Ops[1].Op, g.Ops[1].Domain = "Relu", "tflite.quantized" }, false},
		{"a copy into another scope", func(g *graph.Graph) { g.Ops[1].Op, g.Ops[1].Domain = "Copy", "memplan" }, false},
		{"a custom op of the same name", func(g *graph.Graph) { g.Ops[1].Domain = "com.example" }, false},
		{"a fused reshape", func(g *graph.Graph) { g.Ops[1].Fused = []string{"Reshape", "Relu"} }, false},
		{"an output of another size", func(g *graph.Graph) { g.Tensors[2].Shape = graph.Shape{15} }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := build(map[string]graph.Role{"x": graph.Input, "y": graph.Output}, "a = Relu(x)", "b = Reshape(a)", "y = Relu(b)")
			c.change(g)
			buffers, _ := liveness.Analyze(g, liveness.Options{Reshape: true})
			require.Equal(t, c.view, len(buffers) == 3)
			apart, _ := liveness.Analyze(g, liveness.Options{})
			require.Len(t, apart, 4)
		})
	}
}

func TestWhatMustNotMergeKeepsBytesOfItsOwn(t *testing.T) {
	g := build(map[string]graph.Role{"x": graph.Input, "y": graph.Output},
		"a = Relu(x)", "b = Reshape(a)", "c = Flatten(b)", "d = Squeeze(c)", "y = Relu(d)")
	var asked []string
	apart := func(no string) func(input, output graph.TensorID) bool {
		return func(input, output graph.TensorID) bool {
			asked = append(asked, g.Tensors[input].Name+" to "+g.Tensors[output].Name)
			return g.Tensors[output].Name != no
		}
	}
	buffers, diags := liveness.Analyze(g, liveness.Options{Reshape: true, Mergeable: apart("c")})
	require.Empty(t, diags)
	require.Equal(t, "x input [0, 1) external\na activation [0, 3) b [1, 3)\nc activation [2, 5) d [3, 5)\ny output [4, 5) external\n", show(g, buffers))
	require.Equal(t, []string{"a to b", "b to c", "c to d"}, asked)

	all, _ := liveness.Analyze(g, liveness.Options{Reshape: true, Mergeable: apart("")})
	free, _ := liveness.Analyze(g, liveness.Options{Reshape: true})
	require.Equal(t, free, all)

	asked = nil
	_, _ = liveness.Analyze(g, liveness.Options{Mergeable: apart("")})
	require.Empty(t, asked, "without views nothing is asked")
}

func TestOnlyWhatCouldBeAViewIsAsked(t *testing.T) {
	g := build(map[string]graph.Role{"x": graph.Input, "s": graph.State, "w": graph.Constant, "y": graph.Output},
		"a = Reshape(s)", "s = Relu(x)", "b = Relu(a)", "y = Reshape(w)")
	_, diags := liveness.Analyze(g, liveness.Options{Reshape: true, Mergeable: func(graph.TensorID, graph.TensorID) bool {
		t.Error("state and constants handed out are no views")
		return true
	}})
	require.Empty(t, diags)
}

func TestScratchLivesDuringItsOp(t *testing.T) {
	g := build(map[string]graph.Role{"x": graph.Input, "y": graph.Output}, "a = Conv(x)", "y = Conv(a)")
	g.Ops[1].Scratch = []graph.ScratchBuffer{{Name: "im2col", Bytes: 4096}}
	buffers, _ := liveness.Analyze(g, liveness.Options{})
	require.Equal(t, liveness.Buffer{Tensor: graph.NoTensor, Op: 1, Scratch: 0, Name: "op1/im2col", Role: graph.Scratch, Size: 4096, First: 1, Last: 2}, buffers[3])
}

func TestIntervalsKeepTheirLifetimes(t *testing.T) {
	g := &graph.Graph{Tensors: []graph.Tensor{{Name: "b", Role: graph.Activation, DType: graph.Uint8, Shape: graph.Shape{7},
		Given: &graph.Given{First: 3, Last: 9, Alignment: 16, Pool: "tcm"}}}}
	buffers, diags := liveness.Analyze(g, liveness.Options{Reshape: true})
	require.Empty(t, diags)
	require.Equal(t, []liveness.Buffer{{Op: -1, Scratch: -1, Name: "b", Role: graph.Activation, Size: 7, Alignment: 16, Pool: "tcm", First: 3, Last: 9}}, buffers)
}

func TestAKeptIntervalLivesToTheLastEnd(t *testing.T) {
	g := &graph.Graph{}
	for name, span := range map[string]graph.Given{"early": {First: 0, Last: 3}, "late": {First: 2, Last: 9}} {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: name, Role: graph.Activation, DType: graph.Uint8, Shape: graph.Shape{7}, Given: &span})
	}
	buffers, diags := liveness.Analyze(g, liveness.Options{Keep: []graph.TensorID{g.ByName("early")}})
	require.Empty(t, diags)
	for _, b := range buffers {
		require.EqualValues(t, 9, b.Last, b.Name)
	}
}

func TestLeftoversHaveNoBufferAndEmptyTensorsHaveOneOfNoBytes(t *testing.T) {
	g := build(map[string]graph.Role{"x": graph.Input, "y": graph.Output}, "a = Relu(x)", "y = Relu(a)")
	g.Tensors = append(g.Tensors, graph.Tensor{Name: "unused", Role: graph.Constant, DType: graph.Uint8, Shape: graph.Shape{9}})
	g.Tensors[1].Shape = graph.Shape{0, 4}
	buffers, diags := liveness.Analyze(g, liveness.Options{})
	require.Empty(t, diags)
	require.Len(t, buffers, 3)
	require.Zero(t, buffers[1].Size)
}

func TestUnusableSizesAreReported(t *testing.T) {
	for id, change := range map[string]func(*graph.Graph){
		"MP0600": func(g *graph.Graph) { g.Tensors[1].Shape = graph.Shape{graph.Unknown, 4} },
		"MP0601": func(g *graph.Graph) { g.Ops[0].Scratch = []graph.ScratchBuffer{{Name: "s", Bytes: -1}} },
		"MP0602": func(g *graph.Graph) {
			g.Tensors[0].Shape, g.Tensors[1].Shape = graph.Shape{1 << 62}, graph.Shape{1 << 62}
		},
	} {
		t.Run(id, func(t *testing.T) {
			g := build(map[string]graph.Role{"x": graph.Input, "y": graph.Output}, "a = Relu(x)", "y = Reshape(a)")
			change(g)
			_, diags := liveness.Analyze(g, liveness.Options{Reshape: true})
			require.Len(t, diags, 1)
			require.Equal(t, id, string(diags[0].ID))
		})
	}
}

func TestEveryUsedTensorIsInExactlyOneBufferThatCoversItsUses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		buffers, diags := liveness.Analyze(g, liveness.Options{Reshape: true})
		require.Empty(t, diags)
		first, last, seen := map[graph.TensorID]int64{}, map[graph.TensorID]int64{}, map[graph.TensorID]int{}
		for _, b := range buffers {
			seen[b.Tensor]++
			first[b.Tensor], last[b.Tensor] = b.First, b.Last
			for _, v := range b.Views {
				seen[v.Tensor]++
				first[v.Tensor], last[v.Tensor] = v.First, v.Last
				require.True(t, b.First <= v.First && v.Last <= b.Last)
			}
		}
		for step, op := range g.Ops {
			for _, id := range append(append([]graph.TensorID{}, op.Inputs...), op.Outputs...) {
				require.Equal(t, 1, seen[id])
				require.True(t, first[id] <= int64(step) && int64(step) < last[id])
			}
		}
		for _, id := range g.Outputs {
			require.Equal(t, int64(len(g.Ops)), last[id])
		}
	})
}

// drawGraph makes a graph of element-wise and reshaping ops, each reading up to two earlier tensors.
func drawGraph(t *rapid.T) *graph.Graph {
	names, roles := []string{"x", "w", "s"}, map[string]graph.Role{"x": graph.Input, "w": graph.Constant, "s": graph.State}
	var lines []string
	for i := range rapid.IntRange(1, 12).Draw(t, "ops") {
		name := fmt.Sprintf("t%d", i)
		if rapid.IntRange(0, 3).Draw(t, "output") == 0 {
			roles[name] = graph.Output
		}
		op := rapid.SampledFrom([]string{"Relu", "Reshape", "Identity", "Add"}).Draw(t, "op")
		args := []string{rapid.SampledFrom(names).Draw(t, "input")}
		if op == "Add" {
			args = append(args, rapid.SampledFrom(names).Draw(t, "second"))
		}
		lines = append(lines, fmt.Sprintf("%s = %s(%s)", name, op, strings.Join(args, ", ")))
		names = append(names, name)
	}
	return build(roles, lines...)
}

func BenchmarkAnalyze(b *testing.B) {
	lines := []string{"t0 = Relu(x)"}
	for i := 1; i < 100_000; i++ {
		lines = append(lines, fmt.Sprintf("t%d = %s(t%d)", i, []string{"Relu", "Reshape"}[i%2], i-1))
	}
	g := build(map[string]graph.Role{"x": graph.Input}, lines...)
	for b.Loop() {
		liveness.Analyze(g, liveness.Options{Reshape: true})
	}
}
