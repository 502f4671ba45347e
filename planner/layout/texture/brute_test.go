package texture_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
)

// truth is the score of a solution, objectives in order.
type truth struct{ unplaced, displaced, depth, bytes int64 }

func (a truth) compare(b truth) int {
	return cmp.Or(cmp.Compare(a.unplaced, b.unplaced), cmp.Compare(a.displaced, b.displaced), cmp.Compare(a.depth, b.depth), cmp.Compare(a.bytes, b.bytes))
}

// brute tries every partition of the images into storages of every pool.
type brute struct {
	p       *texture.Problem
	stores  []bruteStore
	now     truth
	best    truth
	partial bool
}

type bruteStore struct {
	pool, texel   int
	width, height int64
	users         []int
}

// least is the best score there is; partial allows images to be left out.
func least(p *texture.Problem, partial bool) truth {
	b := &brute{p: p, best: truth{math.MaxInt64, 0, 0, 0}, partial: partial}
	b.assign(0)
	return b.best
}

func (b *brute) assign(i int) {
	if i == len(b.p.Images) {
		if bytes, ok := b.bytes(); ok {
			b.now.bytes = bytes
			if b.now.compare(b.best) < 0 {
				b.best = b.now
			}
			b.now.bytes = 0
		}
		return
	}
	im, before := &b.p.Images[i], b.now
	texels := im.Width * im.Height * im.TexelBytes
	for rank, k := range im.Pools {
		if rank > 0 {
			b.now.displaced, b.now.depth = before.displaced+texels, before.depth+texels*int64(rank)
		}
		for s := range b.stores {
			if st := b.stores[s]; st.pool == k && st.texel == im.Texel && !slices.ContainsFunc(st.users, func(j int) bool { return b.meet(i, j) }) {
				b.stores[s] = bruteStore{k, st.texel, max(st.width, im.Width), max(st.height, im.Height), append(slices.Clone(st.users), i)}
				b.assign(i + 1)
				b.stores[s] = st
			}
		}
		b.stores = append(b.stores, bruteStore{k, im.Texel, im.Width, im.Height, []int{i}})
		b.assign(i + 1)
		b.stores = b.stores[:len(b.stores)-1]
		b.now = before
	}
	if b.partial {
		b.now.unplaced += texels
		b.assign(i + 1)
		b.now = before
	}
}

func (b *brute) meet(i, j int) bool {
	x, y := b.p.Images[i], b.p.Images[j]
	return x.Always || y.Always || x.Live.First < y.Live.Last && y.Live.First < x.Live.Last
}

// bytes is the sum of all storages, false when a pool does not allow them.
func (b *brute) bytes() (int64, bool) {
	used, count := make([]int64, len(b.p.Pools)), make([]int64, len(b.p.Pools))
	total := int64(0)
	for _, st := range b.stores {
		pool := b.p.Pools[st.pool]
		size := (st.width + pool.PitchAlignment - 1) / pool.PitchAlignment * pool.PitchAlignment * st.height * b.p.Images[st.users[0]].TexelBytes
		used[st.pool] += size
		count[st.pool]++
		total += size
		if st.width > pool.MaxWidth || st.height > pool.MaxHeight || pool.MaxImageBytes > 0 && size > pool.MaxImageBytes ||
			pool.Capacity != texture.Unlimited && used[st.pool] > pool.Capacity || pool.MaxImages > 0 && count[st.pool] > pool.MaxImages {
			return 0, false
		}
	}
	return total, true
}

