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
	v := &m.p.values[id]
	present := m.p.copiesOf(m.now, id, m.now.home[id])
	for _, r := range v.reads {
		m.read(&demands, id, r, present)
	}
	for c := range demands {
		m.charge(&demands[c], m.ofValue[id], m.weight(v.bytes))
	}
}

// read adds what one reader demands.
func (m *move) read(demands *[labels]demand, id int32, r reading, present set) {
	y := m.ofNode[r.node]
	stays, goes := m.now.home[id], m.home[id]
	keeps := m.p.nodes[r.node].forms[m.now.form[r.node]].reads[r.read]
	switches := keeps
	if y >= 0 {
		switches = m.p.nodes[r.node].forms[m.form[r.node]].reads[r.read]
	}
	intoKept, intoSwitched := m.into(id, keeps, present, stays, goes), m.into(id, switches, present, stays, goes)
	for c := range labels {
		var when truth
		when.put(0, intoKept == c && !keeps.has(stays))
		when.put(1, intoSwitched == c && !switches.has(stays))
		when.put(2, intoKept == c && !keeps.has(goes))
		when.put(3, intoSwitched == c && !switches.has(goes))
		if when != 0 {
			m.exact = demands[c].add(when, y) && m.exact
		}
	}
}

// into chooses the scope that a reader's copy would be made in: one that is there at present, else the least.
func (m *move) into(id int32, accepts, present set, stays, goes label) label {
	choices := accepts & m.p.values[id].copies
	if accepts.has(stays) && accepts.has(goes) || choices == 0 {
		return labels
	}
	if choices.size() > 1 {
		m.exact = false
	}
	if choices&present != 0 {
		return (choices & present).least()
	}
	return choices.least()
}

// truth has one bit for each case: bit 1 says that the node switches, bit 2 that the value does.
type truth uint8

func (t *truth) put(at int, is bool) {
	if is {
		*t |= 1 << at
	}
}

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
		m.chargeUnless(d, value, weight)
		parts++
	}
	if d.goes || len(d.switches) > 0 {
		m.chargeWhen(d, value, weight)
		parts++
	}
	without, with := len(d.without) > 0 && !d.goes, len(d.with) > 0 && !d.stays
	if without {
		all := m.net.node()
		m.net.link(value, all, weight)
		m.net.linkEach(all, d.without)
	}
	if with {
		some := m.net.node()
		m.net.link(some, value, weight)
		m.net.linkFrom(d.with, some)
	}
	if without || with {
		parts++
	}
	m.exact = m.exact && parts <= 1
}

// chargeUnless charges when the value or one of the nodes does not switch.
func (m *move) chargeUnless(d *demand, value int32, weight int64) {
	all := m.net.node()
	m.net.link(source, all, weight)
	if d.stays {
		m.net.link(all, value, boundless)
	}
	m.net.linkEach(all, d.keeps)
}

// chargeWhen charges when the value or one of the nodes switches.
func (m *move) chargeWhen(d *demand, value int32, weight int64) {
	some := m.net.node()
	m.net.link(some, sink, weight)
	if d.goes {
		m.net.link(value, some, boundless)
	}
	m.net.linkFrom(d.switches, some)
}

func (w *network) linkEach(from int32, to []int32) {
	for _, node := range to {
		w.link(from, node, boundless)
	}
}

func (w *network) linkFrom(from []int32, to int32) {
	for _, node := range from {
		w.link(node, to, boundless)
	}
}
