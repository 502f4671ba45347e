package plan

import (
	"cmp"
	"slices"
)

// Gap is a range of steps in which some bytes of a tensor are free for others.
type Gap struct {
	// First and Last are the half-open range of steps [First, Last), within the tensor's lifetime.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	// From and To are the half-open range of bytes [From, To), counted from the tensor's start.
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Piece is bytes [From, To) of a tensor, counted from its start, that are not free in the steps [First, Last).
type Piece struct{ First, Last, From, To int64 }

// Pieces cuts the life and the bytes of a tensor at its gaps, in order of First, then of From: one piece for a tensor without
// gaps. It costs O(g² log g) for g gaps.
func (t *Tensor) Pieces() []Piece {
	times := []int64{t.First, t.Last}
	for _, gap := range t.Gaps {
		times = append(times, gap.First, gap.Last)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	var out []Piece
	for i := range len(times) - 1 {
		t.eachRun(times[i], func(from, to int64) { out = append(out, Piece{times[i], times[i+1], from, to}) })
	}
	return joined(out)
}

// eachRun calls yield for the runs of bytes that no gap frees at a step of the lifetime, ascending. It costs O(g log g).
func (t *Tensor) eachRun(step int64, yield func(from, to int64)) {
	var open []Gap
	for _, gap := range t.Gaps {
		if gap.First <= step && step < gap.Last {
			open = append(open, gap)
		}
	}
	slices.SortFunc(open, func(a, b Gap) int { return cmp.Compare(a.From, b.From) })
	at := int64(0)
	for _, gap := range append(open, Gap{From: t.Size, To: t.Size}) {
		if at < gap.From {
			yield(at, gap.From)
		}
		at = max(at, gap.To)
	}
}

// joined makes one piece of those of the same bytes that follow one another.
func joined(pieces []Piece) []Piece {
	var out []Piece
	open := map[[2]int64]int{}
	for _, p := range pieces {
		key := [2]int64{p.From, p.To}
		if at, ok := open[key]; ok && out[at].Last == p.First {
			out[at].Last = p.Last
			continue
		}
		open[key] = len(out)
		out = append(out, p)
	}
	return out
}

// LiveAt is how many bytes of a tensor are not free at a step. It costs O(g log g) for g gaps.
func (t *Tensor) LiveAt(step int64) int64 {
	if step < t.First || step >= t.Last {
		return 0
	}
	live := int64(0)
	t.eachRun(step, func(from, to int64) { live += to - from })
	return live
}
