package exact

// key identifies a part by its unplaced buffers, the lows they could stand at and whether each still may: 128 bits, added
// up over the buffers, so that two different parts meet in one key with a chance of 2^-128.
type key struct{ a, b uint64 }

func (k *key) add(buffer int32, low int64, open bool) {
	x := uint64(low)*0x9e3779b97f4a7c15 + uint64(buffer+1)*0xc2b2ae3d27d4eb4f
	if open {
		x += 0x165667b19e3779f9
	}
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	k.a += x ^ x>>29
	k.b += (x ^ x>>31) * 0xff51afd7ed558ccd
}

// cache remembers parts that were refuted, the latest for each slot: what is left to place depends on nothing but the key.
// Its length is a power of two.
type cache []key

// mostSlots is the most slots of a cache: half a megabyte.
const mostSlots = 1 << 15

// newCache makes a cache for a search of so many nodes, with some two slots for each.
func newCache(nodes int64) cache {
	slots := int64(1 << 10)
	for slots < min(2*nodes, mostSlots) {
		slots *= 2
	}
	return make(cache, slots)
}

func (c cache) slot(k key) *key { return &c[k.a&uint64(len(c)-1)] }

func (c cache) refuted(k key) bool { return *c.slot(k) == k }

func (c cache) refute(k key) { *c.slot(k) = k }
