package texture

import (
	"slices"

	"github.com/memplan/memplan/planner/layout"
)

// assemble turns a packing into a result.
func (s *scene) assemble(pk *packing, work *budget) *Result {
	if pk.cells == nil {
		pk.measure()
	}
	r := &Result{Of: make([]int, len(pk.at)), Pools: make([]PoolResult, len(s.room)), Nodes: work.nodes()}
	for i, c := range pk.at {
		r.Of[i] = NoStorage
		if c == nowhere {
			r.Unplaced = append(r.Unplaced, i)
		}
	}
	pk.listStorages(r)
	bounds, _ := pk.needs()
	for k := range r.Pools {
		if pk.proved {
			bounds[k] = pk.used[k]
		}
		r.Pools[k] = PoolResult{Bytes: pk.used[k], Images: pk.count[k], Bound: bounds[k], Gap: pk.used[k] - bounds[k], Proved: pk.used[k] == bounds[k]}
	}
	r.Status = pk.status(r.Pools)
	return r
}

// listStorages fills in the storages and who uses them.
func (pk *packing) listStorages(r *Result) {
	type listed struct {
		Storage
		images []int32
	}
	var all []listed
	for group, stores := range pk.stores {
		for _, st := range stores {
			images := make([]int32, len(st.users))
			for k, u := range st.users {
				images[k] = u.image
			}
			slices.Sort(images)
			all = append(all, listed{pk.s.groups[group].storage(st.width, st.height, st.bytes), images})
		}
	}
	for i := range pk.s.p.Images {
		if im := &pk.s.p.Images[i]; im.Always && pk.at[i] != nowhere {
			h := &pk.s.homes[i][pk.at[i]]
			all = append(all, listed{pk.s.groups[h.group].storage(im.Width, im.Height, h.own), []int32{int32(i)}})
		}
	}
	slices.SortFunc(all, func(a, b listed) int {
		if a.Pool != b.Pool {
			return a.Pool - b.Pool
		}
		return int(a.images[0]) - int(b.images[0])
	})
	for k := range all {
		r.Storages = append(r.Storages, all[k].Storage)
		for _, i := range all[k].images {
			r.Of[i] = k
		}
	}
}

func (g *group) storage(width, height, bytes int64) Storage {
	return Storage{Pool: int(g.pool), Width: width, Height: height, Texel: g.texel, TexelBytes: g.texelBytes, RowPitch: bytes / height, Bytes: bytes}
}

func (pk *packing) status(pools []PoolResult) layout.Status {
	best := !slices.ContainsFunc(pools, func(p PoolResult) bool { return !p.Proved })
	status := layout.Feasible
	for i, c := range pk.at {
		switch {
		case c == nowhere && (pk.infeasible || len(pk.s.homes[i]) == 0):
			return layout.Infeasible
		case c == nowhere:
			status = layout.Unknown
		}
		best = best && c == 0
	}
	if best || pk.proved {
		return layout.Optimal
	}
	return status
}
