package exec_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/exec"
)

// network draws small networks of float32 tensors [1, C, 4, 4] with the ops that may share bytes, and some that may not.
type network struct {
	*builder
	t *rapid.T
	// live are the tensors that ops may read; fresh those that nobody has read.
	live, fresh []graph.TensorID
}

func drawNetwork(t *rapid.T, most int) *graph.Graph {
	n := &network{builder: newBuilder(), t: t}
	for i := range rapid.IntRange(1, 2).Draw(t, "inputs") {
		n.add(n.tensor(fmt.Sprintf("x%d", i), graph.Input, graph.Float32, 1, rapid.Int64Range(1, 4).Draw(t, "channels"), 4, 4))
	}
	for i := range rapid.IntRange(2, most).Draw(t, "ops") {
		n.step(fmt.Sprintf("op%d", i))
	}
	for _, id := range n.fresh {
		if n.g.Tensors[id].Role == graph.Activation {
			n.g.Tensors[id].Role = graph.Output
			n.g.Outputs = append(n.g.Outputs, id)
		}
	}
	return n.g
}

func (n *network) add(id graph.TensorID) { n.live, n.fresh = append(n.live, id), append(n.fresh, id) }

// pick draws a tensor to read, the latest more often than others.
func (n *network) pick() graph.TensorID {
	id := n.live[len(n.live)-1]
	if rapid.Bool().Draw(n.t, "any") {
		id = rapid.SampledFrom(n.live).Draw(n.t, "operand")
	}
	n.fresh = slices.DeleteFunc(n.fresh, func(x graph.TensorID) bool { return x == id })
	return id
}

func (n *network) channels(id graph.TensorID) int64 { return n.g.Tensors[id].Shape[1] }

func (n *network) result(name string, channels int64) graph.TensorID {
	id := n.tensor(name, graph.Activation, graph.Float32, 1, channels, 4, 4)
	n.add(id)
	return id
}

func (n *network) values(name string, shape ...int64) graph.TensorID {
	count, _ := graph.Shape(shape).Elements()
	list := make([]float32, count)
	for i := range list {
		list[i] = float32(i%7)/4 + 0.25
	}
	return n.constant(name, shape, list...)
}

func (n *network) integers(name string, values ...int64) graph.TensorID {
	id := n.tensor(name, graph.Constant, graph.Int64, int64(len(values)))
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	n.g.Tensors[id].Data = graph.Bytes(data)
	return id
}

func (n *network) step(name string) {
	x := n.pick()
	c := n.channels(x)
	if c > 20 {
		n.op("Relu", name, ids(n.result(name, c)), ids(x), nil)
		return
	}
	switch rapid.IntRange(0, 9).Draw(n.t, "kind") {
	case 0:
		n.op(rapid.SampledFrom([]string{"Relu", "Sigmoid", "Abs", "Neg", "Tanh", "Softmax", "LpNormalization"}).Draw(n.t, "unary"), name, ids(n.result(name, c)), ids(x), nil)
	case 1, 2:
		y := n.pick()
		if n.channels(y) != c && n.channels(y) != 1 && c != 1 {
			y = x
		}
		n.op(rapid.SampledFrom([]string{"Add", "Sub", "Mul", "Max"}).Draw(n.t, "binary"), name, ids(n.result(name, max(c, n.channels(y)))), ids(x, y), nil)
	case 3, 4:
		pieces := ids(x, n.pick())
		if rapid.Bool().Draw(n.t, "third") {
			pieces = append(pieces, n.pick())
		}
		total := int64(0)
		for _, id := range pieces {
			total += n.channels(id)
		}
		n.op("Concat", name, ids(n.result(name, total)), pieces, graph.Attrs{"axis": int64(1)})
	case 5:
		first := rapid.Int64Range(1, c).Draw(n.t, "first")
		if first == c {
			n.op("Identity", name, ids(n.result(name, c)), ids(x), nil)
			return
		}
		a, b := n.result(name+"a", first), n.result(name+"b", c-first)
		n.op("Split", name, ids(a, b), ids(x, n.integers(name+"sizes", first, c-first)), graph.Attrs{"axis": int64(1)})
	case 6:
		from := rapid.Int64Range(0, c-1).Draw(n.t, "from")
		to := rapid.Int64Range(from+1, c).Draw(n.t, "to")
		n.op("Slice", name, ids(n.result(name, to-from)), ids(x, n.integers(name+"from", from), n.integers(name+"to", to), n.integers(name+"axes", 1)), nil)
	case 7:
		before, after := rapid.Int64Range(0, 2).Draw(n.t, "before"), rapid.Int64Range(0, 2).Draw(n.t, "after")
		n.op("Pad", name, ids(n.result(name, c+before+after)), ids(x, n.integers(name+"pads", 0, before, 0, 0, 0, after, 0, 0)), nil)
	case 8:
		out := rapid.Int64Range(1, 4).Draw(n.t, "filters")
		// The graph file holds small constants only.
		kernel, pad := int64(3), int64(1)
		if out*c > 24 {
			kernel, pad = 1, 0
		}
		n.op("Conv", name, ids(n.result(name, out)), ids(x, n.values(name+"w", out, c, kernel, kernel), n.values(name+"b", out)), graph.Attrs{"pads": []int64{pad, pad, pad, pad}})
	default:
		n.op("BatchNormalization", name, ids(n.result(name, c)), ids(x, n.values(name+"s", c), n.values(name+"o", c), n.values(name+"m", c), n.values(name+"v", c)), nil)
	}
}

