package planner

import (
	"context"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
	"github.com/memplan/memplan/planner/plan"
)

// keepPrevious puts buffers back to where the previous plan has them, as far as that raises no peak. Which orders, views,
// scopes and pools were chosen does not depend on the previous plan, so that planning with its own result changes nothing.
func (p *pipeline) keepPrevious(ctx context.Context) {
	if p.opts.Previous == nil {
		return
	}
	before := placesBefore(p.opts.Previous)
	pools := map[string]int{}
	for i := range p.pools {
		pools[p.pools[i].name] = i
	}
	p.keepImages(pools)
	for i := range p.problem.Buffers {
		g, b := p.bufferAt(i)
		was, known := before[tensorName{g.block.Name, b.Name}]
		if pool, still := pools[was.pool]; known && still {
			p.problem.Buffers[i].Hint = &layout.Place{Pool: pool, Offset: was.offset - p.slots[p.owners[i]].at}
		}
	}
	p.placed = layout.Keep(ctx, p.problem, p.placed, p.cfg.Planner.Algorithm)
}

// keepImages lets image objects share storages as they did before.
func (p *pipeline) keepImages(pools map[string]int) {
	before := storagesBefore(p.opts.Previous)
	had := make([]texture.Before, len(p.images.Images))
	for i := range had {
		had[i].Storage = texture.NoStorage
	}
	for index, at := range p.slots {
		if at.image < 0 || len(p.stored.Unplaced) > 0 {
			continue
		}
		g, i := p.bufferOf(index)
		was, known := before[tensorName{g.block.Name, g.buffers[i].Name}]
		if !known {
			continue
		}
		if pool, still := pools[was.Pool]; still && pool == p.stored.Storages[p.stored.Of[at.image]].Pool {
			had[at.image] = texture.Before{Storage: int(was.ID), Width: was.Width, Height: was.Height}
		}
	}
	p.stored = texture.Keep(p.images, p.stored, had, p.cfg.Planner.TextureAlgorithm)
}

// storagesBefore are the image objects of the tensors that were in one.
func storagesBefore(previous *plan.Plan) map[tensorName]*plan.Storage {
	objects := map[int64]*plan.Storage{}
	for i := range previous.Storages {
		if s := &previous.Storages[i]; s.Width > 0 && s.Offset == nil {
			objects[s.ID] = s
		}
	}
	out := map[tensorName]*plan.Storage{}
	for i := range previous.Graphs {
		g := &previous.Graphs[i]
		for j := range g.Tensors {
			if s := objects[g.Tensors[j].Storage]; s != nil {
				out[tensorName{g.Name, g.Tensors[j].Name}] = s
			}
		}
	}
	return out
}

// tensorName is a tensor of a plan; placeBefore where it was in flat memory.
type tensorName struct{ graph, tensor string }

type placeBefore struct {
	pool   string
	offset int64
}

// placesBefore are the places of the tensors that had bytes of flat memory, views and shared constants included: what is a
// buffer now may have been one of them.
func placesBefore(previous *plan.Plan) map[tensorName]placeBefore {
	out := map[tensorName]placeBefore{}
	for i := range previous.Graphs {
		g := &previous.Graphs[i]
		for j := range g.Tensors {
			if t := &g.Tensors[j]; t.Offset != nil {
				out[tensorName{g.Name, t.Name}] = placeBefore{t.Pool, *t.Offset}
			}
		}
	}
	return out
}
