package planner

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/planner/scope"
)

// artifact writes down what the stages decided. Storages are numbered in the order of graphs and buffers.
func (p *pipeline) artifact() *plan.Plan {
	out := &plan.Plan{
		FormatVersion: plan.FormatVersion, MemplanVersion: p.opts.Version, ConfigDigest: p.cfg.Digest(),
		Settings: p.settings(), Devices: p.devices(), Pools: p.planPools(), Storages: []plan.Storage{}, Graphs: []plan.Graph{},
	}
	numbers := map[int]int64{}
	p.storageIDs = map[int]int64{}
	for _, g := range p.cfg.Planner.Concurrent {
		out.Concurrent = append(out.Concurrent, g.Name)
	}
	for _, g := range p.graphs {
		written := plan.Graph{
			Name: g.block.Name, Source: g.block.Source, Digest: g.graph.Digest, Format: g.graph.Format, Dims: dims(g.block), Rewrites: rewritten(g.notes),
			Steps: steps(g.graph), Copies: copies(g), Scopes: costs(g), Order: g.written(),
		}
		written.Tensors = p.tensors(g, &out.Storages, numbers)
		out.Graphs = append(out.Graphs, written)
	}
	return out
}

func (p *pipeline) settings() map[string]plan.Setting {
	planner := &p.cfg.Planner
	values := map[string]any{
		"algorithm": planner.Algorithm, "order": p.commonOrder(), "rewrite": p.common(planner.RewriteOn), "views": p.common(planner.ViewsOn),
		"scope_policy": planner.ScopePolicy, "texture_algorithm": planner.TextureAlgorithm, "io": planner.IO,
	}
	if together := planner.Concurrent; len(together) > 0 {
		names := make([]string, len(together))
		for i, g := range together {
			names[i] = g.Name
		}
		values["concurrent"] = names
	}
	settings := make(map[string]plan.Setting, len(values))
	for name, value := range values {
		origin := planner.Origins[name]
		if origin == "" {
			origin = "default"
		}
		settings["planner."+name] = plan.Setting{Value: value, Origin: origin}
	}
	return settings
}

func (p *pipeline) devices() []plan.Device {
	devices := make([]plan.Device, 0, len(p.cfg.Devices))
	for _, d := range p.cfg.Devices {
		devices = append(devices, planDevice(d))
	}
	return devices
}

func planDevice(d *config.Device) plan.Device {
	out := plan.Device{Name: d.Name, Driver: d.Driver, BaseAlignment: d.BaseAlignment}
	if d.MaxAlloc != 0 {
		limit := d.MaxAlloc
		out.MaxAlloc = &limit
	}
	if i := d.Image2D; i != nil {
		out.Image2D = &plan.Image2D{MaxWidth: i.MaxWidth, MaxHeight: i.MaxHeight, MaxLayers: i.MaxLayers, PitchAlignment: i.PitchAlignment, FromBuffer: i.FromBuffer}
	}
	return out
}

func (p *pipeline) planPools() []plan.Pool {
	peaks := p.peakSteps()
	pools := make([]plan.Pool, len(p.pools))
	for i := range p.pools {
		e := &p.pools[i]
		out := plan.Pool{Name: e.name, Device: e.device.Name, Type: e.kind, Alignment: e.alignment, Implicit: e.implicit, Images: e.images, Holds: e.holds}
		proved := p.outcome(i, &out)
		out.Gap = out.Peak - out.Bound
		out.Optimality = "best_found"
		if proved {
			out.Optimality = "optimal"
		}
		if e.size != layout.Unlimited {
			capacity := e.size
			out.Capacity = &capacity
		}
		if peak := peaks[i]; peak != nil {
			out.PeakGraph, out.PeakStep = peak.graph, &peak.step
		}
		pools[i] = out
	}
	return pools
}

// outcome fills in what the layout reached in a pool and reports whether nothing better is possible.
func (p *pipeline) outcome(pool int, out *plan.Pool) (proved bool) {
	if p.pools[pool].kind == "texture" {
		found := p.stored.Pools[pool]
		out.Peak, out.Bound, out.Used = found.Bytes, found.Bound, found.Bytes
		return found.Proved
	}
	found := p.placed.Pools[pool]
	out.Peak, out.Bound = found.Peak, found.Bound
	p.everyPlace(func(_ *planned, _, at int, bytes int64, _ layout.Span) {
		if at == pool {
			out.Used += bytes
		}
	})
	return found.Proved
}

func dims(block *config.Graph) map[string]int64 {
	if len(block.Dims) == 0 {
		return nil
	}
	bound := make(map[string]int64, len(block.Dims))
	for name, dim := range block.Dims {
		bound[name] = dim.Value
	}
	return bound
}

func rewritten(notes []rewrite.Note) []plan.Rewrite {
	out := make([]plan.Rewrite, len(notes))
	for i, note := range notes {
		out[i] = plan.Rewrite{Rewrite: note.Rewrite, Op: note.Op, Kept: note.Kept, Tensors: append([]string{}, note.Tensors...), Because: note.Because,
			HalfBytes: note.HalfBytes, FloatBytes: note.FloatBytes}
	}
	return out
}

func steps(g *graph.Graph) []plan.Step {
	out := make([]plan.Step, len(g.Ops))
	for i := range g.Ops {
		op := &g.Ops[i]
		out[i] = plan.Step{Step: int64(i), Op: op.Op, Name: op.Name, Inputs: names(g, op.Inputs), Outputs: names(g, op.Outputs), Fused: append([]string{}, op.Fused...)}
	}
	return out
}

// names lists the tensors by name; an absent optional one is "".
func names(g *graph.Graph, ids []graph.TensorID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		if t := g.Tensor(id); t != nil {
			out[i] = t.Name
		}
	}
	return out
}

