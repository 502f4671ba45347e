package rewrite_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
)

// netBuilder makes graphs whose tensors have the shape [1, channels, 1, 1], named by what it is given.
type netBuilder struct{ graph.Graph }

func (b *netBuilder) tensor(name string, role graph.Role, shape ...int64) graph.TensorID {
	b.Tensors = append(b.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: shape})
	id := graph.TensorID(len(b.Tensors) - 1)
	if role == graph.Input {
		b.Inputs = append(b.Inputs, id)
	}
	return id
}

func (b *netBuilder) constant(name string, shape []int64, values ...float32) graph.TensorID {
	id := b.tensor(name, graph.Constant, shape...)
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	b.Tensors[id].Data = graph.Bytes(data)
	return id
}

func (b *netBuilder) op(kind string, outputs []graph.TensorID, inputs ...graph.TensorID) {
	b.Ops = append(b.Ops, graph.Op{Name: fmt.Sprintf("%s%d", kind, len(b.Ops)), Op: kind, Inputs: inputs, Outputs: outputs, Attrs: graph.Attrs{}})
}

// output makes a tensor an output of the graph.
func (b *netBuilder) output(id graph.TensorID) {
	b.Outputs = append(b.Outputs, id)
	if b.Tensors[id].Role == graph.Activation {
		b.Tensors[id].Role = graph.Output
	}
}

func TestASumWithALaterResultRunsBehindIt(t *testing.T) {
	for name, second := range map[string]int{"the first of two results": 0, "the second of two results": 1} {
		t.Run(name, func(t *testing.T) {
			b := &netBuilder{}
			x, w := b.tensor("x", graph.Input, 1, 2, 1, 1), b.constant("w", []int64{2, 2, 1, 1}, 1, 2, 3, 4)
			z := b.tensor("z", graph.Input, 1, 4, 1, 1)
			c := b.tensor("c", graph.Activation, 1, 2, 1, 1)
			s := []graph.TensorID{b.tensor("s0", graph.Activation, 1, 2, 1, 1), b.tensor("s1", graph.Activation, 1, 2, 1, 1)}
			y := b.tensor("y", graph.Activation, 1, 2, 1, 1)
			b.op("Conv", []graph.TensorID{c}, x, w)
			b.op("Split", s, z)
			b.op("Add", []graph.TensorID{y}, c, s[second])
			b.output(y)
			fused, _ := rewrite.Fuse(&b.Graph, nil)
			require.NoError(t, fused.Validate())
			require.Len(t, fused.Ops, 2)
			require.Equal(t, []string{"Conv", "Add"}, fused.Ops[1].Fused)
			require.Equal(t, valuesOf(t, &b.Graph)["y"], valuesOf(t, fused)["y"])
		})
	}
}

func TestASumWithTheResultOfAnOpWithoutOperandsRunsBehindIt(t *testing.T) {
	b := &netBuilder{}
	x, w := b.tensor("x", graph.Input, 1, 2, 1, 1), b.constant("w", []int64{2, 2, 1, 1}, 1, 2, 3, 4)
	c, s, y := b.tensor("c", graph.Activation, 1, 2, 1, 1), b.tensor("s", graph.Activation, 1, 2, 1, 1), b.tensor("y", graph.Activation, 1, 2, 1, 1)
	b.op("Conv", []graph.TensorID{c}, x, w)
	b.op("RandomNormal", []graph.TensorID{s})
	b.op("Add", []graph.TensorID{y}, s, c)
	b.output(y)
	fused, _ := rewrite.Fuse(&b.Graph, nil)
	require.NoError(t, fused.Validate())
	require.Len(t, fused.Ops, 2)
}

