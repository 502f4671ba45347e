package exec_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/exec"
)

// pixels draws small networks of float32 tensors [N, H, W, C] that are put together and cut along any axis, in chains and diamonds,
// by ops that find rows and some that do not.
type pixels struct {
	*builder
	t *rapid.T
	// live are the tensors that ops may read; fresh those that nobody has read.
	live, fresh []graph.TensorID
}

func drawPixels(t *rapid.T, most int) *graph.Graph {
	n := &pixels{builder: newBuilder(), t: t}
	batch := rapid.Int64Range(1, 2).Draw(t, "batch")
	for i := range rapid.IntRange(1, 2).Draw(t, "inputs") {
		n.add(n.tensor(fmt.Sprintf("x%d", i), graph.Input, graph.Float32, batch, 4, 3, rapid.Int64Range(1, 4).Draw(t, "channels")))
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

func (n *pixels) add(id graph.TensorID) { n.live, n.fresh = append(n.live, id), append(n.fresh, id) }

func (n *pixels) shape(id graph.TensorID) graph.Shape { return n.g.Tensors[id].Shape.Clone() }

func (n *pixels) result(name string, shape graph.Shape) graph.TensorID {
	id := n.tensor(name, graph.Activation, graph.Float32, shape...)
	n.add(id)
	return id
}

// pick draws a tensor to read that suits, the latest more often than others.
func (n *pixels) pick(suits func(graph.Shape) bool) graph.TensorID {
	list := slices.DeleteFunc(slices.Clone(n.live), func(id graph.TensorID) bool { return !suits(n.shape(id)) })
	id := list[len(list)-1]
	if rapid.Bool().Draw(n.t, "any") {
		id = rapid.SampledFrom(list).Draw(n.t, "operand")
	}
	n.fresh = slices.DeleteFunc(n.fresh, func(x graph.TensorID) bool { return x == id })
	return id
}

func (n *pixels) values(name string, shape ...int64) graph.TensorID {
	count, _ := graph.Shape(shape).Elements()
	list := make([]float32, count)
	for i := range list {
		list[i] = float32(i%7)/4 - 0.5
	}
	return n.constant(name, shape, list...)
}

func (n *pixels) step(name string) {
	x := n.pick(func(graph.Shape) bool { return true })
	s := n.shape(x)
	draw := func(label string, most int64) int64 { return rapid.Int64Range(0, most).Draw(n.t, label) }
	if elements, _ := s.Elements(); elements > 1500 {
		n.op("Relu", name, ids(n.result(name, s)), ids(x), nil)
		return
	}
	last := graph.Attrs{graph.AttrDataLayout: "NHWC"}
	switch draw("kind", 11) {
	case 0:
		n.op(rapid.SampledFrom([]string{"Relu", "Sigmoid", "Abs", "Neg", "Identity"}).Draw(n.t, "unary"), name, ids(n.result(name, s)), ids(x), nil)
	case 1:
		y := n.pick(func(other graph.Shape) bool { return other.Equal(s) })
		n.op(rapid.SampledFrom([]string{"Add", "Sub", "Mul"}).Draw(n.t, "binary"), name, ids(n.result(name, s)), ids(x, y), nil)
	case 2:
		n.op("Mul", name, ids(n.result(name, s)), ids(x, n.values(name+"v", s[3])), nil)
	case 3, 4, 5:
		n.concat(name, x)
	case 6, 7:
		axis := draw("axis", 3)
		if s[axis] == 1 {
			n.op("Identity", name, ids(n.result(name, s)), ids(x), nil)
			return
		}
		first := 1 + draw("first", s[axis]-2)
		a, b := s.Clone(), s.Clone()
		a[axis], b[axis] = first, s[axis]-first
		n.op("Split", name, ids(n.result(name+"a", a), n.result(name+"b", b)), ids(x, n.integers(name+"sizes", first, s[axis]-first)), graph.Attrs{"axis": axis})
	case 8:
		axis := draw("axis", 3)
		from := draw("from", s[axis]-1)
		to := from + 1 + draw("more", s[axis]-from-1)
		s[axis] = to - from
		n.op("Slice", name, ids(n.result(name, s)), ids(x, n.integers(name+"from", from), n.integers(name+"to", to), n.integers(name+"axes", axis)), nil)
	case 9:
		last["kernel_shape"], last["pads"] = []int64{3, 3}, []int64{1, 1, 1, 1}
		n.op(rapid.SampledFrom([]string{"MaxPool", "AveragePool"}).Draw(n.t, "pooling"), name, ids(n.result(name, s)), ids(x), last)
	default:
		n.conv(name, x, last)
	}
}

func (n *pixels) integers(name string, values ...int64) graph.TensorID {
	return (&network{builder: n.builder, t: n.t}).integers(name, values...)
}

// concat joins two or three tensors along any axis, the same one more than once at times.
func (n *pixels) concat(name string, x graph.TensorID) {
	s := n.shape(x)
	axis := rapid.SampledFrom([]int{3, 3, 3, 2, 1, 0}).Draw(n.t, "axis")
	suits := func(other graph.Shape) bool {
		other = other.Clone()
		other[axis] = s[axis]
		return other.Equal(s)
	}
	pieces := ids(x, n.pick(suits))
	if rapid.Bool().Draw(n.t, "third") {
		pieces = append(pieces, n.pick(suits))
	}
	s[axis] = 0
	for _, id := range pieces {
		s[axis] += n.shape(id)[axis]
	}
	n.op("Concat", name, ids(n.result(name, s)), pieces, graph.Attrs{"axis": int64(axis) - rapid.SampledFrom([]int64{0, 4}).Draw(n.t, "from the end")})
}

func (n *pixels) conv(name string, x graph.TensorID, attrs graph.Attrs) {
	s := n.shape(x)
	c := s[3]
	attrs[graph.AttrKernelLayout] = "OHWI"
	if c <= 24 && rapid.Bool().Draw(n.t, "depthwise") {
		attrs["group"], attrs["pads"] = c, []int64{1, 1, 1, 1}
		n.op("Conv", name, ids(n.result(name, s)), ids(x, n.values(name+"w", c, 3, 3, 1)), attrs)
		return
	}
	out := rapid.Int64Range(1, 4).Draw(n.t, "filters")
	kernel, pad := int64(3), int64(1)
	// The graph file holds small constants only.
	if out*c > 24 {
		kernel, pad = 1, 0
	}
	attrs["pads"] = []int64{pad, pad, pad, pad}
	s[3] = out
	n.op("Conv", name, ids(n.result(name, s)), ids(x, n.values(name+"w", out, kernel, kernel, c), n.values(name+"b", out)), attrs)
}

// rowsIn counts the tensors of a plan with other bytes between their rows.
func rowsIn(p *plan.Plan) int {
	n := 0
	for _, t := range p.Graphs[0].Tensors {
		if t.Rows != nil {
			n++
		}
	}
	return n
}

func TestStridedPiecesChangeNoOutput(t *testing.T) {
	for name, change := range map[string]func(*config.Planner){
		"pieces": func(p *config.Planner) {
			p.Order, p.Rewrite, p.Views = "source", []string{}, []string{"reshape", "concat"}
		},
		"all views": func(p *config.Planner) {
			p.Order, p.Rewrite, p.Views = "source", []string{}, []string{"reshape", "inplace", "concat"}
		},
		"an order": func(p *config.Planner) { p.Order, p.Rewrite, p.Views = "memory", []string{}, nil },
		"fused":    func(p *config.Planner) { p.Order, p.Rewrite, p.Views = "", nil, nil },
		"with diagonal": func(p *config.Planner) {
			p.Order, p.Rewrite, p.Views = "", nil, []string{"reshape", "inplace", "concat", "diagonal"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			rows, saved := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				g := drawPixels(t, 9)
				plain := planGraph(t, g, plainly)
				shared := planGraph(t, g, change)
				rows += rowsIn(shared.Plan)
				if shared.Plan.Pools[0].Peak < plain.Plan.Pools[0].Peak {
					saved++
				}
				inputs := inputsOf(g)
				want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
				requireClose(t, want, runPoisoned(t, holding, shared.Plan, shared.Graphs[0], inputs))
			})
			require.Positive(t, saved, "no graph gained anything")
			require.Positive(t, rows, "no piece was strided")
		})
	}
}

