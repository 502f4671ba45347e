package syntax

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
)

// ignoreMark starts a comment that keeps warnings from being shown: "# memplan-ignore: MP0206 the driver copes".
const ignoreMark = "memplan-ignore"

// ignore is one such comment. It covers warnings of its id whose subject starts on the lines [first, last].
type ignore struct {
	id          diag.ID
	first, last int
	at          hcl.Range
	used        bool
}

// Ignores are the comments of some files that keep warnings from being shown, one for each id and comment.
type Ignores struct {
	found  []*ignore
	faults diag.Diagnostics
}

// FindIgnores reads the comments of files. A comment after something on its line covers that line; one on a line of its own
// covers the next line that holds anything, and the whole block when a block starts there. It costs O(text) with a small
// factor, plus the reading of the items that such comments are in or before.
func FindIgnores(files map[string]*hcl.File) *Ignores {
	all := &Ignores{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if file := files[name]; bytes.Contains(file.Bytes, []byte(ignoreMark)) {
			all.file(name, file)
		}
	}
	return all
}

func (all *Ignores) file(name string, file *hcl.File) {
	ends := sync.OnceValue(func() map[int]int { return blockEnds(name, file) })
	start := hcl.InitialPos
	for _, end := range append(Items(file.Bytes), len(file.Bytes)) {
		part := file.Bytes[start.Byte:end]
		if bytes.Contains(part, []byte(ignoreMark)) {
			tokens, _ := hclsyntax.LexConfig(part, name, start)
			all.part(tokens, ends)
		}
		start.Byte, start.Line = end, start.Line+bytes.Count(part, []byte("\n"))
	}
}

// part reads the comments in and before one item.
func (all *Ignores) part(tokens hclsyntax.Tokens, ends func() map[int]int) {
	occupied := 0 // the last line with something other than comments
	var waiting []*ignore
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenComment:
			found := all.comment(token)
			if occupied != token.Range.Start.Line {
				waiting = append(waiting, found...)
				continue
			}
			settle(found, occupied, occupied)
		case hclsyntax.TokenNewline, hclsyntax.TokenEOF:
		default:
			line := token.Range.Start.Line
			if len(waiting) > 0 {
				settle(waiting, line, max(line, ends()[line]))
			}
			waiting, occupied = nil, token.Range.End.Line
		}
	}
}

func settle(found []*ignore, first, last int) {
	for _, one := range found {
		one.first, one.last = first, last
	}
}

// blockEnds maps the line on which a block starts to the line on which the outermost such block ends.
func blockEnds(name string, file *hcl.File) map[int]int {
	ends := map[int]int{}
	files := map[string]*hcl.File{name: file}
	body, _ := file.Body.(*hclsyntax.Body)
	var visit func(*hclsyntax.Body)
	visit = func(body *hclsyntax.Body) {
		for _, block := range body.Blocks {
			whole, _ := Now(files, hcl.RangeBetween(block.TypeRange, block.CloseBraceRange))
			start := whole.Start.Line
			ends[start] = max(ends[start], whole.End.Line)
			visit(block.Body)
		}
	}
	if body != nil {
		visit(body)
	}
	return ends
}

// ignoreForm is the text of such a comment: ids with commas between them, and the reason.
var ignoreForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + ignoreMark + `\s*:\s*(MP\d+(?:\s*,\s*MP\d+)*)\s*(.*)$`)
})

// comment reads one comment. What is wrong with it is reported; such a comment, or its faulty part, has no effect.
func (all *Ignores) comment(token hclsyntax.Token) []*ignore {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(string(token.Bytes)), "#/*"), "*/"))
	if !strings.HasPrefix(text, ignoreMark) {
		return nil
	}
	at := token.Range
	if trimmed := bytes.TrimRight(token.Bytes, "\r\n"); len(trimmed) < len(token.Bytes) {
		at.End = hcl.Pos{Line: at.Start.Line, Column: at.Start.Column + len(trimmed), Byte: at.Start.Byte + len(trimmed)}
	}
	parts := ignoreForm().FindStringSubmatch(text)
	if parts == nil || parts[2] == "" {
		all.faults = append(all.faults, diag.New(diag.IgnoreMalformed, "A comment that hides a warning names its id and says why, as in \"# memplan-ignore: MP0206 the driver copes with 32\".").At(at))
		return nil
	}
	var found []*ignore
	for id := range strings.SplitSeq(parts[1], ",") {
		one := &ignore{id: diag.ID(strings.TrimSpace(id)), at: at}
		info, known := diag.Lookup(one.id)
		switch {
		case !known:
			all.faults = append(all.faults, diag.New(diag.IgnoreMalformed, "There is no diagnostic %s. Copy the id from the warning.", one.id).At(at))
		case info.Severity == diag.Error:
			all.faults = append(all.faults, diag.New(diag.IgnoreOfError, "%s, %q, is an error. Errors cannot be ignored: correct what it is about and remove the comment.", info.ID, info.Summary).At(at))
		default:
			found = append(found, one)
		}
	}
	all.found = append(all.found, found...)
	return found
}

// Kept returns the diagnostics without the warnings that a comment hides.
func (all *Ignores) Kept(ds diag.Diagnostics) diag.Diagnostics {
	if all == nil || len(all.found) == 0 {
		return ds
	}
	return slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Severity == diag.Warning && all.hides(&d) })
}

func (all *Ignores) hides(d *diag.Diagnostic) bool {
	hidden := false
	for _, one := range all.found {
		if d.Subject == nil || d.Subject.Filename != one.at.Filename || d.ID != one.id {
			continue
		}
		if line := d.Subject.Start.Line; one.first <= line && line <= one.last {
			one.used, hidden = true, true
		}
	}
	return hidden
}

// Faults reports comments that are wrong in themselves and, once every warning has gone through [Ignores.Kept], those that
// hid nothing.
func (all *Ignores) Faults() diag.Diagnostics {
	if all == nil {
		return nil
	}
	ds := slices.Clone(all.faults)
	for _, one := range all.found {
		if !one.used {
			ds = append(ds, diag.New(diag.IgnoreMatchesNothing, "There is no warning %s here to ignore. Remove the comment, or put it on the line of the warning or just before it.", one.id).At(one.at))
		}
	}
	slices.SortStableFunc(ds, func(a, b diag.Diagnostic) int {
		return cmp.Or(strings.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
	})
	return ds
}