func TestAConvolutionOfStateDoesNotMovePastItsWriter(t *testing.T) {
	b := &netBuilder{}
	w, state := b.constant("w", []int64{2, 2, 1, 1}, 1, 2, 3, 4), b.tensor("state", graph.State, 1, 2, 1, 1)
	c, s, y := b.tensor("c", graph.Activation, 1, 2, 1, 1), b.tensor("s", graph.Activation, 1, 2, 1, 1), b.tensor("y", graph.Activation, 1, 2, 1, 1)
	x := b.tensor("x", graph.Input, 1, 2, 1, 1)
	b.op("Conv", []graph.TensorID{c}, state, w)
	b.op("Neg", []graph.TensorID{state}, x)
	b.op("Neg", []graph.TensorID{s}, x)
	b.op("Add", []graph.TensorID{y}, c, s)
	b.output(y)
	fused, notes := rewrite.Fuse(&b.Graph, nil)
	require.Empty(t, notes)
	require.Len(t, fused.Ops, 4)
}

// drawNet draws a graph of convolutions and what may follow them, of ops with two results and of concatenations, and some of
// its tensors as those that the configuration names.
func drawNet(t *rapid.T) (*graph.Graph, map[graph.TensorID]bool) {
	b := &netBuilder{Graph: graph.Graph{Name: "net"}}
	small := []graph.TensorID{b.tensor("x", graph.Input, 1, 2, 1, 1)}
	wide := []graph.TensorID{b.tensor("z", graph.Input, 1, 4, 1, 1)}
	small = append(small, b.constant("same", []int64{1, 2, 1, 1}, 3, -7))
	// Recent tensors are drawn more often: they have no other reader yet.
	pick := func(from []graph.TensorID) graph.TensorID {
		return from[len(from)-1-min(rapid.IntRange(0, 2).Draw(t, "back"), rapid.IntRange(0, len(from)-1).Draw(t, "operand"))]
	}
	value := rapid.SampledFrom([]float32{-2, -1, 0, 1, 2})
	values := func(n int) (list []float32) {
		for range n {
			list = append(list, value.Draw(t, "value"))
		}
		return list
	}
	for i := range rapid.IntRange(1, 14).Draw(t, "ops") {
		named := func(what string) string { return fmt.Sprintf("%s%d", what, i) }
		result := func(what string, n int64) graph.TensorID { return b.tensor(named(what), graph.Activation, 1, n, 1, 1) }
		switch kind := rapid.SampledFrom([]string{"Conv", "Conv", "ConvWide", "Add", "Add", "Bias", "BatchNormalization", "Relu", "Neg", "Split", "Concat"}).Draw(t, "op"); kind {
		case "Conv", "ConvWide":
			x, n := pick(small), int64(2)
			if kind == "ConvWide" {
				x, n = pick(wide), 4
			}
			inputs := []graph.TensorID{x, b.constant(named("w"), []int64{2, n, 1, 1}, values(int(2*n))...)}
			if rapid.Bool().Draw(t, "has a bias") {
				inputs = append(inputs, b.constant(named("b"), []int64{2}, values(2)...))
			}
			small = append(small, result("conv", 2))
			b.op("Conv", small[len(small)-1:], inputs...)
		case "Add":
			p, q := pick(small), pick(small)
			small = append(small, result("sum", 2))
			b.op("Add", small[len(small)-1:], p, q)
		case "Bias":
			p, q := pick(small), b.constant(named("summand"), []int64{1, 2, 1, 1}, values(2)...)
			small = append(small, result("sum", 2))
			b.op("Add", small[len(small)-1:], p, q)
		case "BatchNormalization":
			inputs := []graph.TensorID{pick(small)}
			for _, part := range []string{"scale", "offset", "mean"} {
				inputs = append(inputs, b.constant(named(part), []int64{2}, values(2)...))
			}
			inputs = append(inputs, b.constant(named("variance"), []int64{2}, 1, 4))
			small = append(small, result("norm", 2))
			b.op(kind, small[len(small)-1:], inputs...)
			b.Ops[len(b.Ops)-1].Attrs["epsilon"] = float32(0)
		case "Relu", "Neg":
			p := pick(small)
			small = append(small, result("y", 2))
			b.op(kind, small[len(small)-1:], p)
		case "Split":
			p := pick(wide)
			small = append(small, result("first", 2), result("second", 2))
			b.op(kind, slices.Clone(small[len(small)-2:]), p)
			b.Ops[len(b.Ops)-1].Attrs["axis"] = int64(1)
		case "Concat":
			p, q := pick(small), pick(small)
			wide = append(wide, result("joined", 4))
			b.op(kind, wide[len(wide)-1:], p, q)
			b.Ops[len(b.Ops)-1].Attrs["axis"] = int64(1)
		}
	}
	for i := range b.Ops {
		b.Ops[i].Outputs = slices.Clone(b.Ops[i].Outputs)
	}
	fixed := map[graph.TensorID]bool{}
	for id := range b.Tensors {
		switch rapid.IntRange(0, 19).Draw(t, "seen as") {
		case 0:
			fixed[graph.TensorID(id)] = true
		case 1:
			if b.Tensors[id].Role != graph.Input {
				b.output(graph.TensorID(id))
			}
		}
	}
	b.output(small[len(small)-1])
	return &b.Graph, fixed
}

