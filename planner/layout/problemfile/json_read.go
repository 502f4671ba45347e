package problemfile

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/tabular"
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
				what, tabular.Shorten(m.name), diag.Enumerate(names, "and"), diag.DidYouMean(m.name, names))
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
		r.report(r.rangeOf(name.span()), diag.SolveDuplicate, "There is a pool %q already. Give this one another name.", tabular.Shorten(name.text))
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
		r.report(r.rangeOf(v.span()), diag.SolveMember, "Buffer %q has no size. Add the member \"size\".", tabular.Shorten(id))
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
		r.report(r.rangeOf(names.span()), diag.SolveReference, "Buffer %q may stand in no pool. Name one, or leave \"pools\" out to allow all.", tabular.Shorten(id))
	}
	return out
}
