package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/planner/shape"
)

// drawBlocks draws networks of separable convolutions whose data and results are also pieces, wholes and views of other tensors.
func drawBlocks(t *rapid.T) *graph.Graph {
	e := &everything{windows: &windows{network: &network{builder: newBuilder(), t: t}}}
	e.add(e.tensor("x", graph.Input, graph.Float32, 1, e.draw("channels", 2, 6), 4, 4))
	steps := []func(string, graph.TensorID){e.block, e.block, e.block, e.concat, e.split, e.slice, e.unary, e.binary, e.reshape}
	for i := range e.draw("ops", 1, 6) {
		rapid.SampledFrom(steps).Draw(t, "step")(fmt.Sprintf("op%d", i), e.pick())
	}
	for id := range e.g.Tensors {
		fresh := false
		for _, x := range e.fresh {
			fresh = fresh || x == graph.TensorID(id)
		}
		if e.g.Tensors[id].Role == graph.Activation && (fresh || e.draw("output", 0, 9) == 0) {
			e.g.Tensors[id].Role = graph.Output
			e.g.Outputs = append(e.g.Outputs, graph.TensorID(id))
		}
	}
	return e.g
}

// block is a depthwise convolution and a pointwise one.
func (e *everything) block(name string, x graph.TensorID) {
	c := e.g.Tensors[x].Shape[1]
	if c < 2 || c > 30 {
		e.unary(name, x)
		return
	}
	between, filters := e.hidden(name+"between", graph.Float32, e.g.Tensors[x].Shape...), e.draw("filters", 1, 10)
	e.op("Conv", name+"depthwise", ids(between), ids(x, e.values(name+"w", c, 1, 3, 3)), graph.Attrs{"group": c, "pads": []int64{1, 1, 1, 1}})
	e.op("Conv", name, ids(e.like(name, x, 1, filters)), ids(between, e.values(name+"v", filters, c, 1, 1)), nil)
}

// leastOfDivisions is the least of the most live bytes in the given order, over all choices of what lies in place.
func leastOfDivisions(t require.TestingT, g *graph.Graph) int64 {
	least := int64(math.MaxInt64)
	for _, divided := range subsetsOf(g) {
		least = min(least, mostLive(t, g, divided))
	}
	return least
}

// Whatever buffers the data and the results of separable convolutions lie in, as one op they have no more live than as two.
func TestSeparableConvolutionsAsOneOpHaveNoMoreLive(t *testing.T) {
	fewer := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawBlocks(t)
		_, diags := shape.Infer(g, nil)
		require.Empty(t, diags)
		two, _ := rewrite.Fuse(g, nil)
		one, notes := rewrite.Separable(two, nil, nil)
		if len(notes) == 0 {
			return
		}
		apart, together := leastOfDivisions(t, two), leastOfDivisions(t, one)
		require.LessOrEqual(t, together, apart)
		if together < apart {
			fewer++
		}
	})
	require.Positive(t, fewer)
}
