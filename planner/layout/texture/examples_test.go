package texture_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
)

// device is one unlimited pool with the limits of an ordinary device.
func device() []texture.Pool {
	return []texture.Pool{{Capacity: texture.Unlimited, PitchAlignment: 1, MaxWidth: 16384, MaxHeight: 16384}}
}

// image is a float32 image that lives in [first, last).
func image(width, height, first, last int64) texture.Image {
	return texture.Image{Width: width, Height: height, TexelBytes: 16, Live: layout.Span{First: first, Last: last}, Pools: []int{0}}
}

// sides lists width and height of each storage.
func sides(r *texture.Result) [][2]int64 {
	var out [][2]int64
	for _, st := range r.Storages {
		out = append(out, [2]int64{st.Width, st.Height})
	}
	return out
}

func TestOneTallAndOneWideImageDoNotShare(t *testing.T) {
	p := &texture.Problem{Pools: device(), Images: []texture.Image{image(1024, 768, 0, 2), image(64, 12455, 4, 6)}}
	for _, algorithm := range texture.Algorithms() {
		t.Run(algorithm, func(t *testing.T) {
			r := solve(t, p, algorithm)
			require.Equal(t, [][2]int64{{1024, 768}, {64, 12455}}, sides(r))
			require.Equal(t, int64(1583552*16), r.Pools[0].Bytes, "not the 12753920 texels of one for both")
		})
	}
	r := solve(t, p, "auto")
	require.Equal(t, layout.Optimal, r.Status)
	require.Equal(t, r.Pools[0].Bytes, r.Pools[0].Bound)
}

// The traces are those of TVM's own tests of its token allocator, read as images: the packed shape [1, 22, 20, 20, 4] of
// channels last is 400 x 22 texels. Each image starts when the one before has ended.
func TestTVMReusesAsItsAllocatorDoes(t *testing.T) {
	halfTexel := func(im texture.Image) texture.Image { im.Texel, im.TexelBytes = 1, 8; return im }
	otherScope := func(im texture.Image) texture.Image { im.Scope = 1; return im }
	for name, tc := range map[string]struct {
		images []texture.Image
		sides  [][2]int64
		of     []int
	}{
		"one image":          {[]texture.Image{image(400, 22, 0, 1)}, [][2]int64{{400, 22}}, []int{0}},
		"equal sides":        {[]texture.Image{image(400, 22, 0, 1), image(400, 22, 1, 2)}, [][2]int64{{400, 22}}, []int{0, 0}},
		"equal sides, alive": {[]texture.Image{image(400, 22, 0, 2), image(400, 22, 1, 2)}, [][2]int64{{400, 22}, {400, 22}}, []int{0, 1}},
		"another element type": {
			[]texture.Image{image(400, 22, 0, 1), halfTexel(image(400, 22, 1, 2))}, [][2]int64{{400, 22}, {400, 22}}, []int{0, 1}},
		"another scope": {
			[]texture.Image{image(676, 28, 0, 1), otherScope(image(676, 28, 1, 2))}, [][2]int64{{676, 28}, {676, 28}}, []int{0, 1}},
		"a storage grows along both axes and serves again": {
			[]texture.Image{image(400, 22, 0, 1), image(900, 40, 1, 2), image(900, 25, 2, 3)}, [][2]int64{{900, 40}}, []int{0, 0, 0}},
		"a storage grows along one axis": {
			[]texture.Image{image(400, 22, 0, 1), image(600, 5, 1, 2)}, [][2]int64{{600, 22}}, []int{0, 0}},
		"a quotient of five is allowed": {
			[]texture.Image{image(400, 20, 0, 1), image(80, 100, 1, 2)}, [][2]int64{{400, 100}}, []int{0, 0}},
		"a quotient of six is not": {
			[]texture.Image{image(400, 20, 0, 1), image(66, 20, 1, 2)}, [][2]int64{{400, 20}, {66, 20}}, []int{0, 1}},
		"less waste wins over the earlier storage": {
			[]texture.Image{image(20, 20, 0, 2), image(10, 10, 0, 2), image(10, 10, 2, 3)}, [][2]int64{{20, 20}, {10, 10}}, []int{0, 1, 1}},
		"less growth wins over the earlier storage": {
			[]texture.Image{image(10, 10, 0, 2), image(14, 14, 0, 2), image(15, 15, 2, 3)}, [][2]int64{{10, 10}, {15, 15}}, []int{0, 1, 1}},
		"less growth along one axis is enough": {
			[]texture.Image{image(10, 14, 0, 2), image(14, 10, 0, 2), image(15, 15, 2, 3)}, [][2]int64{{10, 14}, {15, 15}}, []int{0, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			r := solve(t, &texture.Problem{Pools: device(), Images: tc.images}, "tvm_texture")
			require.Equal(t, tc.sides, sides(r))
			require.Equal(t, tc.of, r.Of)
		})
	}
}

