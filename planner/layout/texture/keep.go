package texture

import "slices"

// mostKeeping bounds the images and storages that are looked at to find others for images that cannot stay.
const mostKeeping = 1 << 26

// Before is the storage that an image had: its number among those of its pool, any but [NoStorage], and its sides in texels.
type Before struct {
	Storage       int
	Width, Height int64
}

// Keep returns a result in which more images have storages of the sides that they had before, as far as that costs no pool a byte
// more than the result given, which must come from [Solve] on the problem. Before is by image, with [NoStorage] for one that is new
// or was not in the pool where the result has it. Algorithms that stand for other systems keep nothing, and so does a result that
// has no storage for an image.
//
// Keeping is a fixed point: where the images have their storages as Keep returned them for the same problem and the same result,
// they have them again. It costs O(n²) for n images, and for each that must move O(n²) more, or O(n³) where others could take its
// storage, within mostKeeping for each pool; where that does not do, none stays.
func Keep(p *Problem, r *Result, before []Before, algorithm string) *Result {
	if algorithm != "auto" || len(r.Unplaced) > 0 || !slices.ContainsFunc(before, func(b Before) bool { return b.Storage != NoStorage }) {
		return r
	}
	kept := make([][]shared, len(p.Pools))
	for k := range p.Pools {
		kept[k] = keepPool(p, r, before, k)
	}
	return reassembled(p, r, kept)
}

// keepPool shares the images of one pool out so that few move: as they were before, which is then made smaller until it takes no
// more than the result, or as in the result, whichever moves fewer once single images went back.
func keepPool(p *Problem, r *Result, before []Before, pool int) []shared {
	var stores, fresh []shared
	known, named := map[int]int{}, map[int]int{}
	var others []int
	for i := range p.Images {
		of := r.Of[i]
		if r.Storages[of].Pool != pool {
			continue
		}
		fresh = addTo(p, fresh, named, of, pool, i)
		at, ok := known[before[i].Storage]
		if before[i].Storage == NoStorage || ok && !stores[at].takes(p, i) {
			others = append(others, i)
			continue
		}
		stores = addTo(p, stores, known, before[i].Storage, pool, i)
	}
	for _, i := range others {
		stores = insert(p, stores, pool, i)
	}
	k := keeper{p: p, before: before, pool: pool, limit: r.Pools[pool].Bytes}
	old, ok := k.shrink(stores)
	if fresh = k.back(fresh); !ok {
		return fresh
	}
	if old = k.back(old); k.moved(old) <= k.moved(fresh) {
		return old
	}
	return fresh
}

// keeper moves images of one pool to where they were.
type keeper struct {
	p      *Problem
	before []Before
	pool   int
	limit  int64
	work   int
}

// tired counts images and storages that are looked at, and reports that they are too many.
func (k *keeper) tired(more int) bool {
	k.work += more
	return k.work > mostKeeping
}

// shrink moves images until the storages take no more than the result. The second result is false when that is not reached.
func (k *keeper) shrink(stores []shared) ([]shared, bool) {
	for total(stores) > k.limit {
		if k.tired(len(k.p.Images) * (len(k.p.Images) + len(stores))) {
			return nil, false
		}
		better, ok := moveOne(k.p, stores, k.pool)
		if !ok {
			return nil, false
		}
		stores = better
	}
	most := k.p.Pools[k.pool].MaxImages
	return stores, most == 0 || int64(len(stores)) <= most
}

// moved counts the images whose storages have other sides than before.
func (k *keeper) moved(stores []shared) int {
	n := 0
	for i := range stores {
		for _, image := range stores[i].images {
			if b := &k.before[image]; b.Storage != NoStorage && (b.Width != stores[i].width || b.Height != stores[i].height) {
				n++
			}
		}
	}
	return n
}

// back gives single images other storages as long as fewer move by that.
func (k *keeper) back(stores []shared) []shared {
	for now := k.moved(stores); now > 0 && !k.tired(len(k.p.Images)*len(stores)); {
		better, left := k.backOne(stores, now)
		if better == nil {
			break
		}
		stores, now = better, left
	}
	return stores
}

// backOne finds the first image with another storage for which fewer move, nil when there is none.
func (k *keeper) backOne(stores []shared, now int) ([]shared, int) {
	for at := range stores {
		for _, image := range stores[at].images {
			for to := range stores {
				if to == at || !stores[to].takes(k.p, image) {
					continue
				}
				if k.tired(len(k.p.Images) + len(stores)) {
					return nil, now
				}
				tried := slices.Clone(stores)
				tried[to].images = slices.Clone(tried[to].images)
				tried[to].add(k.p, image)
				if tried[at] = stores[at].without(k.p, image); len(tried[at].images) == 0 {
					tried = slices.Delete(tried, at, at+1)
				}
				if left := k.moved(tried); left < now && total(tried) <= k.limit {
					return tried, left
				}
			}
		}
	}
	return nil, now
}

// insert gives an image the store that grows least by it, of equal ones the first, or one of its own where that takes no more.
func insert(p *Problem, stores []shared, pool, image int) []shared {
	alone := shared{group: newGroup(&p.Pools[pool], int32(pool), &p.Images[image])}
	alone.add(p, image)
	best, cost := -1, alone.bytes
	for at := range stores {
		s := &stores[at]
		if !s.takes(p, image) {
			continue
		}
		im := &p.Images[image]
		if growth := s.group.bytes(max(s.width, im.Width), max(s.height, im.Height)) - s.bytes; growth < cost {
			best, cost = at, growth
		}
	}
	if best < 0 {
		return append(stores, alone)
	}
	stores[best].images = slices.Clone(stores[best].images)
	stores[best].add(p, image)
	return stores
}

// moveOne gives the one image another store with which the fewest bytes are taken. The second result is false when none lowers them.
func moveOne(p *Problem, stores []shared, pool int) ([]shared, bool) {
	var best []shared
	least := total(stores)
	for at := range stores {
		for _, image := range stores[at].images {
			tried := slices.Clone(stores)
			tried[at] = stores[at].without(p, image)
			if len(tried[at].images) == 0 {
				tried = slices.Delete(tried, at, at+1)
			}
			tried = insert(p, tried, pool, image)
			if bytes := total(tried); bytes < least {
				best, least = tried, bytes
			}
		}
	}
	return best, best != nil
}

// reassembled is the result with other storages.
func reassembled(p *Problem, r *Result, kept [][]shared) *Result {
	out := *r
	out.Storages, out.Of, out.Pools = nil, make([]int, len(r.Of)), slices.Clone(r.Pools)
	for k, stores := range kept {
		for i := range stores {
			slices.Sort(stores[i].images)
		}
		slices.SortFunc(stores, func(a, b shared) int { return a.images[0] - b.images[0] })
		for i := range stores {
			s := &stores[i]
			for _, image := range s.images {
				out.Of[image] = len(out.Storages)
			}
			out.Storages = append(out.Storages, s.storage(s.width, s.height, s.bytes))
		}
		pool := &out.Pools[k]
		pool.Bytes, pool.Images = total(stores), int64(len(stores))
		pool.Gap, pool.Proved = pool.Bytes-pool.Bound, pool.Proved || pool.Bytes == pool.Bound
	}
	return &out
}
