package exec_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/host"
)

// drawWindows makes a graph of convolutions, poolings, resizes and activations, mostly in a row and now and then in two
// branches, with the channels second or last.
func drawWindows(t *rapid.T) *graph.Graph {
	w := &windows{network: &network{builder: newBuilder(), t: t}, last: rapid.Bool().Draw(t, "channels last")}
	size := rapid.Int64Range(5, 9).Draw(t, "size")
	w.add(w.tensor("x0", graph.Input, graph.Float32, w.shape(rapid.Int64Range(1, 4).Draw(t, "channels"), size, size)...))
	for i := range rapid.IntRange(2, 6).Draw(t, "ops") {
		w.step(fmt.Sprintf("op%d", i))
	}
	for _, id := range w.fresh {
		if w.g.Tensors[id].Role == graph.Activation {
			w.g.Tensors[id].Role = graph.Output
			w.g.Outputs = append(w.g.Outputs, id)
		}
	}
	return w.g
}

type windows struct {
	*network
	last bool
}

func (w *windows) shape(c, height, width int64) graph.Shape {
	if w.last {
		return graph.Shape{1, height, width, c}
	}
	return graph.Shape{1, c, height, width}
}

func (w *windows) sizes(id graph.TensorID) (c, height, width int64) {
	s := w.g.Tensors[id].Shape
	if w.last {
		return s[3], s[1], s[2]
	}
	return s[1], s[2], s[3]
}

func (w *windows) next(name string, c, height, width int64) graph.TensorID {
	id := w.tensor(name, graph.Activation, graph.Float32, w.shape(c, height, width)...)
	w.add(id)
	return id
}

func (w *windows) step(name string) {
	x := w.pick()
	c, height, width := w.sizes(x)
	draw := func(name string, from, to int64) int64 { return rapid.Int64Range(from, to).Draw(w.t, name) }
	k, stride := draw("kernel", 1, min(3, height, width)), draw("stride", 1, 2)
	pad := draw("pad", 0, k/2)
	out := func(n int64) int64 { return (n+2*pad-k)/stride + 1 }
	attrs := graph.Attrs{"kernel_shape": []int64{k, k}, "strides": []int64{stride, stride}, "pads": []int64{pad, pad, pad, pad}}
	if w.last {
		attrs[graph.AttrDataLayout] = "NHWC"
	}
	switch rapid.IntRange(0, 7).Draw(w.t, "kind") {
	case 0:
		w.op("Relu", name, ids(w.next(name, c, height, width)), ids(x), nil)
	case 1:
		y := w.pick()
		if !w.g.Tensors[y].Shape.Equal(w.g.Tensors[x].Shape) {
			y = x
		}
		w.op("Add", name, ids(w.next(name, c, height, width)), ids(x, y), nil)
	case 2:
		w.op(rapid.SampledFrom([]string{"MaxPool", "AveragePool"}).Draw(w.t, "pool"), name, ids(w.next(name, c, out(height), out(width))), ids(x), attrs)
	case 3:
		if c*height*width > 600 {
			w.op("Relu", name, ids(w.next(name, c, height, width)), ids(x), nil)
			return
		}
		sizes := w.integers(name+"sizes", w.shape(c, 2*height, 2*width)...)
		w.op("Resize", name, ids(w.next(name, c, 2*height, 2*width)), ids(x, graph.NoTensor, graph.NoTensor, sizes),
			graph.Attrs{"mode": rapid.SampledFrom([]string{"nearest", "linear"}).Draw(w.t, "mode")})
	case 7:
		// Of channels that are last, for which the results of transposed convolutions are computed in lines.
		larger := func(n int64) int64 { return (n-1)*stride + k - 2*pad }
		if c*height*width > 600 || larger(height) < 1 || larger(width) < 1 {
			w.op("Relu", name, ids(w.next(name, c, height, width)), ids(x), nil)
			return
		}
		filters := draw("filters", 1, max(1, min(6, 200/(c*k*k))))
		w.op("ConvTranspose", name, ids(w.next(name, filters, larger(height), larger(width))), ids(x, w.values(name+"w", c, filters, k, k)), attrs)
	case 4:
		attrs["group"] = c
		w.op("Conv", name, ids(w.next(name, c, out(height), out(width))), ids(x, w.values(name+"w", c, 1, k, k)), attrs)
	default:
		// The graph file holds small constants only.
		filters := draw("filters", 1, max(1, min(6, 200/(c*k*k))))
		w.op("Conv", name, ids(w.next(name, filters, out(height), out(width))), ids(x, w.values(name+"w", filters, c, k, k)), attrs)
	}
}

