package scope

// demand is what decides whether a value is copied into one scope. The copy is needed when any of its parts holds.
type demand struct {
	always bool
	// goes and stays: the value switches, or does not.
	goes, stays bool
	// switches and keeps: one of the nodes switches, or does not.
	switches, keeps []int32
	// without and with: the value switches and one of the nodes does not, or the other way round.
	without, with []int32
}

// share charges the copies of a value.
func (m *move) share(id int32) {
	var demands [labels]demand
	into := m.intoOf(id)
	for _, r := range m.p.values[id].reads {
		m.read(&demands, id, r, into)
	}
	for c := range demands {
		m.charge(&demands[c], m.ofValue[id], m.weight(m.p.values[id].bytes))
	}
}

// both returns what a reader takes as it is and when it switches.
func (m *move) both(r reading) (keeps, switches set) {
	n := &m.p.nodes[r.node]
	return n.forms[m.now.form[r.node]].reads[r.read], n.forms[m.form[r.node]].reads[r.read]
}

// intoOf decides which scope a reader's copy of a value is made in, by what the reader takes. If one scope serves whoever may
// need a copy, it is that one. Else readers that take several prefer what is there at present, and the move is not exact.
func (m *move) intoOf(id int32) func(takes set) label {
	v := &m.p.values[id]
	stays, goes := m.now.home[id], m.home[id]
	common, several := v.copies, false
	for _, r := range v.reads {
		keeps, switches := m.both(r)
		for _, takes := range []set{keeps, switches} {
			if !takes.has(stays) || !takes.has(goes) {
				common &= takes
				several = several || (takes&v.copies).size() > 1
			}
		}
	}
	if common != 0 {
		return func(set) label { return common.least() }
	}
	m.exact = m.exact && !several
	present := m.p.copiesOf(m.now, id, stays)
	return func(takes set) label {
		if takes&present != 0 {
			return (takes & present).least()
		}
		return (takes & v.copies).least()
	}
}

// read adds what one reader demands.
func (m *move) read(demands *[labels]demand, id int32, r reading, into func(set) label) {
	stays, goes := m.now.home[id], m.home[id]
	keeps, switches := m.both(r)
	var when [labels]truth
	for at, c := range [...]struct {
		takes set
		home  label
	}{{keeps, stays}, {switches, stays}, {keeps, goes}, {switches, goes}} {
		if !c.takes.has(c.home) {
			when[into(c.takes)] |= 1 << at
		}
	}
	for c := range when {
		if when[c] != 0 {
			m.exact = demands[c].add(when[c], m.ofNode[r.node]) && m.exact
		}
	}
}

// truth has one bit for each case: bit 1 says that the node switches, bit 2 that the value does.
type truth uint8

const (
	nothingSwitches truth = 1 << iota
	nodeSwitches
	valueSwitches
	bothSwitch
)

// add adds a condition on the value and one node. It reports whether it is kept as it is: some cannot be cut, and are
// replaced by weaker ones that hold in the same cases with nothing switched.
func (d *demand) add(when truth, node int32) bool {
	switch when {
	case nothingSwitches | nodeSwitches | valueSwitches | bothSwitch:
		d.always = true
	case valueSwitches | bothSwitch:
		d.goes = true
	case nothingSwitches | nodeSwitches:
		d.stays = true
	case nodeSwitches | bothSwitch:
		d.switches = append(d.switches, node)
	case nothingSwitches | valueSwitches:
		d.keeps = append(d.keeps, node)
	case valueSwitches:
		d.without = append(d.without, node)
	case nodeSwitches:
		d.with = append(d.with, node)
	case nodeSwitches | valueSwitches:
		d.without, d.with = append(d.without, node), append(d.with, node)
	case nodeSwitches | valueSwitches | bothSwitch:
		d.goes, d.switches = true, append(d.switches, node)
	case bothSwitch:
		d.switches = append(d.switches, node)
		return false
	case nothingSwitches:
		d.keeps = append(d.keeps, node)
		return false
	default:
		d.always = true
		return false
	}
	return true
}

// charge puts a demand into the network: each part costs the weight once, however many nodes it has. Parts that can hold
// together are charged twice then, and the move is not exact.
func (m *move) charge(d *demand, value int32, weight int64) {
	if d.always || d.goes && d.stays {
		m.base += weight
		return
	}
	parts := 0
	if d.stays || len(d.keeps) > 0 {
		m.net.linkAll(source, value, d.keeps, d.stays, weight)
		parts++
	}
	if d.goes || len(d.switches) > 0 {
		m.net.linkAny(d.switches, value, d.goes, sink, weight)
		parts++
	}
	without, with := len(d.without) > 0 && !d.goes, len(d.with) > 0 && !d.stays
	if without {
		m.net.linkAll(value, value, d.without, false, weight)
	}
	if with {
		m.net.linkAny(d.with, value, false, value, weight)
	}
	if without || with {
		parts++
	}
	m.exact = m.exact && parts <= 1
}

// linkAll charges the weight once when from switches and one of the nodes, or the value where it counts, does not.
func (w *network) linkAll(from, value int32, nodes []int32, valueCounts bool, weight int64) {
	if valueCounts {
		nodes = append(nodes, value)
	}
	if len(nodes) == 1 {
		w.link(from, nodes[0], weight)
		return
	}
	all := w.node()
	w.link(from, all, weight)
	for _, node := range nodes {
		w.link(all, node, boundless)
	}
}

// linkAny charges the weight once when one of the nodes, or the value where it counts, switches and to does not.
func (w *network) linkAny(nodes []int32, value int32, valueCounts bool, to int32, weight int64) {
	if valueCounts {
		nodes = append(nodes, value)
	}
	if len(nodes) == 1 {
		w.link(nodes[0], to, weight)
		return
	}
	some := w.node()
	w.link(some, to, weight)
	for _, node := range nodes {
		w.link(node, some, boundless)
	}
}
