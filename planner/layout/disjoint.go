package layout

// disjoint is a partition of 0..n-1 into sets, each named by its smallest member.
type disjoint struct{ parent []int }

func newDisjoint(n int) *disjoint {
	d := &disjoint{parent: make([]int, n)}
	for i := range d.parent {
		d.parent[i] = i
	}
	return d
}

// find returns the smallest member of the set of i.
func (d *disjoint) find(i int) int {
	for d.parent[i] != i {
		d.parent[i] = d.parent[d.parent[i]]
		i = d.parent[i]
	}
	return i
}

// join makes one set of those of a and b.
func (d *disjoint) join(a, b int) {
	a, b = d.find(a), d.find(b)
	d.parent[max(a, b)] = min(a, b)
}
