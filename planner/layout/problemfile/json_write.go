package problemfile

import (
	"encoding/json"
	"io"

	"github.com/memplan/memplan/planner/layout"
)

// The form of a problem with its places; nil stands for what is unlimited, absent or unplaced.
type (
	jsonProblem struct {
		Pools   []jsonPool   `json:"pools"`
		Buffers []jsonBuffer `json:"buffers"`
	}
	jsonPool struct {
		Name      string `json:"name"`
		Capacity  *int64 `json:"capacity"`
		Alignment int64  `json:"alignment"`
	}
	jsonBuffer struct {
		ID        string    `json:"id"`
		Size      int64     `json:"size"`
		Alignment int64     `json:"alignment"`
		Lower     *int64    `json:"lower,omitempty"`
		Upper     *int64    `json:"upper,omitempty"`
		Gaps      [][]int64 `json:"gaps,omitempty"`
		Conflicts []string  `json:"conflicts,omitzero"`
		Pools     []string  `json:"pools,omitempty"`
		Pool      *string   `json:"pool"`
		Offset    *int64    `json:"offset"`
	}
)

// writeJSON writes the problem, each buffer with its pool and offset. A buffer without a place keeps its candidates.
func (f *File) writeJSON(w io.Writer, r *layout.Result) error {
	out := jsonProblem{Pools: make([]jsonPool, len(f.Pools)), Buffers: make([]jsonBuffer, len(f.IDs))}
	for k := range f.Pools {
		pool := &f.Pools[k]
		out.Pools[k] = jsonPool{Name: pool.Name, Alignment: pool.Alignment}
		if pool.Capacity != layout.Unlimited {
			out.Pools[k].Capacity = &pool.Capacity
		}
	}
	for i := range out.Buffers {
		out.Buffers[i] = f.jsonBuffer(i, r)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (f *File) jsonBuffer(i int, r *layout.Result) jsonBuffer {
	b := &f.Problem.Buffers[i]
	out := jsonBuffer{ID: f.IDs[i], Size: b.Size, Alignment: b.Alignment}
	if f.Problem.Conflicts != nil {
		out.Conflicts = []string{}
		for _, j := range f.Problem.Conflicts[i] {
			out.Conflicts = append(out.Conflicts, f.IDs[j])
		}
	} else {
		out.Lower, out.Upper = &b.Live.First, &b.Live.Last
		for _, gap := range openings(b) {
			written := []int64{gap.First, gap.Last}
			if gap.lo < gap.hi {
				written = append(written, gap.lo, gap.hi)
			}
			out.Gaps = append(out.Gaps, written)
		}
	}
	if at := &r.Places[i]; at.Pool != layout.Unplaced {
		out.Pool, out.Offset = &f.Pools[at.Pool].Name, &at.Offset
		return out
	}
	for _, k := range b.Pools {
		out.Pools = append(out.Pools, f.Pools[k].Name)
	}
	return out
}
