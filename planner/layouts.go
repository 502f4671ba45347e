package planner

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/scope"
)

// analyzeLiveness merges views and computes lifetimes, graph by graph.
func (p *pipeline) analyzeLiveness(context.Context) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, g := range p.graphs {
		options := g.within(g.options(g.divided))
		if options.Strided != nil {
			options.Strided = g.graph.TakesRows
		}
		buffers, more := liveness.Analyze(g.graph, options)
		g.buffers = buffers
		diags = append(diags, allAt(more, g.block.Name, g.block.Range)...)
	}
	return diags
}

// slot says where a buffer is being planned: its index in the flat problem or among the images, -1 in the other. One that
// is in the bytes of another, and one whose memory is the caller's, is in neither.
type slot struct {
	flat, image int
	// column says that other buffers are planned with it as one, at where it starts among their bytes.
	column bool
	at     int64
}

// elsewhere is the slot of a buffer that needs no place.
var elsewhere = slot{flat: -1, image: -1}

// buildProblems makes one problem of flat memory and one of image objects, over all graphs. Graphs run one after the
// other, so each one's steps follow those of the one before, unless they run at the same time; constants and state are live
// over all of them.
func (p *pipeline) buildProblems(context.Context) diag.Diagnostics {
	p.problem, p.images = p.emptyProblems()
	p.slots, p.owners = nil, nil
	count := 0
	for _, g := range p.graphs {
		g.first = count
		count += len(g.buffers)
	}
	diags := p.findAliases()
	if p.err != nil || diags.HasErrors() {
		return diags
	}
	total := p.arrangeStages()
	for _, g := range p.graphs {
		g.overs = p.chooseOvers(g)
		columns := columnsOf(g, g.overs)
		inColumn := map[int]bool{}
		for k := range columns {
			for _, member := range columns[k].members {
				inColumn[member] = true
			}
		}
		for i := range g.buffers {
			if _, isAlias := p.aliases[g.first+i]; isAlias || inColumn[i] || p.external(g, i) {
				p.slots = append(p.slots, elsewhere)
				continue
			}
			diags = append(diags, p.addBuffer(g, i, total)...)
		}
		for k := range columns {
			p.addColumn(g, &columns[k])
		}
	}
	p.problem.Conflicts = p.conflicts()
	p.rankByName()
	return append(diags, p.weigh()...)
}

// weigh reports the first buffer with which all of them, aligned, take more bytes than there are numbers for.
func (p *pipeline) weigh() diag.Diagnostics {
	total := int64(0)
	for i := range p.problem.Buffers {
		need, err := p.problem.Weigh(i)
		if err != nil && !errors.Is(err, layout.ErrTooLarge) {
			continue // a fault of ours, which the layout reports
		}
		if err == nil && need <= math.MaxInt64-total {
			total += need
			continue
		}
		g, b := p.bufferAt(i)
		return diag.Diagnostics{at(diag.New(diag.TotalSizeOverflow,
			"All buffers, each at its alignment, take more than 2^63-1 bytes; %q of graph %q, %d bytes at an alignment of %d, is the first beyond that. Check its size and the alignments of its pools.",
			b.Name, g.block.Name, b.Size, p.widestAlignment(i)), g.block.Name, g.block.Range)}
	}
	return nil
}

// widestAlignment is the largest that a buffer of the flat problem may have to meet.
func (p *pipeline) widestAlignment(buffer int) int64 {
	b := &p.problem.Buffers[buffer]
	widest := b.Alignment
	for _, pool := range b.Pools {
		widest = max(widest, p.problem.Pools[pool].Alignment)
	}
	return widest
}

func (p *pipeline) emptyProblems() (*layout.Problem, *texture.Problem) {
	flat, images := &layout.Problem{}, &texture.Problem{}
	for i := range p.pools {
		e := &p.pools[i]
		flat.Pools = append(flat.Pools, layout.Pool{Capacity: e.limit(), Alignment: e.alignment})
		images.Pools = append(images.Pools, e.imagePool())
	}
	return flat, images
}

