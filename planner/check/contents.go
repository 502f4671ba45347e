package check

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// content is bytes of a buffer that one op wrote, or that were there at the start, with the steps in which somebody needs
// them.
type content struct {
	box
	row *plan.Tensor
	// freed marks a gap: bytes in which there is nothing that somebody needs.
	freed bool
}

// contents checks what the views of a graph do to one another: bytes that are written must not hold what is needed later. A
// view that only shows what others wrote, as a reshape or a concatenation in place, needs their bytes for as long as it is
// needed itself; an op that may write over its operand needs the operand up to its own step and its result from then on. It
// costs O(n log n) for n tensors and operands.
func (c *checker) contents(pg *planned) {
	c.sample(pg)
	own, lives := pg.lives(), pg.lives()
	pg.shown, pg.lived = make([][]graph.TensorID, len(pg.g.Tensors)), lives
	for i := range pg.shown {
		pg.shown[i] = pg.shows(graph.TensorID(i))
	}
	for _, id := range pg.lastWrittenFirst() {
		for _, source := range pg.shown[id] {
			if !lives[id].empty() {
				lives[source] = box{first: min(lives[source].first, lives[id].first), last: max(lives[source].last, lives[id].last), hi: 1}
			}
		}
	}
	demands := pg.demands(own)
	byBase := map[string][]content{}
	var bases []string
	for i := range pg.g.Tensors {
		row := pg.rows[i]
		if row == nil {
			continue
		}
		base := baseName(row)
		if byBase[base] == nil {
			bases = append(bases, base)
		}
		byBase[base] = append(byBase[base], pg.needed(graph.TensorID(i), own[i].first, demands[i])...)
		for _, gap := range row.Gaps {
			byBase[base] = append(byBase[base], content{box{gap.From, gap.To, 2 * gap.First, 2 * gap.Last}, row, true})
		}
	}
	for _, base := range bases {
		c.clashes(byBase[base])
	}
}

func baseName(row *plan.Tensor) string {
	if row.ViewOf != nil {
		return *row.ViewOf
	}
	return row.Name
}

// lives are the steps in which each tensor is needed. What the caller or the next run reads is needed after the last one too.
func (pg *planned) lives() []box {
	out := make([]box, len(pg.g.Tensors))
	for i := range out {
		n := &pg.needs[i]
		out[i] = box{first: n.first, last: n.last, hi: 1}
		if row := pg.rows[i]; n.always() || pg.output[n.tensor] || row != nil && row.Kept != "" {
			out[i].last = pg.end + 1
		}
	}
	return out
}

// lastWrittenFirst lists the results of ops, those of later ops first: a tensor shows what earlier ones hold.
func (pg *planned) lastWrittenFirst() []graph.TensorID {
	var out []graph.TensorID
	for step := len(pg.g.Ops) - 1; step >= 0; step-- {
		for _, id := range pg.g.Ops[step].Outputs {
			if pg.g.Tensor(id) != nil {
				out = append(out, id)
			}
		}
	}
	return out
}

// shows lists the tensors whose bytes the tensor shows where they are, without copying them.
func (pg *planned) shows(id graph.TensorID) []graph.TensorID {
	n := &pg.needs[id]
	row := pg.rows[id]
	if n.producer < 0 || row == nil {
		return nil
	}
	op := &pg.g.Ops[n.producer]
	if source := pg.sourceOf(op, id); source != nil && source != row && sameBytes(source, row) {
		return []graph.TensorID{op.Inputs[0]}
	}
	var out []graph.TensorID
	for _, r := range pg.runs(op) {
		if pg.inPlace(r) && (r.piece == id) == (op.Op == "Split" || op.Op == "Slice") && (r.piece == id || r.whole == id) {
			out = append(out, other(r, id))
		}
	}
	return out
}

func other(r run, id graph.TensorID) graph.TensorID {
	if r.piece == id {
		return r.whole
	}
	return r.piece
}

// sameBytes reports whether two rows are the same bytes of one base.
func sameBytes(a, b *plan.Tensor) bool {
	return baseName(a) == baseName(b) && a.Size == b.Size && layOf(a) == layOf(b)
}

// inPlace reports whether the piece of a run lies in the whole where the op would copy it to or from.
func (pg *planned) inPlace(r run) bool {
	piece, whole := pg.rows[r.piece], pg.rows[r.whole]
	if piece == nil || whole == nil || baseName(piece) != baseName(whole) || whole.Size == 0 {
		return false
	}
	l, ok := layOf(whole).part(r)
	return ok && l == layOf(piece)
}

// written are the bytes of the tensor that its own op writes.
func (pg *planned) written(id graph.TensorID, shown []graph.TensorID, life box) []content {
	row, n := pg.rows[id], &pg.needs[id]
	// A step has two halves. What is read last in it is needed in the first half, what it writes fills the second one at
	// least, and the first as well unless it waits for its operand.
	first, last := 2*life.first, 2*life.last-1
	if n.producer >= 0 {
		last = max(last, 2*int64(n.producer)+2)
		if _, ok := pg.overwritten(&pg.g.Ops[n.producer], id); ok {
			first = max(first, 2*int64(n.producer)+1)
		}
	}
	own := pg.extents(id)
	if len(shown) > 0 {
		if op := &pg.g.Ops[n.producer]; op.Op != "Concat" && op.Op != "Pad" {
			return nil
		}
		var others []extent
		for _, source := range shown {
			others = append(others, pg.extents(source)...)
		}
		slices.SortFunc(others, func(a, b extent) int { return cmp.Compare(a.lo, b.lo) })
		own = beside(own, others)
	}
	var out []content
	for _, e := range own {
		out = append(out, content{box{e.lo, e.hi, first, last}, row, false})
	}
	return out
}

// clashes reports contents of one base that are needed at the same time in the same bytes.
func (c *checker) clashes(list []content) {
	if len(list) < 2 {
		return
	}
	boxes := make([]box, len(list))
	all := make([]int, len(list))
	for i := range list {
		boxes[i], all[i] = list[i].box, i
	}
	collisions(boxes, all, func(a, b int) {
		x, y := list[a].row, list[b].row
		if list[a].freed || list[b].freed {
			if list[a].freed {
				x, y = y, x
			}
			c.report(diag.PlanOverlap, "The tensor %s is needed while the plan says that bytes of it, or of what it lies in, are free: a gap of %s. Plan again.", c.where(x), c.where(y))
			return
		}
		c.report(diag.PlanOverlap, "The tensors %s and %s share bytes while both are live. Plan again.", c.where(x), c.where(y))
	})
}
