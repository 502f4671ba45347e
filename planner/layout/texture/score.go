package texture

import (
	"cmp"
	"math"
)

// score ranks packings by the objectives in order: bytes of texels without a storage, bytes outside the first choice, how
// far down the candidates those stand, bytes of all storages, and, of equals, the number of storages.
type score struct{ unplaced, displaced, depth, bytes, images int64 }

func (pk *packing) score() score {
	var out score
	for i, c := range pk.at {
		texels := pk.s.p.Images[i].texels()
		if c == nowhere {
			out.unplaced += texels
		} else if rank := int64(pk.s.homes[i][c].rank); rank > 0 {
			out.displaced += texels
			out.depth = add(out.depth, multiply(texels, rank))
		}
	}
	for k := range pk.used {
		out.bytes = add(out.bytes, pk.used[k])
		out.images += pk.count[k]
	}
	return out
}

// texels is the bytes of an image without any padding.
func (im *Image) texels() int64 { return im.Width * im.Height * im.TexelBytes }

// compare is negative when a is better than b.
func (a score) compare(b score) int {
	return cmp.Or(cmp.Compare(a.unplaced, b.unplaced), cmp.Compare(a.displaced, b.displaced), cmp.Compare(a.depth, b.depth),
		cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.images, b.images))
}

// add is a+b, at most 2^63-1.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// multiply is a*b, at most 2^63-1.
func multiply(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
