package server

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/lang/units"
)

// fixesOf finds the repairs of a finding, the likeliest first.
func fixesOf(r *repairing) []fix {
	switch r.finding.Cause.ID {
	case diag.InvalidSize:
		return r.otherSizes()
	case diag.PoolTooSmall:
		return r.largerPool()
	case diag.MissingAttribute:
		return r.addAttribute()
	case diag.UnboundDimension:
		return r.bindDimensions()
	case diag.MissingBlock:
		return r.addBlock()
	case diag.InvalidReference, diag.WrongReferenceKind, diag.WrongType:
		if fixes := r.writeInstead(); fixes != nil {
			return fixes
		}
	}
	return r.nearestName()
}

var didYouMean = regexp.MustCompile(`Did you mean ("(?:[^"\\]|\\.)*")\?`)

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// nearestName replaces a name by the one that the message suggests.
func (r *repairing) nearestName() []fix {
	found := didYouMean.FindStringSubmatch(r.finding.Cause.Detail)
	if found == nil {
		return nil
	}
	name, err := strconv.Unquote(found[1])
	if err != nil {
		return nil
	}
	span, ok := r.misspelt()
	if !ok {
		return nil
	}
	return []fix{{title: fmt.Sprintf("Change to %q", name), span: span, text: name}}
}

// misspelt is the span of the name in the subject that the message says is unknown: the longest that it quotes and that
// is there.
func (r *repairing) misspelt() (outline.Span, bool) {
	s := r.subject()
	text := r.Document.Outline().Text(s)
	var found outline.Span
	for _, q := range quoted.FindAllString(r.finding.Cause.Detail, -1) {
		name, err := strconv.Unquote(q)
		if err != nil || len(name) <= found.End-found.Start {
			continue
		}
		if at := strings.LastIndex(text, name); at >= 0 {
			found = outline.Span{Start: s.Start + at, End: s.Start + at + len(name)}
		}
	}
	return found, found.End > found.Start
}

// otherSizes offers the sizes that a text with an unknown unit may mean.
func (r *repairing) otherSizes() []fix {
	s := r.subject()
	f := r.Document.Outline()
	span, ok := f.StringAt(s.Start + 1)
	if !ok {
		return nil
	}
	_, err := units.ParseBytes(f.Text(span))
	var wrong *units.Error
	if !errors.As(err, &wrong) {
		return nil
	}
	var fixes []fix
	for _, text := range wrong.Fixes {
		fixes = append(fixes, fix{title: fmt.Sprintf("Change to %q", text), span: span, text: text})
	}
	return fixes
}

var raiseTo = regexp.MustCompile(`Raise the size of pool "[^"]*" to at least (\d+)`)

// largerPool sets the size of a pool to what is needed.
func (r *repairing) largerPool() []fix {
	found := raiseTo.FindStringSubmatch(r.finding.Cause.Detail)
	if found == nil {
		return nil
	}
	n, err := strconv.ParseInt(found[1], 10, 64)
	if err != nil {
		return nil
	}
	b := r.blockAt(r.subject().Start)
	if b == nil || b.Type != "pool" {
		return nil
	}
	a := b.Attribute("size")
	if a == nil || a.Value.Start == a.Value.End {
		return nil
	}
	text := units.Literal(n)
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		text = strconv.Quote(text)
	}
	return []fix{{title: "Set the size to " + units.FormatBoth(n), span: a.Value, text: text}}
}

// blockAt is the innermost block of which an offset is in the header or inside.
func (r *repairing) blockAt(offset int) *outline.Block {
	place := r.Document.Outline().At(offset)
	if place.Block == nil || place.Block.Parent == nil {
		return nil
	}
	return place.Block
}

// addAttribute adds the attribute that a block needs.
func (r *repairing) addAttribute() []fix {
	b := r.blockAt(r.subject().Start)
	if b == nil || b.Schema == nil || !b.Opened {
		return nil
	}
	for i := range b.Schema.Attributes {
		a := &b.Schema.Attributes[i]
		if a.Required && b.Attribute(a.Name) == nil && strings.Contains(r.finding.Cause.Detail, strconv.Quote(a.Name)) {
			return []fix{r.insert(b, fmt.Sprintf("Add %q", a.Name), a.Name+" = "+a.Example)}
		}
	}
	return nil
}

// addBlock adds the block that a block needs.
func (r *repairing) addBlock() []fix {
	b := r.blockAt(r.subject().Start)
	if b == nil || b.Schema == nil || !b.Opened {
		return nil
	}
	for i := range b.Schema.Blocks {
		s := &b.Schema.Blocks[i]
		if !s.Required || hasBlock(b, s.Type) {
			continue
		}
		lines := []string{s.Type + " {"}
		for j := range s.Attributes {
			if a := &s.Attributes[j]; a.Required {
				lines = append(lines, "  "+a.Name+" = "+a.Example)
			}
		}
		return []fix{r.insert(b, fmt.Sprintf("Add the block %q", s.Type), append(lines, "}")...)}
	}
	return nil
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

var toBind = regexp.MustCompile(`dims = \{ (.*) \} in the graph block`)

// bindDimensions gives the open dimensions of a graph the value 1, which the user is to change.
func (r *repairing) bindDimensions() []fix {
	found := toBind.FindStringSubmatch(r.finding.Cause.Detail)
	b := r.blockAt(r.subject().Start)
	if found == nil || b == nil || b.Top().Type != "graph" {
		return nil
	}
	entries := strings.ReplaceAll(found[1], " = SIZE", " = 1")
	title := "Bind to 1: " + strings.ReplaceAll(found[1], " = SIZE", "")
	a := b.Top().Attribute("dims")
	if a == nil {
		return []fix{r.insert(b.Top(), title, "dims = { "+entries+" }")}
	}
	text := r.Document.Outline().Text(a.Value)
	if !strings.HasPrefix(text, "{") {
		return nil
	}
	if strings.TrimSpace(strings.Trim(text, "{}")) != "" {
		entries += ","
	}
	at := a.Value.Start + 1
	return []fix{{title: title, span: outline.Span{Start: at, End: at}, text: " " + entries}}
}

var writeThis = regexp.MustCompile(`Write ([a-z_]+\.[\pL_][\pL\pN_-]*)[.,]`)

// writeInstead replaces the subject by the reference that the message says to write.
func (r *repairing) writeInstead() []fix {
	found := writeThis.FindStringSubmatch(r.finding.Cause.Detail)
	s := r.subject()
	if found == nil || s.Start == s.End || strings.HasSuffix(found[1], ".NAME") {
		return nil
	}
	return []fix{{title: "Change to " + found[1], span: s, text: found[1]}}
}
