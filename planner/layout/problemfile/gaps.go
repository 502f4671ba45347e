package problemfile

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/tabular"
)

// opening is a gap as files have it: a span in which only the bytes [lo, hi) stay taken, none when the two are equal.
type opening struct {
	layout.Span
	lo, hi int64
}

// gaps lists what the opening frees of a buffer of that size.
func (o opening) gaps(size int64) []layout.Gap {
	if o.lo == o.hi {
		return []layout.Gap{{Span: o.Span, To: size}}
	}
	var out []layout.Gap
	if o.lo > 0 {
		out = append(out, layout.Gap{Span: o.Span, To: o.lo})
	}
	if o.hi < size {
		out = append(out, layout.Gap{Span: o.Span, From: o.hi, To: size})
	}
	return out
}

// openings is what the gaps of a buffer that was read were written as, but for those that free nothing.
func openings(b *layout.Buffer) []opening {
	var out []opening
	for _, gap := range b.Gaps {
		o := opening{gap.Span, 0, gap.From}
		if gap.From == 0 {
			o.lo, o.hi = gap.To, b.Size
		}
		if last := len(out) - 1; last >= 0 && out[last].Span == gap.Span {
			out[last].hi = gap.From
			continue
		}
		out = append(out, o)
	}
	for i := range out {
		if out[i].lo == out[i].hi {
			out[i].lo, out[i].hi = 0, 0
		}
	}
	return out
}

// readGaps reads "from-to from-to@lower:upper ..." and reports what is wrong at the gap. Gaps that meet are legal; the
// result is in order.
func (r *reader) readGaps(text string, at hcl.Range, b *layout.Buffer) []layout.Gap {
	var read []opening
	for start := 0; start < len(text); {
		rest := text[start:]
		end := strings.IndexAny(rest, " \t")
		if end < 0 {
			end = len(rest)
		}
		if word := rest[:end]; word != "" {
			if gap, ok := r.readGap(word, within(at, text, start, start+end), b); ok {
				read = append(read, gap)
			}
		}
		start += end + 1
	}
	return r.inOrder(read, b.Size, at)
}

// within is the range of the bytes [from, to) of a field; a quoted one starts a byte later than its text.
func within(at hcl.Range, text string, from, to int) hcl.Range {
	quoted := 0
	if at.End.Byte-at.Start.Byte > len(text) {
		quoted = 1
	}
	position := func(n int) hcl.Pos {
		return hcl.Pos{Line: at.Start.Line, Column: at.Start.Column + quoted + utf8.RuneCountInString(text[:n]), Byte: at.Start.Byte + quoted + n}
	}
	return hcl.Range{Filename: at.Filename, Start: position(from), End: position(to)}
}

// readGap reads "from-to", or "from-to@lower:upper" where the bytes [lower, upper) of the buffer stay taken, as in
// google/minimalloc's files.
func (r *reader) readGap(word string, at hcl.Range, b *layout.Buffer) (opening, bool) {
	times, window, partial := strings.Cut(word, "@")
	// The first byte may be the sign of a negative time.
	dash := strings.IndexByte(times[min(1, len(times)):], '-') + 1
	if dash == 0 {
		r.report(at, diag.SolveGap, "The gap %q is not of the form from-to. Write two times with a dash between.", tabular.Shorten(word))
		return opening{}, false
	}
	from, ok1 := r.number(times[:dash], "start of the gap", at)
	to, ok2 := r.number(times[dash+1:], "end of the gap", at)
	if !ok1 || !ok2 {
		return opening{}, false
	}
	gap, ok := r.gapSpan(from, to, at)
	switch {
	case !ok:
		return opening{}, false
	case gap.First < b.Live.First || gap.Last > b.Live.Last:
		r.report(at, diag.SolveGap, "The gap %q is not within the lifetime. Shorten it.", tabular.Shorten(word))
		return opening{}, false
	case !partial:
		return opening{Span: gap}, true
	}
	lower, upper, found := strings.Cut(window, ":")
	if !found {
		r.report(at, diag.SolveGap, "The window %q is not of the form lower:upper. Write the first byte that stays taken, a colon, and the one after the last.", tabular.Shorten(window))
		return opening{}, false
	}
	lo, ok1 := r.number(lower, "lower end of the window", at)
	hi, ok2 := r.number(upper, "upper end of the window", at)
	if !ok1 || !ok2 || !r.window(lo, hi, b, at) {
		return opening{}, false
	}
	return opening{gap, lo, hi}, true
}

// window reports a window that is not one of the buffer's bytes.
func (r *reader) window(lo, hi int64, b *layout.Buffer, at hcl.Range) bool {
	if 0 <= lo && lo < hi && hi <= b.Size {
		return true
	}
	r.report(at, diag.SolveGap, "The window from %d to %d is no range of the buffer's %d bytes. Give the bytes that stay taken, or leave the window out when none do.", lo, hi, b.Size)
	return false
}

// gapSpan makes a span of two times that are counted as those of lifetimes.
func (r *reader) gapSpan(from, to int64, at hcl.Range) (layout.Span, bool) {
	end := to
	if r.table.inclusive() && to < math.MaxInt64 {
		end++
	}
	if from >= end {
		r.report(at, diag.SolveGap, "The gap from %d to %d holds no time. Correct one of the two times, or leave out the gap.", from, to)
		return layout.Span{}, false
	}
	return layout.Span{First: from, Last: end}, true
}

// mostGaps bounds the gaps of a buffer, as plans do: whether two buffers meet costs as much as both have gaps.
const mostGaps = 1024

// inOrder sorts the gaps and reports those that overlap, and too many of them.
func (r *reader) inOrder(read []opening, size int64, at hcl.Range) []layout.Gap {
	if len(read) > mostGaps {
		r.report(at, diag.SolveGap, "There are %d gaps, and a buffer can have %d. Leave out the shortest.", len(read), mostGaps)
		return nil
	}
	slices.SortFunc(read, func(a, b opening) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last)) })
	var gaps []layout.Gap
	for i, gap := range read {
		if i > 0 && gap.First < read[i-1].Last {
			r.report(at, diag.SolveGap, "The gaps from %d to %d and from %d to %d overlap. Join them.",
				read[i-1].First, read[i-1].Last, gap.First, gap.Last)
			return nil
		}
		gaps = append(gaps, gap.gaps(size)...)
	}
	return gaps
}
