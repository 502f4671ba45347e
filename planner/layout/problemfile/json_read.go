package problemfile

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
)

// mostJSON bounds the text of a JSON problem, in bytes: its values take many times as much memory.
const mostJSON = 64 << 20

// The members of a problem, a pool and a buffer, as the documentation lists them. A buffer's pool is what a result says:
// it stands for a list of one.
var (
	problemMembers = []string{"pools", "buffers"}
	poolMembers    = []string{"name", "capacity", "alignment"}
	bufferMembers  = []string{"id", "size", "alignment", "lower", "upper", "gaps", "conflicts", "pools", "pool", "offset", "hint"}
)

// readJSON reads {"pools": [...], "buffers": [...]}.
func (r *reader) readJSON() {
	r.text = strings.TrimPrefix(r.text, "\uFEFF")
	r.Text = []byte(r.text)
	if len(r.text) > mostJSON {
		r.report(r.rangeOf(span{}), diag.SolveJSON, "%s is larger than %d bytes, which is the most that is read of JSON. Write the problem as CSV.", r.Name, mostJSON)
		return
	}
	top, ok := r.parse()
	if !ok || !r.known(&top, "A problem", problemMembers) {
		return
	}
	r.readPools(&top)
	buffers := top.member("buffers")
	if buffers == nil {
		r.report(r.rangeOf(top.span()), diag.SolveMember, "A problem has a list of buffers, and this one has none. Add \"buffers\": [].")
		return
	}
	if !r.is(buffers, list, "buffers") {
		return
	}
	conflicting := slices.ContainsFunc(buffers.items, func(b value) bool { return b.member("conflicts") != nil })
	for i := range buffers.items {
		r.readBuffer(&buffers.items[i], i, conflicting)
	}
	if conflicting && len(r.IDs) == len(buffers.items) {
		r.readConflicts(buffers.items)
	}
}

// known checks that a value is an object with known members, each once.
func (r *reader) known(v *value, what string, names []string) bool {
	if !r.is(v, object, strings.ToLower(what)) {
		return false
	}
	seen := map[string]bool{}
	ok := true
	for _, m := range v.members {
		switch {
		case !slices.Contains(names, m.name):
			r.report(r.rangeOf(m.at), diag.SolveMember, "%s has no member %q; its members are %s.%s Remove or rename it.",
				what, shorten(m.name), diag.Enumerate(names, "and"), diag.DidYouMean(m.name, names))
			ok = false
		case seen[m.name]:
			r.report(r.rangeOf(m.at), diag.SolveDuplicate, "The member %q stands here for the second time. Keep one of them.", m.name)
			ok = false
		}
		seen[m.name] = true
	}
	return ok
}

// is checks the type of a value.
func (r *reader) is(v *value, want kind, what string) bool {
	if v.kind == want {
		return true
	}
	r.report(r.rangeOf(v.span()), diag.SolveJSON, "This is %s, but %s must be %s. Correct it.", v.kind, what, want)
	return false
}

// numberOf reads an optional member as a whole number of at least least, otherwise when there is none.
func (r *reader) numberOf(v *value, name string, least, otherwise int64) (int64, bool) {
	m := v.member(name)
	if m == nil {
		return otherwise, true
	}
	if !r.is(m, number, "the "+name) {
		return 0, false
	}
	n, ok := r.number(m.text, name, r.rangeOf(m.span()))
	if ok && n < least {
		r.report(r.rangeOf(m.span()), diag.SolveRange, "The %s is %d. Give it %d or more.", name, n, least)
		return 0, false
	}
	return n, ok
}

// readPools reads the pools, unless the command line declares them.
func (r *reader) readPools(top *value) {
	var pools []Pool
	if v := top.member("pools"); v != nil && r.is(v, list, "pools") {
		for i := range v.items {
			if pool, ok := r.readDeclaredPool(&v.items[i], pools); ok {
				pools = append(pools, pool)
			}
		}
	}
	if len(r.declared) > 0 {
		pools = r.declared
	}
	r.declare(pools)
}

