package scope_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
)

// stem is x -> Conv(w) -> p -> Relu -> q -> Softmax -> y and q -> Sigmoid -> z, of rank 4.
func stem() *net {
	return new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW", 1, 4, 8, 8).
		tensor("w", graph.Constant, graph.Float32, "OIHW", 8, 4, 3, 3).
		tensor("p", graph.Activation, graph.Float32, "NCHW", 1, 8, 6, 6).
		tensor("q", graph.Activation, graph.Float32, "", 1, 8, 6, 6).
		tensor("y", graph.Output, graph.Float32, "", 1, 8, 6, 6).
		tensor("z", graph.Output, graph.Float32, "", 1, 8, 6, 6).
		op("Conv", []string{"x", "w"}, "p").
		op("Relu", []string{"p"}, "q").
		op("Softmax", []string{"q"}, "y").
		op("Sigmoid", []string{"q"}, "z")
}

func order(tensor, where string) scope.Rule {
	return scope.Rule{Address: "scope_rule." + tensor, Tensor: []string{tensor}, Scope: where}
}

func wish(tensor, where string, penalty int64) scope.Rule {
	rule := order(tensor, where)
	rule.Penalty = &penalty
	return rule
}

// scopesOf lists the scopes of the tensors, and the copies.
func scopesOf(r *scope.Result) (scopes, copies []string) {
	for _, decision := range r.Tensors {
		scopes = append(scopes, decision.Scope)
	}
	for _, copied := range r.Copies {
		copies = append(copies, copied.Name)
	}
	return scopes, copies
}

func TestOrdersAndWishes(t *testing.T) {
	const x, wBytes, p, q = 4 * 4 * 64, 4 * 8 * 4 * 9, 4 * 8 * 36, 4 * 8 * 36
	for _, c := range []struct {
		name              string
		rules             []scope.Rule
		scopes, copies    []string
		copied, penalties int64
	}{
		{"an order is followed, and what it costs is copied", []scope.Rule{order("q", a)},
			[]string{a, g, a, a, g, g}, []string{"q@" + g}, q, 0},
		{"a wish that costs more than its penalty is denied", []scope.Rule{wish("q", a, q-1)},
			[]string{g, g, g, g, g, g}, nil, 0, q - 1},
		{"a wish that costs its penalty is denied", []scope.Rule{wish("q", a, q)},
			[]string{g, g, g, g, g, g}, nil, 0, q},
		{"a wish that costs less is granted", []scope.Rule{wish("q", a, q+1)},
			[]string{a, g, a, a, g, g}, []string{"q@" + g}, q, 0},
		{"wishes add up", []scope.Rule{wish("q", a, q/2), wish("p", a, q/2+1)},
			[]string{g, g, a, a, g, g}, []string{"q@" + g}, q, 0},
		{"a wish for flat memory is one as well", []scope.Rule{order("w", w), wish("p", g, 5000), order("x", a)},
			[]string{a, w, g, g, g, g}, []string{"x@" + g, "w@" + g}, x + wBytes, 0},
		{"weights in an image bring their convolution with them", []scope.Rule{order("w", w), order("x", a)},
			[]string{a, w, a, g, g, g}, []string{"p@" + g}, p, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, diags := scope.Decide(adreno(&stem().Graph, "mincopy", c.rules...))
			require.Empty(t, diags)
			scopes, copies := scopesOf(r)
			require.Equal(t, c.scopes, scopes)
			require.Equal(t, c.copies, copies)
			require.Equal(t, []int64{c.copied, c.penalties}, []int64{r.CopiedBytes, r.PenaltyBytes})
			require.True(t, r.Exact)
		})
	}
}

func TestATextureHasItsGeometryAndItsPools(t *testing.T) {
	q := adreno(&stem().Graph, "mincopy", order("q", a))
	q.Pools = append(q.Pools, scope.Pool{Name: "mixed", Device: "gpu", Type: "flat", Holds: graph.Roles, Images: true})
	r, _ := scope.Decide(q)
	require.Equal(t, []int{1, 0, 2}, r.Tensors[3].Pools)
	require.Equal(t, 1, r.Tensors[3].Images)
	require.Equal(t, int64(6), r.Tensors[3].Geometry.Width)
	require.Equal(t, int64(12), r.Tensors[3].Geometry.Height)
	require.Equal(t, 0, r.Tensors[3].Rule)
	require.Empty(t, r.Tensors[3].Policy)
	require.Equal(t, "mincopy", r.Tensors[2].Policy)

	q.Device.Image2D.FromBuffer = true
	r, _ = scope.Decide(q)
	require.Equal(t, []int{1, 2, 0}, r.Tensors[3].Pools)
	require.Equal(t, 2, r.Tensors[3].Images)

	q.Rules[0].Pools = []int{0, 2}
	r, _ = scope.Decide(q)
	require.Equal(t, []int{2, 0}, r.Tensors[3].Pools)
	require.Equal(t, 1, r.Tensors[3].Images)
}

