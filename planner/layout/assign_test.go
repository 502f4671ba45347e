package layout_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
)

// drawBanks makes a problem of buffers that the pools nearly fill: activations that may stand in several of them, some with
// offsets pinned or in one pool only, state that is live always, constants in a pool of their own, and gaps of whole buffers
// or, when pieces is set, of bytes. Its numbers are drawn evenly.
func drawBanks(t *rapid.T, buffers, pools int, pieces bool) *layout.Problem {
	even := func(lo, hi int64, label string) int64 {
		return lo + int64(rapid.SampledFrom(sequence(int(hi-lo)+1)).Draw(t, label))
	}
	p := &layout.Problem{}
	size, steps := int64(9), int64(5)
	if pieces {
		size, steps = 3, 4
	}
	for range buffers {
		first := even(0, steps-1, "first")
		b := layout.Buffer{Size: even(1, size, "size"), Alignment: rapid.SampledFrom([]int64{1, 1, 1, 1, 2, 3}).Draw(t, "alignment"),
			Live: layout.Span{First: first, Last: even(first+1, steps, "last")}, Pools: rapid.Permutation(sequence(pools)).Draw(t, "candidates")}
		switch even(0, 9, "kind") {
		case 0: // state
			b.Live = layout.Span{First: 0, Last: steps}
		case 1: // a constant
			b.Live, b.Pools = layout.Span{First: 0, Last: steps}, []int{pools - 1}
		case 2:
			b.Pools = b.Pools[:1]
		case 3:
			b.Pinned, b.Offset = true, even(0, 8, "offset")
		case 4, 5:
			b.Gaps = drawGaps(t, b.Live, b.Size)
		}
		if pieces && even(0, 1, "in pieces") == 0 {
			from, at := even(0, b.Size-1, "from"), even(b.Live.First, b.Live.Last-1, "gap")
			b.Gaps = []layout.Gap{{Span: layout.Span{First: at, Last: even(at+1, b.Live.Last, "gap end")}, From: from, To: even(from+1, b.Size, "to")}}
		}
		p.Buffers = append(p.Buffers, b)
	}
	most := int64(0)
	for step := range steps {
		sum := int64(0)
		for _, b := range p.Buffers {
			if liveAt(b, step) {
				sum += b.Size
			}
		}
		most = max(most, sum)
	}
	for range pools {
		p.Pools = append(p.Pools, layout.Pool{Capacity: max(0, most/int64(pools)+even(0, 6, "more")-2), Alignment: rapid.SampledFrom([]int64{1, 1, 1, 2}).Draw(t, "pool alignment")})
	}
	return p
}

func TestAssignmentsToPoolsAgreeWithTryingEverything(t *testing.T) {
	for _, c := range []struct {
		name           string
		buffers, pools int
		pieces         bool
	}{
		{"nine buffers in two pools", 9, 2, false},
		{"seven buffers in three pools", 7, 3, false},
		{"six buffers in pieces in two pools", 6, 2, true},
		{"five buffers in pieces in three pools", 5, 3, true},
	} {
		t.Run(c.name, rapid.MakeCheck(func(t *rapid.T) {
			p := drawBanks(t, rapid.SampledFrom(sequence(c.buffers)).Draw(t, "one less")+1, c.pools, c.pieces)
			want := brute(p)
			r := solved(t, p, "auto", 0)
			require.Equal(t, want.fits, len(r.Unplaced) == 0)
			require.NotEqual(t, layout.Unknown, r.Status)
			requireTrue(t, want, p, r, "auto")
		}))
	}
}

// filled makes n sizes that sum to total, all multiples of unit.
func filled(random *rand.Rand, n int, total, unit int64) []int64 {
	out := []int64{total / unit}
	for len(out) < n {
		k := random.IntN(len(out))
		if out[k] < 2 {
			continue
		}
		part := 1 + random.Int64N(out[k]-1)
		out = append(out, part)
		out[k] -= part
	}
	for i := range out {
		out[i] *= unit
	}
	return out
}

