package check_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	imagelayout "github.com/memplan/memplan/planner/layout/texture"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

// scoped is a graph whose tensors have scopes.
type scoped struct {
	g *graph.Graph
	// scopes are by tensor id.
	scopes []texture.Scope
}

// scopesDrawn are twice as often images of activations, so that some can be shared.
var scopesDrawn = append(texture.Scopes(), texture.Activation, texture.Global)

// add adds a tensor in the scope, or in global memory when it can be no image.
func (s *scoped) add(name string, role graph.Role, dtype graph.DType, shape graph.Shape, label string, scope texture.Scope) graph.TensorID {
	if _, because := geometry(shape, label, dtype, scope); because != "" {
		scope = texture.Global
	}
	s.g.Tensors = append(s.g.Tensors, graph.Tensor{Name: name, Role: role, DType: dtype, Shape: shape, Layout: label})
	s.scopes = append(s.scopes, scope)
	return graph.TensorID(len(s.g.Tensors) - 1)
}

func geometry(shape graph.Shape, label string, dtype graph.DType, scope texture.Scope) (texture.Geometry, string) {
	if label == "" && len(shape) == 4 {
		label = "NCHW"
	}
	return texture.Pack(scope, shape, label, dtype)
}

func (s *scoped) geometry(id graph.TensorID) texture.Geometry {
	t := &s.g.Tensors[id]
	g, _ := geometry(t.Shape, t.Layout, t.DType, s.scopes[id])
	return g
}

// mergeable lets flat tensors be views of flat ones, and images of images that hold the same bytes.
func (s *scoped) mergeable(in, out graph.TensorID) bool {
	if s.scopes[in] == texture.Global || s.scopes[out] == texture.Global {
		return s.scopes[in] == s.scopes[out]
	}
	a, b := s.geometry(in), s.geometry(out)
	return a.Width == b.Width && a.Height == b.Height && a.Texel == b.Texel && s.order(in).Same(s.order(out))
}

func (s *scoped) order(id graph.TensorID) texture.Order {
	label := s.g.Tensors[id].Layout
	if label == "" {
		label = "NCHW"
	}
	order, _ := texture.OrderOf(s.g.Tensors[id].Shape, label)
	return order
}

// drawScoped makes a graph of convolutions with constant kernels, reshapes and copies between scopes.
func drawScoped(t *rapid.T) *scoped {
	s := &scoped{g: &graph.Graph{Name: "net"}}
	scope := rapid.SampledFrom(scopesDrawn)
	dtype := rapid.SampledFrom([]graph.DType{graph.Float32, graph.Float32, graph.Float16})
	s.g.Inputs = []graph.TensorID{s.add("x", graph.Input, graph.Float32, graph.Shape{1, 8, 6, 2}, "NCHW", scope.Draw(t, "input"))}
	values := slices.Clone(s.g.Inputs)
	steps := rapid.IntRange(2, 9).Draw(t, "ops")
	for i := range steps {
		in := rapid.SampledFrom(values[max(0, len(values)-3):]).Draw(t, "in")
		from := s.g.Tensors[in]
		role := graph.Activation
		if i == steps-1 {
			role = graph.Output
		}
		op := graph.Op{Name: fmt.Sprint("op", i), Inputs: []graph.TensorID{in}}
		out, to := fmt.Sprint("t", i), scope.Draw(t, "scope")
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case kind == 0 && role != graph.Output && s.copyable(in, to):
			op.Name, op.Op, op.Domain, op.Attrs = from.Name+"@"+string(to), "Copy", "memplan", graph.Attrs{"scope": string(to)}
			op.Outputs = []graph.TensorID{s.add(op.Name, role, from.DType, from.Shape.Clone(), from.Layout, to)}
		case kind <= 2:
			op.Op = "Reshape"
			if rapid.Bool().Draw(t, "same scope") {
				to = s.scopes[in]
			}
			op.Outputs = []graph.TensorID{s.add(out, role, from.DType, reshaped(t, from.Shape), from.Layout, to)}
		default:
			op.Op = "Conv"
			op.Inputs = append(op.Inputs, s.kernel(t, fmt.Sprint("w", i)))
			shape := graph.Shape{1, rapid.SampledFrom([]int64{3, 4, 6, 8}).Draw(t, "C"), rapid.Int64Range(1, 6).Draw(t, "H"), rapid.Int64Range(1, 6).Draw(t, "W")}
			op.Outputs = []graph.TensorID{s.add(out, role, dtype.Draw(t, "dtype"), shape, rapid.SampledFrom([]string{"NCHW", ""}).Draw(t, "label"), to)}
		}
		values = append(values, op.Outputs[0])
		s.g.Ops = append(s.g.Ops, op)
	}
	s.g.Outputs = values[len(values)-1:]
	return s
}

