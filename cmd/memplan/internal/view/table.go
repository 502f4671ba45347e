package view

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table without lines: columns two spaces apart, rows indented by two. The header may be nil. Columns are
// counted from 0; those of numbers are aligned to the right, empty ones are left out.
//
// With a width, in columns of the terminal, the table is made to fit: names are shortened, spare columns are left out
// where names would become too short, and what then is too long in a last column that wraps is wrapped.
type grid struct {
	header  []string
	numbers []int
	// names are the columns whose texts are shortened in the middle. Details are left out, the first one first, before names
	// are cut much, spare columns before names say nothing.
	names, details, spare []int
	wraps                 bool
	width                 int
	rows                  [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) render(paint palette) string {
	if len(g.rows) == 0 {
		return ""
	}
	g.fit()
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "  ", ""
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.SuppressEmptyColumns()
	t.SuppressTrailingSpaces()
	if g.header != nil {
		cells := make([]string, len(g.header))
		for i, cell := range g.header {
			cells[i] = paint.faint(strings.ToUpper(cell))
		}
		t.AppendHeader(row(cells))
	}
	var columns []table.ColumnConfig
	for _, i := range g.numbers {
		columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	if last := g.room(g.width); g.wraps && last > 0 {
		columns = append(columns, table.ColumnConfig{Number: len(g.rows[0]), WidthMax: last, WidthMaxEnforcer: text.WrapSoft})
	}
	t.SetColumnConfigs(columns)
	long := g.standIns()
	for _, cells := range g.rows {
		t.AppendRow(row(cells))
	}
	return strings.NewReplacer(long...).Replace(t.Render()) + "\n"
}

// standIns puts a text of longestPadded columns in the place of each longer name when the table is not made to fit, so
// that one long name does not pad all rows. It returns each with its name. Cells hold no other control characters than
// escape sequences.
func (g *grid) standIns() (pairs []string) {
	if g.width > 0 {
		return nil
	}
	for _, cells := range g.rows {
		for _, column := range g.names {
			if text.StringWidthWithoutEscSequences(cells[column]) > longestPadded {
				mark := fmt.Sprintf("\x02%0*d\x03", longestPadded, len(pairs))
				pairs = append(pairs, mark, cells[column])
				cells[column] = mark
			}
		}
	}
	return pairs
}

func row(cells []string) table.Row {
	out := make(table.Row, len(cells))
	for i, cell := range cells {
		out[i] = cell
	}
	return out
}