func drawProblem(t *rapid.T, images int) *texture.Problem {
	p := &texture.Problem{}
	pools := rapid.IntRange(1, 2).Draw(t, "pools")
	for range pools {
		pool := texture.Pool{Capacity: texture.Unlimited, PitchAlignment: rapid.SampledFrom([]int64{1, 1, 4, 3}).Draw(t, "pitch"), MaxWidth: 40, MaxHeight: 40}
		if rapid.Bool().Draw(t, "capped") {
			pool.Capacity = rapid.Int64Range(0, 3000).Draw(t, "capacity")
		}
		switch rapid.IntRange(0, 5).Draw(t, "limit") {
		case 0:
			pool.MaxWidth = rapid.Int64Range(8, 20).Draw(t, "width limit")
		case 1:
			pool.MaxHeight = rapid.Int64Range(8, 20).Draw(t, "height limit")
		case 2:
			pool.MaxImages = rapid.Int64Range(1, 4).Draw(t, "image limit")
		case 3:
			pool.MaxImageBytes = rapid.Int64Range(100, 900).Draw(t, "byte limit")
		}
		p.Pools = append(p.Pools, pool)
	}
	for range rapid.IntRange(0, images).Draw(t, "images") {
		first := rapid.Int64Range(0, 8).Draw(t, "first")
		im := texture.Image{
			Width: rapid.Int64Range(1, 20).Draw(t, "width"), Height: rapid.Int64Range(1, 20).Draw(t, "height"),
			Live:  layout.Span{First: first, Last: first + rapid.Int64Range(1, 5).Draw(t, "length")},
			Scope: rapid.IntRange(0, 1).Draw(t, "scope"), Pools: []int{0}, TexelBytes: 4,
		}
		if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
			im.Texel, im.TexelBytes = 7, 2
		}
		if pools == 2 {
			im.Pools = rapid.SampledFrom([][]int{{0}, {1}, {0, 1}, {1, 0}, {0, 1}}).Draw(t, "candidates")
		}
		im.Always = rapid.IntRange(0, 9).Draw(t, "always") == 0
		p.Images = append(p.Images, im)
	}
	return p
}

func solve(t require.TestingT, p *texture.Problem, algorithm string) *texture.Result {
	r, err := texture.Solve(context.Background(), p, algorithm, layout.Effort{})
	require.NoError(t, err)
	require.NoError(t, verify(p, r), "%s: %+v", algorithm, p)
	return r
}

// scoreOf rates a result.
func scoreOf(p *texture.Problem, r *texture.Result) truth {
	var out truth
	for i, k := range r.Of {
		im := &p.Images[i]
		texels := im.Width * im.Height * im.TexelBytes
		if k == texture.NoStorage {
			out.unplaced += texels
		} else if rank := slices.Index(im.Pools, r.Storages[k].Pool); rank > 0 {
			out.displaced += texels
			out.depth += texels * int64(rank)
		}
	}
	for _, pool := range r.Pools {
		out.bytes += pool.Bytes
	}
	return out
}

func TestClaimsOfSmallProblemsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 6)
		best := least(p, true)
		for _, algorithm := range texture.Algorithms() {
			r := solve(t, p, algorithm)
			score := scoreOf(p, r)
			require.LessOrEqual(t, best.compare(score), 0, "%s is better than possible", algorithm)
			switch r.Status {
			case layout.Optimal:
				require.Equal(t, best, score, "%s says optimal", algorithm)
			case layout.Infeasible:
				require.Positive(t, best.unplaced, "%s says infeasible", algorithm)
			case layout.Unknown:
				require.NotEmpty(t, r.Unplaced)
			case layout.Feasible:
				require.Empty(t, r.Unplaced)
			}
			requirePoolsTrue(t, p, r)
		}
	})
}

// requirePoolsTrue checks the bound and the proof of each pool against all solutions for the images stored in it.
func requirePoolsTrue(t *rapid.T, p *texture.Problem, r *texture.Result) {
	for k, out := range r.Pools {
		part := &texture.Problem{Pools: p.Pools}
		for i, s := range r.Of {
			if s != texture.NoStorage && r.Storages[s].Pool == k {
				im := p.Images[i]
				im.Pools = []int{k}
				part.Images = append(part.Images, im)
			}
		}
		best := least(part, false)
		require.LessOrEqual(t, out.Bound, best.bytes, "bound of pool %d", k)
		if out.Proved {
			require.Equal(t, best.bytes, out.Bytes, "proof of pool %d", k)
		}
	}
}

func TestUnlimitedSmallProblemsAreProved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 7)
		for k := range p.Pools {
			p.Pools[k] = texture.Pool{Capacity: texture.Unlimited, PitchAlignment: p.Pools[k].PitchAlignment, MaxWidth: 40, MaxHeight: 40}
		}
		r := solve(t, p, "auto")
		require.Equal(t, layout.Optimal, r.Status)
		for i := range p.Images {
			p.Images[i].Pools = p.Images[i].Pools[:1]
		}
		require.Equal(t, least(p, false), scoreOf(p, r))
	})
}

func TestAutoIsNeverWorseThanANamedAlgorithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 40)
		ours := scoreOf(p, solve(t, p, "auto"))
		for _, algorithm := range texture.Algorithms() {
			require.LessOrEqual(t, ours.compare(scoreOf(p, solve(t, p, algorithm))), 0, algorithm)
		}
	})
}
