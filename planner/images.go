package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/scope"
	geometry "github.com/memplan/memplan/planner/texture"
)

// denial says which pools had no room for a tensor as an image.
type denial struct {
	from    []string
	because string
}

// forbidden gives the scope stage the reasons of the denials.
func (p *pipeline) forbidden(g *planned) map[graph.TensorID]string {
	out := p.flatEnds(g)
	for id, d := range g.denied {
		out[id] = d.because
	}
	return out
}

// full gives the scope stage the pools that had no room for the denied images.
func (p *pipeline) full(g *planned) map[graph.TensorID]string {
	out := make(map[graph.TensorID]string, len(g.denied))
	for id, d := range g.denied {
		if out[id] = poolWords(d.from); len(d.from) > 1 {
			out[id] = "one of " + out[id]
		}
	}
	return out
}

// original is the tensor of the rewritten graph that a copy was made of, and any other tensor itself.
func (g *planned) original(id graph.TensorID) graph.TensorID {
	if id != graph.NoTensor && int(id) >= len(g.rewritten.Tensors) {
		for i := range g.scopes.Copies {
			if g.scopes.Copies[i].Result == id {
				return g.scopes.Copies[i].Tensor
			}
		}
	}
	return id
}

// mergeable says whether the result of a reshape may share the memory of its operand. In flat memory it may. Two images
// share when sides and texel agree and every element stands at the same place in both, which equal sides alone do not
// say: channels are cut into texels before the rest is cut into rows.
func (g *planned) mergeable(input, output graph.TensorID) bool {
	a, b := g.scopes.Tensors[input].Geometry, g.scopes.Tensors[output].Geometry
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	from, reason := geometry.OrderOf(g.graph.Tensors[input].Shape, g.layout(input))
	to, other := geometry.OrderOf(g.graph.Tensors[output].Shape, g.layout(output))
	return reason == "" && other == "" && a.Width == b.Width && a.Height == b.Height && a.Texel == b.Texel && from.Same(to)
}

// layout is what the axes of a tensor are taken for. An image of a tensor without a layout was packed by the one that
// the scope stage took from its neighbours.
func (g *planned) layout(id graph.TensorID) string {
	t, image := &g.graph.Tensors[id], g.scopes.Tensors[id].Geometry
	if t.Layout != "" || image == nil || len(t.Shape) != 4 {
		return t.Layout
	}
	return image.Layout[:len(t.Shape)]
}

// imagePool is the pool as far as image objects are concerned. A flat pool is never a candidate there.
func (e *poolEntry) imagePool() texture.Pool {
	out := texture.Pool{Capacity: e.size, PitchAlignment: 1, MaxWidth: 1, MaxHeight: 1, MaxImageBytes: e.device.MaxAlloc}
	if image := e.device.Image2D; image != nil {
		out.PitchAlignment, out.MaxWidth, out.MaxHeight = image.PitchAlignment, image.MaxWidth, image.MaxHeight
	}
	return out
}

// imageCandidates splits the candidates that take the tensor as an image into pools of image objects and flat pools.
func (p *pipeline) imageCandidates(d *scope.Decision) (objects, backed []int) {
	for _, pool := range d.Pools[:d.Images] {
		if p.pools[pool].kind == "texture" {
			objects = append(objects, pool)
		} else {
			backed = append(backed, pool)
		}
	}
	return objects, backed
}

func imageOf(d *scope.Decision, pools []int, live layout.Span, always bool, apart int) texture.Image {
	return texture.Image{
		Width: d.Geometry.Width, Height: d.Geometry.Height, Texel: texelKind(d) + apart*kindsOfTexels, TexelBytes: d.Geometry.TexelBytes, Scope: scopeKind(d),
		Live: live, Pools: pools, Always: always,
	}
}

// kindsOfTexels is more than there are element types.
const kindsOfTexels = 1 << 10

// apart numbers the graphs that run at the same time as others, 0 for the first of them and for all others: their images are
// of kinds of their own, so that no two of them share a storage.
func (g *planned) apart() int { return slices.Index(g.stage.graphs, g) }

// texelKind and scopeKind number the names of a geometry: the texture layout tells kinds apart and knows no names.
func texelKind(d *scope.Decision) int {
	channel, _ := graph.ParseDType(strings.TrimPrefix(d.Geometry.Texel, "rgba_"))
	return int(channel)
}

