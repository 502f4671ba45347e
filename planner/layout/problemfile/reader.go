package problemfile

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/tabular"
)

// maxReports is the number of faults that are described one by one.
const maxReports = 100

// reader reads one file of either form.
type reader struct {
	*File
	text     string
	declared []Pool
	diags    diag.Diagnostics
	// more counts the faults beyond maxReports, the first of which stands at moreAt.
	more   int
	moreAt hcl.Range
	// line is where the buffer with an id stands, counted from 1: its line, or its position in the list of a JSON problem.
	line map[string]int
	// all are the indexes of all pools.
	all []int
	// total is what all buffers come to; tooLarge is set once that was reported to overflow.
	total    int64
	tooLarge bool
}

// located adds lines and columns to a range that has none: to find them costs O(text).
func (r *reader) located(at hcl.Range) hcl.Range {
	position := func(p hcl.Pos) hcl.Pos {
		before := r.text[:p.Byte]
		line := strings.LastIndexByte(before, '\n') + 1
		return hcl.Pos{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1, Byte: p.Byte}
	}
	if at.Start.Line == 0 {
		at.Start, at.End = position(at.Start), position(at.End)
	}
	return at
}

// report adds a fault.
func (r *reader) report(at hcl.Range, id diag.ID, detail string, args ...any) {
	if len(r.diags) >= maxReports {
		if r.more == 0 {
			r.moreAt = r.located(at)
		}
		r.more++
		return
	}
	r.diags = append(r.diags, diag.New(id, detail, args...).At(r.located(at)))
}

// finish adds the number of faults that were not described.
func (r *reader) finish() diag.Diagnostics {
	if r.more > 0 {
		r.diags = append(r.diags, diag.New(diag.SolveMore, "Faults that follow from here on: %d. Correct those above first.", r.more).At(r.moreAt))
	}
	return r.diags
}

// add appends a buffer whose parts were read; at is where faults of it as a whole are reported.
func (r *reader) add(id string, b layout.Buffer, at hcl.Range) {
	r.IDs = append(r.IDs, id)
	r.Problem.Buffers = append(r.Problem.Buffers, b)
	need, err := r.Problem.Weigh(len(r.IDs) - 1)
	switch {
	case err != nil:
		r.report(at, diag.SolveTooLarge, "Buffer %q %v. Use smaller numbers.", tabular.Shorten(id), err)
	case r.tooLarge:
	case need > math.MaxInt64-r.total:
		r.report(at, diag.SolveTooLarge, "With buffer %q, the sizes, offsets and alignments exceed 2^63-1 bytes in all. Use smaller numbers.", tabular.Shorten(id))
		r.tooLarge = true
	default:
		r.total += need
	}
}

// number parses a whole number.
func (r *reader) number(text, what string, at hcl.Range) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil:
		return n, true
	case errors.Is(err, strconv.ErrRange):
		r.report(at, diag.SolveRange, "The %s %s does not fit into 64 bits. Use a smaller number.", what, tabular.Shorten(text))
	default:
		r.report(at, diag.SolveNumber, "The %s %q is not a whole number. Write decimal digits only.", what, tabular.Shorten(text))
	}
	return 0, false
}

// lifetime is the half-open span between two times, the upper of which may be the last one that belongs to it.
func (r *reader) lifetime(lower, upper int64, inclusive bool, at hcl.Range) (layout.Span, bool) {
	last := upper
	if inclusive {
		if upper == math.MaxInt64 {
			r.report(at, diag.SolveRange, "The last time %d leaves no room for the end behind it. Use smaller times.", upper)
			return layout.Span{}, false
		}
		upper++
	}
	switch {
	case lower >= upper:
		r.report(at, diag.SolveLifetime, "The lifetime from %d to %d holds no time. A buffer is live at least once: correct one of the two.", lower, last)
	case lower < 0 && upper > math.MaxInt64+lower:
		r.report(at, diag.SolveRange, "The lifetime from %d to %d is longer than 2^63-1. Use smaller times.", lower, last)
	default:
		return layout.Span{First: lower, Last: upper}, true
	}
	return layout.Span{}, false
}

// atLeast reports a number that is too small.
func (r *reader) atLeast(n, least int64, id, what string, at hcl.Range) bool {
	if n >= least {
		return true
	}
	r.report(at, diag.SolveRange, "The %s of buffer %q is %d. Give it %d or more.", what, tabular.Shorten(id), n, least)
	return false
}

// declare sets the pools of the problem, one unlimited pool when there is none.
func (r *reader) declare(pools []Pool) {
	if len(pools) == 0 {
		pools = []Pool{{DefaultPool, layout.Pool{Capacity: layout.Unlimited, Alignment: 1}}}
	}
	r.Pools, r.all = pools, make([]int, len(pools))
	for i, pool := range pools {
		r.all[i] = i
		r.Problem.Pools = append(r.Problem.Pools, pool.Pool)
	}
}

// pool finds a pool by name; the message names the buffer that asks for it.
func (r *reader) pool(name, id string, at hcl.Range) (int, bool) {
	k := slices.IndexFunc(r.Pools, func(p Pool) bool { return p.Name == name })
	if k < 0 {
		names := r.PoolNames()
		r.report(at, diag.SolveReference, "Buffer %q names the pool %q, which is not declared.%s The pools are %s.",
			tabular.Shorten(id), tabular.Shorten(name), diag.DidYouMean(name, names), diag.Quoted(names))
	}
	return k, k >= 0
}

// named checks the id of a buffer, which no other one may have; place is what the buffer stands at, such as "line".
func (r *reader) named(id, place string, number int, at hcl.Range) bool {
	if id == "" || !utf8.ValidString(id) {
		r.report(at, diag.SolveText, "The id of this buffer is empty or not UTF-8. Name the buffer.")
		return false
	}
	if first, taken := r.line[id]; taken {
		r.report(at, diag.SolveDuplicate, "Buffer %q stands at %s %d already. Give this one another id.", tabular.Shorten(id), place, first)
		return false
	}
	r.line[id] = number
	return true
}
