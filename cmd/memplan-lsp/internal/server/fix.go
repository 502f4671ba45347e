package server

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/repair"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/lang/units"
)

// fixesOf finds the repairs of a finding, the likeliest first.
func fixesOf(r *repairing) []fix {
	var fixes []fix
	for _, advised := range r.finding.Cause.Fixes {
		var f fix
		var ok bool
		switch advised := advised.(type) {
		case diag.Replace:
			f, ok = r.replace(advised)
		case diag.RaiseSize:
			f, ok = r.raiseSize(advised.Bytes)
		case diag.AddAttribute:
			f, ok = r.addAttribute(advised)
		case diag.AddBlock:
			f, ok = r.addBlock(advised)
		case diag.BindDimensions:
			f, ok = r.bindDimensions(advised.Keys)
		}
		if ok {
			fixes = append(fixes, f)
		}
	}
	return fixes
}

// replace writes another text where the subject has one.
func (r *repairing) replace(advised diag.Replace) (fix, bool) {
	span := r.subject()
	title := "Change to " + advised.With
	if advised.Text != "" {
		at := repair.LastWord(r.Document.Outline().Text(span), advised.Text)
		if at < 0 {
			return fix{}, false
		}
		span = outline.Span{Start: span.Start + at, End: span.Start + at + len(advised.Text)}
		title = fmt.Sprintf("Change to %q", advised.With)
	}
	return fix{title: title, span: span, text: advised.With}, span.Start < span.End
}

// raiseSize sets the size of a pool to what is needed.
func (r *repairing) raiseSize(bytes int64) (fix, bool) {
	b := r.blockAt(r.subject().Start)
	if b == nil || b.Type != "pool" {
		return fix{}, false
	}
	a := b.Attribute("size")
	if a == nil || a.Value.Start == a.Value.End {
		return fix{}, false
	}
	text := units.Literal(bytes)
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		text = strconv.Quote(text)
	}
	return fix{title: "Set the size to " + units.FormatBoth(bytes), span: a.Value, text: text}, true
}

// blockAt is the innermost block of which an offset is in the header or inside.
func (r *repairing) blockAt(offset int) *outline.Block {
	place := r.Document.Outline().At(offset)
	if place.Block == nil || place.Block.Parent == nil {
		return nil
	}
	return place.Block
}

// addAttribute adds an attribute that a block needs.
func (r *repairing) addAttribute(advised diag.AddAttribute) (fix, bool) {
	b := r.blockAt(r.subject().Start)
	if b == nil || !b.Opened || b.Attribute(advised.Name) != nil {
		return fix{}, false
	}
	return r.insert(b, fmt.Sprintf("Add %q", advised.Name), advised.Name+" = "+advised.Example), true
}

// addBlock adds a block that a block needs, with what it needs itself.
func (r *repairing) addBlock(advised diag.AddBlock) (fix, bool) {
	b := r.blockAt(r.subject().Start)
	if b == nil || !b.Opened || hasBlock(b, advised.Type) {
		return fix{}, false
	}
	lines := append([]string{advised.Type + " {"}, advised.Attributes...)
	return r.insert(b, fmt.Sprintf("Add the block %q", advised.Type), append(lines, "}")...), true
}

// insert adds lines at the beginning of a block.
func (r *repairing) insert(b *outline.Block, title string, lines ...string) fix {
	indent := (&completing{file: r.Document.Outline()}).indent(b.TypeSpan.Start)
	text := ""
	for line := range strings.SplitSeq(string(syntax.Canonical([]byte(strings.Join(lines, "\n")))), "\n") {
		text += "\n" + indent + "  " + line
	}
	if inside := r.Document.Outline().Text(b.Inside); !strings.HasPrefix(strings.TrimLeft(inside, " \t\r"), "\n") {
		text += "\n" + indent
	}
	return fix{title: title, span: outline.Span{Start: b.Inside.Start, End: b.Inside.Start}, text: text}
}

// bindDimensions gives the open dimensions of a graph the value 1, which the user is to change.
func (r *repairing) bindDimensions(keys []string) (fix, bool) {
	b := r.blockAt(r.subject().Start)
	if b == nil || b.Top().Type != "graph" {
		return fix{}, false
	}
	title := "Bind to 1: " + strings.Join(keys, ", ")
	entries := strings.Join(keys, " = 1, ") + " = 1"
	a := b.Top().Attribute("dims")
	if a == nil {
		return r.insert(b.Top(), title, "dims = { "+entries+" }"), true
	}
	text := r.Document.Outline().Text(a.Value)
	if !strings.HasPrefix(text, "{") {
		return fix{}, false
	}
	if strings.TrimSpace(strings.Trim(text, "{}")) != "" {
		entries += ","
	}
	at := a.Value.Start + 1
	return fix{title: title, span: outline.Span{Start: at, End: at}, text: " " + entries}, true
}