func TestATensorThatCannotBeATextureIsFlatAloneAndSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name    string
		tensor  string
		change  func(q *scope.Request, t *graph.Tensor)
		because string
	}{
		{"its rank", "q", func(_ *scope.Request, t *graph.Tensor) { t.Shape = graph.Shape{8, 36} }, "rank 2, and an image needs rank 4 in a known layout or rank 5 with a last axis of 4"},
		{"its channels", "p", func(_ *scope.Request, t *graph.Tensor) { t.Shape[1] = 3 }, "channels 3 < 4, the channels of one texel"},
		{"its element type", "p", func(_ *scope.Request, t *graph.Tensor) { t.DType = graph.Int64 },
			"element type int64 has no texel format; textures hold float32, float16, int8, int16, int32, uint8, uint16, uint32"},
		{"the device's limits", "p", func(q *scope.Request, t *graph.Tensor) { q.Device.Image2D.MaxHeight = 11 }, "height 12 exceeds max_height 11"},
		{"its producer", "y", func(*scope.Request, *graph.Tensor) {}, "no kernel of Softmax writes global.texture"},
		{"its pools", "p", func(q *scope.Request, _ *graph.Tensor) { q.Pools[1].Holds = changing[:1] }, "no pool for images on device gpu holds activation"},
		{"the pools of the rule", "p", func(q *scope.Request, _ *graph.Tensor) { q.Rules[0].Pools = []int{0} }, "scope_rule.p names no pool for images on device gpu"},
		{"its pin", "p", func(q *scope.Request, _ *graph.Tensor) {
			q.Pins = map[graph.TensorID]scope.Pin{2: {Address: `place "p"`, Pool: 0}}
		}, `place "p" puts it into pool arena, which is flat`},
		{"its role", "w", func(_ *scope.Request, t *graph.Tensor) { t.Role = graph.State }, "state changes in place, and images do not"},
		{"full pools", "p", func(q *scope.Request, _ *graph.Tensor) {
			q.Forbidden = map[graph.TensorID]string{2: "the image pools are full"}
		}, "the image pools are full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := stem()
			id := n.ByName(c.tensor)
			q := adreno(&n.Graph, "mincopy", order(c.tensor, a))
			c.change(&q, &n.Tensors[id])
			r, diags := scope.Decide(q)
			require.Equal(t, g, r.Tensors[id].Scope)
			require.Equal(t, []scope.Exclusion{{Scope: a, Because: c.because}}, r.Tensors[id].Excluded)
			require.Len(t, diags, 1)
			require.Equal(t, "MP0509", string(diags[0].ID))
			require.Contains(t, diags[0].Detail, fmt.Sprintf("scope %q for the tensor %q, which stays in flat memory: %s", a, c.tensor, c.because))
			require.False(t, diags.HasErrors())
		})
	}
}

func TestDenialsOfARuleAreOneWarning(t *testing.T) {
	n := new(net).tensor("x", graph.Input, graph.Float32, "", 1, 3, 8, 8)
	for i := range 24 {
		n.tensor(fmt.Sprintf("t%d", i), graph.Activation, graph.Float32, "", 1, 3, 8, 8).op("Relu", []string{"x"}, fmt.Sprintf("t%d", i))
	}
	_, diags := scope.Decide(adreno(&n.Graph, "mincopy", order("t*", a)))
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `asks for scope "global.texture" for 24 tensors of graph "net" that stay in flat memory, first for "t0", "t1" and "t2" (channels 3 < 4,`)
}

func TestAnOperandThatIsNoImageIsWhyItsReaderWritesNone(t *testing.T) {
	n := new(net).tensor("x", graph.Input, graph.Float32, "NCHW", 1, 8, 8, 8).tensor("full", graph.Activation, graph.Float32, "NCHW", 1, 8, 8, 8).
		tensor("result", graph.Activation, graph.Float32, "NCHW", 1, 8, 8, 8).tensor("y", graph.Output, graph.Float32, "NCHW", 1, 8, 8, 8).
		op("Relu", []string{"x"}, "full").op("Relu", []string{"full"}, "result").op("Softmax", []string{"result"}, "y")
	q := adreno(&n.Graph, "mincopy", order("result", a))
	q.Forbidden = map[graph.TensorID]string{1: "an image of 8 x 16 texels did not fit"}
	r, diags := scope.Decide(q)
	require.Equal(t, []scope.Exclusion{{Scope: a, Because: `the kernel of Relu that writes global.texture reads "full" from global.texture, and an image of 8 x 16 texels did not fit`}}, r.Tensors[2].Excluded)
	require.Len(t, diags, 1)
}

