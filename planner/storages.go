package planner

import (
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/scope"
)

// storage returns the storage of the i-th buffer of a graph, the bytes that the buffer takes of it and its pool. A storage
// is written when its first buffer is: buffers in flat memory have one each, images share.
func (p *pipeline) storage(g *planned, i int, storages *[]plan.Storage, numbers map[int]int64) (plan.Storage, int64, int) {
	at, decision := p.slots[g.first+i], g.decision(&g.buffers[i])
	if a, ok := p.aliases[g.first+i]; ok {
		return p.sharedStorage(a, g.buffers[i].Size, storages, numbers)
	}
	if at == elsewhere {
		return plan.Storage{ID: noStorage}, g.buffers[i].Size, noPool
	}
	if at.image >= 0 {
		return p.imageStorage(g, at.image, decision, storages, numbers)
	}
	place := p.placed.Places[at.flat]
	offset := place.Offset + at.at
	size, _ := p.flatPart(g, i)
	out := plan.Storage{ID: int64(len(*storages)), Pool: p.pools[place.Pool].name, Offset: &offset, Size: size}
	if geometry := decision.Geometry; geometry != nil {
		out.Width, out.Height, out.Texel = geometry.Width, geometry.Height, geometry.Texel
		out.RowPitch = out.Size / geometry.Height
	}
	p.storageIDs[at.flat] = out.ID
	*storages = append(*storages, out)
	return out, out.Size, place.Pool
}

// noStorage and noPool are those of a tensor whose memory is the caller's.
const (
	noStorage = -1
	noPool    = -1
)

// sharedStorage is the storage that a buffer is in with another, which is written before.
func (p *pipeline) sharedStorage(a alias, size int64, storages *[]plan.Storage, numbers map[int]int64) (plan.Storage, int64, int) {
	g, i := p.bufferOf(a.base)
	at := p.slots[a.base]
	if at.image >= 0 {
		return p.imageStorage(g, at.image, g.decision(&g.buffers[i]), storages, numbers)
	}
	out := (*storages)[p.storageIDs[at.flat]]
	offset := *out.Offset + a.shift
	out.Offset = &offset
	if a.shift == 0 && out.Height > 0 {
		size = out.Size // an image over bytes
	}
	return out, size, p.placed.Places[at.flat].Pool
}

func (p *pipeline) imageStorage(g *planned, image int, d *scope.Decision, storages *[]plan.Storage, numbers map[int]int64) (plan.Storage, int64, int) {
	index := p.stored.Of[image]
	found := &p.stored.Storages[index]
	number, ok := numbers[index]
	if !ok {
		number = int64(len(*storages))
		numbers[index] = number
		*storages = append(*storages, plan.Storage{
			ID: number, Pool: p.pools[found.Pool].name, Size: found.Bytes, Width: found.Width, Height: found.Height, Texel: d.Geometry.Texel, RowPitch: found.RowPitch,
		})
	}
	return (*storages)[number], p.imageBytes(g, d), found.Pool
}

// gaps are those of the i-th buffer of a graph that the layout knew of.
func (p *pipeline) gaps(g *planned, i int) []plan.Gap {
	at := p.slots[g.first+i]
	if at.flat < 0 {
		return nil
	}
	var out []plan.Gap
	if at.column {
		for _, gap := range g.buffers[i].Gaps {
			out = append(out, plan.Gap(gap))
		}
		return out
	}
	for _, gap := range p.problem.Buffers[at.flat].Gaps {
		out = append(out, plan.Gap{First: gap.First - g.start, Last: gap.Last - g.start, From: gap.From, To: gap.To})
	}
	return out
}

// copies lists the copies between scopes in order of their steps.
func copies(g *planned) []plan.Copy {
	out := []plan.Copy{}
	for i := range g.scopes.Copies {
		c := &g.scopes.Copies[i]
		out = append(out, plan.Copy{Tensor: g.graph.Tensors[c.Tensor].Name, To: c.Name, Step: int64(c.Step), Bytes: c.Bytes, Because: c.Because})
	}
	return out
}

// costs sums up the choice of scopes, nil on a device without textures.
func costs(g *planned) *plan.Scopes {
	if g.block.Device.Image2D == nil {
		return nil
	}
	return &plan.Scopes{Policy: g.scopes.Policy, CopiedBytes: g.scopes.CopiedBytes, PenaltyBytes: g.scopes.PenaltyBytes, Exact: g.scopes.Exact}
}

// flatPart is the bytes and the time of a buffer in the flat problem, alone.
func (p *pipeline) flatPart(g *planned, i int) (int64, layout.Span) {
	at := p.slots[g.first+i]
	if b := &g.buffers[i]; at.column {
		return b.Size, layout.Span{First: b.First + g.start, Last: b.Last + g.start}
	}
	b := &p.problem.Buffers[at.flat]
	return b.Size, b.Live
}

// occupancy calls yield for each buffer that has a place, with its pool, its live bytes and their time; more than once where
// gaps free some of its bytes.
func (p *pipeline) occupancy(yield func(g *planned, i, pool int, bytes int64, live layout.Span)) {
	p.everyPlace(func(g *planned, i, pool int, bytes int64, live layout.Span) {
		at := p.slots[g.first+i]
		if at.flat < 0 {
			yield(g, i, pool, bytes, live)
			return
		}
		b := &p.problem.Buffers[at.flat]
		if at.column {
			b = &layout.Buffer{Size: bytes, Live: live, Gaps: g.gapsOf(&g.buffers[i])}
		}
		for _, load := range b.Loads() {
			yield(g, i, pool, load.Bytes, load.Span)
		}
	})
}

// everyPlace calls yield once for each buffer that has a place, with its pool, its bytes and its time.
func (p *pipeline) everyPlace(yield func(g *planned, i, pool int, bytes int64, live layout.Span)) {
	for _, g := range p.graphs {
		for i := range g.buffers {
			at := p.slots[g.first+i]
			if at.flat >= 0 {
				bytes, live := p.flatPart(g, i)
				yield(g, i, p.placed.Places[at.flat].Pool, bytes, live)
				continue
			}
			if at == elsewhere {
				continue
			}
			image := &p.images.Images[at.image]
			yield(g, i, p.stored.Storages[p.stored.Of[at.image]].Pool, p.imageBytes(g, g.decision(&g.buffers[i])), image.Live)
		}
	}
}
