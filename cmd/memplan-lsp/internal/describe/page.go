package describe

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Page is a text of paragraphs, tables and examples that can be written as Markdown or as plain text.
type Page struct{ parts []part }

type part struct {
	// text is a paragraph in Markdown, code an example, rows a table whose first row is its head; one of them is set.
	text, code string
	rows       [][]string
}

// Text adds a paragraph in Markdown. What others wrote goes through [Literal] or [Code].
func (p *Page) Text(format string, args ...any) *Page {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	if text != "" {
		p.parts = append(p.parts, part{text: text})
	}
	return p
}

// Code adds a piece of configuration.
func (p *Page) Code(code string) *Page {
	p.parts = append(p.parts, part{code: code})
	return p
}

// Table adds a table; the first row is its head. A table without further rows is left out.
func (p *Page) Table(rows [][]string) *Page {
	if len(rows) > 1 {
		p.parts = append(p.parts, part{rows: rows})
	}
	return p
}

// Add appends the parts of another page, which may be nil.
func (p *Page) Add(other *Page) *Page {
	if other != nil {
		p.parts = append(p.parts, other.parts...)
	}
	return p
}

// IsEmpty reports whether there is nothing on the page.
func (p *Page) IsEmpty() bool { return len(p.parts) == 0 }

// Markdown writes the page as Markdown.
func (p *Page) Markdown() string {
	return p.join(func(part part) string {
		switch {
		case part.rows != nil:
			return markdownTable(part.rows)
		case part.code != "":
			return "```hcl\n" + part.code + "\n```"
		}
		return part.text
	})
}

// Plain writes the page as plain text with aligned columns.
func (p *Page) Plain() string {
	return p.join(func(part part) string {
		switch {
		case part.rows != nil:
			return plainTable(part.rows)
		case part.code != "":
			return part.code
		}
		return unmarked(part.text)
	})
}

func (p *Page) join(write func(part) string) string {
	texts := make([]string, len(p.parts))
	for i, part := range p.parts {
		texts[i] = write(part)
	}
	return strings.Join(texts, "\n\n")
}

// Count writes a number of things: "1 tensor", "2 tensors".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func markdownTable(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("|")
		for _, cell := range row {
			b.WriteString(" " + strings.ReplaceAll(strings.ReplaceAll(cell, "|", `\|`), "\n", " ") + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func plainTable(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(unmarked(cell)))
		}
	}
	lines := make([]string, 0, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			cell = unmarked(cell)
			b.WriteString(cell + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+2))
		}
		if line := strings.TrimRight(b.String(), " "); i > 0 || line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
