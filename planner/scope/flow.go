package scope

// network is a flow network in which the least cut between source and sink is sought.
type network struct {
	// first is the first arc of each node.
	first  []int32
	arcs   []arc
	level  []int32
	cursor []int32
	queue  []int32
	path   []int32
}

// arc and its reverse stand side by side: that of arc i is i^1.
type arc struct {
	to, next int32
	room     int64
}

const (
	source int32 = iota
	sink
)

// boundless is the room of an arc that is never cut. All others together have less.
const boundless = int64(1) << 62

// newNetwork makes a network of the two, with room for so many arcs.
func newNetwork(arcs int) *network {
	w := &network{arcs: make([]arc, 0, 2*arcs), first: make([]int32, 0, arcs)}
	w.node()
	w.node()
	return w
}

// node adds a node.
func (w *network) node() int32 {
	w.first = append(w.first, -1)
	return int32(len(w.first) - 1)
}

// link adds an arc: cutting it, with from on the source's side and to on the sink's, costs room.
func (w *network) link(from, to int32, room int64) {
	if room <= 0 {
		return
	}
	w.arcs = append(w.arcs, arc{to, w.first[from], room}, arc{from, w.first[to], 0})
	w.first[from], w.first[to] = int32(len(w.arcs)-2), int32(len(w.arcs)-1)
}

// saturate finds a greatest flow by Dinic's algorithm and returns it. It costs O(nodes² · arcs) at worst; in networks of
// graphs of ops, where paths from source to sink are short or few, it is close to linear.
func (w *network) saturate() int64 {
	total := int64(0)
	w.cursor = make([]int32, len(w.first))
	w.level = make([]int32, len(w.first))
	for w.layer() {
		copy(w.cursor, w.first)
		total += w.block()
	}
	return total
}

// layer numbers the nodes by their distance from the source, -1 for those out of reach, and reports whether the sink is
// within.
func (w *network) layer() bool {
	for i := range w.level {
		w.level[i] = -1
	}
	w.level[source] = 0
	w.queue = append(w.queue[:0], source)
	for head := 0; head < len(w.queue); head++ {
		at := w.queue[head]
		for i := w.first[at]; i >= 0; i = w.arcs[i].next {
			if to := w.arcs[i].to; w.arcs[i].room > 0 && w.level[to] < 0 {
				w.level[to] = w.level[at] + 1
				w.queue = append(w.queue, to)
			}
		}
	}
	return w.level[sink] >= 0
}

// block sends through the layers what they can take and returns how much that was. The path is kept in a list, since it
// can be as long as the graph, and after each delivery only its part behind the first full arc is given up.
func (w *network) block() int64 {
	total := int64(0)
	w.path = w.path[:0]
	for at := source; ; {
		if at == sink {
			sent, kept := w.deliver()
			total += sent
			w.path = w.path[:kept]
			at = w.end()
			continue
		}
		if i := w.advance(at); i >= 0 {
			w.path = append(w.path, i)
			at = w.arcs[i].to
			continue
		}
		if at == source {
			return total
		}
		last := w.path[len(w.path)-1]
		w.path = w.path[:len(w.path)-1]
		at = w.end()
		w.cursor[at] = w.arcs[last].next
	}
}

// end is the node that the path leads to.
func (w *network) end() int32 {
	if len(w.path) == 0 {
		return source
	}
	return w.arcs[w.path[len(w.path)-1]].to
}

// advance moves the node's cursor to an arc that leads one layer on, -1 when there is none left.
func (w *network) advance(at int32) int32 {
	i := w.cursor[at]
	for ; i >= 0; i = w.arcs[i].next {
		if a := &w.arcs[i]; a.room > 0 && w.level[a.to] == w.level[at]+1 {
			break
		}
	}
	w.cursor[at] = i
	return i
}

// deliver sends what the whole path can take, and returns it with the number of arcs before the first one it filled.
func (w *network) deliver() (int64, int) {
	room := boundless
	for _, i := range w.path {
		room = min(room, w.arcs[i].room)
	}
	full := len(w.path)
	for k := len(w.path) - 1; k >= 0; k-- {
		i := w.path[k]
		w.arcs[i].room -= room
		w.arcs[i^1].room += room
		if w.arcs[i].room == 0 {
			full = k
		}
	}
	return room, full
}

// withSource marks the nodes on the source's side of the least cut with the fewest nodes there. It does not depend on the
// order in which nodes and arcs were added, nor on which greatest flow was found.
func (w *network) withSource() []bool {
	out := make([]bool, len(w.level))
	for i := range w.level {
		out[i] = w.level[i] >= 0
	}
	return out
}
