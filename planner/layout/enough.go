package layout

import (
	"context"
	"slices"
)

// Enough returns for the pools that lack capacity in the misfits sizes with which the named algorithm places all buffers,
// seen by placing them: first without a cap, for what each pool then takes, and again with that as its capacity. An
// algorithm may find less with a cap than without; the sizes then are what the pools take with nothing shared. Buffers whose
// pins are at fault are left out. It returns nil when no such sizes are found.
func Enough(ctx context.Context, p *Problem, misfits []Misfit, algorithm string, effort Effort) map[int]int64 {
	rest := make([]int, 0, len(p.Buffers))
	blamed, faulty := map[int]int64{}, map[int]bool{}
	for i := range misfits {
		if misfits[i].Cause == CauseCapacity {
			blamed[misfits[i].Pool] = Unlimited
			continue
		}
		for _, b := range misfits[i].Buffers {
			faulty[b] = true
		}
	}
	for i := range p.Buffers {
		if !faulty[i] {
			rest = append(rest, i)
		}
	}
	raised := p.subset(rest)
	raised.Pools = slices.Clone(p.Pools)
	for k := range blamed {
		raised.Pools[k].Capacity = Unlimited
	}
	free, err := Solve(ctx, raised, algorithm, effort)
	if err != nil || len(free.Unplaced) > 0 {
		return nil
	}
	for k := range blamed {
		blamed[k] = free.Pools[k].Peak
	}
	if raised.placed(ctx, blamed, algorithm, effort) {
		return blamed
	}
	for k := range blamed {
		blamed[k] = raised.sideBySide(k)
	}
	if raised.placed(ctx, blamed, algorithm, effort) {
		return blamed
	}
	return nil
}

// placed reports whether the algorithm places everything with these capacities.
func (p *Problem) placed(ctx context.Context, capacities map[int]int64, algorithm string, effort Effort) bool {
	for k, capacity := range capacities {
		p.Pools[k].Capacity = capacity
	}
	r, err := Solve(ctx, p, algorithm, effort)
	return err == nil && len(r.Unplaced) == 0
}

// sideBySide is what a pool takes when it holds all buffers that may be in it, none of which shares bytes with another.
func (p *Problem) sideBySide(k int) int64 {
	sum := int64(0)
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if !slices.Contains(b.Pools, k) {
			continue
		}
		if b.Pinned {
			sum = max(sum, saturatingAdd(b.Offset, b.Size, 1))
			continue
		}
		align, ok := Alignment(max(1, b.Alignment), p.Pools[k].Alignment)
		if !ok {
			return sum
		}
		sum = saturatingAdd(sum, saturatingAdd(b.Size, align-1, 1), 1)
	}
	return sum
}
