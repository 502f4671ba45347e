package repair

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/lang/units"
)

// Edit writes a text in place of what a range holds, which is nothing where something is inserted.
type Edit struct {
	// Title says what it does, for somebody who chooses.
	Title string
	Range hcl.Range
	Text  string
}

// Edits are those that a diagnostic's fixes stand for in the file of its subject, the likeliest first. Those that do not go with
// the text are left out, as all are for a file in JSON syntax. It costs O(blocks of the file) for each fix.
func Edits(file *hcl.File, d *diag.Diagnostic) (edits []Edit) {
	if file == nil || d.Subject == nil || len(d.Fixes) == 0 {
		return nil
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return nil
	}
	r := repairing{file.Bytes, body, *d.Subject}
	for _, fix := range d.Fixes {
		if e, ok := r.edit(fix); ok {
			edits = append(edits, e)
		}
	}
	return edits
}

// repairing is a text with the range that is at fault in it.
type repairing struct {
	text    []byte
	body    *hclsyntax.Body
	subject hcl.Range
}

func (r *repairing) edit(fix diag.Fix) (Edit, bool) {
	switch fix := fix.(type) {
	case diag.Replace:
		return r.replace(fix)
	case diag.RaiseSize:
		return r.raiseSize(fix.Bytes)
	case diag.AddAttribute:
		return r.insert(r.blockAt(), fmt.Sprintf("Add %q", fix.Name), fix.Name+" = "+fix.Example)
	case diag.AddBlock:
		lines := append([]string{fix.Type + " {"}, fix.Attributes...)
		return r.insert(r.blockAt(), fmt.Sprintf("Add the block %q", fix.Type), append(lines, "}")...)
	case diag.BindDimensions:
		return r.bindDimensions(fix.Keys)
	}
	return Edit{}, false
}

// replace writes another text where the subject has one.
func (r *repairing) replace(fix diag.Replace) (Edit, bool) {
	if !r.subject.CanSliceBytes(r.text) {
		return Edit{}, false
	}
	at := r.subject
	title := "Change to " + fix.With
	if fix.Text != "" {
		title = fmt.Sprintf("Change to %q", fix.With)
		start := LastWord(string(at.SliceBytes(r.text)), fix.Text)
		if start < 0 {
			return Edit{}, false
		}
		before := after(r.text, hcl.Range{Filename: at.Filename, Start: at.Start, End: at.Start}, start)
		at = hcl.Range{Filename: at.Filename, Start: before.End, End: after(r.text, before, len(fix.Text)).End}
	}
	return Edit{title, at, fix.With}, !at.Empty()
}

// after is the range of the n bytes of a text that follow another one.
func after(text []byte, r hcl.Range, n int) hcl.Range {
	scanner := hcl.NewRangeScannerFragment(text[:r.End.Byte+n], r.Filename, r.End, func(data []byte, _ bool) (int, []byte, error) {
		return len(data), data, nil
	})
	if n == 0 || !scanner.Scan() {
		return hcl.Range{Filename: r.Filename, Start: r.End, End: r.End}
	}
	return scanner.Range()
}

// LastWord is the offset at which a text has a word for the last time, as more than a part of a longer one, -1 for none.
func LastWord(text, word string) int {
	for at := strings.LastIndex(text, word); at >= 0; at = strings.LastIndex(text[:at+len(word)-1], word) {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !inWord(before) && !inWord(after) {
			return at
		}
	}
	return -1
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// raiseSize sets the size of a pool to what is needed.
func (r *repairing) raiseSize(bytes int64) (Edit, bool) {
	b := r.blockAt()
	if b == nil || b.Type != "pool" || b.Body.Attributes["size"] == nil {
		return Edit{}, false
	}
	text := units.Literal(bytes)
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		text = strconv.Quote(text)
	}
	return Edit{"Set the size to " + units.FormatBoth(bytes), b.Body.Attributes["size"].Expr.Range(), text}, true
}

// blockAt is the innermost block that the subject is in, nil when it is in none.
func (r *repairing) blockAt() *hclsyntax.Block {
	var found *hclsyntax.Block
	for body := r.body; body != nil; {
		var inner *hclsyntax.Block
		for _, b := range body.Blocks {
			if b.TypeRange.Start.Byte <= r.subject.Start.Byte && r.subject.Start.Byte < b.CloseBraceRange.End.Byte {
				inner = b
			}
		}
		if inner == nil {
			break
		}
		found, body = inner, inner.Body
	}
	return found
}

// insert adds lines at the beginning of a block.
func (r *repairing) insert(b *hclsyntax.Block, title string, lines ...string) (Edit, bool) {
	if b == nil {
		return Edit{}, false
	}
	start := b.TypeRange.Start.Byte
	line := r.text[strings.LastIndexByte(string(r.text[:start]), '\n')+1 : start]
	indent := string(line[:len(line)-len(strings.TrimLeft(string(line), " \t"))])
	text := ""
	for line := range strings.SplitSeq(string(syntax.Canonical([]byte(strings.Join(lines, "\n")))), "\n") {
		text += "\n" + indent + "  " + line
	}
	inside := string(r.text[b.OpenBraceRange.End.Byte:b.CloseBraceRange.Start.Byte])
	if !strings.HasPrefix(strings.TrimLeft(inside, " \t\r"), "\n") {
		text += "\n" + indent
	}
	at := hcl.Range{Filename: r.subject.Filename, Start: b.OpenBraceRange.End, End: b.OpenBraceRange.End}
	return Edit{title, at, text}, true
}

// bindDimensions gives the open dimensions of a graph the value 1, which the user is to change.
func (r *repairing) bindDimensions(keys []string) (Edit, bool) {
	b := r.blockAt()
	if b == nil || b.Type != "graph" {
		return Edit{}, false
	}
	title := "Bind to 1: " + strings.Join(keys, ", ")
	entries := strings.Join(keys, " = 1, ") + " = 1"
	a := b.Body.Attributes["dims"]
	if a == nil {
		return r.insert(b, title, "dims = { "+entries+" }")
	}
	object, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return Edit{}, false
	}
	if len(object.Items) > 0 {
		entries += ","
	}
	at := hcl.Range{Filename: r.subject.Filename, Start: object.OpenRange.End, End: object.OpenRange.End}
	return Edit{title, at, " " + entries}, true
}
