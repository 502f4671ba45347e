package schedule

import "slices"

// net is a part with what the search asks of it as sets.
type net struct {
	p *Problem
	n int
	// needs and readers are by op: what must run before, and what that lets run.
	needs   []set
	readers [][]int
	// touch has the ops that touch each buffer.
	touch []set
	// ahead and behind are the ops that must run before and after each op, nil for nets that are too large for them.
	ahead, behind []set
}

// mostRelated is the most ops for which all pairs of ancestor and descendant are kept: 4096 ops take 4 MiB.
const mostRelated = 4096

func newNet(p *Problem) *net {
	n := len(p.Ops)
	t := &net{p: p, n: n, needs: newSets(n, n), readers: make([][]int, n), touch: newSets(len(p.Buffers), n)}
	for v := range p.Ops {
		for _, u := range p.Ops[v].Needs {
			if !t.needs[v].has(u) {
				t.needs[v].add(u)
				t.readers[u] = append(t.readers[u], v)
			}
		}
		for _, b := range p.Ops[v].Touches {
			t.touch[b].add(v)
		}
	}
	return t
}

// relate fills ahead and behind. It costs O(needs · ops / 64).
func (t *net) relate() {
	t.ahead, t.behind = newSets(t.n, t.n), newSets(t.n, t.n)
	for v := range t.n {
		for _, u := range t.p.Ops[v].Needs {
			t.ahead[v].join(t.ahead[u])
			t.ahead[v].add(u)
		}
	}
	for v := t.n - 1; v >= 0; v-- {
		for _, w := range t.readers[v] {
			t.behind[v].join(t.behind[w])
			t.behind[v].add(w)
		}
	}
}

// lowest is the most bytes that some op uses in every order: its own operands, and the buffers that lie between its
// ancestors and its descendants.
func (q *part) lowest() int64 {
	t := newNetOf(q)
	most := int64(0)
	for v := range t.n {
		most = max(most, t.least(v))
	}
	return most
}

func newNetOf(q *part) *net {
	t := newNet(&q.sub)
	if t.n <= mostRelated {
		t.relate()
	}
	return t
}

// least is the least that op v uses in any order.
func (t *net) least(v int) int64 {
	op := &t.p.Ops[v]
	total := op.Scratch
	for b := range t.p.Buffers {
		if t.touch[b].has(v) || t.passes(b, v) {
			total += t.p.Buffers[b].Size
		}
	}
	shared := int64(0)
	for _, r := range op.Reuses {
		if t.ahead == nil || !slices.ContainsFunc(r.From, func(b int) bool { return t.p.Buffers[b].After || t.behind[v].meets(t.touch[b]) }) &&
			!slices.ContainsFunc(r.To, func(b int) bool { return t.p.Buffers[b].Before || t.ahead[v].meets(t.touch[b]) }) {
			shared = max(shared, r.Bytes)
		}
	}
	return total - shared
}

// passes reports whether a buffer that op v does not touch is live while it runs, in every order.
func (t *net) passes(b, v int) bool {
	buffer := &t.p.Buffers[b]
	if t.ahead == nil {
		return buffer.Before && buffer.After
	}
	return (buffer.Before || t.ahead[v].meets(t.touch[b])) && (buffer.After || t.behind[v].meets(t.touch[b]))
}