// valuesOf runs a graph and returns the elements of each tensor that is there after it, by name. The channels are all that
// counts, so that a convolution is a product with a matrix.
func valuesOf(t require.TestingT, g *graph.Graph) map[string][]float64 {
	require.NoError(t, g.Validate())
	values := make([][]float64, len(g.Tensors))
	for i := range g.Tensors {
		tensor := &g.Tensors[i]
		switch {
		case tensor.Data != nil:
			data, err := tensor.Data.Read()
			require.NoError(t, err)
			for at := 0; at < len(data); at += 4 {
				values[i] = append(values[i], float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))))
			}
		case tensor.Role == graph.Input:
			values[i] = []float64{5, -3, 2, 7}[:tensor.Shape[1]]
		}
	}
	for i := range g.Ops {
		runOp(t, &g.Ops[i], values)
	}
	out := map[string][]float64{}
	for i := range g.Tensors {
		out[g.Tensors[i].Name] = values[i]
	}
	return out
}

// runOp computes the results of an op by its definition, and then what is fused to it.
func runOp(t require.TestingT, op *graph.Op, values [][]float64) {
	x := values[op.Inputs[0]]
	var y []float64
	switch op.Op {
	case "Conv":
		w := values[op.Inputs[1]]
		y = make([]float64, 2)
		for o := range y {
			for i, v := range x {
				y[o] += w[o*len(x)+i] * v
			}
			if len(op.Inputs) > 2 && op.Inputs[2] >= 0 {
				y[o] += values[op.Inputs[2]][o]
			}
		}
		for _, name := range op.Fused[min(1, len(op.Fused)):] {
			var other []float64
			if name == "Add" {
				other = values[op.Inputs[3]]
			}
			y = elementwise(t, name, y, other)
		}
	case "BatchNormalization":
		for c, v := range x {
			y = append(y, (v-values[op.Inputs[3]][c])*values[op.Inputs[1]][c]/math.Sqrt(values[op.Inputs[4]][c])+values[op.Inputs[2]][c])
		}
	case "Split":
		values[op.Outputs[1]], y = x[2:], x[:2]
	case "Concat":
		for _, id := range op.Inputs {
			y = append(y, values[id]...)
		}
	case "Add":
		y = elementwise(t, op.Op, x, values[op.Inputs[1]])
	default:
		y = elementwise(t, op.Op, x, nil)
	}
	values[op.Outputs[0]] = y
}

func elementwise(t require.TestingT, name string, x, other []float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		switch name {
		case "Add":
			y[i] += other[i]
		case "Relu":
			y[i] = max(y[i], 0)
		case "Neg":
			y[i] = -y[i]
		default:
			require.Fail(t, "no such op", name)
		}
	}
	return y
}

