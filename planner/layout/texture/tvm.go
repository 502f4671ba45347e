package texture

// ratioLimit is how many times longer a side of the storage may be than the image's, or the other way round.
const ratioLimit = 5

// tvm chooses as the two-dimensional allocator of TVM's Relay does, images coming in order of their first step.
//
//  1. Idle storages of the same texel kind and scope are looked at in order of their creation; TVM visits them in the
//     order of a hash set. One is passed over when the integer quotient of a side and the image's, either way, exceeds 5.
//  2. Growth is what a side of the storage must gain, and waste is what it exceeds the image's by after that. A storage
//     replaces the best so far when the best grows along an axis and this one grows less there, or when it grows equally
//     along an axis and wastes less there. That is no order: the outcome depends on the order of the visit.
//  3. The best is used and grows where it must. TVM asks first whether it gains no more along an axis than the image's
//     side, which it never does.
//
// Two things differ. TVM never frees a texture once it has grown, by a reference too many; here it serves again. And a
// storage that would grow beyond what the pool allows is passed over, where TVM knows no limit.
func tvm(pk *packing, i int32, h *home, work *budget) int {
	im, u, stores := &pk.s.p.Images[i], pk.s.user(i), pk.stores[h.group]
	work.look(len(stores))
	best, least := fresh, fitting{}
	for k := range stores {
		st := &stores[k]
		if st.scope != im.Scope || tooUnequal(st.width, im.Width) || tooUnequal(st.height, im.Height) || !st.idle(u) {
			continue
		}
		if pk.s.groups[h.group].bytes(max(st.width, im.Width), max(st.height, im.Height)) == refused {
			continue
		}
		if f := fit(st, im); best == fresh || f.replaces(least) {
			best, least = k, f
		}
	}
	return best
}

func tooUnequal(a, b int64) bool { return a/b > ratioLimit || b/a > ratioLimit }

// fitting is how an image and a storage go together, in texels along each axis.
type fitting struct{ addedX, addedY, wastedX, wastedY int64 }

func fit(st *store, im *Image) fitting {
	width, height := max(st.width, im.Width), max(st.height, im.Height)
	return fitting{width - st.width, height - st.height, width - im.Width, height - im.Height}
}

func (f fitting) replaces(best fitting) bool {
	return best.addedX > 0 && f.addedX < best.addedX || best.addedY > 0 && f.addedY < best.addedY ||
		f.addedX == best.addedX && f.wastedX < best.wastedX || f.addedY == best.addedY && f.wastedY < best.wastedY
}