func (r *reader) readDeclaredPool(v *value, earlier []Pool) (Pool, bool) {
	if !r.known(v, "A pool", poolMembers) {
		return Pool{}, false
	}
	name := v.member("name")
	if name == nil {
		r.report(r.rangeOf(v.span()), diag.SolveMember, "This pool has no name. Add the member \"name\".")
		return Pool{}, false
	}
	if !r.is(name, text, "the name of a pool") {
		return Pool{}, false
	}
	if name.text == "" {
		r.report(r.rangeOf(name.span()), diag.SolveText, "The name of this pool is empty. Name the pool.")
		return Pool{}, false
	}
	if slices.ContainsFunc(earlier, func(p Pool) bool { return p.Name == name.text }) {
		r.report(r.rangeOf(name.span()), diag.SolveDuplicate, "There is a pool %q already. Give this one another name.", shorten(name.text))
		return Pool{}, false
	}
	capacity, ok1 := r.numberOf(v, "capacity", 0, layout.Unlimited)
	alignment, ok2 := r.numberOf(v, "alignment", 1, 1)
	return Pool{name.text, layout.Pool{Capacity: capacity, Alignment: alignment}}, ok1 && ok2
}

func (r *reader) readBuffer(v *value, i int, conflicting bool) {
	before := len(r.diags) + r.more
	if !r.known(v, "A buffer", bufferMembers) {
		return
	}
	id := r.readID(v, i)
	size, _ := r.numberOf(v, "size", 0, 0)
	if v.member("size") == nil {
		r.report(r.rangeOf(v.span()), diag.SolveMember, "Buffer %q has no size. Add the member \"size\".", shorten(id))
	}
	b := layout.Buffer{Size: size}
	b.Alignment, _ = r.numberOf(v, "alignment", 1, 1)
	b.Pools = r.readCandidates(v, id)
	r.readLife(v, id, conflicting, &b)
	if offset, ok := r.numberOf(v, "offset", 0, -1); ok && offset >= 0 {
		b.Pinned, b.Offset = true, offset
	}
	if hint, ok := r.numberOf(v, "hint", 0, -1); ok && hint >= 0 && len(b.Pools) > 0 {
		b.Hint = &layout.Place{Pool: b.Pools[0], Offset: hint}
	}
	if len(r.diags)+r.more == before {
		r.add(id, b, r.rangeOf(v.span()))
	}
}

// readID reads the id, which may be written as a number.
func (r *reader) readID(v *value, i int) string {
	id := v.member("id")
	switch {
	case id == nil:
		r.report(r.rangeOf(v.span()), diag.SolveMember, "This buffer has no id. Add the member \"id\".")
		return ""
	case id.kind != text && id.kind != number:
		r.is(id, text, "the id of a buffer")
		return ""
	}
	r.named(id.text, "position", i+1, r.rangeOf(id.span()))
	return id.text
}

// readCandidates reads the pools of a buffer, all pools when it names none.
func (r *reader) readCandidates(v *value, id string) []int {
	names, one := v.member("pools"), v.member("pool")
	switch {
	case one != nil && r.is(one, text, "the pool of a buffer"):
		if k, ok := r.pool(one.text, id, r.rangeOf(one.span())); ok {
			return []int{k}
		}
	case one == nil && names == nil:
		return r.all
	case one == nil && r.is(names, list, "the pools of a buffer"):
		return r.readPoolNames(names, id)
	}
	return nil
}

func (r *reader) readPoolNames(names *value, id string) []int {
	var out []int
	for i := range names.items {
		name := &names.items[i]
		if !r.is(name, text, "the name of a pool") {
			continue
		}
		if k, ok := r.pool(name.text, id, r.rangeOf(name.span())); ok && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	if len(names.items) == 0 {
		r.report(r.rangeOf(names.span()), diag.SolveReference, "Buffer %q may stand in no pool. Name one, or leave \"pools\" out to allow all.", shorten(id))
	}
	return out
}

// readLife reads lower, upper and gaps, which a problem of conflicts has none of.
func (r *reader) readLife(v *value, id string, conflicting bool, b *layout.Buffer) {
	if conflicting {
		for _, name := range []string{"lower", "upper", "gaps"} {
			if m := v.member(name); m != nil {
				r.report(r.rangeOf(m.span()), diag.SolveMember,
					"Buffer %q has %q, but the problem gives conflicts. Give all buffers lifetimes, or all of them conflicts.", shorten(id), name)
			}
		}
		return
	}
	for _, name := range []string{"lower", "upper"} {
		if v.member(name) == nil {
			r.report(r.rangeOf(v.span()), diag.SolveMember, "Buffer %q has no %q. Give it a lifetime, or give all buffers conflicts.", shorten(id), name)
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
			shorten(r.IDs[i]), shorten(v.text), diag.DidYouMean(v.text, r.IDs[:min(len(r.IDs), 1000)]))
		return 0, false
	case i == j:
		r.report(r.rangeOf(v.span()), diag.SolveReference, "Buffer %q conflicts with itself. Remove the id.", shorten(r.IDs[i]))
		return 0, false
	}
	return j, true
}
