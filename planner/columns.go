package planner

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
)

// column is a run of buffers of one graph, each of which is written over the one before from below. They keep their
// distances, so that the layout places them as one.
type column struct {
	// members are numbers among the graph's buffers, in order of time; at is where each starts in the column.
	members []int
	at      []int64
	size    int64
}

// over is a buffer that is written over another one of its graph.
type over struct {
	lower, upper int
	// shift is how far the upper one starts above the lower, shared what they have in common.
	shift, shared int64
	step          int64
}

// chooseOvers decides which buffers are written over others. Two buffers overlap in one step only, so each choice lowers the
// live bytes of its step and of no other: no choice lowers the peak below the most that is left at any step when all
// overlap, and that is reached with the overlaps of the steps that exceed it. All others are left alone, since buffers that
// keep their distance are harder to place. It costs O(steps + buffers log buffers) for each list of
// candidate pools.
func (p *pipeline) chooseOvers(g *planned) []over {
	if !slices.Contains(g.views, "diagonal") || slices.ContainsFunc(p.stages, (*stage).concurrent) {
		return nil
	}
	var possible []over
	for i := range g.buffers {
		if o, ok := p.overOf(g, i); ok {
			possible = append(possible, o)
		}
	}
	var out []over
	for _, pools := range poolsOf(p, g, possible) {
		live := p.liveIn(g, pools)
		least := int64(0)
		saved := make([]int64, len(live))
		for _, o := range possible {
			if slices.Equal(p.poolsFor(g, o.lower), pools) {
				saved[o.step] = o.shared
			}
		}
		for step := range live {
			least = max(least, live[step]-saved[step])
		}
		for _, o := range possible {
			if slices.Equal(p.poolsFor(g, o.lower), pools) && live[o.step] > least {
				out = append(out, o)
			}
		}
	}
	slices.SortFunc(out, func(a, b over) int { return cmp.Compare(a.step, b.step) })
	return out
}

// poolsOf lists the different candidate pools of the buffers that may overlap.
func poolsOf(p *pipeline, g *planned, overs []over) [][]int {
	var out [][]int
	for _, o := range overs {
		pools := p.poolsFor(g, o.lower)
		if !slices.ContainsFunc(out, func(other []int) bool { return slices.Equal(pools, other) }) {
			out = append(out, pools)
		}
	}
	return out
}

// poolsFor are the candidate pools of a buffer.
func (p *pipeline) poolsFor(g *planned, i int) []int { return g.decision(&g.buffers[i]).Pools }

// overOf says how a buffer may be written over another: both are bytes of flat memory with the same candidate pools,
// which no pin, other graph or caller has a word in.
func (p *pipeline) overOf(g *planned, i int) (over, bool) {
	b := &g.buffers[i]
	if b.Over == nil || !p.loose(g, i) || !p.loose(g, b.Over.Buffer) || !slices.Equal(p.poolsFor(g, i), p.poolsFor(g, b.Over.Buffer)) {
		return over{}, false
	}
	alignment := int64(1)
	for _, pool := range p.poolsFor(g, i) {
		var ok bool
		if alignment, ok = layout.Alignment(alignment, p.pools[pool].alignment); !ok {
			return over{}, false
		}
	}
	upper := &g.buffers[b.Over.Buffer]
	shift := (b.Over.Shift + alignment - 1) / alignment * alignment
	shared := inCommon(b, upper, shift, b.First)
	return over{lower: i, upper: b.Over.Buffer, shift: shift, shared: shared, step: b.First}, shared > 0
}

// loose reports whether only the layout decides where the buffer stands, in flat memory.
func (p *pipeline) loose(g *planned, i int) bool {
	b := &g.buffers[i]
	d := g.decision(b)
	index := g.first + i
	_, isAlias := p.aliases[index]
	return b.Tensor != graph.NoTensor && b.Alignment <= 1 && d.Geometry == nil && d.Pinned == "" && !alwaysLive(b) && !isAlias && p.readers[index] == nil && p.narrowed[index] == nil &&
		!p.external(g, i) && !slices.ContainsFunc(g.members(b), func(id graph.TensorID) bool { _, pinned := g.pins[id]; return pinned })
}

// liveIn are the live bytes at each step of the graph's buffers in flat memory with these candidate pools.
func (p *pipeline) liveIn(g *planned, pools []int) []int64 {
	live := make([]int64, len(g.graph.Ops)+2)
	at := func(step int64) int64 { return min(max(step, 0), int64(len(live)-1)) }
	for i := range g.buffers {
		b := &g.buffers[i]
		if d := g.decision(b); d.Geometry != nil || alwaysLive(b) || p.external(g, i) || !slices.Equal(d.Pools, pools) {
			continue
		}
		live[at(b.First)] += b.Size
		live[at(b.Last)] -= b.Size
		for _, gap := range b.Gaps {
			live[at(gap.First)] -= gap.To - gap.From
			live[at(gap.Last)] += gap.To - gap.From
		}
	}
	for step := 1; step < len(live); step++ {
		live[step] += live[step-1]
	}
	return live
}

