package exec

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// externalPool is the pool that the runner adds for tensors that the plan leaves to the caller.
const externalPool = "external"

// layout is a plan's graph in the terms of a device.
type layout struct {
	memory  device.Memory
	tensors map[string]*device.Tensor
	// planned has the plan's record of each tensor in tensors, in the plan's order.
	planned []*plan.Tensor

	pools    map[string]int
	storages map[int64]*plan.Storage
	images   map[int64]int
	diags    diag.Diagnostics
}

// newLayout translates the pools, storages and tensors that the graph uses. Pools of other graphs on the same device are
// allocated too: they are the plan's pools. It costs O(plan).
func newLayout(p *plan.Plan, planned *plan.Graph, g *graph.Graph) (*layout, diag.Diagnostics) {
	l := &layout{
		tensors: make(map[string]*device.Tensor, len(planned.Tensors)), pools: map[string]int{},
		storages: make(map[int64]*plan.Storage, len(p.Storages)), images: map[int64]int{},
	}
	for i := range p.Storages {
		l.storages[p.Storages[i].ID] = &p.Storages[i]
	}
	l.declarePools(p, planned)
	for i := range planned.Tensors {
		l.place(planned, &planned.Tensors[i])
	}
	l.compare(planned, g)
	return l, l.diags
}

// declarePools takes the pools of every device that holds a tensor of the graph. More than one device is a fault.
func (l *layout) declarePools(p *plan.Plan, planned *plan.Graph) {
	used := map[string]bool{}
	for i := range planned.Tensors {
		used[planned.Tensors[i].Pool] = true
	}
	owner := ""
	for i := range p.Pools {
		if pool := &p.Pools[i]; used[pool.Name] && owner == "" {
			owner = pool.Device
		}
	}
	for i := range p.Pools {
		pool := &p.Pools[i]
		if pool.Device != owner {
			continue
		}
		l.pools[pool.Name] = len(l.memory.Pools)
		declared := device.Pool{Name: pool.Name, Texture: pool.Type == "texture", Alignment: baseAlignment(p, pool)}
		if !declared.Texture {
			declared.Bytes = pool.Peak
		}
		l.memory.Pools = append(l.memory.Pools, declared)
	}
}

// baseAlignment is what the pool's base must meet: its own alignment and its device's.
func baseAlignment(p *plan.Plan, pool *plan.Pool) int64 {
	alignment := max(pool.Alignment, 1)
	for i := range p.Devices {
		if p.Devices[i].Name == pool.Device {
			alignment = max(alignment, p.Devices[i].BaseAlignment)
		}
	}
	return alignment
}

// place translates one tensor; a view gets the bytes of its base.
func (l *layout) place(g *plan.Graph, t *plan.Tensor) {
	dtype, ok := graph.ParseDType(t.DType)
	shape := append(graph.Shape{}, t.Shape...)
	bytes, counted := shape.Bytes(dtype)
	if !ok && t.LogicalSize > 0 || ok && counted && bytes != t.LogicalSize && !(dtype == graph.InvalidDType) {
		l.mismatch("Tensor %q of graph %q is %s %v with %d bytes in the plan, which do not agree. Make the plan again.",
			t.Name, g.Name, t.DType, shape, t.LogicalSize)
		return
	}
	if span, ok := t.Rows.Span(t.LogicalSize); t.Rows != nil && (!ok || span != t.Size || isImage(t)) {
		l.mismatch("Tensor %q of graph %q has rows of %d bytes at a stride of %d in the plan, for %d bytes of elements in %d, which do not agree. Make the plan again.",
			t.Name, g.Name, t.Rows.Bytes, t.Rows.Stride, t.LogicalSize, t.Size)
		return
	}
	region, ok := l.region(t)
	if !ok {
		return
	}
	l.planned = append(l.planned, t)
	l.tensors[t.Name] = &device.Tensor{
		Name: t.Name, Role: graph.Role(t.Role), DType: dtype, Shape: shape, Layout: t.Layout, Scope: t.Scope,
		Place: region, LogicalBytes: t.LogicalSize,
	}
	if t.Rows != nil {
		l.tensors[t.Name].Row, l.tensors[t.Name].Stride = t.Rows.Bytes, t.Rows.Stride
	}
}

