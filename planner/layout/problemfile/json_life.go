package problemfile

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/tabular"
)

// readLife reads lower, upper and gaps, which a problem of conflicts has none of.
func (r *reader) readLife(v *value, id string, conflicting bool, b *layout.Buffer) {
	if conflicting {
		for _, name := range []string{"lower", "upper", "gaps"} {
			if m := v.member(name); m != nil {
				r.report(r.rangeOf(m.span()), diag.SolveMember,
					"Buffer %q has %q, but the problem gives conflicts. Give all buffers lifetimes, or all of them conflicts.", tabular.Shorten(id), name)
			}
		}
		return
	}
	for _, name := range []string{"lower", "upper"} {
		if v.member(name) == nil {
			r.report(r.rangeOf(v.span()), diag.SolveMember, "Buffer %q has no %q. Give it a lifetime, or give all buffers conflicts.", tabular.Shorten(id), name)
			return
		}
	}
	lower, ok1 := r.numberOf(v, "lower", -1<<63, 0)
	upper, ok2 := r.numberOf(v, "upper", -1<<63, 0)
	if !ok1 || !ok2 {
		return
	}
	live, ok := r.lifetime(lower, upper, false, r.rangeOf(v.member("upper").span()))
	if b.Live = live; ok && v.member("gaps") != nil {
		b.Gaps = r.readGapList(v.member("gaps"), b)
	}
}

// readGapList reads [[from, to], [from, to, lower, upper], ...].
func (r *reader) readGapList(v *value, b *layout.Buffer) []layout.Gap {
	if !r.is(v, list, "gaps") {
		return nil
	}
	var read []opening
	for i := range v.items {
		if gap, ok := r.readGapItem(&v.items[i], b); ok {
			read = append(read, gap)
		}
	}
	return r.inOrder(read, b.Size, r.rangeOf(v.span()))
}

func (r *reader) readGapItem(v *value, b *layout.Buffer) (opening, bool) {
	at := r.rangeOf(v.span())
	if v.kind != list || len(v.items) != 2 && len(v.items) != 4 || slices.ContainsFunc(v.items, func(x value) bool { return x.kind != number }) {
		r.report(at, diag.SolveGap, "A gap is a list of two times, from and to, and of the bytes that stay taken, lower and upper, where some do. Correct this one.")
		return opening{}, false
	}
	n := make([]int64, len(v.items))
	for i, name := range []string{"start of the gap", "end of the gap", "lower end of the window", "upper end of the window"}[:len(n)] {
		var ok bool
		if n[i], ok = r.number(v.items[i].text, name, at); !ok {
			return opening{}, false
		}
	}
	gap, ok := r.gapSpan(n[0], n[1], at)
	switch {
	case !ok:
		return opening{}, false
	case gap.First < b.Live.First || gap.Last > b.Live.Last:
		r.report(at, diag.SolveGap, "The gap from %d to %d is not within the lifetime. Shorten it.", n[0], n[1])
		return opening{}, false
	case len(n) == 2:
		return opening{Span: gap}, true
	}
	return opening{gap, n[2], n[3]}, r.window(n[2], n[3], b, at)
}

// readConflicts reads the conflicts once all buffers are known.
func (r *reader) readConflicts(buffers []value) {
	index := make(map[string]int, len(r.IDs))
	for i, id := range r.IDs {
		index[id] = i
	}
	r.Problem.Conflicts = make([][]int, len(buffers))
	for i := range buffers {
		v := buffers[i].member("conflicts")
		if v == nil || !r.is(v, list, "the conflicts of a buffer") {
			continue
		}
		for k := range v.items {
			if j, ok := r.readConflict(&v.items[k], i, index); ok {
				r.Problem.Conflicts[i] = append(r.Problem.Conflicts[i], j)
			}
		}
	}
}

func (r *reader) readConflict(v *value, i int, index map[string]int) (int, bool) {
	if v.kind != number && !r.is(v, text, "the id of a buffer") {
		return 0, false
	}
	j, ok := index[v.text]
	switch {
	case !ok:
		r.report(r.rangeOf(v.span()), diag.SolveReference, "Buffer %q conflicts with %q, which does not exist.%s Correct the id.",
			tabular.Shorten(r.IDs[i]), tabular.Shorten(v.text), diag.DidYouMean(v.text, r.IDs[:min(len(r.IDs), 1000)]))
		return 0, false
	case i == j:
		r.report(r.rangeOf(v.span()), diag.SolveReference, "Buffer %q conflicts with itself. Remove the id.", tabular.Shorten(r.IDs[i]))
		return 0, false
	}
	return j, true
}