func TestTFLiteReusesEqualSidesOnly(t *testing.T) {
	p := &texture.Problem{Pools: device(), Images: []texture.Image{
		image(20, 10, 0, 1), image(20, 10, 1, 2), image(20, 9, 2, 3), image(10, 20, 3, 4), image(20, 10, 1, 3), image(20, 10, 3, 5)}}
	r := solve(t, p, "tflite_equality")
	require.Equal(t, []int{0, 0, 1, 2, 3, 0}, r.Of)
	require.Equal(t, layout.Feasible, r.Status)
}

func TestNoneSharesNothing(t *testing.T) {
	p := &texture.Problem{Pools: device(), Images: []texture.Image{image(20, 10, 0, 1), image(20, 10, 1, 2)}}
	r := solve(t, p, "none")
	require.Equal(t, []int{0, 1}, r.Of)
	require.Equal(t, texture.PoolResult{Bytes: 6400, Images: 2, Bound: 3200, Gap: 3200}, r.Pools[0])
}

func TestAutoFindsTheLeastBytes(t *testing.T) {
	always := func(im texture.Image) texture.Image { im.Always = true; return im }
	kind := func(im texture.Image, texel int) texture.Image { im.Texel = texel; return im }
	for name, tc := range map[string]struct {
		pool   func(*texture.Pool)
		images []texture.Image
		sides  [][2]int64
	}{
		"no images": {nil, nil, nil},
		"a storage covers what is smaller": {
			nil, []texture.Image{image(10, 20, 0, 1), image(12, 8, 1, 2), image(12, 20, 2, 3)}, [][2]int64{{12, 20}}},
		"scopes may share": {
			nil, []texture.Image{image(10, 20, 0, 1), {Width: 10, Height: 20, TexelBytes: 16, Scope: 3, Live: layout.Span{First: 1, Last: 2}, Pools: []int{0}}},
			[][2]int64{{10, 20}}},
		"texels of different kinds do not": {
			nil, []texture.Image{image(10, 20, 0, 1), kind(image(10, 20, 1, 2), 4)}, [][2]int64{{10, 20}, {10, 20}}},
		"what lives always shares with none": {
			nil, []texture.Image{image(10, 20, 0, 1), always(image(10, 20, 5, 6))}, [][2]int64{{10, 20}, {10, 20}}},
		"the pitch makes growth free": {
			func(pool *texture.Pool) { pool.PitchAlignment = 64 },
			[]texture.Image{image(30, 20, 0, 1), image(64, 10, 1, 2)}, [][2]int64{{64, 20}}},
		"without the pitch it costs more than an image": {
			nil, []texture.Image{image(1, 20, 0, 1), image(64, 1, 1, 2)}, [][2]int64{{1, 20}, {64, 1}}},
		"growth stops at the largest allocation": {
			func(pool *texture.Pool) { pool.MaxWidth, pool.MaxHeight, pool.MaxImageBytes = 30, 20, 580*16 },
			[]texture.Image{image(30, 19, 0, 1), image(29, 20, 1, 2)}, [][2]int64{{30, 19}, {29, 20}}},
		"too few images force growth": {
			func(pool *texture.Pool) { pool.MaxImages = 1 },
			[]texture.Image{image(1, 20, 0, 1), image(64, 1, 1, 2)}, [][2]int64{{64, 20}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &texture.Problem{Pools: device(), Images: tc.images}
			if tc.pool != nil {
				tc.pool(&p.Pools[0])
			}
			r := solve(t, p, "auto")
			require.Equal(t, tc.sides, sides(r))
			require.Equal(t, layout.Optimal, r.Status)
			require.True(t, r.Pools[0].Proved)
		})
	}
}

