package check

import (
	"math"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// wanted says until when other graphs read a content, in half steps, and which graph reads it last. The zero value wants
// nothing.
type wanted struct {
	until  moment
	reader int
	any    bool
}

// join is what two readers want. Of graphs that may run at the same time any step may be the last: what two of them read is
// wanted until both are over.
func (w wanted) join(o wanted) wanted {
	switch {
	case !w.any:
		return o
	case !o.any:
		return w
	case w.until.stage == o.until.stage && w.reader != o.reader:
		w.until.step = math.MaxInt64
		return w
	case o.until.compare(w.until) > 0:
		return o
	}
	return w
}

// passed is a content in bytes that pass from graph to graph, in common time: from its first half step to its last.
type passed struct {
	content
	first, last moment
	graph       int
}

// passedOn checks what graphs do to the contents that others hand them: whatever an op writes there, over its operand or
// elsewhere, must not be bytes that a later graph still reads, as the same output, as another output in the same bytes, or
// through a graph between that shows its input as its own output. It costs O(n log n) for n tensors.
func (c *checker) passedOn(rows map[rowKey]*plan.Tensor, graphs map[string]*planned) {
	wants := c.wants(graphs)
	pass := map[*plan.Tensor]bool{}
	for _, s := range c.shared {
		if s.t.Shares.Because == plan.SharesInput {
			pass[c.rootOf(rows, s.pg.p, s.t)] = true
		}
	}
	byRoot := map[*plan.Tensor][]passed{}
	var roots []*plan.Tensor
	for _, pg := range c.graphs {
		for i, row := range pg.rows[:len(pg.g.Tensors)] {
			if row == nil || row.Shares != nil {
				continue
			}
			root := c.rootOf(rows, pg.p, row)
			if root == nil || !pass[root] {
				continue
			}
			if byRoot[root] == nil {
				roots = append(roots, root)
			}
			byRoot[root] = append(byRoot[root], c.passedContents(pg, graph.TensorID(i), rows[rowKey{pg.p.Name, baseName(row)}], wants[pg.index][i])...)
		}
	}
	for _, root := range roots {
		c.passedClashes(byRoot[root])
	}
}

// wants finds for each tensor of each graph until when later graphs read its content. Those come first: what they want of an
// input they want of the output it is.
func (c *checker) wants(graphs map[string]*planned) [][]wanted {
	out := make([][]wanted, len(c.graphs))
	for i, pg := range c.graphs {
		out[i] = make([]wanted, len(pg.g.Tensors))
	}
	for _, pg := range slices.Backward(c.graphs) {
		mine := out[pg.index]
		for _, id := range pg.lastWrittenFirst() {
			for _, source := range pg.shown[id] {
				mine[source] = mine[source].join(mine[id])
			}
		}
		for i, row := range pg.rows[:len(pg.g.Tensors)] {
			if row == nil || row.Shares == nil || row.Shares.Because != plan.SharesInput {
				continue
			}
			from := graphs[row.Shares.Graph]
			if from == nil {
				continue // reported: the plan does not have it
			}
			if id, ok := from.idOf[row.Shares.Tensor]; ok {
				read := wanted{moment{c.stages[pg.index], 2*pg.lived[i].last - 1}, pg.index, true}
				theirs := out[from.index]
				theirs[id] = theirs[id].join(read.join(mine[i]))
			}
		}
	}
	return out
}

// passedContents are the contents that a tensor's own op writes, in bytes from the start of the pool or of the image.
func (c *checker) passedContents(pg *planned, id graph.TensorID, base *plan.Tensor, w wanted) []passed {
	start := int64(0)
	if base != nil && base.Offset != nil {
		start = *base.Offset
	}
	var out []passed
	for _, x := range pg.written(id, pg.shown[id], pg.lived[id]) {
		stage := c.stages[pg.index]
		p := passed{content: x, first: moment{stage, x.first}, last: moment{stage, x.last}, graph: pg.index}
		if w.any && w.until.compare(p.last) > 0 {
			p.last = w.until
		}
		p.lo, p.hi = p.lo+start, p.hi+start
		out = append(out, p)
	}
	return out
}

// passedClashes reports contents of two graphs that are needed at the same time in the same bytes. Those of one graph are
// reported with the graph.
func (c *checker) passedClashes(list []passed) {
	moments := make([]moment, 0, 2*len(list))
	for i := range list {
		moments = append(moments, list[i].first, list[i].last)
	}
	slices.SortFunc(moments, moment.compare)
	moments = slices.Compact(moments)
	number := func(m moment) int64 {
		i, _ := slices.BinarySearchFunc(moments, m, moment.compare)
		return int64(i)
	}
	boxes, all := make([]box, len(list)), make([]int, len(list))
	for i := range list {
		boxes[i], all[i] = box{lo: list[i].lo, hi: list[i].hi, first: number(list[i].first), last: number(list[i].last)}, i
	}
	collisions(boxes, all, func(a, b int) {
		x, y := &list[a], &list[b]
		if x.graph == y.graph {
			return
		}
		c.report(diag.PlanOverlap, "The tensors %s of graph %q and %s of graph %q share bytes, and one is written there while the other is still read. Plan again.",
			c.where(x.row), c.plan.Graphs[x.graph].Name, c.where(y.row), c.plan.Graphs[y.graph].Name)
	})
}
