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
)

// readGaps reads "from-to from-to ..." and reports what is wrong at the gap. Gaps that meet are legal; the result is in
// order.
func (r *reader) readGaps(text string, at hcl.Range, b *layout.Buffer) []layout.Gap {
	var gaps []layout.Gap
	for start := 0; start < len(text); {
		rest := text[start:]
		end := strings.IndexAny(rest, " \t")
		if end < 0 {
			end = len(rest)
		}
		if word := rest[:end]; word != "" {
			if gap, ok := r.readGap(word, within(at, text, start, start+end), b); ok {
				gaps = append(gaps, gap)
			}
		}
		start += end + 1
	}
	return r.inOrder(gaps, at)
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

func (r *reader) readGap(word string, at hcl.Range, b *layout.Buffer) (layout.Gap, bool) {
	if times, window, found := strings.Cut(word, "@"); found {
		r.report(at, diag.SolveWindow, "The gap %q frees all but the bytes %s from %s, and gaps of a part of a buffer are not supported. Split the buffer, or leave out the gap.",
			shorten(word), shorten(window), shorten(times))
		return layout.Gap{}, false
	}
	// The first byte may be the sign of a negative time.
	dash := strings.IndexByte(word[1:], '-') + 1
	if dash == 0 {
		r.report(at, diag.SolveGap, "The gap %q is not of the form from-to. Write two times with a dash between.", shorten(word))
		return layout.Gap{}, false
	}
	from, ok1 := r.number(word[:dash], "start of the gap", at)
	to, ok2 := r.number(word[dash+1:], "end of the gap", at)
	if !ok1 || !ok2 {
		return layout.Gap{}, false
	}
	gap, ok := r.gapSpan(from, to, at)
	if ok && (gap.First < b.Live.First || gap.Last > b.Live.Last) {
		r.report(at, diag.SolveGap, "The gap %q is not within the lifetime. Shorten it.", shorten(word))
		return layout.Gap{}, false
	}
	return layout.Gap{Span: gap, To: b.Size}, ok
}

// gapSpan makes a span of two times that are counted as those of lifetimes.
func (r *reader) gapSpan(from, to int64, at hcl.Range) (layout.Span, bool) {
	end := to
	if r.table.header.inclusive && to < math.MaxInt64 {
		end++
	}
	if from >= end {
		r.report(at, diag.SolveGap, "The gap from %d to %d holds no time. Correct one of the two times, or leave out the gap.", from, to)
		return layout.Span{}, false
	}
	return layout.Span{First: from, Last: end}, true
}

// inOrder sorts the gaps and reports those that overlap.
func (r *reader) inOrder(gaps []layout.Gap, at hcl.Range) []layout.Gap {
	slices.SortFunc(gaps, func(a, b layout.Gap) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last)) })
	for i := 1; i < len(gaps); i++ {
		if gaps[i].First < gaps[i-1].Last {
			r.report(at, diag.SolveGap, "The gaps from %d to %d and from %d to %d overlap. Join them.",
				gaps[i-1].First, gaps[i-1].Last, gaps[i].First, gaps[i].Last)
			return nil
		}
	}
	return gaps
}