func TestImagesSpillToTheNextCandidate(t *testing.T) {
	p := &texture.Problem{Pools: slices.Concat(device(), device())}
	p.Pools[0].Capacity = 16 * 500
	for i := range int64(3) {
		im := image(10, 20+10*i, 0, 5)
		im.Pools = []int{0, 1}
		p.Images = append(p.Images, im)
	}
	for _, algorithm := range texture.Algorithms() {
		t.Run(algorithm, func(t *testing.T) {
			r := solve(t, p, algorithm)
			require.Empty(t, r.Unplaced)
			require.Equal(t, int64(16*900), r.Pools[0].Bytes+r.Pools[1].Bytes)
		})
	}
	r := solve(t, p, "auto")
	require.Equal(t, 1, r.Storages[r.Of[2]].Pool, "400 + 500 texels exceed the first pool, and so do 300 + 400: 200 + 300 stay")
	require.Equal(t, layout.Optimal, r.Status)
}

func TestAnImageThatFitsNowhereIsReported(t *testing.T) {
	for name, tc := range map[string]struct {
		pool   texture.Pool
		images []texture.Image
		status layout.Status
		left   []int
	}{
		"beyond the device's width": {
			texture.Pool{Capacity: texture.Unlimited, PitchAlignment: 1, MaxWidth: 63, MaxHeight: 64}, []texture.Image{image(64, 1, 0, 1), image(63, 64, 0, 1)}, layout.Infeasible, []int{0}},
		"beyond the capacity alone": {
			texture.Pool{Capacity: 1000, PitchAlignment: 1, MaxWidth: 64, MaxHeight: 64}, []texture.Image{image(64, 1, 0, 1)}, layout.Infeasible, []int{0}},
		"beyond the capacity together": {
			texture.Pool{Capacity: 1000, PitchAlignment: 1, MaxWidth: 64, MaxHeight: 64}, []texture.Image{image(32, 1, 0, 2), image(31, 1, 1, 2)}, layout.Infeasible, []int{1}},
		"beyond the number of images": {
			texture.Pool{Capacity: texture.Unlimited, PitchAlignment: 1, MaxWidth: 64, MaxHeight: 64, MaxImages: 1}, []texture.Image{image(32, 1, 0, 2), image(31, 1, 1, 2)}, layout.Infeasible, []int{1}},
		"a growth beyond counting is none": {
			texture.Pool{Capacity: texture.Unlimited, PitchAlignment: 1, MaxWidth: 1 << 62, MaxHeight: 1 << 62}, []texture.Image{image(1<<40, 1, 0, 1), image(1, 1<<40, 1, 2)}, layout.Optimal, nil},
		"a pitch beyond counting": {
			texture.Pool{Capacity: texture.Unlimited, PitchAlignment: 1 << 62, MaxWidth: 1 << 62, MaxHeight: 1 << 62}, []texture.Image{image(1, 1, 0, 1)}, layout.Infeasible, []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &texture.Problem{Pools: []texture.Pool{tc.pool}, Images: tc.images}
			r := solve(t, p, "auto")
			require.Equal(t, tc.status, r.Status)
			require.Equal(t, tc.left, r.Unplaced)
		})
	}
}

// network is a chain of n images with some that live longer, in one of two layouts, as a planned network has them.
func network(n int, seed uint64) *texture.Problem {
	random := rand.New(rand.NewPCG(seed, 1))
	p := &texture.Problem{Pools: device()}
	p.Pools[0].PitchAlignment = 64
	for i := range int64(n) {
		edge, channels := []int64{7, 14, 28, 56, 112}[random.IntN(5)], 1+random.Int64N(64)
		im := image(edge, edge*channels, i, i+2)
		if random.IntN(2) == 0 {
			im.Width, im.Height = edge*edge, channels
		}
		if random.IntN(5) == 0 {
			im.Live.Last += random.Int64N(20)
		}
		p.Images = append(p.Images, im)
	}
	return p
}
