package view

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mitchellh/go-wordwrap"

	"github.com/memplan/memplan/lang/diag"
)

// writeDiagnostics writes diagnostics for people, in the order of [diag.Diagnostics.Sorted]:
//
//	╷
//	│ Error: Unknown attribute (MP0103)
//	│
//	│   on net.hcl line 12, in pool "arena":
//	│   12:   aling = 64
//	│         ‾‾‾‾‾
//	│
//	│ A pool has no attribute "aling". Did you mean "alignment"?
//	╵
//
// Of each kind, which is an id with its severity, the first mostOfAKind are shown and the others counted.
func writeDiagnostics(w io.Writer, paint palette, columns int, sources Sources, ds diag.Diagnostics) {
	sorted := ds.Sorted()
	left := map[sort]int{}
	for i := range sorted {
		left[sortOf(&sorted[i])]++
	}
	shown := map[sort]int{}
	for i := range sorted {
		d := &sorted[i]
		k := sortOf(d)
		if shown[k] == mostOfAKind && left[k] > 1 {
			continue
		}
		writeDiagnostic(w, paint, columns, sources, d)
		shown[k], left[k] = shown[k]+1, left[k]-1
	}
	for i := range sorted {
		d := &sorted[i]
		k := sortOf(d)
		if left[k] > 0 {
			write(w, fmt.Appendf(nil, "... and %s more: %s (%s). -json shows all.\n", plural(left[k], d.Severity.String()), d.Summary, d.ID))
			left[k] = 0
		}
	}
}

// sort is what diagnostics of the same id and severity have in common.
type sort struct {
	id       diag.ID
	severity diag.Severity
}

func sortOf(d *diag.Diagnostic) sort { return sort{d.ID, d.Severity} }

// mostOfAKind is how many diagnostics of one kind people are shown. What a machine reads has all of them.
const mostOfAKind = 20

func writeDiagnostic(w io.Writer, paint palette, columns int, sources Sources, d *diag.Diagnostic) {
	tint, word := paint.red, "Error"
	if d.Severity == diag.Warning {
		tint, word = paint.yellow, "Warning"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", paint.bold(tint(word+":")+" "+d.Summary), paint.faint("("+string(d.ID)+")"))
	writeSubject(&b, paint, sources, d)
	b.WriteString(wrap(withoutLongNames(visibleLines(d.Detail), columns), columns))
	b.WriteByte('\n')
	for i, related := range d.Related {
		if i == mostRelated && len(d.Related) > mostRelated+1 {
			fmt.Fprintf(&b, "\n  ... and %d places more\n", len(d.Related)-mostRelated)
			break
		}
		fmt.Fprintf(&b, "\n  %s\n", visibleLines(related.Message))
		writeLine(&b, paint, sources, &related.Range)
	}
	out := tint("╷") + "\n"
	for line := range strings.Lines(b.String()) {
		out += strings.TrimRight(tint("│")+" "+strings.TrimRight(line, "\n"), " ") + "\n"
	}
	write(w, []byte(harmless(out+tint("╵")+"\n", paint)))
}

// mostRelated is how many related places people are shown of a diagnostic.
const mostRelated = 5

// longName is a name in quotes, of a graph as a rule: what commands and texts have in quotes has spaces.
var longName = regexp.MustCompile(`"[^"\s]{12,}"`)

// withoutLongNames shortens names that fill much of a line of a terminal. Where there is none, they stay whole.
func withoutLongNames(detail string, columns int) string {
	if columns == 0 {
		return detail
	}
	limit := min(longestPadded, max(columns-4, leastName))
	return longName.ReplaceAllStringFunc(detail, func(name string) string { return shorten(name, limit) })
}

func wrap(detail string, columns int) string {
	if columns == 0 {
		columns = fallbackWidth
	}
	return wordwrap.WrapString(detail, uint(max(columns-2, 40)))
}

func writeSubject(b *strings.Builder, paint palette, sources Sources, d *diag.Diagnostic) {
	if d.Subject == nil || d.Subject.Filename == "" {
		return
	}
	writeLine(b, paint, sources, d.Subject)
	for i, ref := range references(d) {
		if i == 0 {
			b.WriteString("    ├────────────────\n")
		}
		fmt.Fprintf(b, "    │ %s %s\n", paint.bold(ref.Traversal), ref.Statement)
	}
	b.WriteByte('\n')
}

// writeLine writes where a range is and the line it starts on, the range underlined.
func writeLine(b *strings.Builder, paint palette, sources Sources, r *hcl.Range) {
	s := snippetOf(sources, r)
	if s == nil {
		fmt.Fprintf(b, "  on %s\n", rangeText(r))
		return
	}
	in := ""
	if s.Block != "" {
		in = ", in " + s.Block
	}
	fmt.Fprintf(b, "  on %s line %d%s:\n", visible(r.Filename), s.Line, in)
	before, marked, after := expand(s.Text[:s.From]), expand(s.Text[s.From:s.To]), expand(s.Text[s.To:])
	number := fmt.Sprintf("  %d: ", s.Line)
	fmt.Fprintf(b, "%s%s%s%s\n", number, before, paint.bold(marked), after)
	fmt.Fprintf(b, "%s%s\n", strings.Repeat(" ", text.StringWidthWithoutEscSequences(number+before)),
		paint.bold(strings.Repeat("‾", max(1, text.StringWidthWithoutEscSequences(marked)))))
}

// rangeText says where a range is when there is no text to show.
func rangeText(r *hcl.Range) string {
	if r.Start.Line <= 1 && r.Start.Byte == 0 {
		return visible(r.Filename)
	}
	return fmt.Sprintf("%s line %d", visible(r.Filename), r.Start.Line)
}

// expand makes tabs as wide as they are counted.
func expand(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// WriteLate writes diagnostics of what comes after a verb's result to standard error, whatever renders the result.
func WriteLate(term *Terminal, sources Sources, ds ...diag.Diagnostic) {
	human{term, sources}.diagnostics(ds)
}
