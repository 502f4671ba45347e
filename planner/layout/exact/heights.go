package exact

// heights are the peaks that a placement can have, ascending to the highest that was asked for. Every buffer rests on the
// bottom, on a pin or on others, so without pins and alignments its top is a sum of sizes, each used once.
type heights struct {
	m *model
	// sums marks, in units, the sums of sizes; nil when pins or alignments make any multiple possible, or when there are
	// too many.
	sums bits
}

// mostSums limits the work of heights, in bits set or tested.
const mostSums = 1 << 28

func newHeights(m *model, highest int64) heights {
	h := heights{m: m}
	units := highest/m.unit + 1
	if units > mostSums/int64(m.len()) {
		return h
	}
	for b := range m.len() {
		if m.pin[b] != none || m.align[b] != 1 || m.bytes[b] != m.size[b]*m.unit {
			return h
		}
	}
	h.sums = newBits(int(units))
	h.sums[0] = 1
	for _, size := range m.size {
		h.sums.addShifted(size)
	}
	return h
}

// addShifted adds every member plus shift, as far as the set reaches. O(len/64).
func (b bits) addShifted(shift int64) {
	words, rest := int(shift>>6), uint(shift&63)
	for i := len(b) - 1; i >= words; i-- {
		w := b[i-words] << rest
		if rest > 0 && i > words {
			w |= b[i-words-1] >> (64 - rest)
		}
		b[i] |= w
	}
}

// below is the highest peak that is at most cap, 0 when there is none.
func (h heights) below(limit int64) int64 {
	if h.sums == nil {
		best := int64(0)
		for _, bytes := range h.m.bytes {
			if bytes <= limit {
				best = max(best, bytes+(limit-bytes)/h.m.unit*h.m.unit)
			}
		}
		return best
	}
	for u := min(limit/h.m.unit, int64(len(h.sums))*64-1); u > 0; u-- {
		if h.sums.has(int32(u)) {
			return u * h.m.unit
		}
	}
	return 0
}

// from is the lowest peak that is at least floor, and not above highest when sums are known.
func (h heights) from(floor int64) int64 {
	if h.sums == nil {
		best := int64(far)
		for _, bytes := range h.m.bytes {
			best = min(best, bytes+alignUp(max(0, floor-bytes), h.m.unit))
		}
		return best
	}
	for u := (floor + h.m.unit - 1) / h.m.unit; u < int64(len(h.sums))*64; u++ {
		if h.sums.has(int32(u)) {
			return u * h.m.unit
		}
	}
	return floor
}