// copyable reports whether a copy into the scope is one, possible and new.
func (s *scoped) copyable(in graph.TensorID, to texture.Scope) bool {
	t := &s.g.Tensors[in]
	_, because := geometry(t.Shape, t.Layout, t.DType, to)
	return s.scopes[in] != to && (because == "" || to == texture.Global) && s.g.ByName(t.Name+"@"+string(to)) == graph.NoTensor
}

// reshaped is the shape itself, or one that has as many elements.
func reshaped(t *rapid.T, shape graph.Shape) graph.Shape {
	out := shape.Clone()
	switch rapid.IntRange(0, 3).Draw(t, "reshape") {
	case 0:
		out[2], out[3] = out[3], out[2]
	case 1:
		out[2], out[3] = out[2]*out[3], 1
	case 2:
		out[0], out[1] = out[1], out[0]
	}
	return out
}

func (s *scoped) kernel(t *rapid.T, name string) graph.TensorID {
	label := rapid.SampledFrom([]string{"OIHW", "OHWI", "IHWO"}).Draw(t, "kernel")
	shape := graph.Shape{1, 1, 3, 2}
	shape[slices.Index([]byte(label), 'O')] = rapid.SampledFrom([]int64{2, 4, 7, 16}).Draw(t, "O")
	return s.add(name, graph.Constant, graph.Float32, shape, label, rapid.SampledFrom(scopesDrawn).Draw(t, "kernel's scope"))
}

// drawImagePlan plans a graph on a device with images: objects in two pools, images over bytes in "arena", and bytes.
func drawImagePlan(t *rapid.T) (*plan.Plan, []*graph.Graph) {
	s := drawScoped(t)
	limits := &plan.Image2D{MaxWidth: 4096, MaxHeight: 4096, PitchAlignment: rapid.SampledFrom([]int64{1, 4, 64}).Draw(t, "pitch"), FromBuffer: true}
	changing := []string{"input", "output", "activation", "scratch", "state"}
	p := &plan.Plan{
		Devices: []plan.Device{{Name: "gpu", BaseAlignment: 64, MaxAlloc: pointer(int64(1 << 30)), Image2D: limits}},
		Pools: []plan.Pool{
			{Name: "images", Device: "gpu", Type: "texture", Capacity: pointer(int64(1 << 30)), Alignment: 1, Holds: changing},
			{Name: "kernels", Device: "gpu", Type: "texture", Alignment: 1, Holds: []string{"constant"}},
			{Name: "arena", Device: "gpu", Type: "flat", Images: true, Capacity: pointer(int64(1 << 30)), Alignment: 64, Holds: changing},
			{Name: "weights", Device: "gpu", Type: "flat", Alignment: 64, Holds: []string{"constant"}},
		},
	}
	buffers, diags := liveness.Analyze(s.g, liveness.Options{Reshape: true, Mergeable: s.mergeable})
	require.Empty(t, diags)
	b := &imageBuilder{scoped: s, p: p, limits: limits, buffers: buffers, flat: &layout.Problem{Pools: []layout.Pool{{Capacity: 1 << 30, Alignment: 64}, {Capacity: -1, Alignment: 64}}},
		images: &imagelayout.Problem{Pools: []imagelayout.Pool{imagePool(limits, 1<<30), imagePool(limits, -1)}}}
	for i := range buffers {
		b.want(t, &buffers[i])
	}
	b.place(t)
	return p, []*graph.Graph{s.g}
}

func imagePool(limits *plan.Image2D, capacity int64) imagelayout.Pool {
	return imagelayout.Pool{Capacity: capacity, PitchAlignment: limits.PitchAlignment, MaxWidth: limits.MaxWidth, MaxHeight: limits.MaxHeight}
}

// imageBuilder lays buffers out in both kinds of pools and writes the plan.
type imageBuilder struct {
	*scoped
	p       *plan.Plan
	limits  *plan.Image2D
	buffers []liveness.Buffer
	flat    *layout.Problem
	images  *imagelayout.Problem
	// object and index say for each buffer whether it is an image object, and its place in the problem.
	object []bool
	index  []int
}

// want adds a buffer to the problem of bytes or of images.
func (b *imageBuilder) want(t *rapid.T, x *liveness.Buffer) {
	constant := x.Role == graph.Constant
	live, second := layout.Span{First: x.First, Last: x.Last}, 0
	if constant {
		second = 1
	}
	image := b.scopes[x.Tensor] != texture.Global
	object := image && (constant || rapid.IntRange(0, 2).Draw(t, "over bytes") > 0)
	b.object = append(b.object, object)
	if !object {
		size := x.Size
		if image {
			size, _ = b.geometry(x.Tensor).Bytes(b.limits.PitchAlignment)
		}
		b.index = append(b.index, len(b.flat.Buffers))
		b.flat.Buffers = append(b.flat.Buffers, layout.Buffer{Size: size, Alignment: 16, Live: live, Pools: []int{second}})
		return
	}
	g := b.geometry(x.Tensor)
	b.index = append(b.index, len(b.images.Images))
	b.images.Images = append(b.images.Images, imagelayout.Image{Width: g.Width, Height: g.Height, Texel: int(g.TexelBytes), TexelBytes: g.TexelBytes, Live: live, Pools: []int{second}, Always: constant})
}