func TestPinsAndPoolsOfImagesMakeTextures(t *testing.T) {
	q := adreno(&stem().Graph, "flat", scope.Rule{Address: "scope_rule.p", Tensor: []string{"p"}, Pools: []int{1}})
	r, diags := scope.Decide(q)
	require.Empty(t, diags)
	require.Equal(t, a, r.Tensors[2].Scope)

	q.Rules = nil
	q.Pins = map[graph.TensorID]scope.Pin{2: {Address: `place "p"`, Pool: 1}}
	r, diags = scope.Decide(q)
	require.Empty(t, diags)
	require.Equal(t, a, r.Tensors[2].Scope)
	require.Equal(t, []int{1}, r.Tensors[2].Pools)
	require.Equal(t, 1, r.Tensors[2].Images)

	q.Pins = map[graph.TensorID]scope.Pin{4: {Address: `place "y"`, Pool: 1}}
	_, diags = scope.Decide(q)
	require.Equal(t, "MP0507", string(diags[0].ID))
}

func TestOutputsOfOneOpHaveScopesOfTheirOwn(t *testing.T) {
	n := new(net).
		tensor("x", graph.Input, graph.Float32, "NCHW", 1, 8, 8, 8).
		tensor("p", graph.Activation, graph.Float32, "NCHW", 1, 4, 8, 8).
		tensor("q", graph.Activation, graph.Float32, "NCHW", 1, 4, 8, 8).
		tensor("y", graph.Output, graph.Float32, "NCHW", 1, 8, 8, 8).
		op("Split", []string{"x"}, "p", "q").op("Concat", []string{"p", "q"}, "y")
	q := adreno(&n.Graph, "mincopy", order("p", a), order("q", h))
	r, diags := scope.Decide(q)
	require.Len(t, diags, 2, "no kernel of Split writes images")
	require.Equal(t, g, r.Tensors[1].Scope)

	q.Variants = []scope.Variant{{Op: []string{"Split"}, Scopes: map[string][]string{"data": {g}, "output": {g, a, h}}}}
	r, diags = scope.Decide(q)
	require.Empty(t, diags)
	scopes, copies := scopesOf(r)
	require.Equal(t, []string{g, a, h, g}, scopes)
	require.Equal(t, []string{"p@" + g, "q@" + g}, copies)

	q.Variants[0].Scopes["output"] = []string{g, a}
	r, diags = scope.Decide(q)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, "no kernel of Split writes "+h)
	require.Equal(t, a, r.Tensors[1].Scope)
}

func TestConsumersShareACopyAndItStandsBeforeTheFirst(t *testing.T) {
	n := stem()
	n.Tensors[5].Name = "q@global"
	q := adreno(&n.Graph, "flat", order("x", a), order("w", w), order("q", a))
	n.op("LogSoftmax", []string{"q"}, "y")
	n.Ops[4].Outputs[0] = graph.TensorID(len(n.Tensors))
	n.tensor("last", graph.Output, graph.Float32, "", 1, 8, 6, 6)
	r, diags := scope.Decide(q)
	require.Empty(t, diags)
	require.Len(t, r.Copies, 4)
	last := r.Copies[3]
	require.Equal(t, []scope.Use{{Op: 2}, {Op: 3}, {Op: 4}}, last.Uses)
	require.Equal(t, "Softmax make_y reads it in global", last.Because)

	grown, result := scope.InsertCopies(&n.Graph, r)
	require.NoError(t, grown.Validate())
	require.Len(t, n.Ops, 5)
	require.Equal(t, graph.TensorID(3), n.Ops[2].Inputs[0])
	var ops []string
	for _, op := range grown.Ops {
		ops = append(ops, op.Op)
	}
	require.Equal(t, "Copy Copy Conv Copy Relu Copy Softmax Sigmoid LogSoftmax", strings.Join(ops, " "))
	shared := result.Copies[3]
	require.Equal(t, "q@global'", shared.Name, "the name was taken")
	require.Equal(t, []scope.Use{{Op: 6}, {Op: 7}, {Op: 8}}, shared.Uses)
	require.Equal(t, graph.Op{
		Name: "q@global'", Op: "Copy", Domain: "memplan", Inputs: []graph.TensorID{3}, Outputs: []graph.TensorID{shared.Result}, Attrs: graph.Attrs{"scope": "global"},
	}, grown.Ops[shared.Step])
	require.Equal(t, graph.Activation, grown.Tensors[shared.Result].Role)
	require.Equal(t, scope.Decision{Scope: "global", Rule: -1, Policy: "flat", Pools: []int{0}}, result.Tensors[shared.Result])
}

