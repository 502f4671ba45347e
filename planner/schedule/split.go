package schedule

// part is the ops between two cuts, as a problem of its own. The cut that ends it belongs to it.
type part struct {
	// first is the index of its first op in the whole problem.
	first int
	sub   Problem
	// given is the peak of the given order.
	given int64
	// best is the best order found with its value, nil while the given one is the best.
	best  []int
	value int64
	// bound is proved.
	bound int64
}

// peak is that of the best order known.
func (q *part) peak() int64 {
	if q.best == nil {
		return q.given
	}
	return q.value
}

// split cuts the problem after each op that is comparable with all others: in any order, the same ops come before it. It
// costs O(ops + needs + touches).
func split(p *Problem) []*part {
	ends := cuts(p)
	uses := make([][2]int, len(p.Buffers))
	for b := range uses {
		uses[b] = [2]int{len(p.Ops), -1}
	}
	for v := range p.Ops {
		for _, b := range p.Ops[v].Touches {
			uses[b][0], uses[b][1] = min(uses[b][0], v), max(uses[b][1], v)
		}
	}
	// passing[k] is what the bytes of buffers that no op of part k touches add up to while it runs.
	passing := make([]int64, len(ends)+1)
	partOf := make([]int, len(p.Ops))
	first := 0
	for k, end := range ends {
		for v := first; v < end; v++ {
			partOf[v] = k
		}
		first = end
	}
	touched := make([]map[int]int, len(ends))
	for k := range touched {
		touched[k] = map[int]int{}
	}
	parts := make([]*part, len(ends))
	first = 0
	for k, end := range ends {
		parts[k] = newPart(p, first, end, uses, touched[k])
		first = end
	}
	for b := range p.Buffers {
		spread(p, b, uses[b], partOf, passing)
	}
	for k := range parts {
		for b := range touched[k] {
			passing[k] -= p.Buffers[b].Size
			passing[k+1] += p.Buffers[b].Size
		}
	}
	for k, q := range parts {
		if k > 0 {
			passing[k] += passing[k-1]
		}
		if passing[k] > 0 {
			// One buffer that the whole part touches stands for all that only pass it.
			q.carry(passing[k])
		}
		q.given = q.sub.Peak(q.sub.given())
	}
	return parts
}

// spread notes the bytes of a buffer in all parts from its first to its last, as differences from part to part.
func spread(p *Problem, b int, use [2]int, partOf []int, passing []int64) {
	if use[1] < 0 {
		return
	}
	from, to := partOf[use[0]], partOf[use[1]]
	if p.Buffers[b].Before {
		from = 0
	}
	if p.Buffers[b].After {
		to = len(passing) - 2
	}
	passing[from] += p.Buffers[b].Size
	passing[to+1] -= p.Buffers[b].Size
}

// newPart restates the ops [first, end).
func newPart(p *Problem, first, end int, uses [][2]int, local map[int]int) *part {
	q := &part{first: first}
	if first == 0 {
		q.sub.First = p.First
	}
	for v := first; v < end; v++ {
		op := &p.Ops[v]
		out := Op{Scratch: op.Scratch}
		for _, n := range op.Needs {
			if n >= first {
				out.Needs = append(out.Needs, n-first)
			}
		}
		index := func(b int) int {
			at, ok := local[b]
			if !ok {
				at = len(q.sub.Buffers)
				local[b] = at
				buffer := p.Buffers[b]
				buffer.Before = buffer.Before || uses[b][0] < first
				buffer.After = buffer.After || uses[b][1] >= end
				q.sub.Buffers = append(q.sub.Buffers, buffer)
			}
			return at
		}
		indexes := func(list []int) []int {
			out := make([]int, len(list))
			for i, b := range list {
				out[i] = index(b)
			}
			return out
		}
		out.Touches = indexes(op.Touches)
		for _, r := range op.Reuses {
			if from, to, ok := within(p, r, first, end, uses); ok {
				out.Reuses = append(out.Reuses, Reuse{indexes(from), indexes(to), r.Bytes})
			}
		}
		q.sub.Ops = append(q.sub.Ops, out)
	}
	return q
}

// within leaves out of a reuse by an op of [first, end) what is dead before and what is born after; false when something is
// needed after or was born before, so that nothing can be reused.
func within(p *Problem, r Reuse, first, end int, uses [][2]int) (from, to []int, ok bool) {
	for _, b := range r.From {
		switch {
		case p.Buffers[b].After || uses[b][1] >= end:
			return nil, nil, false
		case uses[b][1] >= first:
			from = append(from, b)
		}
	}
	for _, b := range r.To {
		switch {
		case p.Buffers[b].Before || uses[b][0] < first:
			return nil, nil, false
		case uses[b][0] < end:
			to = append(to, b)
		}
	}
	return from, to, true
}

// carry adds bytes that are live all the time.
func (q *part) carry(bytes int64) {
	b := len(q.sub.Buffers)
	q.sub.Buffers = append(q.sub.Buffers, Buffer{Size: bytes, Before: true, After: true})
	q.sub.Ops[0].Touches = append(q.sub.Ops[0].Touches, b)
}

// cuts returns the ends of the parts: each is one more than the index of an op that all ops before it lead to and all
// after it come from, and the last is the number of ops. An op has that property when it is the only one of those up to it
// that none of them reads from, and the only one of those from it on that reads from none of them.
func cuts(p *Problem) []int {
	n := len(p.Ops)
	onlySink, onlySource := make([]bool, n), make([]bool, n)
	read := make([]bool, n)
	sinks := 0
	for v := range n {
		for _, u := range p.Ops[v].Needs {
			if !read[u] {
				read[u] = true
				sinks--
			}
		}
		sinks++
		onlySink[v] = sinks == 1
	}
	// An op of the rest is a source of it until an op that it needs joins.
	sources := 0
	readers := make([][]int, n)
	for v := range n {
		for _, u := range distinct(p.Ops[v].Needs) {
			readers[u] = append(readers[u], v)
		}
	}
	inside := make([]int, n)
	for v := n - 1; v >= 0; v-- {
		sources++
		for _, w := range readers[v] {
			if inside[w] == 0 {
				sources--
			}
			inside[w]++
		}
		onlySource[v] = sources == 1
	}
	var ends []int
	for v := range n {
		if onlySink[v] && onlySource[v] || v == n-1 {
			ends = append(ends, v+1)
		}
	}
	return ends
}

// distinct leaves out repetitions of a short list.
func distinct(list []int) []int {
	var out []int
	for i, x := range list {
		seen := false
		for _, y := range list[:i] {
			seen = seen || x == y
		}
		if !seen {
			out = append(out, x)
		}
	}
	return out
}