// addBuffer puts a buffer into the problem it belongs to.
func (p *pipeline) addBuffer(g *planned, i int, total int64) diag.Diagnostics {
	b := &g.buffers[i]
	decision := g.decision(b)
	objects, backed := p.imageCandidates(decision)
	if len(objects) > 0 && !g.unstored[g.original(b.Tensor)] {
		p.slots = append(p.slots, slot{flat: -1, image: len(p.images.Images)})
		p.images.Images = append(p.images.Images, imageOf(decision, objects, p.lifetime(g.first+i, total), alwaysLive(b), g.apart()))
		return nil
	}
	out := layout.Buffer{Size: b.Size, Alignment: max(1, b.Alignment), Live: p.lifetime(g.first+i, total), Pools: decision.Pools}
	if pools := p.narrowed[g.first+i]; pools != nil {
		out.Pools = pools
	}
	if decision.Geometry != nil {
		out.Size, out.Pools, out.Alignment = p.imageBytes(g, decision), backed, decision.Geometry.TexelBytes
	}
	wish, diags := g.pinOf(b)
	if wish != nil {
		out.Pinned, out.Offset = true, *wish
	}
	if decision.Geometry == nil && len(p.readers[g.first+i]) == 0 {
		out.Gaps = g.gapsOf(b)
	}
	p.owners = append(p.owners, len(p.slots))
	p.slots = append(p.slots, slot{flat: len(p.problem.Buffers), image: -1})
	p.problem.Buffers = append(p.problem.Buffers, out)
	return diags
}

// gapsOf are the gaps of a buffer in the time of the problem.
func (g *planned) gapsOf(b *liveness.Buffer) []layout.Gap {
	var out []layout.Gap
	for _, gap := range b.Gaps {
		out = append(out, layout.Gap{Span: layout.Span{First: gap.First + g.start, Last: gap.Last + g.start}, From: gap.From, To: gap.To})
	}
	return out
}

// layOut places everything in flat memory, or notes that not everything fits. Images over flat pools that found no room are
// denied and decided again.
func (p *pipeline) layOut(ctx context.Context) diag.Diagnostics {
	placed, err := layout.Solve(ctx, p.problem, p.cfg.Planner.Algorithm, p.opts.Effort)
	if err != nil {
		p.err = err
		return nil
	}
	p.placed = placed
	for _, index := range placed.Unplaced {
		g, b := p.bufferAt(index)
		if decision := g.decision(b); decision.Geometry != nil {
			p.deny(g, b, decision)
		}
	}
	p.overfull = len(placed.Unplaced) > 0 && !p.denied && !p.denyInTheWay()
	return nil
}

// span is the smallest half-open range of steps that holds every lifetime, [0, 1) at least.
func span(buffers []liveness.Buffer) (first, last int64) {
	if len(buffers) == 0 {
		return 0, 1
	}
	first, last = buffers[0].First, buffers[0].Last
	for i := range buffers {
		first, last = min(first, buffers[i].First), max(last, buffers[i].Last)
	}
	return first, last
}

// alwaysLive reports whether the buffer keeps its bytes between graphs and runs.
func alwaysLive(b *liveness.Buffer) bool {
	return b.Role == graph.Constant || b.Role == graph.State
}

// decision is what the scope stage decided for a buffer. Views share their base's bytes, so one decision holds for all
// members: that of a pinned one, else of one that a rule decided, else of one that has the buffer's role.
func (g *planned) decision(b *liveness.Buffer) *scope.Decision {
	if b.Tensor == graph.NoTensor {
		return &g.scopes.OpScratch[b.Op][b.Scratch]
	}
	members := g.members(b)
	for _, decides := range []func(id graph.TensorID) bool{
		func(id graph.TensorID) bool { return g.scopes.Tensors[id].Pinned != "" },
		func(id graph.TensorID) bool { return g.scopes.Tensors[id].Rule >= 0 },
		func(id graph.TensorID) bool { return g.graph.Tensors[id].Role == b.Role },
	} {
		if i := slices.IndexFunc(members, decides); i >= 0 {
			return &g.scopes.Tensors[members[i]]
		}
	}
	return &g.scopes.Tensors[b.Tensor]
}

func (g *planned) members(b *liveness.Buffer) []graph.TensorID {
	members := []graph.TensorID{b.Tensor}
	for _, view := range b.Views {
		members = append(members, view.Tensor)
	}
	return members
}
