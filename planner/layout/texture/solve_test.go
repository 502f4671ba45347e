package texture_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
)

func TestAnUnreadableProblemIsRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(p *texture.Problem)
		want   string
	}{
		"capacity":        {func(p *texture.Problem) { p.Pools[0].Capacity = -2 }, "pool 0 has capacity -2"},
		"pitch":           {func(p *texture.Problem) { p.Pools[0].PitchAlignment = 0 }, "pool 0 has pitch alignment 0"},
		"largest image":   {func(p *texture.Problem) { p.Pools[0].MaxWidth = -1 }, "pool 0 has a largest image of -1 x 16384"},
		"image limits":    {func(p *texture.Problem) { p.Pools[0].MaxImages = -1 }, "pool 0 allows -1 images of 0 bytes"},
		"width":           {func(p *texture.Problem) { p.Images[1].Width = 0 }, "image 1 has sides 0 x 4"},
		"texel":           {func(p *texture.Problem) { p.Images[1].TexelBytes = 0 }, "image 1 has texels of 0 bytes"},
		"texel of a kind": {func(p *texture.Problem) { p.Images[1].TexelBytes = 8 }, "image 1 has texels of 8 bytes, and an earlier one of kind 0 has 16"},
		"lifetime":        {func(p *texture.Problem) { p.Images[1].Live.Last = 1 }, "image 1 lives from step 1 to step 1"},
		"candidates":      {func(p *texture.Problem) { p.Images[1].Pools = nil }, "image 1 has no candidate pool"},
		"candidate":       {func(p *texture.Problem) { p.Images[1].Pools = []int{1} }, "image 1 names pool 1 of 1"},
		"negative pool":   {func(p *texture.Problem) { p.Images[1].Pools = []int{-1} }, "image 1 names pool -1 of 1"},
		"size":            {func(p *texture.Problem) { p.Images[1].Width = math.MaxInt64 }, "exceeds 2^63-1 bytes"},
		"sum": {func(p *texture.Problem) {
			p.Images[0].Width, p.Images[0].Height = 1<<29, 1<<29
			p.Images[1].Width, p.Images[1].Height = 1<<29, 1<<30-1
		}, "images exceed 2^63-1 bytes in all"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &texture.Problem{Pools: device(), Images: []texture.Image{image(4, 4, 0, 1), image(4, 4, 1, 2)}}
			tc.change(p)
			for _, algorithm := range texture.Algorithms() {
				_, err := texture.Solve(context.Background(), p, algorithm, layout.Effort{})
				require.ErrorIs(t, err, texture.ErrInvalid)
				require.ErrorContains(t, err, tc.want)
			}
		})
	}
}

func TestAnUnknownAlgorithmIsRefused(t *testing.T) {
	_, err := texture.Solve(context.Background(), &texture.Problem{}, "tvm", layout.Effort{})
	require.EqualError(t, err, `unknown texture algorithm "tvm": the algorithms are `+strings.Join(texture.Algorithms(), ", "))
}

func TestALargeNetworkTakesLittleMoreThanItsBound(t *testing.T) {
	for _, n := range []int{30, 300, 2000} {
		p := network(n, 7)
		ours, theirs := solve(t, p, "auto"), solve(t, p, "tvm_texture")
		require.Less(t, ours.Pools[0].Bytes, theirs.Pools[0].Bytes)
		require.Less(t, 5*ours.Pools[0].Gap, ours.Pools[0].Bound, "%d images", n)
	}
}

func TestTheResultDependsOnTheProblemAlone(t *testing.T) {
	p := network(120, 3)
	p.Pools = append(p.Pools, p.Pools[0])
	p.Pools[0].Capacity = 20 << 20
	for i := range p.Images {
		p.Images[i].Pools = []int{0, 1}
	}
	require.Equal(t, solve(t, p, "auto"), solve(t, p, "auto"))
}

func TestMoreEffortIsNotNeededForAResult(t *testing.T) {
	p := network(200, 5)
	r, err := texture.Solve(context.Background(), p, "auto", layout.Effort{Nodes: 1})
	require.NoError(t, err)
	require.NoError(t, verify(p, r))
	require.LessOrEqual(t, scoreOf(p, r).compare(scoreOf(p, solve(t, p, "tvm_texture"))), 0)
}

func TestACancelledSearchReturnsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := network(200, 5)
	for _, algorithm := range texture.Algorithms() {
		r, err := texture.Solve(ctx, p, algorithm, layout.Effort{})
		require.NoError(t, err)
		require.NoError(t, verify(p, r))
		require.Empty(t, r.Unplaced)
	}
}

func TestImagesThatAllLiveAtOnceAreOptimalAtOnce(t *testing.T) {
	p := &texture.Problem{Pools: device()}
	for i := range int64(2000) {
		p.Images = append(p.Images, image(1+i%50, 1+i/50, 0, 1))
	}
	r := solve(t, p, "auto")
	require.Equal(t, layout.Optimal, r.Status)
	require.Len(t, r.Storages, 2000)
}

func BenchmarkAuto(b *testing.B) {
	for _, n := range []int{100, 2000} {
		p := network(n, 7)
		b.Run(fmt.Sprintf("images=%d", n), func(b *testing.B) {
			var gap float64
			for b.Loop() {
				r := solve(b, p, "auto")
				gap = 100 * float64(r.Pools[0].Gap) / float64(r.Pools[0].Bound)
			}
			b.ReportMetric(gap, "gap%")
		})
	}
}