func (b *imageBuilder) place(t require.TestingT) {
	bytes, err := layout.Solve(context.Background(), b.flat, "greedy", layout.Effort{Nodes: 500})
	require.NoError(t, err)
	images, err := imagelayout.Solve(context.Background(), b.images, "auto", layout.Effort{Nodes: 500})
	require.NoError(t, err)
	require.Empty(t, append(bytes.Unplaced, images.Unplaced...))
	for k := range 2 {
		total(&b.p.Pools[k], images.Pools[k].Bytes, images.Pools[k].Bound)
		total(&b.p.Pools[2+k], bytes.Pools[k].Peak, bytes.Pools[k].Bound)
	}
	for i, s := range images.Storages {
		b.p.Storages = append(b.p.Storages, plan.Storage{ID: int64(i), Pool: b.p.Pools[s.Pool].Name, Size: s.Bytes, Width: s.Width, Height: s.Height,
			Texel: map[int64]string{16: "rgba_float32", 8: "rgba_float16"}[s.TexelBytes], RowPitch: s.RowPitch})
	}
	b.p.Graphs = []plan.Graph{{Name: b.g.Name}}
	b.steps(&b.p.Graphs[0])
	for i := range b.buffers {
		if b.object[i] {
			b.rows(&b.buffers[i], int64(images.Of[b.index[i]]), nil)
			continue
		}
		at := bytes.Places[b.index[i]]
		s := plan.Storage{ID: int64(len(b.p.Storages)), Pool: b.p.Pools[2+at.Pool].Name, Offset: &at.Offset, Size: b.flat.Buffers[b.index[i]].Size}
		if id := b.buffers[i].Tensor; b.scopes[id] != texture.Global {
			g := b.geometry(id)
			s.Width, s.Height, s.Texel = g.Width, g.Height, g.Texel
			s.RowPitch, _ = g.RowPitch(b.limits.PitchAlignment)
		}
		b.p.Storages = append(b.p.Storages, s)
		b.rows(&b.buffers[i], s.ID, s.Offset)
	}
	for _, s := range b.p.Storages {
		pool(b.p, s.Pool).Used += s.Size
	}
}

func total(p *plan.Pool, peak, bound int64) {
	p.Peak, p.Bound, p.Gap, p.Optimality = peak, bound, peak-bound, "best_found"
}

func (b *imageBuilder) steps(out *plan.Graph) {
	for i, op := range b.g.Ops {
		out.Steps = append(out.Steps, plan.Step{Step: int64(i), Op: op.Op, Name: op.Name})
		if op.Op == "Copy" {
			bytes, _ := b.g.Tensors[op.Inputs[0]].Shape.Bytes(b.g.Tensors[op.Inputs[0]].DType)
			out.Copies = append(out.Copies, plan.Copy{Tensor: b.g.Tensors[op.Inputs[0]].Name, To: b.g.Tensors[op.Outputs[0]].Name, Step: int64(i), Bytes: bytes})
		}
	}
}

// rows writes a buffer's tensor and its views.
func (b *imageBuilder) rows(x *liveness.Buffer, storage int64, offset *int64) {
	base := b.row(x.Tensor, storage, offset)
	base.First, base.Last = x.First, x.Last
	b.p.Graphs[0].Tensors = append(b.p.Graphs[0].Tensors, base)
	for _, v := range x.Views {
		view := b.row(v.Tensor, storage, offset)
		view.First, view.Last, view.ViewOf = v.First, v.Last, pointer(base.Name)
		b.p.Graphs[0].Tensors = append(b.p.Graphs[0].Tensors, view)
	}
}

func (b *imageBuilder) row(id graph.TensorID, storage int64, offset *int64) plan.Tensor {
	t := &b.g.Tensors[id]
	bytes, _ := t.Shape.Bytes(t.DType)
	out := plan.Tensor{Name: t.Name, Role: string(t.Role), DType: t.DType.String(), Shape: t.Shape, Layout: t.Layout, Scope: string(b.scopes[id]),
		Pool: b.p.Storages[storage].Pool, Storage: storage, Size: bytes, LogicalSize: bytes, Alignment: 1}
	if offset != nil {
		out.Offset = pointer(*offset)
	}
	if b.scopes[id] != texture.Global {
		out.Size, _ = b.geometry(id).Bytes(b.limits.PitchAlignment)
	}
	if step := b.g.Producers()[id]; step >= 0 {
		out.Producer = b.g.Ops[step].Name
	}
	return out
}