// planGraph plans a graph through its native file on the host device.
func planGraph(t require.TestingT, g *graph.Graph, change func(*config.Planner)) *planner.Result {
	var text bytes.Buffer
	require.NoError(t, native.Write(&text, g))
	cfg := config.Bare("net.json", nil)
	change(&cfg.Planner)
	open := func(path string) (*source.File, error) { return source.FromBytes(path, text.Bytes()), nil }
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: open, Version: "test"})
	require.NoError(t, err, "%s", text.String())
	require.False(t, diags.HasErrors(), "%v", diags)
	return result
}

func runPoisoned(t require.TestingT, open opener, p *plan.Plan, g *graph.Graph, inputs map[string]*array.Array) map[string]*array.Array {
	dev, err := open()
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	r, diags, err := exec.New(background, p, "net", g, dev, exec.Options{Poison: true})
	require.NoError(t, err)
	require.Empty(t, diags)
	var outputs map[string]*array.Array
	for range 2 {
		// The second run shows whether the first destroyed what it must keep.
		outputs, diags, err = r.Run(background, inputs)
		require.NoError(t, err)
		require.Empty(t, diags)
	}
	return outputs
}

func inputsOf(g *graph.Graph) map[string]*array.Array {
	inputs := map[string]*array.Array{}
	for k, id := range g.Inputs {
		t := &g.Tensors[id]
		n, _ := t.Shape.Elements()
		values := make([]float32, n)
		for i := range values {
			values[i] = float32((i*37+k*11)%23)/8 - 1
		}
		inputs[t.Name] = floatArray(t.Shape, values...)
	}
	return inputs
}

func plainly(p *config.Planner) { p.Order, p.Views, p.Rewrite = "source", []string{}, []string{} }

// sharings are the settings under which every graph gives the outputs of the plain plan, and takes no more memory.
var sharings = map[string]func(*config.Planner){
	"in place":  func(p *config.Planner) { p.Views = []string{"reshape", "inplace"} },
	"pieces":    func(p *config.Planner) { p.Views = []string{"reshape", "concat"} },
	"all views": func(p *config.Planner) { p.Views = []string{"reshape", "inplace", "concat"} },
	"an order":  func(p *config.Planner) { p.Order = "memory" },
	"fused":     func(p *config.Planner) { p.Rewrite, p.Views = []string{"fold", "fuse"}, []string{"reshape", "inplace"} },
	"partial sums": func(p *config.Planner) {
		p.Rewrite, p.Views = []string{"fold", "partial_sums"}, []string{"reshape", "inplace"}
	},
	"all of them": func(p *config.Planner) { p.Order, p.Views = "memory", []string{"reshape", "inplace", "concat"} },
}

// requireClose compares outputs whose products were rounded at other places.
func requireClose(t require.TestingT, want, got map[string]*array.Array) {
	require.Len(t, got, len(want))
	for name, a := range want {
		largest := 1.0
		for _, v := range floatsOf(a) {
			if size := math.Abs(float64(v)); !math.IsInf(size, 0) {
				largest = max(largest, size)
			}
		}
		other := floatsOf(got[name])
		require.Len(t, other, len(floatsOf(a)), name)
		for i, v := range floatsOf(a) {
			if !near(float64(v), float64(other[i]), 1e-5*largest) {
				require.Failf(t, "differs", "%s[%d] is %v, and %v was wanted", name, i, other[i], v)
			}
		}
	}
}

// rounded are the settings whose results are rounded at other places, and which may take more memory on graphs that they do not
// suit.
var rounded = map[string]bool{"fused": true, "partial sums": true}

// pieces are the settings under which tensors lie within others.
var pieces = map[string]bool{"pieces": true, "all views": true, "all of them": true}

func TestSharingBytesChangesNoOutput(t *testing.T) {
	for name, change := range sharings {
		t.Run(name, func(t *testing.T) {
			saved, gaps := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				g := drawNetwork(t, 10)
				plain := planGraph(t, g, plainly)
				shared := planGraph(t, g, change)
				if !rounded[name] {
					require.LessOrEqual(t, shared.Plan.Pools[0].Peak, plain.Plan.Pools[0].Peak)
				}
				if shared.Plan.Pools[0].Peak < plain.Plan.Pools[0].Peak {
					saved++
				}
				for i := range shared.Plan.Graphs[0].Tensors {
					gaps += len(shared.Plan.Graphs[0].Tensors[i].Gaps)
				}
				inputs := inputsOf(g)
				want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
				got := runPoisoned(t, hostDevice, shared.Plan, shared.Graphs[0], inputs)
				if !rounded[name] {
					require.Equal(t, want, got)
					return
				}
				requireClose(t, want, got)
			})
			require.Positive(t, saved, "no graph gained anything")
			if pieces[name] {
				require.Positive(t, gaps, "no piece died before its whole, or was written after it")
			}
		})
	}
}
