package exact_test

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// leastPeak is the least peak of any placement, -1 when pins admit none. It tries every order of the unpinned buffers, each
// placed at the lowest offset that meets no earlier one: some order gives an optimum, since a placement of least total
// offset has each buffer resting on the bottom, a pin or a buffer below it. Placed sets with equal offsets are met once.
func leastPeak(p *exact.Problem) int64 {
	n := len(p.Buffers)
	at := make([]int64, n)
	start := uint(0)
	for i, b := range p.Buffers {
		if occupies(p, i) && b.Pinned {
			if b.Offset%max(1, b.Alignment) != 0 || !free(p, at, start, i, b.Offset) {
				return -1
			}
			at[i] = b.Offset
			start |= 1 << i
		}
	}
	all := start
	for i := range n {
		if occupies(p, i) {
			all |= 1 << i
		}
	}
	best := int64(-1)
	met := map[partly]bool{}
	var place func(set uint)
	place = func(set uint) {
		if set == all {
			if top := peak(p, at); best < 0 || top < best {
				best = top
			}
			return
		}
		here := partly{set: set}
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(rest)
			here.at[i] = at[i]
		}
		if met[here] {
			return
		}
		met[here] = true
		for rest := all &^ set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(rest)
			at[i] = lowestFree(p, at, set, i)
			if best < 0 || at[i]+p.Buffers[i].Size < best {
				place(set | 1<<i)
			}
		}
	}
	place(start)
	return best
}

// mostBuffers is the most buffers of a problem that leastPeak takes.
const mostBuffers = 9

// partly is a set of placed buffers with their offsets.
type partly struct {
	set uint
	at  [mostBuffers]int64
}

func occupies(p *exact.Problem, i int) bool {
	return p.Buffers[i].Size > 0 && (p.Conflicts != nil || lives(p.Buffers[i]))
}

func free(p *exact.Problem, at []int64, set uint, i int, offset int64) bool {
	for rest := set; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros(rest)
		if conflict(p, i, j) && offset < at[j]+p.Buffers[j].Size && at[j] < offset+p.Buffers[i].Size {
			return false
		}
	}
	return true
}

func lowestFree(p *exact.Problem, at []int64, set uint, i int) int64 {
	starts := []int64{0}
	for rest := set; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros(rest)
		starts = append(starts, at[j]+p.Buffers[j].Size)
	}
	slices.Sort(starts)
	step := max(1, p.Buffers[i].Alignment)
	for _, start := range starts {
		if start = (start + step - 1) / step * step; free(p, at, set, i, start) {
			return start
		}
	}
	panic("nothing is free above everything")
}

// kind says what a drawn problem may have.
type kind struct {
	aligned, pinned, gapped, explicit bool
}

func drawProblem(t *rapid.T, k kind) *exact.Problem {
	p := &exact.Problem{}
	n := rapid.IntRange(0, mostBuffers).Draw(t, "buffers")
	scale := rapid.SampledFrom([]int64{1, 1, 3, 64}).Draw(t, "scale")
	for range n {
		b := exact.Buffer{Size: scale * rapid.Int64Range(0, 9).Draw(t, "size"), Alignment: 1, Hint: rapid.Int64Range(-1, 9).Draw(t, "hint")}
		if k.aligned {
			b.Alignment = rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 6, 64}).Draw(t, "alignment")
		}
		if k.pinned && rapid.IntRange(0, 3).Draw(t, "pinned") == 0 {
			b.Pinned, b.Offset = true, rapid.Int64Range(0, 20).Draw(t, "offset")
			b.Alignment = rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "alignment of the pin")
		}
		at := int64(0)
		for range rapid.IntRange(1, map[bool]int{true: 3}[k.gapped]+1).Draw(t, "spans") {
			first := at + rapid.Int64Range(0, 4).Draw(t, "first")
			at = first + rapid.Int64Range(0, 4).Draw(t, "length")
			b.Live = append(b.Live, exact.Span{First: first, Last: at})
		}
		p.Buffers = append(p.Buffers, b)
	}
	if k.explicit {
		p.Conflicts = make([][]int, n)
		for i := range n {
			for j := range i {
				if rapid.IntRange(0, 2).Draw(t, "conflict") > 0 {
					p.Conflicts[i] = append(p.Conflicts[i], j)
				}
			}
		}
	}
	return p
}

func TestRandomProblemsAgreeWithTryingEverything(t *testing.T) {
	kinds := map[string]kind{
		"flat":                              {},
		"aligned":                           {aligned: true},
		"pinned":                            {pinned: true},
		"gapped":                            {gapped: true},
		"explicit":                          {explicit: true},
		"all":                               {aligned: true, pinned: true, gapped: true},
		"explicit with pins and alignments": {aligned: true, pinned: true, explicit: true},
	}
	for name, k := range kinds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) { agrees(t, drawProblem(t, k)) }))
	}
}

func agrees(t *rapid.T, p *exact.Problem) {
	want := leastPeak(p)
	ctx := context.Background()
	got, err := exact.Minimise(ctx, p, exact.Options{Workers: 2})
	require.NoError(t, err)
	if want < 0 {
		require.Equal(t, exact.Infeasible, got.Status)
		return
	}
	require.Equal(t, exact.Optimal, got.Status)
	require.Empty(t, fault(p, got.Offsets))
	require.Equal(t, want, got.Peak)
	require.Equal(t, want, peak(p, got.Offsets))
	require.Equal(t, want, got.Bound)

	fits, err := exact.Decide(ctx, p, want, exact.Options{})
	require.NoError(t, err)
	require.NotNil(t, fits.Offsets)
	require.Empty(t, fault(p, fits.Offsets))
	require.LessOrEqual(t, peak(p, fits.Offsets), want)
	if want > 0 {
		tight, err := exact.Decide(ctx, p, want-1, exact.Options{})
		require.NoError(t, err)
		require.Equal(t, exact.Infeasible, tight.Status)
		require.LessOrEqual(t, tight.Bound, want)
	}
}
