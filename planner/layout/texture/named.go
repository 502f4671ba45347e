package texture

// alone gives each image a storage of its own.
func alone(*packing, int32, *home, *budget) int { return fresh }

// equal reuses the first idle storage of exactly the same sides, as TFLite's GPU delegate does with textures.
func equal(pk *packing, i int32, h *home, work *budget) int {
	im, u, stores := &pk.s.p.Images[i], pk.s.user(i), pk.stores[h.group]
	for k := range stores {
		if st := &stores[k]; st.width == im.Width && st.height == im.Height && st.idle(u) {
			work.look(k + 1)
			return k
		}
	}
	work.look(len(stores))
	return fresh
}
