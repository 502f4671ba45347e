package syntax

import (
	"bytes"
	"sync"
	"sync/atomic"

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
// that are new are parsed. It keeps the last text of each name. Ranges in its trees and diagnostics are those of items; [Now]
// says where they are. The zero value is empty; several goroutines may use one at once.
type Cache struct {
	mu    sync.Mutex
	files map[string]*parsed
	// formatted holds for each name the parts of its last text that was formatted, by text.
	formatted map[string]map[string][]byte
	// taken is how much of the space from firstPlace on items have.
	taken atomic.Int64
}

// place returns where the ranges of a new item begin.
func (c *Cache) place(length int) int {
	return firstPlace + int(c.taken.Add(int64(length)+1)) - length - 1
}

// Parse returns what the function [Parse] does, but for the ranges. It costs O(text) with a small factor, plus the parsing
// of what is new.
func (c *Cache) Parse(name string, src []byte) (*File, diag.Diagnostics) {
	if IsJSON(name) {
		return parseJSON(name, src)
	}
	c.mu.Lock()
	before := c.files[name]
	c.mu.Unlock()
	if before != nil && bytes.Equal(before.file.HCL.Bytes, src) {
		return before.file, before.diags
	}
	p := parseAll(name, src, before, c.place)
	p.file.HCL.Nav = placesOf(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]*parsed{}
	}
	c.files[name] = p
	return p.file, p.diags
}

// parsed is a text with the trees of its chunks. It is never changed once made.
type parsed struct {
	file   *File
	chunks []chunk
	items  []*item
	diags  diag.Diagnostics
	// plain says that the chunks can be found again by their text alone; see chunksAfter.
	plain bool
}

// item is a chunk's tree. Its ranges begin at the byte at and on the line.
type item struct {
	body     *hclsyntax.Body
	diags    diag.Diagnostics
	at, line int
}

// text returns the bytes of chunk i.
func (p *parsed) text(i int) []byte { return p.file.HCL.Bytes[p.chunks[i].start:p.chunks[i].end] }

// parseAll parses a text. What it has in common with the one before, which may be nil, is taken from there; what is new gets
// the ranges that place gives.
func parseAll(name string, src []byte, before *parsed, place func(length int) int) *parsed {
	p := &parsed{file: emptyFile(name, src)}
	if p.diags = checkText(name, src); len(p.diags) > 0 {
		return p
	}
	p.chunks, p.plain = chunksAfter(before, src)
	p.items = make([]*item, len(p.chunks))
	known := newMatcher(before, p)
	var fresh []int
	for i, c := range p.chunks {
		if j := known.find(i); j >= 0 && before.items[j].fits(c) {
			p.items[i] = before.items[j]
			continue
		}
		p.items[i] = &item{body: &hclsyntax.Body{}, at: c.start, line: c.line}
		if place != nil {
			p.items[i].at = place(c.end - c.start)
		}
		fresh = append(fresh, i)
	}
	together(len(fresh), parsedTogether, func(k int) {
		i := fresh[k]
		p.items[i].parse(name, p.text(i), p.chunks[i])
	})
	p.join()
	return p
}

// parsedTogether is how many items of a text one goroutine parses.
const parsedTogether = 128

// together calls do for each of n numbers, so many of them in one goroutine.
func together(n, each int, do func(i int)) {
	if n <= each {
		for i := range n {
			do(i)
		}
		return
	}
	var wait sync.WaitGroup
	for from := 0; from < n; from += each {
		wait.Go(func() {
			for i := from; i < min(from+each, n); i++ {
				do(i)
			}
		})
	}
	wait.Wait()
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

// find returns the index of an earlier chunk with the text of chunk i, -1 when there is none. It is given once: an item stands
// in one place.
func (m *matcher) find(i int) int {
	switch {
	case m.before == nil:
		return -1
	case i < m.head:
		return i
	case i >= len(m.now.chunks)-m.tail:
		return i + len(m.before.chunks) - len(m.now.chunks)
	}
	text := string(m.now.text(i))
	if j, ok := m.middle[text]; ok {
		delete(m.middle, text)
		return j
	}
	return -1
}

// fits reports whether the item can stand for a chunk of the same text: the findings of a parser may name lines.
func (it *item) fits(c chunk) bool { return len(it.diags) == 0 || it.line == c.line }

// parse parses the text of the item's chunk.
func (it *item) parse(name string, src []byte, c chunk) {
	start := hcl.Pos{Line: it.line, Column: 1, Byte: it.at}
	if len(bom(src)) > 0 {
		// The parser would drop the mark, which is one only at the beginning of a file.
		src, start = append([]byte("\n"), src...), hcl.Pos{Line: it.line - 1, Column: 1, Byte: it.at - 1}
	}
	var tokens hclsyntax.Tokens
	if c.risky {
		tokens, _ = hclsyntax.LexConfig(src, name, start)
		if ds := checkTokens(tokens); len(ds) > 0 {
			it.diags = ds
			return
		}
	}
	file, hclDiags := hclsyntax.ParseConfig(src, name, start)
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
}

// mostErrors bounds the syntax errors that are reported of one file.
const mostErrors = 100

// join makes the tree of the file from those of its chunks. Text beyond the limits gives no tree.
func (p *parsed) join() {
	var ds diag.Diagnostics
	body, places := p.file.Body, placesOf(p)
	body.SrcRange.End = endOf(p.file.HCL.Bytes)
	body.EndRange = hcl.Range{Filename: p.file.Name, Start: body.SrcRange.End, End: body.SrcRange.End}
	headless := 0
	for i, it := range p.items {
		if len(it.diags) > 0 && it.diags[0].ID != diag.InvalidSyntax && it.diags[0].ID != diag.DuplicateAttribute {
			*p = parsed{file: emptyFile(p.file.Name, p.file.HCL.Bytes), chunks: p.chunks, items: p.items, diags: it.diags, plain: p.plain}
			return
		}
		for name, a := range it.body.Attributes {
			if first, ok := body.Attributes[name]; ok {
				at, _ := places.now(first.NameRange)
				ds = append(ds, duplicateAttribute(name, at, a.NameRange))
				continue
			}
			body.Attributes[name] = a
		}
		body.Blocks = append(body.Blocks, it.body.Blocks...)
		if len(ds) < mostErrors && !p.isEcho(i, &headless) {
			ds = append(ds, it.diags...)
		}
	}
	p.diags = ds
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
