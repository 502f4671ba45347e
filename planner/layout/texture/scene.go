package texture

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// refused is the size of a storage that a pool does not allow. No allowed one is as large.
const refused = math.MaxInt64

// scene is a problem made ready: which pool can hold which image, and in which group it is there.
type scene struct {
	p *Problem
	// homes are the candidates of each image that can hold it alone, in order.
	homes [][]home
	// groups are the images of one texel kind in one pool: only they can share.
	groups []group
	// room is the capacity of each pool and most its number of storages, 2^63-1 when unlimited.
	room, most []int64
	// line has the images that are live always first, then the others by first step; ties by index.
	line []int32
	// cells are the groups as they were last measured.
	cells []cell
}

type home struct {
	pool, group int32
	// rank is the position among the candidates.
	rank int32
	// own is the bytes of a storage for the image alone.
	own int64
}

// group is what decides the size of a storage: a texel kind and the limits of a pool.
type group struct {
	pool       int32
	texel      int
	texelBytes int64
	pitch      int64
	maxWidth   int64
	maxHeight  int64
	maxBytes   int64
}

// bytes is the size of a storage of the given sides, or refused.
func (g *group) bytes(width, height int64) int64 {
	if width > g.maxWidth || height > g.maxHeight {
		return refused
	}
	if rest := width % g.pitch; rest != 0 {
		if width > math.MaxInt64-(g.pitch-rest) {
			return refused
		}
		width += g.pitch - rest
	}
	high, row := bits.Mul64(uint64(width), uint64(g.texelBytes))
	if high != 0 {
		return refused
	}
	high, size := bits.Mul64(row, uint64(height))
	if high != 0 || size >= uint64(g.maxBytes) {
		return refused
	}
	return int64(size)
}

func newScene(p *Problem) *scene {
	s := &scene{p: p, homes: make([][]home, len(p.Images)), room: make([]int64, len(p.Pools)), most: make([]int64, len(p.Pools))}
	for k := range p.Pools {
		pool := &p.Pools[k]
		s.room[k], s.most[k] = math.MaxInt64, math.MaxInt64
		if pool.Capacity != Unlimited {
			s.room[k] = pool.Capacity
		}
		if pool.MaxImages > 0 {
			s.most[k] = pool.MaxImages
		}
	}
	type key struct{ pool, texel int }
	known := map[key]int32{}
	for i := range p.Images {
		im := &p.Images[i]
		for rank, k := range im.Pools {
			g, ok := known[key{k, im.Texel}]
			if !ok {
				g = int32(len(s.groups))
				known[key{k, im.Texel}] = g
				s.groups = append(s.groups, newGroup(&p.Pools[k], int32(k), im))
			}
			own := s.groups[g].bytes(im.Width, im.Height)
			if own <= s.room[k] && own != refused && !slices.ContainsFunc(s.homes[i], func(h home) bool { return int(h.pool) == k }) {
				s.homes[i] = append(s.homes[i], home{pool: int32(k), group: g, rank: int32(rank), own: own})
			}
		}
	}
	s.line = s.sorted(func(a, b *Image) int { return cmp.Compare(a.Live.First, b.Live.First) })
	return s
}

func newGroup(pool *Pool, k int32, im *Image) group {
	g := group{pool: k, texel: im.Texel, texelBytes: im.TexelBytes, pitch: pool.PitchAlignment,
		maxWidth: pool.MaxWidth, maxHeight: pool.MaxHeight, maxBytes: refused}
	if pool.MaxImageBytes > 0 && pool.MaxImageBytes < refused {
		g.maxBytes = pool.MaxImageBytes + 1
	}
	return g
}

// sorted lines all images up, those that are live always first, then by the comparison; ties by index.
func (s *scene) sorted(compare func(a, b *Image) int) []int32 {
	line := make([]int32, len(s.p.Images))
	for i := range line {
		line[i] = int32(i)
	}
	slices.SortFunc(line, func(i, j int32) int {
		a, b := &s.p.Images[i], &s.p.Images[j]
		switch {
		case a.Always && b.Always:
			return cmp.Compare(i, j)
		case a.Always:
			return -1
		case b.Always:
			return 1
		}
		return cmp.Or(compare(a, b), cmp.Compare(i, j))
	})
	return line
}

// relaxed is the scene with pools of unlimited capacity.
func (s *scene) relaxed() *scene {
	out := *s
	out.room, out.cells = slices.Clone(s.room), slices.Clone(s.cells)
	for k := range out.room {
		out.room[k] = math.MaxInt64
	}
	return &out
}

// tight reports whether some pool has a limit that couples its groups.
func (s *scene) tight() bool {
	for k := range s.room {
		if s.room[k] != math.MaxInt64 || s.most[k] != math.MaxInt64 {
			return true
		}
	}
	return false
}
