package layout

import (
	"encoding/binary"
	"math"
	"runtime"
	"slices"

	"github.com/memplan/memplan/planner/layout/exact"
)

// packer packs sets of buffers of a part into one pool, exactly, and remembers them.
type packer struct {
	s      *scene
	lo, hi int32
	work   *budget
	packed map[string]packed
	// cliques are those of the part, nil until they are needed.
	cliques [][]int32
}

// packed is the best packing of a set of buffers; at is nil when none was found, and cut says that more effort could find
// one, or a better one.
type packed struct {
	ranked []int32
	at     []int64
	cut    bool
}

// mostPacked is the most buffers that are packed by packing, which starts at once, instead of by package exact.
const mostPacked = 16

// packNodes is the effort for one set, unless that is more than a quarter of what is left.
const packNodes = 1 << 16

// apart splits a set into sets that do not meet: with lifetimes those that are apart in time, gaps left aside.
func (p *packer) apart(set []int32) [][]int32 {
	set = slices.Clone(set)
	slices.Sort(set)
	if p.s.p.Conflicts != nil {
		return p.unrelated(set)
	}
	var out [][]int32
	from, end := 0, int64(math.MinInt64)
	for i, b := range set {
		live := p.s.buffer(b).Live
		if live.First >= end && i > from {
			out, from = append(out, set[from:i]), i
		}
		end = max(end, live.Last)
	}
	if from < len(set) {
		out = append(out, set[from:])
	}
	return out
}

func (p *packer) unrelated(set []int32) [][]int32 {
	groups := newDisjoint(len(set))
	for i, b := range set {
		for j, x := range set[:i] {
			if p.s.live.overlap(b, x) {
				groups.join(i, j)
			}
		}
	}
	in := make([][]int32, len(set))
	for i, b := range set {
		in[groups.find(i)] = append(in[groups.find(i)], b)
	}
	return slices.DeleteFunc(in, func(group []int32) bool { return group == nil })
}

func (p *packer) pack(k int, members []int32) packed {
	key := binary.AppendUvarint(nil, uint64(k))
	for _, b := range members {
		key = binary.AppendUvarint(key, uint64(b-p.lo))
	}
	out, ok := p.packed[string(key)]
	if !ok {
		out = p.search(k, members)
		p.packed[string(key)] = out
	}
	return out
}

func (p *packer) search(k int, members []int32) packed {
	switch {
	case p.s.inPieces(p.lo, p.hi):
		q := p.s.newInterlocking(members, k, p.work)
		q.floor, q.limit = p.floor(k, members), p.s.ceiling(k)
		q.search()
		return packed{members, q.best, q.cut}
	case len(members) <= mostPacked:
		if p.cliques == nil {
			p.cliques = p.s.live.cliques(p.s, p.lo, p.hi)
		}
		q, ranked := p.s.newPacking(members, p.cliques, k, p.work)
		q.floor, q.limit = p.floor(k, members), p.s.ceiling(k)
		q.search()
		return packed{ranked, q.best, q.cut}
	}
	return p.searchMany(k, members)
}

// floor is a peak of the members that ends the search; any will do when only a placement is asked for.
func (p *packer) floor(k int, members []int32) int64 {
	if p.s.decide {
		return maxPeak
	}
	return p.s.bound(k, func(b int32) bool { _, found := slices.BinarySearch(members, b); return found })
}

// searchMany asks package exact for a placement within the capacity first, and then for the least peak.
func (p *packer) searchMany(k int, members []int32) packed {
	q := p.s.exactProblem(members, k)
	opts := exact.Options{Nodes: max(1, min(packNodes, p.work.left()/4)), Workers: runtime.GOMAXPROCS(0)}
	capacity := p.s.ceiling(k) - 1
	r, err := exact.Decide(p.work.ctx, q, capacity, opts)
	if p.spent(r, err); r.Offsets == nil {
		return packed{members, nil, r.Status != exact.Infeasible}
	}
	if p.s.decide || r.Status == exact.Optimal {
		return packed{members, r.Offsets, false}
	}
	opts.Incumbent = r.Offsets
	least, err := exact.Minimise(p.work.ctx, q, opts)
	if p.spent(least, err); least.Offsets == nil || least.Peak > capacity {
		return packed{members, r.Offsets, true}
	}
	return packed{members, least.Offsets, least.Status != exact.Optimal}
}

func (p *packer) spent(r exact.Result, err error) {
	p.work.spent += r.Nodes
	if err != nil {
		p.s.fault = err
	}
}
