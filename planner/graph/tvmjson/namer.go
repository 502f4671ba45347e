package tvmjson

import "strconv"

// namer keeps names apart. TVM gives one name to several calls: all its aliases are called "reshape_nop".
type namer struct {
	taken map[string]bool
	// numbers holds the last number that was tried behind a name.
	numbers map[string]int
}

// unique returns the name, with a number behind it when it is taken. Many calls cost O(their number) look-ups in all.
func (n *namer) unique(name string) string {
	if n.taken == nil {
		n.taken, n.numbers = map[string]bool{}, map[string]int{}
	}
	out := name
	for n.taken[out] {
		n.numbers[name]++
		out = name + "_" + strconv.Itoa(n.numbers[name])
	}
	n.taken[out] = true
	return out
}
