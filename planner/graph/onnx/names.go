package onnx

import "strconv"

// namer gives out names, each once. The same requests in the same order give the same names.
type namer struct {
	taken map[string]bool
	// next is the number to try next for a base name.
	next map[string]int
}

func newNamer() *namer { return &namer{taken: map[string]bool{}, next: map[string]int{}} }

// take reserves the name and reports whether it was free.
func (n *namer) take(name string) bool {
	if n.taken[name] {
		return false
	}
	n.taken[name] = true
	return true
}

// unique returns the base itself when it is free, else base_2, base_3, ...
func (n *namer) unique(base string) string {
	if n.take(base) {
		return base
	}
	if n.next[base] == 0 {
		n.next[base] = 2
	}
	return n.numbered(base)
}

// numbered returns the first free one of base_0, base_1, ... that was not given out before.
func (n *namer) numbered(base string) string {
	for {
		name := base + "_" + strconv.Itoa(n.next[base])
		n.next[base]++
		if n.take(name) {
			return name
		}
	}
}

// nameOps gives each node that becomes an op a name of its own, with the prefix before it. A node that is the first to
// bear its name keeps it, a later one gets a number; nodes without a name are called by their operator, as in "Conv_0".
func (n *namer) nameOps(nodes []node, prefix string) {
	unnamed := make([]*node, 0, len(nodes))
	for i := range nodes {
		nd := &nodes[i]
		if nd.isConstant() {
			continue
		}
		if nd.name == "" || !n.take(prefix+nd.name) {
			unnamed = append(unnamed, nd)
			continue
		}
		nd.name = prefix + nd.name
	}
	for _, nd := range unnamed {
		if nd.name == "" {
			nd.name = n.numbered(prefix + nd.op)
			continue
		}
		nd.name = n.unique(prefix + nd.name)
	}
}