// TestTwoBanksFilledToTheLastByteAreFilled hides which of some fifty buffers fill the first bank, of which one may stand nowhere
// else. The second one has 1,023 bytes more than it needs, too few for the smallest: when the one buffer grows by a
// byte there is room for all bytes but no subset of buffers that fills the banks.
func TestTwoBanksFilledToTheLastByteAreFilled(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 2))
		fast, slow := int64(96+random.IntN(64))*kib, int64(160+random.IntN(96))*kib
		pools := []layout.Pool{{Capacity: fast, Alignment: 1}, {Capacity: slow + kib - 1, Alignment: 1}}
		sizes := append(filled(random, 20+random.IntN(10), fast, kib), filled(random, 20+random.IntN(10), slow, kib)...)
		p := together(pools, sizes...)
		p.Buffers[0].Pools = []int{0}
		random.Shuffle(len(sizes), func(i, j int) { p.Buffers[i], p.Buffers[j] = p.Buffers[j], p.Buffers[i] })
		r := solved(t, p, "auto", 0)
		require.Equal(t, layout.Optimal, r.Status, "%d buffers", len(sizes))
		require.Equal(t, truth{true, slow, slow, fast + slow}, cost(p, r))
		for i := range p.Buffers {
			if len(p.Buffers[i].Pools) == 1 {
				p.Buffers[i].Size++
			}
		}
		require.Equal(t, layout.Infeasible, solved(t, p, "auto", 0).Status)
	}
}

// cutInTime cuts a rectangle of time and bytes into n buffers by straight cuts.
func cutInTime(random *rand.Rand, n int, steps, bytes int64) []layout.Buffer {
	out := []layout.Buffer{{Size: bytes, Alignment: 1, Live: layout.Span{First: 0, Last: steps}, Pools: []int{0, 1}}}
	for len(out) < n {
		k := random.IntN(len(out))
		b := out[k]
		if length := b.Live.Last - b.Live.First; random.IntN(2) == 0 && length > 1 {
			at := b.Live.First + 1 + random.Int64N(length-1)
			out[k].Live.Last, b.Live.First = at, at
		} else if b.Size > 1 {
			at := 1 + random.Int64N(b.Size-1)
			out[k].Size, b.Size = at, b.Size-at
		} else {
			continue
		}
		out = append(out, b)
	}
	return out
}

// TestTwoBanksFilledAtEveryStepAreFilled hides in which of two banks buffers of different lifetimes stood that filled both at
// all times.
func TestTwoBanksFilledAtEveryStepAreFilled(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 3))
		p := &layout.Problem{Pools: []layout.Pool{{Capacity: 64 * kib, Alignment: 1}, {Capacity: 100 * kib, Alignment: 1}}}
		p.Buffers = append(cutInTime(random, 20+random.IntN(10), 12, 64*kib), cutInTime(random, 20+random.IntN(10), 12, 100*kib)...)
		random.Shuffle(len(p.Buffers), func(i, j int) { p.Buffers[i], p.Buffers[j] = p.Buffers[j], p.Buffers[i] })
		r, err := layout.Solve(context.Background(), p, "auto", layout.Effort{Decide: true})
		require.NoError(t, err)
		requireConsistent(t, p, r)
		require.Empty(t, r.Unplaced, "seed %d, %d buffers", seed, len(p.Buffers))
	}
}

// TestBanksThatAreHardToFillAreNotFilled has a fifth of the memory to spare, but a search that fills the first bank to the brim
// finds no offsets for what it put there.
func TestBanksThatAreHardToFillAreNotFilled(t *testing.T) {
	p := challenging(t, "C")
	p.Pools = []layout.Pool{{Capacity: 800_000, Alignment: 1}, {Capacity: 448_576, Alignment: 1}}
	for i := range p.Buffers {
		p.Buffers[i].Pools = []int{0, 1}
	}
	r := solved(t, p, "auto", 1<<17)
	require.Equal(t, layout.Feasible, r.Status)
}
