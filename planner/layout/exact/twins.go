package exact

import "slices"

// linkTwins finds the buffers that differ in nothing but their number: same size, step and sections, no pin. Swapping two
// of them changes nothing, so the search places them in order of number. O(n · conflicts) at worst, in practice O(n).
func (m *model) linkTwins() {
	m.twin = make([]int32, m.len())
	last := map[run][]int32{}
	for i := range int32(m.len()) {
		m.twin[i] = none
		if m.pin[i] != none {
			continue
		}
		same := last[m.hull[i]]
		for k := len(same) - 1; k >= 0; k-- {
			if m.alike(same[k], i) {
				m.twin[i] = same[k]
				break
			}
		}
		last[m.hull[i]] = append(same, i)
	}
}

func (m *model) alike(a, b int32) bool {
	return m.bytes[a] == m.bytes[b] && m.align[a] == m.align[b] && slices.Equal(m.runs[a], m.runs[b])
}
