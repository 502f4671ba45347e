package exec

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// poisonByte makes NaN of every float type and -1 or the largest value of every integer type.
const poisonByte = 0xff

// claim is a region that holds content during the half-open steps [first, last).
type claim struct {
	region      device.Region
	first, last int64
}

// claims returns the regions that the tensors of a graph hold. Constants and state hold theirs always, an input from
// before the first step, an output and whatever shares its bytes until after the last.
func claims(planned *plan.Graph, l *layout, g *graph.Graph) []claim {
	steps := int64(len(planned.Steps))
	outputs := map[string]bool{}
	for _, id := range g.Outputs {
		if t := g.Tensor(id); t != nil {
			outputs[t.Name] = true
		}
	}
	list := make([]claim, 0, len(l.planned))
	for _, t := range l.planned {
		c := claim{l.inPool(l.tensors[t.Name].Place), t.First, t.Last}
		switch graph.Role(t.Role) {
		case graph.Constant, graph.State:
			c.first, c.last = math.MinInt64, math.MaxInt64
		case graph.Input:
			c.first = min(c.first, 0)
		}
		if outputs[t.Name] {
			c.last = max(c.last, steps+1)
		}
		switch {
		case c.region.Bytes <= 0:
		case len(t.Gaps) == 0:
			list = append(list, c)
		default:
			list = append(list, claimedPieces(t, c)...)
		}
	}
	return list
}

// claimedPieces cuts a claim at the tensor's gaps. What the claim holds before the tensor's life or after it stays one with
// what is live at the end of that.
func claimedPieces(t *plan.Tensor, whole claim) []claim {
	var out []claim
	for _, p := range t.Pieces() {
		c := claim{whole.region, p.First, p.Last}
		c.region.Offset += p.From
		c.region.Bytes = p.To - p.From
		if p.First == t.First {
			c.first = whole.first
		}
		if p.Last == t.Last {
			c.last = whole.last
		}
		out = append(out, c)
	}
	return out
}

// inPool returns the bytes of the pool that a region of a buffer-backed image takes; other regions are returned as they
// are.
func (l *layout) inPool(r device.Region) device.Region {
	if r.Image >= 0 && l.memory.Images[r.Image].Offset >= 0 {
		r.Offset += l.memory.Images[r.Image].Offset
		r.Image = -1
	}
	return r
}

// plantPoison works out what to fill before a run and after each step.
func (r *Runner) plantPoison(planned *plan.Graph, l *layout, others []claim) {
	all := append(claims(planned, l, r.graph), others...)
	kept := always(all)
	for name := range r.linked {
		kept = append(kept, l.inPool(l.tensors[name].Place))
	}
	for _, whole := range wholeMemory(r.memory) {
		r.dead = append(r.dead, without(whole, kept)...)
	}
	for i, dead := range deaths(all, len(r.steps)) {
		r.steps[i].dead = dead
	}
	for _, b := range stridedBuffers(planned, l, r.graph) {
		for i := range r.steps {
			r.steps[i].dead = append(r.steps[i].dead, b.deadAfter(int64(i))...)
		}
	}
}

// deaths returns for each step what no claim holds any more after it: the regions of claims that end with the step, without
// what others hold at the next one. A claim on no step at all ends with its first. It costs O(steps + claims · log claims)
// and for each claim that ends the claims alive then.
func deaths(all []claim, steps int) [][]device.Region {
	ending := make([][]claim, steps)
	for _, c := range all {
		if at := max(c.last-1, c.first); at >= 0 && at < int64(steps) {
			ending[at] = append(ending[at], c)
		}
	}
	waiting := slices.Clone(all)
	slices.SortStableFunc(waiting, func(a, b claim) int { return cmp.Compare(a.first, b.first) })
	var alive []claim
	dead := make([][]device.Region, steps)
	for i := range ending {
		next := int64(i) + 1
		for len(waiting) > 0 && waiting[0].first <= next {
			alive, waiting = append(alive, waiting[0]), waiting[1:]
		}
		if len(ending[i]) == 0 {
			continue
		}
		alive = slices.DeleteFunc(alive, func(c claim) bool { return c.last <= next })
		live := regions(alive)
		for _, c := range ending[i] {
			dead[i] = append(dead[i], without(c.region, live)...)
		}
	}
	return dead
}

func regions(claims []claim) []device.Region {
	list := make([]device.Region, len(claims))
	for i, c := range claims {
		list[i] = c.region
	}
	return list
}

// wholeMemory returns the regions of all flat pools and of all images that have their own memory.
func wholeMemory(m device.Memory) []device.Region {
	var list []device.Region
	for pool := range m.Pools {
		if !m.Pools[pool].Texture {
			list = append(list, device.Region{Pool: pool, Image: -1, Bytes: m.Pools[pool].Bytes})
		}
	}
	for i := range m.Images {
		if m.Images[i].Offset < 0 {
			list = append(list, device.Region{Pool: m.Images[i].Pool, Image: i, Bytes: m.Images[i].Bytes})
		}
	}
	return list
}

// always returns the regions that never die.
func always(all []claim) []device.Region {
	var list []device.Region
	for _, c := range all {
		if c.last == math.MaxInt64 {
			list = append(list, c.region)
		}
	}
	return list
}

// without returns the parts of a region outside of all others, in ascending order. An image is taken whole or not at
// all, since it serves one tensor at a time.
func without(r device.Region, others []device.Region) []device.Region {
	var holes []device.Region
	for _, o := range others {
		if o.Pool == r.Pool && o.Image == r.Image && o.Offset < r.Offset+r.Bytes && r.Offset < o.Offset+o.Bytes {
			if r.Image >= 0 {
				return nil
			}
			holes = append(holes, o)
		}
	}
	slices.SortFunc(holes, func(a, b device.Region) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Bytes, b.Bytes))
	})
	var parts []device.Region
	at, end := r.Offset, r.Offset+r.Bytes
	for _, h := range holes {
		if h.Offset > at {
			parts = append(parts, device.Region{Pool: r.Pool, Image: r.Image, Offset: at, Bytes: h.Offset - at})
		}
		at = max(at, h.Offset+h.Bytes)
	}
	if at < end {
		parts = append(parts, device.Region{Pool: r.Pool, Image: r.Image, Offset: at, Bytes: end - at})
	}
	return parts
}

func (r *Runner) fill(regions []device.Region) error {
	for _, region := range regions {
		if err := r.dev.Fill(region, poisonByte); err != nil {
			return fmt.Errorf("poison: %w", err)
		}
	}
	return nil
}
