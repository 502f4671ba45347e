package texture

import "slices"

// shared is a storage while images come and go.
type shared struct {
	group
	images        []int
	width, height int64
	bytes         int64
}

// addTo adds an image to the store of a number, which is made when it is the first.
func addTo(p *Problem, stores []shared, known map[int]int, number, pool, image int) []shared {
	at, ok := known[number]
	if !ok {
		at = len(stores)
		known[number] = at
		stores = append(stores, shared{group: newGroup(&p.Pools[pool], int32(pool), &p.Images[image])})
	}
	stores[at].add(p, image)
	return stores
}

// takes reports whether an image may use the store beside those that do.
func (s *shared) takes(p *Problem, image int) bool {
	im := &p.Images[image]
	if im.Texel != s.texel || s.group.bytes(max(s.width, im.Width), max(s.height, im.Height)) == refused {
		return false
	}
	return !slices.ContainsFunc(s.images, func(other int) bool {
		o := &p.Images[other]
		return im.Always || o.Always || im.Live.First < o.Live.Last && o.Live.First < im.Live.Last
	})
}

func (s *shared) add(p *Problem, image int) {
	im := &p.Images[image]
	s.images = append(s.images, image)
	s.width, s.height = max(s.width, im.Width), max(s.height, im.Height)
	s.bytes = s.group.bytes(s.width, s.height)
}

// without is the store without one of its images; one without any has no bytes.
func (s *shared) without(p *Problem, image int) shared {
	out := shared{group: s.group}
	for _, i := range s.images {
		if i != image {
			out.add(p, i)
		}
	}
	return out
}

func total(stores []shared) int64 {
	sum := int64(0)
	for i := range stores {
		sum += stores[i].bytes
	}
	return sum
}
