package texture

import (
	"cmp"
	"math/bits"
)

// growing chooses the idle storage that grows by the fewest bytes, of equals the smallest; a new one when that takes
// fewer bytes than any growth, or when none is idle.
func growing(pk *packing, i int32, h *home, work *budget) int {
	best, growth := pk.cheapest(i, h, work)
	if pk.count[h.pool] < pk.s.most[h.pool] && (best == none || growth > h.own) {
		return fresh
	}
	return best
}

// thrifty makes a new storage only when none is idle: in order of first steps that takes the fewest storages, as long as
// sides allow the growth.
func thrifty(pk *packing, i int32, h *home, work *budget) int {
	if best, _ := pk.cheapest(i, h, work); best != none {
		return best
	}
	return fresh
}

// cheapest returns the idle storage whose growth is the least and fits the pool, of equals the smallest, or none.
func (pk *packing) cheapest(i int32, h *home, work *budget) (best int, growth int64) {
	stores := pk.stores[h.group]
	work.look(len(stores))
	return cheapest(stores, &pk.s.groups[h.group], &pk.s.p.Images[i], pk.s.user(i), pk.s.room[h.pool]-pk.used[h.pool])
}

// cheapest returns the idle storage that grows by the fewest bytes and by no more than room, of equals the smallest, or
// none.
func cheapest(stores []store, g *group, im *Image, u user, room int64) (best int, growth int64) {
	best, growth = none, room
	for k := range stores {
		st := &stores[k]
		grown := st.bytes
		if st.width < im.Width || st.height < im.Height {
			if grown = g.bytes(max(st.width, im.Width), max(st.height, im.Height)); grown == refused {
				continue
			}
		}
		more := grown - st.bytes
		if more > growth || best != none && more == growth && st.bytes >= stores[best].bytes || !st.idle(u) {
			continue
		}
		best, growth = k, more
	}
	return best, growth
}

// orders are tried in this order; of equally good results the earlier one counts.
var orders = []func(a, b *Image) int{
	func(a, b *Image) int { return cmp.Or(byStart(a, b), byArea(a, b)) },
	func(a, b *Image) int { return cmp.Or(byArea(a, b), byStart(a, b)) },
	func(a, b *Image) int { return cmp.Or(byLongSide(a, b), byArea(a, b), byStart(a, b)) },
	func(a, b *Image) int { return cmp.Or(byWidth(a, b), byHeight(a, b), byStart(a, b)) },
	func(a, b *Image) int { return cmp.Or(byHeight(a, b), byWidth(a, b), byStart(a, b)) },
	func(a, b *Image) int { return cmp.Or(byLength(a, b), byArea(a, b), byStart(a, b)) },
	func(a, b *Image) int { return cmp.Or(byEnd(a, b), byArea(a, b)) },
}

// Larger areas, sides, lengths and ends come first, and earlier starts.

func byStart(a, b *Image) int  { return cmp.Compare(a.Live.First, b.Live.First) }
func byEnd(a, b *Image) int    { return cmp.Compare(b.Live.Last, a.Live.Last) }
func byWidth(a, b *Image) int  { return cmp.Compare(b.Width, a.Width) }
func byHeight(a, b *Image) int { return cmp.Compare(b.Height, a.Height) }
func byArea(a, b *Image) int   { return cmp.Compare(b.Width*b.Height, a.Width*a.Height) }

func byLongSide(a, b *Image) int {
	return cmp.Compare(max(b.Width, b.Height), max(a.Width, a.Height))
}

// byLength compares lifetimes, which may span more than 2^63-1 steps.
func byLength(a, b *Image) int {
	x, _ := bits.Sub64(uint64(a.Live.Last), uint64(a.Live.First), 0)
	y, _ := bits.Sub64(uint64(b.Live.Last), uint64(b.Live.First), 0)
	return cmp.Compare(y, x)
}
