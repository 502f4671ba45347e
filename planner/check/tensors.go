package check

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// planned is one graph of the plan beside what the graph demands.
type planned struct {
	index int
	g     *graph.Graph
	p     *plan.Graph
	needs []need
	// rows are the plan's row of each need, nil when there is none; needOf the need of each row, -1 for a stranger.
	rows   []*plan.Tensor
	needOf []int
	// device is the device of the first pool seen, with the tensor there.
	device, deviceOf string
	input, output    map[graph.TensorID]bool
	// end is the end of the graph's last lifetime.
	end int64
	// callers says for each tensor with bytes of its own which roles those bytes have for the graph's caller.
	callers map[string]callers
	// elder leads from each tensor towards the one that stands for its family; idOf has the tensors by name.
	elder []graph.TensorID
	idOf  map[string]graph.TensorID
	// shown lists for each tensor those whose bytes it shows where they are, and lived the steps in which it is needed, by
	// itself or by what shows it.
	shown [][]graph.TensorID
	lived []box
	// seen has for each base with rows in it the bytes that are looked at; see sample.
	seen map[string][]extent
}

// callers are the roles that a tensor's bytes have for the graph's caller, through the tensor or its views.
type callers struct{ input, output bool }

func (c *checker) graph(index int, g *graph.Graph) {
	pg := &planned{index: index, g: g, p: &c.plan.Graphs[index], needs: needs(g), input: set(g.Inputs), output: set(g.Outputs), end: lastStep(g)}
	c.graphs = append(c.graphs, pg)
	c.order(pg)
	c.match(pg)
	pg.findCallers()
	for i, t := range rowsOf(pg.p) {
		if k := pg.needOf[i]; k >= 0 {
			c.content(pg, t, &pg.needs[k])
		}
		c.place(pg, t)
	}
	c.views(pg)
	c.contents(pg)
	c.copies(pg)
}