// region finds the bytes of a tensor. A tensor without a pool belongs to the caller: it gets a place of its own in the
// runner's external pool.
func (l *layout) region(t *plan.Tensor) (device.Region, bool) {
	if t.Pool == "" {
		return l.external(t), true
	}
	pool, ok := l.pools[t.Pool]
	if !ok {
		l.diags = append(l.diags, diag.New(diag.UnplacedTensor,
			"Tensor %q is placed in pool %q, which is not on the device that holds the graph's other tensors. Give the graph pools of one device.",
			t.Name, t.Pool))
		return device.Region{}, false
	}
	if isImage(t) {
		return l.inImage(pool, t)
	}
	if t.Offset == nil {
		l.mismatch("Tensor %q has neither an offset nor an image in the plan. Make the plan again.", t.Name)
		return device.Region{}, false
	}
	size := l.memory.Pools[pool].Bytes
	if *t.Offset < 0 || t.Size < 0 || t.Size > size || *t.Offset > size-t.Size {
		l.mismatch("Tensor %q takes %d bytes at offset %d of pool %q, whose peak is %d bytes. Make the plan again.",
			t.Name, t.Size, *t.Offset, t.Pool, size)
		return device.Region{}, false
	}
	return device.Region{Pool: pool, Image: -1, Offset: *t.Offset, Bytes: t.Size}, true
}

func (l *layout) external(t *plan.Tensor) device.Region {
	pool, ok := l.pools[externalPool]
	if !ok {
		pool = len(l.memory.Pools)
		l.pools[externalPool] = pool
		l.memory.Pools = append(l.memory.Pools, device.Pool{Name: externalPool, Alignment: 64})
	}
	at := l.memory.Pools[pool].Bytes
	if t.ViewOf != nil {
		if base := l.tensors[*t.ViewOf]; base != nil && base.Place.Pool == pool {
			return device.Region{Pool: pool, Image: -1, Offset: base.Place.Offset + t.ViewOffset, Bytes: t.Size}
		}
	}
	if t.Size > math.MaxInt64-at-64 {
		l.mismatch("The tensors that the caller owns exceed 2^63-1 bytes at %q. Make the plan again.", t.Name)
		return device.Region{}
	}
	l.memory.Pools[pool].Bytes = (at + t.Size + 63) / 64 * 64
	return device.Region{Pool: pool, Image: -1, Offset: at, Bytes: t.Size}
}

// compare reports tensors of the graph that the plan does not know or knows otherwise.
func (l *layout) compare(planned *plan.Graph, g *graph.Graph) {
	for i := range g.Tensors {
		t := &g.Tensors[i]
		placed := l.tensors[t.Name]
		if placed == nil || t.Role == graph.Scratch {
			continue
		}
		if placed.DType != t.DType || !placed.Shape.Equal(t.Shape) {
			l.mismatch("Tensor %q of graph %q is %v %v in the plan and %v %v in the model. The model has changed since; plan again.",
				t.Name, planned.Name, placed.DType, placed.Shape, t.DType, t.Shape)
		}
	}
}

func (l *layout) mismatch(detail string, args ...any) {
	l.diags = append(l.diags, diag.New(diag.PlanGraphMismatch, detail, args...))
}

func findGraph(p *plan.Plan, name string) *plan.Graph {
	for i := range p.Graphs {
		if p.Graphs[i].Name == name {
			return &p.Graphs[i]
		}
	}
	return nil
}

func unplanned(p *plan.Plan, name string) diag.Diagnostic {
	names := make([]string, len(p.Graphs))
	for i := range p.Graphs {
		names[i] = p.Graphs[i].Name
	}
	return diag.New(diag.UnplannedGraph, "The plan has no graph %q; it has %s.%s", name, diag.Quoted(names), suggest(name, names))
}

// suggest returns " Did you mean ...?" for the nearest name, else a next step.
func suggest(name string, names []string) diag.Hint {
	return diag.DidYouMean(name, names).Or(" Use one of these names.")
}
