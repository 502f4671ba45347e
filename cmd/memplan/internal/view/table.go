package view

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table without lines: columns two spaces apart, rows indented by two. The header may be nil. Columns of
// numbers, counted from 0, are aligned to the right. Empty columns are left out. With a width, in columns of the
// terminal, the last column is wrapped to fit.
type grid struct {
	header  []string
	numbers []int
	width   int
	rows    [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) render(paint palette) string {
	if len(g.rows) == 0 {
		return ""
	}
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
	if last := g.room(); last > 0 {
		columns = append(columns, table.ColumnConfig{Number: len(g.rows[0]), WidthMax: last, WidthMaxEnforcer: text.WrapSoft})
	}
	t.SetColumnConfigs(columns)
	for _, cells := range g.rows {
		t.AppendRow(row(cells))
	}
	return t.Render() + "\n"
}

// room is the width that is left for the last column, 0 when it need not be wrapped.
func (g *grid) room() int {
	if g.width == 0 {
		return 0
	}
	left := g.width
	for column := range len(g.rows[0]) - 1 {
		widest := 0
		for _, cells := range append(slices.Clone(g.rows), g.header) {
			if column < len(cells) {
				widest = max(widest, text.StringWidthWithoutEscSequences(cells[column]))
			}
		}
		left -= widest + 2
	}
	return max(left-2, leastReason/2)
}

func row(cells []string) table.Row {
	out := make(table.Row, len(cells))
	for i, cell := range cells {
		out[i] = cell
	}
	return out
}
