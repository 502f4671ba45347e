package exact

// scale divides everything by the largest unit that loses nothing. Where every offset is a multiple of some number, the
// sizes count as rounded up to it: nothing else can use the rest. Offsets then are sums of rounded sizes, pins and
// alignments, so the greatest common divisor of those divides every offset worth trying. O(n log size).
func (m *model) scale() {
	step := int64(0)
	for b, a := range m.align {
		step = gcd(a, step)
		if m.pin[b] != none {
			step = gcd(m.pin[b], step)
		}
	}
	m.grain = append(m.grain, m.align...)
	unit := int64(0)
	for b, bytes := range m.bytes {
		m.size = append(m.size, alignUp(bytes, step))
		unit = gcd(m.size[b], unit)
		if m.pin[b] != none {
			unit = gcd(m.pin[b], unit)
		}
	}
	unit = m.commonUnit(unit)
	m.unit = unit
	for b := range m.size {
		m.size[b] /= unit
		if m.pin[b] != none {
			m.pin[b] /= unit
		}
		m.align[b] = max(1, m.align[b]/unit)
	}
}

// commonUnit lowers unit until every alignment divides it, and so is met by any multiple, or is a multiple of it.
func (m *model) commonUnit(unit int64) int64 {
	for again := true; again; {
		again = false
		for _, a := range m.align {
			if unit%a != 0 && a%unit != 0 {
				unit, again = gcd(unit, a), true
			}
		}
	}
	return unit
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// limits fills in the highest offset, in units, at which each buffer ends within the capacity in bytes; negative where
// there is none. room is the capacity in units that the sum of a section must meet.
func (m *model) limits(capacity int64, limit []int64) (room int64) {
	for b, bytes := range m.bytes {
		limit[b] = none
		if bytes <= capacity {
			limit[b] = (capacity - bytes) / m.unit
			room = max(room, limit[b]+m.size[b])
		}
	}
	return room
}

// bound is the least peak, in bytes, that the sections and pins admit: what is live together is stacked, and only the
// topmost buffer of a stack needs no rounding up. O(total size of the sections).
func (m *model) bound() int64 {
	bound := int64(0)
	for s := range int32(m.members.rows()) {
		total, spare := int64(0), int64(0)
		for _, b := range m.members.row(s) {
			total += m.size[b] * m.unit
			spare = max(spare, m.size[b]*m.unit-m.bytes[b])
		}
		bound = max(bound, total-spare)
	}
	for b, pin := range m.pin {
		if pin != none {
			bound = max(bound, pin*m.unit+m.bytes[b])
		}
	}
	return bound
}
