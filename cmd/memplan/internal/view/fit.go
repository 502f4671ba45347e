package view

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mitchellh/go-wordwrap"
)

// The least widths that a table is squeezed to, in columns of the terminal.
const (
	// leastReason is what reasons need beside the rest of a table; leastWrapped is what they are wrapped to at least.
	leastReason, leastWrapped = 40, 20
	// easyName is what names get before reasons are moved out of the way, leastName what they get in any case.
	easyName, leastName = 28, 12
	// goodName is what names get before details that other commands show are left out.
	goodName = 40
	// longestPadded is the width to which rows are padded for a long name where there is no terminal to fit into; it is
	// also where sentences cut names.
	longestPadded = 60
)

// fit leaves out spare columns and shortens names until the table has the width of the terminal, or until nothing more
// can be done.
func (g *grid) fit() {
	if g.width == 0 || len(g.names) == 0 {
		return
	}
	limit := g.dropUntil(g.details, goodName)
	limit = max(limit, g.dropUntil(g.spare, leastName))
	for _, cells := range g.rows {
		for _, column := range g.names {
			cells[column] = shorten(cells[column], max(limit, leastName))
		}
	}
}

// dropUntil empties columns, one after the other, until names have the width, and returns what they have.
func (g *grid) dropUntil(columns []int, width int) int {
	limit := g.nameLimit()
	for _, column := range columns {
		if limit >= width {
			break
		}
		for _, cells := range g.rows {
			cells[column] = ""
		}
		limit = g.nameLimit()
	}
	return limit
}

// nameLimit is the largest width of a name with which the table fits: what the other columns leave is shared so that
// short names keep all of theirs. It is below leastName, and may be negative, when there is no such width.
func (g *grid) nameLimit() int {
	left, names := g.width, []int{}
	for column, width := range g.widths() {
		switch {
		case width == 0:
			continue
		case slices.Contains(g.names, column):
			names = append(names, width)
		case g.wraps && column == len(g.rows[0])-1:
			left -= min(width, leastReason)
		default:
			left -= width
		}
		left -= 2
	}
	slices.Sort(names)
	for i, width := range names {
		share := left / (len(names) - i)
		if width > share {
			return share
		}
		left -= width
	}
	return g.width
}

// widths are the widths of the columns, 0 for one that has no text below its header.
func (g *grid) widths() []int {
	widths := make([]int, len(g.rows[0]))
	for _, cells := range g.rows {
		for column, cell := range cells {
			widths[column] = max(widths[column], text.StringWidthWithoutEscSequences(cell))
		}
	}
	for column, title := range g.header {
		if widths[column] > 0 {
			widths[column] = max(widths[column], text.StringWidthWithoutEscSequences(title))
		}
	}
	return widths
}

// room is the width that is left for the last column when names take at most nameWidth, 0 when there is no terminal to
// fit into.
func (g *grid) room(nameWidth int) int {
	if g.width == 0 {
		return 0
	}
	left, widths := g.width, g.widths()
	for column, width := range widths[:len(widths)-1] {
		if slices.Contains(g.names, column) {
			width = min(width, nameWidth)
		}
		if width > 0 {
			left -= width + 2
		}
	}
	return max(left-2, leastWrapped)
}

// hanging breaks a line that is wider than a terminal of that many columns between words, each further line with the indent.
func hanging(line string, columns, indent int) string {
	if columns == 0 || text.StringWidthWithoutEscSequences(line) <= columns {
		return line
	}
	start := len(line) - len(strings.TrimLeft(line, " "))
	broken := wordwrap.WrapString(line[start:], uint(max(columns-indent, leastWrapped)))
	return line[:start] + strings.ReplaceAll(broken, "\n", "\n"+strings.Repeat(" ", indent))
}

// shorten cuts the middle out of a text that is wider than the limit, so that its two ends stay, twice as
// much of the second: names of one model start alike. Escape sequences at the start are kept and count nothing.
func shorten(s string, limit int) string {
	if text.StringWidthWithoutEscSequences(s) <= limit {
		return s
	}
	painted, rest := s[:paintedBytes(s)], s[paintedBytes(s):]
	limit -= text.StringWidthWithoutEscSequences(painted) + text.StringWidthWithoutEscSequences(ellipsis)
	head := widthPrefix(rest, limit/3)
	tail := widthSuffix(rest[len(head):], limit-text.StringWidthWithoutEscSequences(head))
	return painted + head + ellipsis + tail
}

// paintedBytes is where the last escape sequence of a text ends, such as "\x1b[0m"; what names hold of them is written
// out.
func paintedBytes(s string) int {
	start := strings.LastIndex(s, "\x1b[")
	if start < 0 {
		return 0
	}
	return start + strings.IndexByte(s[start:], 'm') + 1
}

// widthPrefix is the longest start of a text that is no wider than the limit.
func widthPrefix(s string, limit int) string {
	width := 0
	for i, r := range s {
		if width += text.RuneWidth(r); width > limit {
			return s[:i]
		}
	}
	return s
}

// widthSuffix is the longest end of a text that is no wider than the limit.
func widthSuffix(s string, limit int) string {
	width, start := 0, len(s)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if width += text.RuneWidth(r); width > limit {
			break
		}
		start -= size
	}
	return s[start:]
}
