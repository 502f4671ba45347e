package exec_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

// imaging says how intoImages places tensors.
type imaging struct {
	// scope gives the scope of a tensor, "global" to leave it alone.
	scope func(t *plan.Tensor) texture.Scope
	// pitch is the pitch alignment in texels.
	pitch int64
	// shared lets tensors with lifetimes apart use one image, as large as the largest sides.
	shared bool
	// buffers makes the images over bytes of the pool "buffer" rather than objects of the pool "images".
	buffers bool
}

// intoImages moves the tensors of a plan that can be images into images: a planner of few lines for tests of the runtime
// alone. It returns how many tensors moved.
func intoImages(p *plan.Plan, how imaging) int {
	pool := plan.Pool{Name: "images", Device: "host", Type: "texture", Alignment: 1}
	if how.buffers {
		pool = plan.Pool{Name: "buffer", Device: "host", Type: "flat", Alignment: 64}
	}
	var images []*shelf
	moved := 0
	tensors := p.Graphs[0].Tensors
	for i := range tensors {
		t := &tensors[i]
		g, reason := texture.Pack(how.scope(t), t.Shape, cmp.Or(t.Layout, map[bool]string{true: "NCHW"}[len(t.Shape) == 4]), dtypeOf(t))
		if reason != "" || t.ViewOf != nil {
			continue
		}
		moved++
		s := find(images, t, &g, how.shared)
		if s == nil {
			s = &shelf{texel: g.Texel, texelBytes: g.TexelBytes, id: int64(10_000 + len(images))}
			images = append(images, s)
		}
		s.tensors = append(s.tensors, t)
		s.width, s.height = max(s.width, g.Width), max(s.height, g.Height)
	}
	for _, s := range images {
		s.settle(p, &pool, how)
	}
	p.Pools = append(p.Pools, pool)
	for i := range tensors {
		if v := &tensors[i]; v.ViewOf != nil {
			base := tensors[slices.IndexFunc(tensors, func(t plan.Tensor) bool { return t.Name == *v.ViewOf })]
			v.Pool, v.Storage, v.Offset, v.Scope, v.Size = base.Pool, base.Storage, base.Offset, base.Scope, base.Size
		}
	}
	return moved
}

func dtypeOf(t *plan.Tensor) graph.DType {
	d, _ := graph.ParseDType(t.DType)
	return d
}

// shelf is an image in the making.
type shelf struct {
	id, width, height, texelBytes int64
	texel                         string
	tensors                       []*plan.Tensor
}

// find returns an image of the tensor's texels that nothing uses while the tensor lives and that does not grow to more
// than twice what the two need.
func find(images []*shelf, t *plan.Tensor, g *texture.Geometry, shared bool) *shelf {
	for _, s := range images {
		busy := !shared || s.texel != g.Texel || t.Role == string(graph.Constant)
		busy = busy || max(s.width, g.Width)*max(s.height, g.Height) > 2*max(s.width*s.height, g.Width*g.Height)
		for _, o := range s.tensors {
			busy = busy || o.First < t.Last && t.First < o.Last || o.Role == string(graph.Constant)
		}
		if !busy {
			return s
		}
	}
	return nil
}

// settle writes the storage of an image and moves its tensors there.
func (s *shelf) settle(p *plan.Plan, pool *plan.Pool, how imaging) {
	storage := plan.Storage{ID: s.id, Pool: pool.Name, Width: s.width, Height: s.height, Texel: s.texel}
	storage.RowPitch = (s.width + how.pitch - 1) / how.pitch * how.pitch * s.texelBytes
	storage.Size = storage.RowPitch * s.height
	if how.buffers {
		offset := pool.Peak
		storage.Offset = &offset
		pool.Peak = (offset + storage.Size + 63) / 64 * 64
	} else {
		pool.Peak += storage.Size
	}
	p.Storages = append(p.Storages, storage)
	for _, t := range s.tensors {
		t.Pool, t.Storage, t.Offset, t.Size = pool.Name, s.id, storage.Offset, storage.Size
		t.Scope = string(how.scope(t))
	}
}

// everywhere cycles through the texture scopes by the tensor's name.
func everywhere(t *plan.Tensor) texture.Scope {
	sum := 0
	for _, b := range []byte(t.Name) {
		sum += int(b)
	}
	return texture.Scopes()[sum%3]
}

func always(s texture.Scope) func(*plan.Tensor) texture.Scope {
	return func(*plan.Tensor) texture.Scope { return s }
}

// pictures is a small network on [1, channels, 6, 6]: x -> Conv -> a -> Relu -> b -> MaxPool -> c -> Conv -> d, and
// y = d + c.
func pictures(channels int64) *graph.Graph {
	b := newBuilder()
	weights := func(name string) graph.TensorID {
		shape := graph.Shape{channels, channels, 3, 3}
		n, _ := shape.Elements()
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(i%17-8) / 32
		}
		id := b.constant(name, shape, values...)
		b.g.Tensors[id].Layout = "OIHW"
		return id
	}
	x := b.tensor("x", graph.Input, graph.Float32, 1, channels, 6, 6)
	w1, w2 := weights("w1"), weights("w2")
	a := b.tensor("a", graph.Activation, graph.Float32, 1, channels, 6, 6)
	r := b.tensor("b", graph.Activation, graph.Float32, 1, channels, 6, 6)
	c := b.tensor("c", graph.Activation, graph.Float32, 1, channels, 3, 3)
	d := b.tensor("d", graph.Activation, graph.Float32, 1, channels, 3, 3)
	y := b.tensor("y", graph.Output, graph.Float32, 1, channels, 3, 3)
	around := graph.Attrs{"pads": []int64{1, 1, 1, 1}}
	b.op("Conv", "conv1", ids(a), ids(x, w1), around)
	b.op("Relu", "relu", ids(r), ids(a), nil)
	b.op("MaxPool", "pool", ids(c), ids(r), graph.Attrs{"kernel_shape": []int64{2, 2}, "strides": []int64{2, 2}})
	b.op("Conv", "conv2", ids(d), ids(c, w2), around)
	b.op("Add", "sum", ids(y), ids(d, c), nil)
	return b.g
}

func tensorOf(t testing.TB, p *plan.Plan, name string) *plan.Tensor {
	t.Helper()
	for i := range p.Graphs[0].Tensors {
		if p.Graphs[0].Tensors[i].Name == name {
			return &p.Graphs[0].Tensors[i]
		}
	}
	t.Fatalf("no tensor %s", name)
	return nil
}