// rowless is a device that says nothing of strided tensors.
type rowless struct{ device.Device }

func TestADeviceWithoutKernelsForRowsRefusesThem(t *testing.T) {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, 1, 4, 4, 2)
	p, q := b.tensor("p", graph.Activation, graph.Float32, 1, 4, 4, 2), b.tensor("q", graph.Activation, graph.Float32, 1, 4, 4, 2)
	y := b.tensor("y", graph.Output, graph.Float32, 1, 4, 4, 4)
	b.op("Relu", "p", ids(p), ids(x), nil)
	b.op("Abs", "q", ids(q), ids(x), nil)
	b.op("Concat", "y", ids(y), ids(p, q), graph.Attrs{"axis": int64(3)})
	planned := planGraph(t, b.g, func(p *config.Planner) { p.Views = []string{"concat"} })
	require.Equal(t, 2, rowsIn(planned.Plan))
	for _, c := range []struct {
		name   string
		open   opener
		change func(*plan.Rows)
		want   diag.ID
	}{
		{"it is refused", func() (device.Device, error) {
			dev, err := hostDevice()
			return rowless{dev}, err
		}, func(*plan.Rows) {}, "MP0822"},
		{"rows that do not hold the tensor are refused", hostDevice, func(r *plan.Rows) { r.Stride++ }, "MP0810"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dev, err := c.open()
			require.NoError(t, err)
			defer func() { require.NoError(t, dev.Close()) }()
			for i := range planned.Plan.Graphs[0].Tensors {
				if r := planned.Plan.Graphs[0].Tensors[i].Rows; r != nil {
					c.change(r)
				}
			}
			_, diags, err := exec.New(background, planned.Plan, "net", planned.Graphs[0], dev, exec.Options{})
			require.NoError(t, err)
			require.NotEmpty(t, diags)
			require.Equal(t, c.want, diags[0].ID)
		})
	}
}