func TestAFusedGraphComputesTheSame(t *testing.T) {
	for name, rewriteIt := range map[string]func(*graph.Graph, map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note){
		"fuse": rewrite.Fuse, "partial sums": rewrite.PartialSums,
		"both": func(g *graph.Graph, fixed map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note) {
			fused, notes := rewrite.Fuse(g, fixed)
			again := map[graph.TensorID]bool{}
			for id := range fixed {
				again[fused.ByName(g.Tensors[id].Name)] = true
			}
			parted, more := rewrite.PartialSums(fused, again)
			return parted, append(notes, more...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g, fixed := drawNet(t)
				before := valuesOf(t, g)
				out, _ := rewriteIt(g, fixed)
				after := valuesOf(t, out)
				seen := slices.Clone(g.Outputs)
				for id := range fixed {
					if producer := g.Producers()[id]; producer >= 0 || slices.ContainsFunc(g.Ops, func(op graph.Op) bool { return slices.Contains(op.Inputs, id) }) {
						seen = append(seen, id)
					}
				}
				for _, id := range seen {
					tensor := g.Tensors[id].Name
					require.Contains(t, after, tensor)
					for i, want := range before[tensor] {
						require.InDelta(t, want, after[tensor][i], 1e-6*(1+math.Abs(want)), tensor)
					}
				}
				require.Equal(t, before, valuesOf(t, g), "the graph itself is not changed")
			})
		})
	}
}

func TestWeightsThatTheCallerSeesAreNotCut(t *testing.T) {
	net := func() *netBuilder {
		b := &netBuilder{}
		x, z := b.tensor("x", graph.Input, 1, 2, 1, 1), b.tensor("z", graph.Input, 1, 2, 1, 1)
		w := b.constant("w", []int64{2, 4, 1, 1}, 1, 2, 3, 4, 5, 6, 7, 8)
		joined, y := b.tensor("joined", graph.Activation, 1, 4, 1, 1), b.tensor("y", graph.Activation, 1, 2, 1, 1)
		b.op("Concat", []graph.TensorID{joined}, x, z)
		b.Ops[0].Attrs["axis"] = int64(1)
		b.op("Conv", []graph.TensorID{y}, joined, w)
		b.output(y)
		return b
	}
	for name, c := range map[string]struct {
		placed, output, stay bool
	}{
		"nobody sees them": {}, "the configuration names them": {placed: true, stay: true}, "they are an output": {output: true, stay: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := net()
			w, fixed := b.ByName("w"), map[graph.TensorID]bool{}
			if c.placed {
				fixed[w] = true
			}
			if c.output {
				b.output(w)
			}
			parted, notes := rewrite.PartialSums(&b.Graph, fixed)
			require.Equal(t, c.stay, len(notes) == 0)
			require.Equal(t, c.stay, parted.ByName("w") != graph.NoTensor)
			require.Equal(t, valuesOf(t, &b.Graph)["y"], valuesOf(t, parted)["y"])
		})
	}
}

func TestAPartOfAConvolutionHasANameOfItsOwn(t *testing.T) {
	for group, apart := range map[int64]func(*graph.Graph, map[graph.TensorID]bool) (*graph.Graph, []rewrite.Note){1: rewrite.PartialSums, 4: rewrite.DepthwiseBranches} {
		b := &netBuilder{}
		x, z, joined, y := b.tensor("x", graph.Input, 1, 2, 1, 1), b.tensor("z", graph.Activation, 1, 2, 1, 1), b.tensor("joined", graph.Activation, 1, 4, 1, 1), b.tensor("y", graph.Activation, 1, 4, 1, 1)
		b.op("Relu", []graph.TensorID{z}, x)
		b.op("Concat", []graph.TensorID{joined}, x, z)
		b.op("Conv", []graph.TensorID{y}, joined, b.constant("w", []int64{4, 4 / group, 1, 1}, make([]float32, 16/group)...))
		b.output(y)
		b.Ops[1].Attrs["axis"], b.Ops[2].Attrs["group"] = int64(1), group
		b.Ops[0].Name, b.Ops[2].Name = "conv/part0", "conv"
		parted, notes := apart(&b.Graph, nil)
		require.Len(t, notes, 1)
		seen := map[string]bool{}
		for i := range parted.Ops {
			require.False(t, seen[parted.Ops[i].Name], parted.Ops[i].Name)
			seen[parted.Ops[i].Name] = true
		}
		require.True(t, seen["conv/part0'"])
	}
}