// columnsOf puts the buffers together that are written over one another. Buffers that are not are in none.
func columnsOf(g *planned, overs []over) []column {
	var out []column
	in := map[int]int{} // the column that a buffer is the last of
	for _, o := range overs {
		k, ok := in[o.upper]
		if !ok {
			k = len(out)
			out = append(out, column{members: []int{o.upper}, at: []int64{0}})
		}
		c := &out[k]
		c.members, c.at = append(c.members, o.lower), append(c.at, c.at[len(c.at)-1]-o.shift)
		delete(in, o.upper)
		in[o.lower] = k
	}
	for k := range out {
		c := &out[k]
		low := slices.Min(c.at)
		for i, member := range c.members {
			c.at[i] -= low
			c.size = max(c.size, c.at[i]+g.buffers[member].Size)
		}
	}
	return out
}

// buffer is the column as the layout sees it: free are all bytes of it in which no member holds anything at a step.
func (c *column) buffer(g *planned) layout.Buffer {
	first, last := g.buffers[c.members[0]].First, g.buffers[c.members[len(c.members)-1]].Last
	out := layout.Buffer{Size: c.size, Alignment: 1, Live: layout.Span{First: first + g.start, Last: last + g.start}}
	var cuts []int64
	for _, member := range c.members {
		b := &g.buffers[member]
		cuts = append(cuts, b.First, b.Last)
		for _, gap := range b.Gaps {
			cuts = append(cuts, gap.First, gap.Last)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var before []run
	for k := range len(cuts) - 1 {
		free := c.free(g, cuts[k])
		for i, r := range free {
			if same := &out.Gaps; slices.Equal(free, before) {
				(*same)[len(*same)-len(free)+i].Last = cuts[k+1] + g.start
				continue
			}
			out.Gaps = append(out.Gaps, layout.Gap{Span: layout.Span{First: cuts[k] + g.start, Last: cuts[k+1] + g.start}, From: r.from, To: r.to})
		}
		before = free
	}
	return out
}

// free lists the bytes of the column in which no member holds anything at a step.
func (c *column) free(g *planned, step int64) []run {
	var taken []run
	for i, member := range c.members {
		for _, r := range held(&g.buffers[member], step) {
			taken = append(taken, run{r.from + c.at[i], r.to + c.at[i]})
		}
	}
	return uncovered(c.size, taken)
}

// run is the bytes [from, to).
type run struct{ from, to int64 }

// held lists the bytes in which a buffer holds something at a step, ascending.
func held(b *liveness.Buffer, step int64) []run {
	if step < b.First || step >= b.Last {
		return nil
	}
	var gaps []run
	for _, gap := range b.Gaps {
		if gap.First <= step && step < gap.Last {
			gaps = append(gaps, run{gap.From, gap.To})
		}
	}
	return uncovered(b.Size, gaps)
}

// uncovered lists the bytes of a size that no run covers, ascending. It sorts the runs.
func uncovered(size int64, runs []run) []run {
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	var out []run
	at := int64(0)
	for _, r := range append(runs, run{size, size}) {
		if at < r.from {
			out = append(out, run{at, r.from})
		}
		at = max(at, r.to)
	}
	return out
}

// inCommon is the number of bytes in which two buffers hold something at a step, of which the upper one starts shift bytes above.
func inCommon(lower, upper *liveness.Buffer, shift, step int64) int64 {
	total := int64(0)
	above := held(upper, step)
	for _, a := range held(lower, step) {
		for _, b := range above {
			total += max(0, min(a.to, b.to+shift)-max(a.from, b.from+shift))
		}
	}
	return total
}

// addColumn puts buffers that keep their distances into the flat problem as one.
func (p *pipeline) addColumn(g *planned, c *column) {
	out := c.buffer(g)
	out.Pools = p.poolsFor(g, c.members[0])
	p.owners = append(p.owners, g.first+c.members[0])
	for i, member := range c.members {
		p.slots[g.first+member] = slot{flat: len(p.problem.Buffers), image: -1, at: c.at[i], column: true}
	}
	p.problem.Buffers = append(p.problem.Buffers, out)
}

// diagonal is what the plan says of a result that is written over an operand from below, nil for most.
func (p *pipeline) diagonal(g *planned, id graph.TensorID) *plan.Diagonal {
	for _, o := range g.overs {
		if d := g.buffers[o.lower].Over; d.Result == id {
			return &plan.Diagonal{Operand: g.graph.Tensors[d.Operand].Name, Distance: d.Distance}
		}
	}
	return nil
}

// sharedBytes calls yield for the bytes that two buffers have in common while both are live.
func (p *pipeline) sharedBytes(yield func(pool int, bytes int64, live layout.Span)) {
	for _, g := range p.graphs {
		for _, o := range g.overs {
			first := o.step + g.start
			pool := p.placed.Places[p.slots[g.first+o.lower].flat].Pool
			yield(pool, o.shared, layout.Span{First: first, Last: first + 1})
		}
	}
}