func scopeKind(d *scope.Decision) int { return slices.Index(scope.Names(), d.Scope) }

// imageBytes is what an image takes, rows padded to the device's pitch.
func (p *pipeline) imageBytes(g *planned, d *scope.Decision) int64 {
	bytes, ok := d.Geometry.Bytes(g.block.Device.Image2D.PitchAlignment)
	if !ok {
		p.err = fmt.Errorf("the size of an image of %d x %d texels overflows after it was found to be within the device's limits", d.Geometry.Width, d.Geometry.Height)
	}
	return bytes
}

// storeImages gives image objects their storages. What found no room goes on as an image over a flat pool where that is
// a candidate, else it is denied and decided again as a flat tensor.
func (p *pipeline) storeImages(ctx context.Context) diag.Diagnostics {
	stored, err := texture.Solve(ctx, p.images, p.cfg.Planner.TextureAlgorithm, p.opts.Effort)
	if err != nil {
		p.err = err
		return nil
	}
	p.stored = stored
	missing := make(map[int]bool, len(stored.Unplaced))
	for _, index := range stored.Unplaced {
		missing[index] = true
	}
	for _, g := range p.graphs {
		for i := range g.buffers {
			if image := p.slots[g.first+i].image; image >= 0 && missing[image] {
				p.unstore(g, &g.buffers[i])
			}
		}
	}
	return nil
}

func (p *pipeline) unstore(g *planned, b *liveness.Buffer) {
	decision := g.decision(b)
	if _, backed := p.imageCandidates(decision); len(backed) > 0 {
		g.unstored[g.original(b.Tensor)] = true
		p.denied = true
		return
	}
	p.deny(g, b, decision)
}

// deny notes that there is no room for a buffer as an image.
func (p *pipeline) deny(g *planned, b *liveness.Buffer, d *scope.Decision) {
	var from []string
	for _, pool := range d.Pools[:d.Images] {
		from = append(from, p.pools[pool].name)
	}
	bytes := p.imageBytes(g, d)
	why := fmt.Sprintf("an image of %d x %d texels, %d bytes%s, did not fit into %s beside the images placed there", d.Geometry.Width, d.Geometry.Height, bytes, padding(d, bytes), poolWords(from))
	for _, id := range g.members(b) {
		g.denied[g.original(id)] = denial{from: from, because: why}
	}
	p.denied = true
}

// denyInTheWay denies the largest image over a flat pool that lies in the way of a flat buffer without a place, and reports
// whether there is one: to fit comes before what rules would like best. Of equal ones the first goes. O(unplaced x buffers).
func (p *pipeline) denyInTheWay() bool {
	largest := -1
	for index := range p.problem.Buffers {
		g, b := p.bufferAt(index)
		if d := g.decision(b); d.Geometry == nil || d.Pinned != "" || !p.inTheWay(index) {
			continue
		}
		if largest < 0 || p.problem.Buffers[index].Size > p.problem.Buffers[largest].Size {
			largest = index
		}
	}
	if largest < 0 {
		return false
	}
	g, b := p.bufferAt(largest)
	p.deny(g, b, g.decision(b))
	return true
}

// inTheWay says whether a placed buffer is live together with one that has no place and could lie in its pool.
func (p *pipeline) inTheWay(index int) bool {
	placed, pool := &p.problem.Buffers[index], p.placed.Places[index].Pool
	return pool != layout.Unplaced && slices.ContainsFunc(p.placed.Unplaced, func(other int) bool {
		o := &p.problem.Buffers[other]
		return o.Live.First < placed.Live.Last && placed.Live.First < o.Live.Last && slices.Contains(o.Pools, pool)
	})
}

// padding says how wide the rows of an image are where the device's pitch makes them wider than the image.
func padding(d *scope.Decision, bytes int64) string {
	row := bytes / d.Geometry.Height / d.Geometry.TexelBytes
	if row == d.Geometry.Width {
		return ""
	}
	return fmt.Sprintf(" with rows of %d texels", row)
}

func poolWords(names []string) string {
	if len(names) == 1 {
		return "pool " + names[0]
	}
	return "the pools " + diag.Enumerate(names, "and")
}