// holding makes host devices that write a result over an operand a row at a time, on three workers.
func holding() (device.Device, error) { return host.New(host.Options{Workers: 3, Held: 1}) }

func overs(p *plan.Plan) int {
	n := 0
	for _, t := range p.Graphs[0].Tensors {
		if t.Diagonal != nil {
			n++
		}
	}
	return n
}

func TestResultsOverOperandsChangeNoOutput(t *testing.T) {
	over := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawWindows(t)
		rewrites := rapid.SampledFrom([][]string{{}, {"fold", "fuse"}}).Draw(t, "rewrites")
		views := rapid.SampledFrom([][]string{{"reshape"}, {"reshape", "inplace", "concat"}}).Draw(t, "views")
		settings := func(views []string) func(*config.Planner) {
			return func(p *config.Planner) { p.Order, p.Rewrite, p.Views = "memory", rewrites, views }
		}
		plain := planGraph(t, g, settings(views))
		shared := planGraph(t, g, settings(append(views[:len(views):len(views)], "diagonal")))
		require.LessOrEqual(t, shared.Plan.Pools[0].Peak, plain.Plan.Pools[0].Peak)
		over += overs(shared.Plan)
		inputs := inputsOf(g)
		want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
		require.Equal(t, want, runPoisoned(t, holding, shared.Plan, shared.Graphs[0], inputs))
	})
	require.Positive(t, over, "no result was over an operand")
}

// unordered is a device that says nothing of the order of its kernels.
type unordered struct{ device.Device }

func TestADeviceWithoutOrderRefusesResultsOverOperands(t *testing.T) {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, 1, 8, 8, 4)
	w := b.constant("w", graph.Shape{4, 1, 1, 4}, make([]float32, 16)...)
	y := b.tensor("y", graph.Output, graph.Float32, 1, 8, 8, 4)
	b.op("Conv", "conv", ids(y), ids(x, w), graph.Attrs{graph.AttrDataLayout: "NHWC", graph.AttrKernelLayout: "OHWI"})
	planned := planGraph(t, b.g, func(p *config.Planner) { p.Views = []string{"diagonal"} })
	require.Equal(t, 1, overs(planned.Plan))
	for _, c := range []struct {
		name   string
		open   opener
		change func(*plan.Plan)
		want   diag.ID
	}{
		{"it is refused", func() (device.Device, error) {
			dev, err := hostDevice()
			return unordered{dev}, err
		}, func(*plan.Plan) {}, "MP0821"},
		{"a plan with too small a distance is refused", hostDevice, func(p *plan.Plan) {
			for i := range p.Graphs[0].Tensors {
				if t := &p.Graphs[0].Tensors[i]; t.Diagonal != nil {
					t.Diagonal.Distance = 1 << 20
				}
			}
		}, "MP0810"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dev, err := c.open()
			require.NoError(t, err)
			defer func() { require.NoError(t, dev.Close()) }()
			c.change(planned.Plan)
			_, diags, err := exec.New(context.Background(), planned.Plan, "net", planned.Graphs[0], dev, exec.Options{})
			require.NoError(t, err)
			require.Len(t, diags, 1)
			require.Equal(t, c.want, diags[0].ID)
		})
	}
}
