package exec_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
)

// drawBranches draws x -> some 1 x 1 convolutions -> Concat -> a convolution in groups, perhaps with an activation -> perhaps
// a depthwise one -> a 1 x 1 convolution -> y, channels last in half of the cases. The groups do not always fit the branches.
func drawBranches(t *rapid.T) *graph.Graph {
	p := &padded{builder: newBuilder(), t: t, last: rapid.Bool().Draw(t, "channels last")}
	n := network{builder: p.builder}
	const side = 4
	layouts := graph.Attrs{}
	axis := int64(1)
	if p.last {
		layouts[graph.AttrDataLayout], axis = "NHWC", 3
	}
	conv := func(name string, role graph.Role, x graph.TensorID, in, out, group, kernel int64) graph.TensorID {
		y := p.tensor(name, role, graph.Float32, p.shape(out, side, side)...)
		if out*in/group > 24 {
			kernel = 1 // the graph file holds small constants only
		}
		attrs := graph.Attrs{"group": group, "pads": []int64{kernel / 2, kernel / 2, kernel / 2, kernel / 2}}
		for key, value := range layouts {
			attrs[key] = value
		}
		inputs := ids(x, n.values(name+"w", out, in/group, kernel, kernel))
		if rapid.Bool().Draw(t, "bias") {
			inputs = append(inputs, n.values(name+"b", out))
		}
		p.op("Conv", name, ids(y), inputs, attrs)
		return y
	}
	channels := rapid.Int64Range(1, 3).Draw(t, "channels")
	x := p.tensor("x", graph.Input, graph.Float32, p.shape(channels, side, side)...)
	group := rapid.Int64Range(1, 2).Draw(t, "channels of a group")
	var pieces []graph.TensorID
	total := int64(0)
	for i := range rapid.IntRange(2, 4).Draw(t, "branches") {
		c := group * rapid.Int64Range(1, 2).Draw(t, "groups of a branch")
		pieces, total = append(pieces, conv(fmt.Sprintf("branch%d", i), graph.Activation, x, channels, c, 1, 1)), total+c
	}
	if rapid.IntRange(0, 4).Draw(t, "wider groups") == 0 && total%(2*group) == 0 {
		group *= 2
	}
	joined := p.tensor("joined", graph.Activation, graph.Float32, p.shape(total, side, side)...)
	p.op("Concat", "concat", ids(joined), pieces, graph.Attrs{"axis": axis})
	out := total / group * rapid.Int64Range(1, 2).Draw(t, "results of a group")
	at := conv("grouped", graph.Activation, joined, total, out, total/group, 3)
	if rapid.Bool().Draw(t, "activation") {
		y := p.tensor("activation", graph.Activation, graph.Float32, p.shape(out, side, side)...)
		p.op("Relu", "relu", ids(y), ids(at), nil)
		at = y
	}
	if rapid.IntRange(0, 2).Draw(t, "a second one") == 0 {
		at = conv("again", graph.Activation, at, out, out, out, 3)
	}
	conv("y", graph.Output, at, out, 2, 1, 1)
	return p.g
}

func TestAGroupedConvolutionGoesThroughTheBranches(t *testing.T) {
	for name, c := range map[string]struct {
		rewrites []string
		exact    bool
	}{
		"alone":             {[]string{"depthwise_branches"}, true},
		"after fusing":      {[]string{"fuse", "depthwise_branches"}, true},
		"with partial sums": {[]string{"fuse", "depthwise_branches", "partial_sums"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			branched, left, saved := 0, 0, 0
			for i := range 24 {
				g := rapid.Custom(drawBranches).Example(i)
				without := slices.DeleteFunc(slices.Clone(c.rewrites), func(name string) bool { return name == "depthwise_branches" || name == "partial_sums" })
				plan := func(rewrites []string) func(*config.Planner) {
					return func(p *config.Planner) {
						p.Order, p.Views, p.Rewrite = "memory", []string{"reshape", "inplace", "concat"}, rewrites
					}
				}
				plain, changed := planGraph(t, g, plan(without)), planGraph(t, g, plan(c.rewrites))
				if done := changed.Graphs[0].ByName("grouped/part0:0") != graph.NoTensor; done {
					branched++
				} else {
					left++
				}
				if changed.Plan.Pools[0].Peak < plain.Plan.Pools[0].Peak {
					saved++
				}
				inputs := inputsOf(g)
				want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
				got := runPoisoned(t, hostDevice, changed.Plan, changed.Graphs[0], inputs)
				if c.exact {
					require.Equal(t, want, got)
				}
				requireClose(t, want, got)
			}
			require.Positive(t, branched, "no convolution went through branches")
			require.Positive(t, left, "every convolution went through branches")
			require.Positive(t, saved, "no graph gained anything")
		})
	}
}
