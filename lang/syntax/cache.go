package syntax

import (
	"bytes"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
)

// Parser is a Reader that parses what it reads itself, so that it can use again what it parsed before. Its results must
// be those of [Parse].
type Parser interface {
	Parse(name string, src []byte) (*File, diag.Diagnostics)
}

// parse has the reader parse where it can.
func parse(r Reader, name string, src []byte) (*File, diag.Diagnostics) {
	if p, ok := r.(Parser); ok {
		return p.Parse(name, src)
	}
	return Parse(name, src)
}

// Cache parses texts of which most has been parsed before, as while a text is edited: only the items at the top of a file
// that are new are parsed. It keeps the last text of each name. The zero value is empty; several goroutines may use one
// at once.
type Cache struct {
	mu    sync.Mutex
	files map[string]*parsed
	// formatted holds for each name the parts of its last text that was formatted, by text.
	formatted map[string]map[string][]byte
}

// Parse returns what the function [Parse] does. It costs O(text) with a small factor, plus the parsing of what is new.
func (c *Cache) Parse(name string, src []byte) (*File, diag.Diagnostics) {
	if IsJSON(name) {
		return parseJSON(name, src)
	}
	c.mu.Lock()
	before := c.files[name]
	c.mu.Unlock()
	p, ds := parseAll(name, src, before)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]*parsed{}
	}
	c.files[name] = p
	return p.file, ds
}

// parsed is a text with the trees of its chunks. It is never changed once made.
type parsed struct {
	file   *File
	chunks []chunk
	items  []*item
}

// item is a chunk's tree.
type item struct {
	body  *hclsyntax.Body
	diags diag.Diagnostics
}

// text returns the bytes of chunk i.
func (p *parsed) text(i int) []byte { return p.file.HCL.Bytes[p.chunks[i].start:p.chunks[i].end] }

// parseAll parses a text. What it has in common with the one before, which may be nil, is taken from there.
func parseAll(name string, src []byte, before *parsed) (*parsed, diag.Diagnostics) {
	p := &parsed{file: emptyFile(name, src)}
	if ds := checkText(name, src); len(ds) > 0 {
		return p, ds
	}
	p.chunks = chunks(src)
	p.items = make([]*item, len(p.chunks))
	known := newMatcher(before, p)
	for i, c := range p.chunks {
		if j := known.find(i); j >= 0 {
			p.items[i] = before.items[j].moved(before.chunks[j], c)
		}
		if p.items[i] == nil {
			p.items[i] = parseItem(name, p.text(i), c)
		}
	}
	return p, p.join()
}

// matcher finds chunks of a text in an earlier one.
type matcher struct {
	before, now *parsed
	// head and tail are the numbers of chunks that the texts have in common at their ends.
	head, tail int
	// middle holds the earlier chunks between head and tail by text.
	middle map[string]int
}

func newMatcher(before, now *parsed) *matcher {
	m := &matcher{before: before, now: now}
	if before == nil {
		return m
	}
	most := min(len(before.chunks), len(now.chunks))
	for m.head < most && bytes.Equal(before.text(m.head), now.text(m.head)) {
		m.head++
	}
	last, lastBefore := len(now.chunks)-1, len(before.chunks)-1
	for m.tail < most-m.head && bytes.Equal(before.text(lastBefore-m.tail), now.text(last-m.tail)) {
		m.tail++
	}
	m.middle = map[string]int{}
	for j := m.head; j < len(before.chunks)-m.tail; j++ {
		m.middle[string(before.text(j))] = j
	}
	return m
}

// find returns the index of an earlier chunk with the text of chunk i, -1 when there is none.
func (m *matcher) find(i int) int {
	switch {
	case m.before == nil:
		return -1
	case i < m.head:
		return i
	case i >= len(m.now.chunks)-m.tail:
		return i + len(m.before.chunks) - len(m.now.chunks)
	}
	if j, ok := m.middle[string(m.now.text(i))]; ok {
		return j
	}
	return -1
}

// moved returns the item of a chunk for the same text elsewhere, nil when it must be parsed anew: findings of a parser may
// name positions in their text.
func (it *item) moved(from, to chunk) *item {
	by := shift{bytes: to.start - from.start, lines: to.line - from.line}
	switch {
	case by == shift{}:
		return it
	case len(it.diags) > 0:
		return nil
	}
	return &item{body: by.body(it.body)}
}

// parseItem parses the text of a chunk.
func parseItem(name string, src []byte, c chunk) *item {
	start := hcl.Pos{Line: c.line, Column: 1, Byte: c.start}
	if len(bom(src)) > 0 {
		// The parser would drop the mark, which is one only at the beginning of a file.
		src, start = append([]byte("\n"), src...), hcl.Pos{Line: c.line - 1, Column: 1, Byte: c.start - 1}
	}
	var tokens hclsyntax.Tokens
	if c.risky {
		tokens, _ = hclsyntax.LexConfig(src, name, start)
		if ds := checkTokens(tokens); len(ds) > 0 {
			return &item{body: &hclsyntax.Body{}, diags: ds}
		}
	}
	file, hclDiags := hclsyntax.ParseConfig(src, name, start)
	it := &item{body: &hclsyntax.Body{}}
	if file != nil {
		if body, ok := file.Body.(*hclsyntax.Body); ok {
			it.body = body
		}
	}
	if len(hclDiags) > 0 {
		if tokens == nil {
			tokens, _ = hclsyntax.LexConfig(src, name, start)
		}
		it.diags = syntaxErrors(hclDiags, tokens)
	}
	return it
}

// mostErrors bounds the syntax errors that are reported of one file.
const mostErrors = 100

// join makes the tree of the file from those of its chunks. Text beyond the limits gives no tree.
func (p *parsed) join() diag.Diagnostics {
	var ds diag.Diagnostics
	body := p.file.Body
	body.SrcRange.End = endOf(p.file.HCL.Bytes)
	body.EndRange = hcl.Range{Filename: p.file.Name, Start: body.SrcRange.End, End: body.SrcRange.End}
	headless := 0
	for i, it := range p.items {
		if len(it.diags) > 0 && it.diags[0].ID != diag.InvalidSyntax && it.diags[0].ID != diag.DuplicateAttribute {
			*p = parsed{file: emptyFile(p.file.Name, p.file.HCL.Bytes)}
			return it.diags
		}
		for name, a := range it.body.Attributes {
			if first, ok := body.Attributes[name]; ok {
				ds = append(ds, duplicateAttribute(name, first.NameRange, a.NameRange))
				continue
			}
			body.Attributes[name] = a
		}
		body.Blocks = append(body.Blocks, it.body.Blocks...)
		if len(ds) < mostErrors && !p.isEcho(i, &headless) {
			ds = append(ds, it.diags...)
		}
	}
	return ds
}

// isEcho reports whether the error of a chunk comes of an earlier one: a brace that closes nothing because the header of
// its block lacks the opening one. Headless counts those headers.
func (p *parsed) isEcho(i int, headless *int) bool {
	text := bytes.TrimSpace(p.text(i))
	if len(p.items[i].diags) == 0 || len(text) == 0 {
		return false
	}
	switch {
	case text[0] == '}' && *headless > 0:
		*headless--
		return true
	case isWord(text[0]) && bytes.IndexByte(text, '{') < 0:
		*headless++
	}
	return false
}

// endOf is the position of the end of a text.
func endOf(src []byte) hcl.Pos {
	pos := hcl.Pos{Line: 1 + bytes.Count(src, []byte("\n")), Column: 1, Byte: len(src)}
	pos.Column += len(src) - (bytes.LastIndexByte(src, '\n') + 1)
	return pos
}