// tensors writes every buffer of the graph with its views and appends the storages. numbers holds the ids of the image
// storages written so far.
func (p *pipeline) tensors(g *planned, storages *[]plan.Storage, numbers map[int]int64) []plan.Tensor {
	producers, n := g.graph.Producers(), len(g.buffers)
	for i := range g.buffers {
		n += len(g.buffers[i].Views)
	}
	out := make([]plan.Tensor, 0, n)
	for i := range g.buffers {
		b := &g.buffers[i]
		storage, size, pool := p.storage(g, i, storages, numbers)
		decision := g.decision(b)
		base := plan.Tensor{
			Name: b.Name, Role: string(b.Role), Scope: decision.Scope, Pool: storage.Pool, Storage: storage.ID, Offset: storage.Offset,
			Size: size, LogicalSize: b.Size, Alignment: p.alignment(b, pool), First: b.First, Last: b.Last,
			DType: graph.Uint8.String(), Shape: []int64{b.Size}, Shares: p.share(g, i), Gaps: p.gaps(g, i),
		}
		base.Reason, base.Diagonal = p.reason(g, b, pool), p.diagonal(g, b.Tensor)
		if b.Tensor == graph.NoTensor {
			base.Producer = g.graph.Ops[b.Op].Name
			out = append(out, base)
			continue
		}
		out = append(out, g.describe(base, b.Tensor, producers))
		for _, view := range b.Views {
			out = append(out, p.viewTensor(base, g, b, view, producers))
		}
	}
	return out
}

// describe fills in what the graph says of a tensor.
func (g *planned) describe(out plan.Tensor, id graph.TensorID, producers []int) plan.Tensor {
	t := &g.graph.Tensors[id]
	out.Name, out.Role, out.DType, out.Shape, out.Layout, out.UpperBound = t.Name, string(t.Role), t.DType.String(), append([]int64{}, t.Shape...), g.layout(id), t.UpperBound
	if out.ComputeDType = ""; t.Computes != graph.InvalidDType {
		out.ComputeDType = t.Computes.String()
	}
	if producer := producers[id]; producer >= 0 {
		out.Producer = g.graph.Ops[producer].Name
	}
	switch out.Kept = ""; {
	case slices.Contains(g.keep, id):
		out.Kept = g.block.Address.String() + ".keep"
	case g.keepInputs && slices.Contains(g.graph.Inputs, id):
		out.Kept = g.block.Address.String() + ".keep_inputs"
	}
	return out
}

// viewTensor describes a view: in flat memory it takes its own bytes, and what is between its rows, in an image all of its base's.
func (p *pipeline) viewTensor(base plan.Tensor, g *planned, b *liveness.Buffer, view liveness.View, producers []int) plan.Tensor {
	out := g.describe(base, view.Tensor, producers)
	name := g.graph.Tensors[b.Tensor].Name
	out.ViewOf, out.ViewOffset, out.Shares, out.Gaps, out.Diagonal = &name, view.Offset, nil, nil, p.diagonal(g, view.Tensor)
	t := &g.graph.Tensors[view.Tensor]
	size, ok := t.Shape.Bytes(t.DType)
	if !ok {
		p.err = fmt.Errorf("the view %q has the shape %v of %v, whose size is not known", t.Name, t.Shape, t.DType)
	}
	out.LogicalSize = size
	if view.Stride > 0 {
		out.Rows = &plan.Rows{Bytes: view.Row, Stride: view.Stride}
	}
	if base.Scope == scope.Global {
		if out.Size, ok = out.Rows.Span(size); !ok {
			p.err = fmt.Errorf("the view %q of %d bytes has rows of %d at a stride of %d", t.Name, size, view.Row, view.Stride)
		}
	}
	if base.Offset != nil {
		offset := *base.Offset + view.Offset
		out.Offset = &offset
	}
	out.First, out.Last, out.Alignment = view.First, view.Last, 1
	return out
}

// reason records what decided about a buffer, and the pools that were full before.
func (p *pipeline) reason(g *planned, b *liveness.Buffer, pool int) plan.Reason {
	decision := g.decision(b)
	out := plan.Reason{Excluded: []plan.Exclusion{}}
	switch {
	case decision.Pinned != "":
		out.Pinned = &decision.Pinned
	case decision.Rule >= 0:
		address := p.cfg.Rules[decision.Rule].Address.String()
		out.Rule = &address
	default:
		policy := decision.Policy
		out.Policy = &policy
	}
	for _, excluded := range decision.Excluded {
		out.Excluded = append(out.Excluded, plan.Exclusion{Scope: excluded.Scope, Because: excluded.Because})
	}
	if operand := g.notOver(b); operand != graph.NoTensor {
		out.Excluded = append(out.Excluded, plan.Exclusion{Scope: decision.Scope, Over: g.graph.Tensors[operand].Name, Because: "a kernel of an OpenCL device reads an image or writes it"})
	}
	if pool != noPool {
		out.Spill = p.spill(decision.Pools, pool, b.Size)
	}
	if denied, ok := g.denied[b.Tensor]; ok {
		out.Spill = &plan.Spill{From: denied.from, Because: denied.because}
	}
	return out
}

// alignment is that of a buffer's offset in a pool: the least common multiple of both wishes.
func (p *pipeline) alignment(b *liveness.Buffer, pool int) int64 {
	if pool == noPool {
		return max(1, b.Alignment)
	}
	out, ok := layout.Alignment(max(1, b.Alignment), p.pools[pool].alignment)
	if !ok {
		p.err = fmt.Errorf("the alignments %d of %q and %d of pool %q have no common multiple below 2^63", b.Alignment, b.Name, p.pools[pool].alignment, p.pools[pool].name)
	}
	return out
}
