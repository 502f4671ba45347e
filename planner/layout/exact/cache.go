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

// cache remembers parts that were refuted, the latest for each slot: what is left to place depends on nothing but the key. It
// begins small, so that a short search touches little memory.
type cache struct {
	slots []key
	// filled counts what was put into the slots.
	filled int
}

// fewestSlots and mostSlots are the sizes that a cache begins and ends with, powers of two; the last is half a megabyte. It
// grows by slotGrowth when it was filled once over.
const fewestSlots, mostSlots, slotGrowth = 1 << 10, 1 << 15, 1 << 3

func (c *cache) slot(k key) *key { return &c.slots[k.a&uint64(len(c.slots)-1)] }

func (c *cache) refuted(k key) bool { return len(c.slots) > 0 && *c.slot(k) == k }

func (c *cache) refute(k key) {
	if c.filled == len(c.slots) && c.filled < mostSlots {
		c.grow()
	}
	c.filled++
	*c.slot(k) = k
}

func (c *cache) grow() {
	old := c.slots
	c.slots = make([]key, min(mostSlots, max(fewestSlots, slotGrowth*len(old))))
	for _, k := range old {
		if k != (key{}) {
			*c.slot(k) = k
		}
	}
}
