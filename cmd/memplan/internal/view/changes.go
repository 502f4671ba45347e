package view

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// mostChanges is the number of changed tensors that "plan" lists; "show" lists all tensors.
const mostChanges = 40

// writeChanges lists what changed against the lock, pool by pool:
//
//	Changes in pool arena:
//	  + image    0           602112  input       float32 [1, 3, 224, 224]
//	  ~ conv1    65536 → 0   401408  activation  float32 [1, 32, 56, 56]
//	  - pool1    602112       50176
//	  = 12 unchanged
//	  7 tensors, 9216 bytes in all, spilled from fast: they did not fit beside the tensors placed there
func writeChanges(b *strings.Builder, paint palette, columns int, old, now *plan.Plan, change plan.Change) {
	shown, left := largest(change)
	before, after := indexOf(old), indexOf(now)
	for _, pool := range poolsOf(change, now) {
		out := grid{numbers: []int{1, 2}, names: []int{0}, details: []int{4}, spare: []int{5}, wraps: true, width: columns}
		same := 0
		moved := spillsOf(change, after, pool)
		for i := range change.Tensors {
			c := &change.Tensors[i]
			switch {
			case c.Pool() != pool:
			case c.Kind == plan.Same:
				same++
			case shown[i]:
				out.add(changeRow(paint, before, after, c, moved)...)
			}
		}
		if len(out.rows) == 0 {
			continue
		}
		fmt.Fprintf(b, "%s\n%s", paint.bold(changesTitle(pool)), out.render(paint))
		if same > 0 {
			fmt.Fprintf(b, "  = %d unchanged\n", same)
		}
		for _, s := range moved {
			if s.tensors > 1 {
				fmt.Fprintf(b, "  %d tensors, %s in all, %s: they did not fit beside the tensors placed there\n", s.tensors, bytesText(s.bytes), s.text)
			}
		}
		b.WriteByte('\n')
	}
	if left > 0 {
		fmt.Fprintf(b, "... and %s more, smaller than these; \"memplan show\" lists every tensor.\n\n", plural(left, "change"))
	}
}

// changesTitle stands above the changes of a pool; "" is what the caller owns.
func changesTitle(pool string) string {
	if pool == "" {
		return "Changes in memory of the caller:"
	}
	return "Changes in pool " + pool + ":"
}

// largest marks the changed tensors to list: the largest ones, of equal ones the earlier. It also returns how many are
// left out.
func largest(change plan.Change) (shown map[int]bool, left int) {
	var changed []int
	for i := range change.Tensors {
		if change.Tensors[i].Kind != plan.Same {
			changed = append(changed, i)
		}
	}
	slices.SortFunc(changed, func(a, b int) int {
		return cmp.Or(cmp.Compare(change.Tensors[b].Size(), change.Tensors[a].Size()), cmp.Compare(a, b))
	})
	left = max(0, len(changed)-mostChanges)
	shown = map[int]bool{}
	for _, i := range changed[:len(changed)-left] {
		shown[i] = true
	}
	return shown, left
}

// poolsOf lists the pools with tensors: those of the new plan in its order, then those that are gone.
func poolsOf(change plan.Change, now *plan.Plan) []string {
	var pools []string
	for _, pool := range now.Pools {
		pools = append(pools, pool.Name)
	}
	for i := range change.Tensors {
		if pool := change.Tensors[i].Pool(); !slices.Contains(pools, pool) {
			pools = append(pools, pool)
		}
	}
	return pools
}

// spills are the tensors of a pool that found no room in the same others.
type spills struct {
	text    string
	tensors int
	bytes   int64
}

// spillsOf counts the changed tensors of a pool that spilled into it, by where from, in the order of the first of each.
func spillsOf(change plan.Change, after *index, pool string) []spills {
	var out []spills
	for i := range change.Tensors {
		c := &change.Tensors[i]
		t := after.tensors[[2]string{c.Graph, c.Tensor}]
		if c.Pool() != pool || c.Kind == plan.Same || c.Kind == plan.Gone || t == nil || t.Reason.Spill == nil {
			continue
		}
		text := spilled(t.Reason.Spill)
		at := slices.IndexFunc(out, func(s spills) bool { return s.text == text })
		if at < 0 {
			at, out = len(out), append(out, spills{text: text})
		}
		out[at].tensors++
		out[at].bytes += t.Size
	}
	return out
}

// reason is that of a tensor's place. What many tensors of a pool have in common is said below them.
func reason(t *plan.Tensor, moved []spills) string {
	if t.Reason.Spill == nil {
		return why(t)
	}
	text := spilled(t.Reason.Spill)
	if slices.ContainsFunc(moved, func(s spills) bool { return s.text == text && s.tensors > 1 }) {
		return whyWith(t, text)
	}
	return why(t)
}

func changeRow(paint palette, before, after *index, c *plan.TensorChange, moved []spills) []string {
	key := [2]string{c.Graph, c.Tensor}
	symbol, ix := paint.green("+"), after
	switch c.Kind {
	case plan.Moved:
		symbol = paint.yellow("~")
	case plan.Gone:
		symbol, ix = paint.red("-"), before
	}
	cells := []string{symbol + " " + ix.name(c.Graph, c.Tensor), from(c), strconv.FormatInt(c.Size(), 10) + " bytes"}
	if t := ix.tensors[key]; t != nil {
		if s := ix.storages[t.Storage]; c.Kind != plan.Moved && s != nil && s.Width > 0 {
			cells[1] = imageText(&plan.Place{Offset: t.Offset}, t, s)
		}
		cells = append(cells, t.Role, kind(t), paint.faint(reason(t, moved)))
	}
	return cells
}

// from says where a tensor is, and for one that moved where it was, naming only what differs.
func from(c *plan.TensorChange) string {
	switch c.Kind {
	case plan.Placed:
		return placeText(c.New)
	case plan.Gone:
		return placeText(c.Old)
	}
	was, is := placeText(c.Old), placeText(c.New)
	if c.Old.Pool != c.New.Pool {
		was, is = c.Old.Pool+" "+was, c.New.Pool+" "+is
	}
	if c.Old.Scope != c.New.Scope {
		was, is = c.Old.Scope+" "+was, c.New.Scope+" "+is
	}
	if !reflect.DeepEqual(c.Old.Rows, c.New.Rows) {
		was, is = was+" "+rowsText(c.Old), is+" "+rowsText(c.New)
	}
	if was == is && c.Old.Texel != c.New.Texel {
		was, is = was+" of "+c.Old.Texel, is+" of "+c.New.Texel
	}
	switch {
	case was != is:
		return was + " → " + is
	case c.Old.RowPitch != c.New.RowPitch:
		return fmt.Sprintf("%s, %d bytes a row → %d", is, c.Old.RowPitch, c.New.RowPitch)
	}
	return fmt.Sprintf("%s, %d bytes → %d", is, c.Old.Size, c.New.Size)
}

// rowsText is how the bytes of a place lie.
func rowsText(place *plan.Place) string {
	if place.Rows == nil {
		return "in one run"
	}
	return place.Rows.String()
}

// symbolOf is the mark of a kind of change without colour.
func symbolOf(kind plan.ChangeKind) string {
	switch kind {
	case plan.Placed:
		return "+"
	case plan.Moved:
		return "~"
	case plan.Gone:
		return "-"
	}
	return "="
}

// totals is the last line of a plan.
func totals(change plan.Change) string {
	return fmt.Sprintf("Plan: %d to place, %d to move, %d to remove.", change.Count(plan.Placed), change.Count(plan.Moved), change.Count(plan.Gone))
}
