package view

import (
	"io"

	"github.com/fatih/color"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/term"
)

// Terminal is where output goes and what it can show.
type Terminal struct {
	Out, Err io.Writer
	// Colour says whether to use escape sequences on either.
	OutColour, ErrColour bool
	// OutWidth and ErrWidth are columns, 0 when the output is not a terminal: nothing is then cut or wrapped to fit.
	OutWidth, ErrWidth int
}

// fallbackWidth is the width in columns of drawings and wrapped text when the output has none of its own.
const fallbackWidth = 100

// descriptor is what *os.File offers beside writing.
type descriptor interface{ Fd() uintptr }

// NewTerminal looks at two writers: a file that is a terminal has a width, and colour unless noColour is set.
func NewTerminal(out, errs io.Writer, noColour bool) *Terminal {
	t := &Terminal{Out: out, Err: errs, OutWidth: width(out), ErrWidth: width(errs)}
	t.OutColour = t.OutWidth > 0 && !noColour
	t.ErrColour = t.ErrWidth > 0 && !noColour
	return t
}

func width(w io.Writer) int {
	file, ok := w.(descriptor)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil || columns <= 0 {
		return fallbackWidth
	}
	return columns
}

// Sources gives the text of a file by the name that ranges carry, nil when there is none to show.
type Sources func(filename string) *hcl.File

// palette paints text, or leaves it alone when there is no colour.
type palette bool

func (p palette) paint(text string, attributes ...color.Attribute) string {
	if !p || text == "" {
		return text
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(text)
}

func (p palette) bold(text string) string   { return p.paint(text, color.Bold) }
func (p palette) faint(text string) string  { return p.paint(text, color.Faint) }
func (p palette) red(text string) string    { return p.paint(text, color.FgRed) }
func (p palette) green(text string) string  { return p.paint(text, color.FgGreen) }
func (p palette) yellow(text string) string { return p.paint(text, color.FgYellow) }
