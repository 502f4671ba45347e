package scope

import "slices"

// move is a choice for all tensors and ops at once between what they have and one alternative each. It is made as a least
// cut: on the source's side stand the variables that switch. The bytes that a tensor costs are shared by its readers, which
// a cut can express with one node more for each tensor and scope.
//
// Where a cut cannot express a cost, the cost is replaced by a larger one that is equal for the present choice: the result
// is then never worse than the present, but the best of its neighbourhood only when exact is set.
type move struct {
	p   *problem
	now *solution
	// home and form are the alternatives, equal to the present ones where there is none.
	home []label
	form []int32

	net *network
	// ofValue and ofNode are the nodes of the variables, -1 where there is none.
	ofValue, ofNode []int32
	// base is the cost that every choice has, and most what one term may cost at most, so that sums stay in range.
	base, most int64
	exact      bool
}

// try returns the best choice, what it costs by the move's reckoning, and whether that is exact.
func (p *problem) try(now *solution, home []label, form []int32) (*solution, int64, bool) {
	m := &move{p: p, now: now, home: home, form: form, exact: true, most: (boundless >> 2) / int64(8*len(p.values)+1)}
	m.couple()
	m.name()
	for i := range p.values {
		m.wish(int32(i))
		if len(p.values[i].reads) > 0 {
			m.share(int32(i))
		}
	}
	m.tie()
	least := m.net.saturate()
	switched := m.net.withSource()
	out := now.clone()
	for i, at := range m.ofValue {
		if at >= 0 && switched[at] {
			out.home[i] = m.home[i]
		}
	}
	for i, at := range m.ofNode {
		if at >= 0 && switched[at] {
			out.form[i] = m.form[i]
		}
	}
	return out, m.base + least, m.exact
}

// weight keeps a cost in range.
func (m *move) weight(bytes int64) int64 {
	if bytes > m.most {
		m.exact = false
	}
	return min(bytes, m.most)
}

// writes reports whether a node can write a value, by whether the value and the node switch.
func (m *move) writes(n, k int, value, node bool) bool {
	id := m.p.nodes[n].writes[k]
	home, form := m.now.home[id], m.now.form[n]
	if value {
		home = m.home[id]
	}
	if node {
		form = m.form[n]
	}
	return m.p.nodes[n].forms[form].writes[k].has(home)
}

// couple gives up alternatives that cannot be taken: a value that would switch to what neither form writes, and a node that
// would switch to a form that writes the value neither as it is nor as it would be, or only as it is.
func (m *move) couple() {
	for n := range m.p.nodes {
		for again := true; again; {
			again = false
			for k := range m.p.nodes[n].writes {
				again = m.coupleOne(n, k) || again
			}
		}
	}
}

// coupleOne reports whether it gave something up.
func (m *move) coupleOne(n, k int) bool {
	id := m.p.nodes[n].writes[k]
	x, y := m.home[id] != m.now.home[id], m.form[n] != m.now.form[n]
	switch {
	case x && !m.writes(n, k, true, false) && (!y || !m.writes(n, k, true, true)):
		m.home[id] = m.now.home[id]
		return true
	case y && !m.writes(n, k, false, true) && !x, y && x && !m.writes(n, k, true, true):
		m.exact = m.exact && !x
		m.form[n] = m.now.form[n]
		return true
	}
	return false
}

// name makes a node of the network for each variable. A value that can only switch together with its writer shares the
// writer's.
func (m *move) name() {
	m.net = newNetwork(4 * len(m.home))
	m.ofValue, m.ofNode = slices.Repeat([]int32{-1}, len(m.home)), slices.Repeat([]int32{-1}, len(m.form))
	for n := range m.form {
		if m.form[n] == m.now.form[n] {
			continue
		}
		m.ofNode[n] = m.net.node()
		for k, id := range m.p.nodes[n].writes {
			if m.home[id] != m.now.home[id] && !m.writes(n, k, true, false) && !m.writes(n, k, false, true) {
				m.ofValue[id] = m.ofNode[n]
			}
		}
	}
	for i := range m.home {
		if m.home[i] != m.now.home[i] && m.ofValue[i] < 0 {
			m.ofValue[i] = m.net.node()
		}
	}
}

// wish charges the penalty of a value.
func (m *move) wish(id int32) {
	v := &m.p.values[id]
	if !v.wished {
		return
	}
	penalty, x := m.weight(v.penalty), m.ofValue[id]
	switch stays, goes := m.now.home[id] != v.wish, m.home[id] != v.wish; {
	case stays && goes:
		m.base += penalty
	case stays:
		m.net.link(source, x, penalty)
	case goes:
		m.net.link(x, sink, penalty)
	}
}

// tie forbids that a value switches without the node that writes it, or the other way round, where that cannot be.
func (m *move) tie() {
	for n := range m.p.nodes {
		y := m.ofNode[n]
		if y < 0 {
			continue
		}
		for k, id := range m.p.nodes[n].writes {
			x := m.ofValue[id]
			if x < 0 || x == y {
				continue
			}
			if !m.writes(n, k, true, false) {
				m.net.link(x, y, boundless)
			}
			if !m.writes(n, k, false, true) {
				m.net.link(y, x, boundless)
			}
		}
	}
}