func TestMatchesOfRankLayoutGraphAndDevice(t *testing.T) {
	for _, c := range []struct {
		name string
		rule scope.Rule
		want int
	}{
		{"a rank", scope.Rule{Rank: []int64{4, 7}}, 6},
		{"another rank", scope.Rule{Rank: []int64{3}}, 0},
		{"a layout", scope.Rule{Layout: []string{"OIHW"}}, 1},
		{"the graph", scope.Rule{Graph: []string{"n*"}}, 6},
		{"another graph", scope.Rule{Graph: []string{"m*"}}, 0},
		{"the device", scope.Rule{Device: []string{"cpu", "gpu"}}, 6},
		{"another device", scope.Rule{Device: []string{"cpu"}}, 0},
		{"consumers and producer", scope.Rule{Condition: func(t scope.TensorFacts, _ scope.OpFacts) (bool, error) {
			return t.Consumers == 2 && t.Producer == "make_q" && t.Rank == 4, nil
		}}, 1},
		{"sides of images", scope.Rule{Condition: func(t scope.TensorFacts, _ scope.OpFacts) (bool, error) {
			return t.Images[w] == scope.Sides{Width: 36, Height: 2} && t.Images[a].Height == 24, nil
		}}, 1},
		{"an attribute", scope.Rule{ConditionReadsOp: true, Condition: func(_ scope.TensorFacts, op scope.OpFacts) (bool, error) {
			return op.Attrs.Int("group", 0) == 1, nil
		}}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := stem()
			n.Ops[0].Attrs = graph.Attrs{"group": int64(1)}
			r, diags := scope.Decide(adreno(&n.Graph, "mincopy", c.rule))
			require.Empty(t, diags)
			matched := 0
			for _, decision := range r.Tensors {
				if decision.Rule == 0 {
					matched++
				}
			}
			require.Equal(t, c.want, matched)
		})
	}
}

func TestNamesThatDoNotExist(t *testing.T) {
	glob := scope.Rule{Address: "scope_rule.t", Graph: []string{"net[1"}}
	for _, c := range []struct {
		id, says string
		change   func(q *scope.Request)
	}{
		{"MP0510", `matches graphs by the glob "net[1"`, func(q *scope.Request) { q.Rules = []scope.Rule{glob} }},
		{"MP0511", `Did you mean "mincopy"?`, func(q *scope.Request) { q.Policy = "mincpy" }},
		{"MP0512", `operand "weigth"`, func(q *scope.Request) {
			q.Variants = []scope.Variant{{Op: []string{"Conv"}, Scopes: map[string][]string{"weigth": {g}}}}
		}},
		{"MP0512", `scope "global.image"`, func(q *scope.Request) {
			q.Variants = []scope.Variant{{Op: []string{"Conv"}, Scopes: map[string][]string{"data": {"global.image"}}}}
		}},
	} {
		t.Run(c.id+" "+c.says, func(t *testing.T) {
			q := adreno(&stem().Graph, "")
			c.change(&q)
			_, diags := scope.Decide(q)
			require.Len(t, diags, 1)
			require.Equal(t, c.id, string(diags[0].ID))
			require.Contains(t, diags[0].Detail, c.says)
		})
	}
}

func TestWhatWasPossibleAndNotTakenIsRecordedWithItsNumbers(t *testing.T) {
	r, _ := scope.Decide(adreno(&stem().Graph, "mincopy", wish("q", a, 100)))
	require.Equal(t, []scope.Exclusion{
		{Scope: a, Because: "mincopy: the penalty of 100 bytes is no more than the copies saved"},
		{Scope: w, Because: "mincopy: its readers copy 0 bytes now and would copy 1152"},
		{Scope: h, Because: "mincopy: its readers copy 0 bytes now and would copy 1152"},
	}, r.Tensors[3].Excluded)
	require.Equal(t, "graph outputs are flat unless a rule without a penalty says otherwise", r.Tensors[4].Excluded[0].Because)
	require.Equal(t, 0, r.Tensors[3].Rule)
	require.Equal(t, "mincopy", r.Tensors[3].Policy)

	r, _ = scope.Decide(adreno(&small(3, 3).Graph, "tvm-relay"))
	require.Equal(t, "tvm-relay chooses global.texture for the shape [1, 8, 40, 40, 4]", r.Tensors[1].Excluded[1].Because)
	require.Equal(t, "0 of its 1 uses ask for a texture", r.Tensors[2].Excluded[0].Because)
	r, _ = scope.Decide(adreno(&stem().Graph, "tvm-relay"))
	require.Equal(t, "tvm-relay has no texture scope for the shape [1, 8, 6, 6]", r.Tensors[2].Excluded[0].Because)
}
