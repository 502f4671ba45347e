package export

import (
	"fmt"

	"github.com/memplan/memplan/planner/plan"
)

// tvmPlace is where TVM finds a tensor.
type tvmPlace struct {
	storage int
	// offset counts bytes from the start of the storage.
	offset int64
}

// tvmPlaces numbers storages as they are met.
type tvmPlaces struct {
	storages map[int64]*plan.Storage
	noOffset bool
	numbers  map[tvmSpace]int
}

// tvmSpace is what becomes one storage of TVM: a flat pool, or one start in it; an image; or memory of the caller's.
type tvmSpace struct {
	pool  string
	start int64
	image int64
	owner string
}

// noImage stands for flat memory.
const noImage = -1

func newTVMPlaces(p *plan.Plan, noOffset bool) *tvmPlaces {
	s := &tvmPlaces{storages: make(map[int64]*plan.Storage, len(p.Storages)), noOffset: noOffset, numbers: map[tvmSpace]int{}}
	for i := range p.Storages {
		s.storages[p.Storages[i].ID] = &p.Storages[i]
	}
	return s
}

// of returns the place of a tensor.
func (s *tvmPlaces) of(t *plan.Tensor) (tvmPlace, error) {
	space, offset, err := s.space(t)
	if err != nil {
		return tvmPlace{}, err
	}
	if s.noOffset && offset != 0 {
		return tvmPlace{}, fmt.Errorf("the tensor %q starts %d bytes behind the start of %q, whose storage it shares, and that needs offsets: "+
			"write them, or plan without the views that put it there", t.Name, offset, ownerOf(t))
	}
	number, ok := s.numbers[space]
	if !ok {
		number = len(s.numbers)
		s.numbers[space] = number
	}
	return tvmPlace{number, offset}, nil
}

// space returns the storage of a tensor and the offset in it.
func (s *tvmPlaces) space(t *plan.Tensor) (tvmSpace, int64, error) {
	if t.Pool == "" {
		return tvmSpace{owner: ownerOf(t), image: noImage}, t.ViewOffset, nil
	}
	storage := s.storages[t.Storage]
	switch {
	case storage == nil:
		return tvmSpace{}, 0, fmt.Errorf("the plan does not have the storage %d of the tensor %q", t.Storage, t.Name)
	case storage.Texel != "" || storage.Offset == nil:
		return tvmSpace{pool: t.Pool, image: storage.ID}, 0, nil
	case t.Offset == nil:
		return tvmSpace{}, 0, fmt.Errorf("the plan gives the tensor %q no offset in flat memory", t.Name)
	case s.noOffset:
		return tvmSpace{pool: t.Pool, start: *t.Offset - t.ViewOffset, image: noImage}, t.ViewOffset, nil
	}
	return tvmSpace{pool: t.Pool, image: noImage}, *t.Offset, nil
}

// ownerOf names the tensor whose bytes a tensor uses.
func ownerOf(t *plan.Tensor) string {
	if t.ViewOf != nil {
		return *t.ViewOf
	}
	return t.Name
}

// same reports whether two tensors start at the same byte. It numbers nothing.
func (s *tvmPlaces) same(a, b *plan.Tensor) bool {
	spaceA, offsetA, errA := s.space(a)
	spaceB, offsetB, errB := s.space(b)
	return errA == nil && errB == nil && spaceA == spaceB && offsetA == offsetB
}