func set(ids []graph.TensorID) map[graph.TensorID]bool {
	out := make(map[graph.TensorID]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out
}

func rowsOf(p *plan.Graph) []*plan.Tensor {
	out := make([]*plan.Tensor, len(p.Tensors))
	for i := range p.Tensors {
		out[i] = &p.Tensors[i]
	}
	return out
}

// order compares the steps with the ops.
func (c *checker) order(pg *planned) {
	if len(pg.p.Steps) != len(pg.g.Ops) {
		c.report(diag.PlanStepsDiffer, "The plan of graph %q has %d steps and the graph has %d ops. Plan again.", pg.p.Name, len(pg.p.Steps), len(pg.g.Ops))
		return
	}
	for i := range pg.g.Ops {
		if step, op := &pg.p.Steps[i], &pg.g.Ops[i]; step.Step != int64(i) || step.Op != op.Op || step.Name != op.Name {
			c.report(diag.PlanStepsDiffer, "Step %d of graph %q is %s %q in the plan and %s %q in the graph. Plan again.", i, pg.p.Name, step.Op, step.Name, op.Op, op.Name)
		}
	}
	c.sequence(pg)
}

// sequence checks that no op reads what a later one writes, or what nobody does.
func (c *checker) sequence(pg *planned) {
	for i := range pg.g.Ops {
		for _, id := range pg.g.Ops[i].Inputs {
			n := at(pg.needs, id)
			switch {
			case n == nil || n.always() && n.producer < 0 || n.role == graph.State || pg.input[id]:
			case n.producer >= i:
				c.report(diag.PlanStepsDiffer, "Step %d of graph %q, op %q, reads %q, which step %d writes. Plan again.", i, pg.p.Name, pg.g.Ops[i].Name, n.name, n.producer)
			case n.producer < 0:
				c.report(diag.PlanStepsDiffer, "Step %d of graph %q, op %q, reads %q, which no step writes. Plan again.", i, pg.p.Name, pg.g.Ops[i].Name, n.name)
			}
		}
	}
}

// key tells scratch memory from a tensor of the same name.
type key struct {
	name    string
	scratch bool
}

// match pairs rows with needs by name. Ops of the same name have scratch buffers of the same name, which pair in order.
func (c *checker) match(pg *planned) {
	open := make(map[key][]int, len(pg.needs))
	known := make(map[key]bool, len(pg.needs))
	for i := range pg.needs {
		k := key{pg.needs[i].name, pg.needs[i].role == graph.Scratch}
		open[k], known[k] = append(open[k], i), true
	}
	pg.rows, pg.needOf = make([]*plan.Tensor, len(pg.needs)), make([]int, len(pg.p.Tensors))
	for i := range pg.p.Tensors {
		t := &pg.p.Tensors[i]
		k := key{t.Name, t.Role == string(graph.Scratch)}
		pg.needOf[i] = -1
		switch rest := open[k]; {
		case len(rest) > 0:
			pg.needOf[i], pg.rows[rest[0]], open[k] = rest[0], t, rest[1:]
		case known[k]:
			c.report(diag.PlanTensorTwice, "The tensor %q of graph %q is in the plan twice. Plan again.", t.Name, pg.p.Name)
		default:
			c.report(diag.PlanTensorUnknown, "The plan places a tensor %q that graph %q does not have. Plan again.", t.Name, pg.p.Name)
		}
	}
	for i := range pg.needs {
		if n := &pg.needs[i]; n.required && pg.rows[i] == nil {
			c.report(diag.PlanTensorMissing, "The plan has no place for the tensor %q of graph %q. Plan again.", n.name, pg.p.Name)
		}
	}
}

func (pg *planned) findCallers() {
	pg.callers = make(map[string]callers)
	for i := range pg.needs {
		row, id := pg.rows[i], pg.needs[i].tensor
		if row == nil || !pg.input[id] && !pg.output[id] {
			continue
		}
		name := row.Name
		if row.ViewOf != nil {
			name = *row.ViewOf
		}
		known := pg.callers[name]
		pg.callers[name] = callers{known.input || pg.input[id], known.output || pg.output[id]}
	}
}

// content holds a row against the graph: type, shape, producer, size and lifetime.
func (c *checker) content(pg *planned, t *plan.Tensor, n *need) {
	if n.tensor != graph.NoTensor {
		want := &pg.g.Tensors[n.tensor]
		relabelled := want.Layout != "" && t.Layout != want.Layout
		if relabelled || t.Role != string(want.Role) || t.DType != want.DType.String() || !want.Shape.Equal(append(graph.Shape{}, t.Shape...)) {
			c.report(diag.PlanTensorDiffers, "The tensor %q is %s %s %v %s in the plan and %s %s %s %s in graph %q. Plan again.",
				t.Name, t.Role, t.DType, t.Shape, t.Layout, want.Role, want.DType, want.Shape, want.Layout, pg.p.Name)
		}
	}
	producer := ""
	if n.producer >= 0 {
		producer = pg.g.Ops[n.producer].Name
	}
	if t.Producer != producer {
		c.report(diag.PlanTensorDiffers, "The tensor %q is made by op %q in the plan and by op %q in graph %q. Plan again.", t.Name, t.Producer, producer, pg.p.Name)
	}
	if t.Size < n.bytes || t.LogicalSize != n.bytes {
		c.report(diag.PlanTensorTooSmall, "The tensor %q needs %d bytes; the plan gives it %d and counts %d for its elements. Plan again.", t.Name, n.bytes, t.Size, t.LogicalSize)
	}
	if n.required && (t.First > n.first || t.Last < n.last) {
		c.report(diag.PlanLifetimeTooShort, "The tensor %q is used in steps [%d, %d) of graph %q and lives in steps [%d, %d) of the plan. Plan again.",
			t.Name, n.first, n.last, pg.p.Name, t.First, t.Last)
	}
	if end := pg.end; t.Kept != "" && t.Last < end {
		c.report(diag.PlanKeptTooShort, "The tensor %q is kept by %s to the end of graph %q, step %d, and its lifetime in the plan ends at step %d. Plan again.",
			t.Name, t.Kept, pg.p.Name, end, t.Last)
	}
	if t.Offset != nil && t.ViewOf == nil && *t.Offset%n.alignment != 0 {
		c.report(diag.PlanMisaligned, "The tensor %s asks for an alignment of %d. Plan again.", c.where(t), n.alignment)
	}
}

// place holds a row against pool, storage and device, and notes it as a resident when it has bytes of its own.
func (c *checker) place(pg *planned, t *plan.Tensor) {
	if rowsWrong(t) {
		c.report(diag.PlanViewMoved, "The tensor %s has rows of %d bytes at a stride of %d, which only a view in flat memory has, and whose %d bytes of elements they hold from its first byte to its last. Plan again.",
			c.where(t), t.Rows.Bytes, t.Rows.Stride, t.LogicalSize)
	}
	if t.Pool == "" {
		c.callersOwn(pg, t)
		return
	}
	k, known := c.pools[t.Pool]
	if !known {
		c.report(diag.PlanPoolUnknown, "The tensor %q is placed in pool %q, which the plan does not have. Plan again.", t.Name, t.Pool)
		return
	}
	pool := &c.plan.Pools[k]
	c.poolSuits(pg, t, pool)
	storage := c.storage(t)
	c.image(t, storage, pool)
	if len(t.Gaps) > 0 && (t.ViewOf != nil || t.Shares != nil || t.Role == string(graph.Scratch) || c.pictures[t] != nil) {
		c.report(diag.PlanOverlap, "The plan says that bytes of %s are free in a part of its life, which can be so only of a tensor with bytes of its own in flat memory. Plan again.", c.where(t))
	}
	if t.Shares != nil {
		c.shared = append(c.shared, shared{pg, t})
	}
	if t.ViewOf != nil || t.Shares != nil {
		return
	}
	r := resident{t: t, graph: pg.index, until: moment{c.stages[pg.index], t.Last}, space: space{pool: k, image: flat}, bytes: t.Size, always: t.Role == string(graph.Constant) || t.Role == string(graph.State)}
	lo, size := int64(0), t.Size
	switch {
	case t.Offset == nil:
		r.space.image, r.box = t.Storage, box{lo: 0, hi: 1}
	case storage != nil && storage.Offset != nil && c.pictures[t] != nil:
		lo, size = *storage.Offset, storage.Size
	default:
		lo = *t.Offset
	}
	if lo < 0 || size < 0 || t.Size < 0 || lo > math.MaxInt64-size {
		c.report(diag.PlanBeyondCapacity, "The tensor %q has the impossible offset %d and size %d. Plan again.", t.Name, lo, size)
		return
	}
	if t.Offset != nil {
		r.box = box{lo: lo, hi: lo + size}
		c.limits(t, pool, lo, lo+size)
	}
	c.residents = append(c.residents, r)
}
