package exec_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// padded draws x -> Relu or Neg -> one or two Pads -> windowed ops, each of whose results is an output; channels last in half of the cases.
type padded struct {
	*builder
	t    *rapid.T
	last bool
	n    int
}

// shape puts the axes of a picture in their order.
func (p *padded) shape(c, h, w int64) []int64 {
	if p.last {
		return []int64{1, h, w, c}
	}
	return []int64{1, c, h, w}
}

func (p *padded) integers(name string, values ...int64) graph.TensorID {
	n := network{builder: p.builder}
	return n.integers(name, values...)
}

func drawPadded(t *rapid.T) *graph.Graph {
	p := &padded{builder: newBuilder(), t: t, last: rapid.Bool().Draw(t, "channels last")}
	c, h, w := rapid.Int64Range(1, 5).Draw(t, "c"), rapid.Int64Range(3, 6).Draw(t, "h"), rapid.Int64Range(3, 6).Draw(t, "w")
	x := p.tensor("x", graph.Input, graph.Float32, p.shape(c, h, w)...)
	at := p.tensor("a", graph.Activation, graph.Float32, p.shape(c, h, w)...)
	before := rapid.SampledFrom([]string{"Relu", "Neg", "Sigmoid"}).Draw(t, "before")
	if before == "Neg" {
		// Nothing but negative values: zeros are larger than all of them.
		all := p.tensor("size", graph.Activation, graph.Float32, p.shape(c, h, w)...)
		p.op("Sigmoid", "sigmoid", ids(all), ids(x), nil)
		x = all
	}
	p.op(before, "before", ids(at), ids(x), nil)
	for i := range rapid.IntRange(1, 2).Draw(t, "pads") {
		top, left, bottom, right := p.amount(), p.amount(), p.amount(), p.amount()
		more := int64(0)
		if rapid.IntRange(0, 9).Draw(t, "channels too") == 0 {
			more = 1
		}
		value := graph.NoTensor
		if v, given := p.value(); given {
			value = p.constant(fmt.Sprintf("v%d", i), graph.Shape{}, v)
		}
		before, after := p.shape(0, top, left), p.shape(more, bottom, right)
		before[0], after[0] = 0, 0
		c, h, w = c+more, h+top+bottom, w+left+right
		y := p.tensor(fmt.Sprintf("padded%d", i), graph.Activation, graph.Float32, p.shape(c, h, w)...)
		p.op("Pad", fmt.Sprintf("pad%d", i), ids(y), ids(at, p.integers(fmt.Sprintf("amounts%d", i), slices.Concat(before, after)...), value), nil)
		at = y
	}
	for range rapid.IntRange(1, 3).Draw(t, "readers") {
		p.windowed(at, c, h, w)
	}
	return p.g
}

func (p *padded) amount() int64 { return rapid.SampledFrom([]int64{0, 0, 1, 1, 2}).Draw(p.t, "amount") }

// value is what is added: mostly 0, which is also what is added when none is given.
func (p *padded) value() (float32, bool) {
	switch rapid.IntRange(0, 5).Draw(p.t, "value") {
	case 0, 1:
		return 0, true
	case 2:
		return float32(math.Inf(-1)), true
	case 3:
		return 0.5, true
	}
	return 0, false
}

// windowed adds an op with a window, which has some padding itself.
func (p *padded) windowed(x graph.TensorID, c, h, w int64) {
	p.n++
	name := fmt.Sprintf("op%d", p.n)
	kind := rapid.SampledFrom([]string{"Conv", "Depthwise", "MaxPool", "AveragePool"}).Draw(p.t, "kind")
	k, stride, own := rapid.Int64Range(1, 3).Draw(p.t, "kernel"), rapid.Int64Range(1, 2).Draw(p.t, "stride"), int64(0)
	if k > 1 && rapid.IntRange(0, 3).Draw(p.t, "some padding") == 0 {
		own = 1
	}
	attrs := graph.Attrs{"kernel_shape": []int64{k, k}, "strides": []int64{stride, stride}}
	if own > 0 || rapid.Bool().Draw(p.t, "pads given") {
		attrs["pads"] = []int64{own, own, own, own}
	} else if rapid.Bool().Draw(p.t, "valid") {
		attrs["auto_pad"] = "VALID"
	}
	if p.last {
		attrs[graph.AttrDataLayout] = "NHWC"
	}
	out := c
	inputs := ids(x)
	n := network{builder: p.builder}
	switch kind {
	case "Conv":
		out = rapid.Int64Range(1, 4).Draw(p.t, "filters")
		inputs = ids(x, n.values(name+"w", out, c, k, k), n.values(name+"b", out))
	case "Depthwise":
		kind, attrs["group"] = "Conv", c
		inputs = ids(x, n.values(name+"w", c, 1, k, k))
	case "AveragePool":
		attrs["count_include_pad"] = rapid.Int64Range(0, 1).Draw(p.t, "counted")
	}
	y := p.tensor(name, graph.Output, graph.Float32, p.shape(out, (h+2*own-k)/stride+1, (w+2*own-k)/stride+1)...)
	p.op(kind, name, ids(y), inputs, attrs)
}

func TestConvolutionsAndPoolingsPadWhatTheyReadThemselves(t *testing.T) {
	folded := map[string]int{}
	for i := range 60 {
		g := rapid.Custom(drawPadded).Example(i)
		plain := planGraph(t, g, plainly)
		fused := planGraph(t, g, func(p *config.Planner) {
			p.Rewrite, p.Views = []string{"fuse"}, []string{"reshape", "inplace", "concat"}
		})
		require.LessOrEqual(t, fused.Plan.Pools[0].Peak, plain.Plan.Pools[0].Peak)
		count(folded, plain.Plan, fused.Plan)
		inputs := inputsOf(g)
		want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
		requireClose(t, want, runPoisoned(t, hostDevice, fused.Plan, fused.Graphs[0], inputs))
	}
	for _, kind := range []string{"Conv", "MaxPool", "AveragePool"} {
		require.Positive(t, folded[kind], "no %s took a padding over", kind)
	}
}

func TestConvolutionsAndPoolingsOnOpenCLPadWhatTheyReadThemselves(t *testing.T) {
	open := openclDevice(t)
	for i := range 12 {
		g := rapid.Custom(drawPadded).Example(i)
		plain := planGraph(t, g, plainly)
		fused := planGraph(t, g, func(p *config.Planner) { p.Rewrite = []string{"fuse"} })
		inputs := inputsOf(g)
		want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
		requireClose(t, want, runPoisoned(t, open, fused.Plan, fused.Graphs[0], inputs))
	}
}

// count notes the kinds of the ops that read what no op pads any more.
func count(folded map[string]int, before, after *plan.Plan) {
	pads := func(p *plan.Plan) (n int, readers []string) {
		made := map[string]bool{}
		for _, s := range p.Graphs[0].Steps {
			if s.Op == "Pad" {
				n++
				made[s.Outputs[0]] = true
			} else if len(s.Inputs) > 0 && made[s.Inputs[0]] {
				readers = append(readers, s.Op)
			}
		}
		return n, readers
	}
	n, readers := pads(before)
	if left, _ := pads(after); left < n {
		for _, kind := range readers {
			folded[kind]++
		}
	}
}
