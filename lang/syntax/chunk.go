package syntax

import (
	"bytes"
)

// chunk is a part of a text that can be parsed on its own: an attribute or a block at the top of a file, from the start of
// its line to the line break after it, that included. What lies between chunks is blank or comment.
type chunk struct {
	start, end int
	// line is the line number of start, from 1.
	line int
	// risky says that the limits on nesting, operators and numbers are not certain to be kept.
	risky bool
}

// chunks splits a text. The chunks depend on nothing but the text, and a text without syntax errors gives the tree of the
// chunks' trees together. It costs O(text).
//
// The steps: from the start of an item, brackets, strings, heredocs, templates and comments are followed to the first line
// break at which nothing is open. A string ends with its line in any case. When the text ends before, something is not
// closed, and what follows may be wrongly inside of it: from that item on, an item ends also before each line that begins
// with the header of a block.
func chunks(src []byte) []chunk {
	found, _ := split(src)
	return found
}

// Items returns where the items at the top of a text end, in order of position. Each item with what stands before it can
// be read on its own: what is not closed in one does not reach into the next. It costs O(text).
func Items(src []byte) []int {
	found := chunks(src)
	ends := make([]int, len(found))
	for i, c := range found {
		ends[i] = c.end
	}
	return ends
}

// split returns the chunks of a text, and the offsets after the blank lines between them.
func split(src []byte) ([]chunk, []int) {
	s := newScanner(src)
	var found []chunk
	for s.next() {
		found = append(found, s.chunk())
	}
	return found, s.blanks
}

func newScanner(src []byte) *scanner { return &scanner{src: src, line: 1, at: len(bom(src))} }

// chunk passes over the item that begins here and returns its chunk.
func (s *scanner) chunk() chunk {
	c := chunk{start: s.lineStart, line: s.line}
	from := *s
	if !s.item() && !s.recovering && !s.tooDeep {
		*s = from
		s.recovering = true
		s.item()
	}
	c.end, c.risky = s.at, s.risky || s.at-c.start > MaxOperators
	return c
}

// isPlain reports whether all that was read so far stays as it is whatever follows.
func (s *scanner) isPlain() bool { return !s.recovering && !s.noComment && !s.tooDeep }

// chunksAfter returns the chunks of a text of which an earlier one, which may be nil, has been split: what the texts have in
// common at their ends is not read again. The second result says that this can be done with the result too: every bracket and
// comment is closed, so that no item depends on what follows it. It costs O(text) with a small factor.
//
// The steps: the chunks that end in the common beginning are kept; from there the new text is read until a chunk ends in
// the common end where an earlier one did; the chunks that follow that one are kept, moved.
func chunksAfter(before *parsed, src []byte) ([]chunk, bool) {
	s := newScanner(src)
	var old []byte
	var found, rest []chunk
	if before != nil && before.plain && bytes.Equal(bom(src), bom(before.file.HCL.Bytes)) {
		old = before.file.HCL.Bytes
		head, tail := common(old, src)
		kept := 0
		for kept < len(before.chunks) && before.chunks[kept].end <= head && old[before.chunks[kept].end-1] == '\n' {
			kept++
		}
		found = append(make([]chunk, 0, len(before.chunks)+8), before.chunks[:kept]...)
		rest = before.chunks[kept:]
		if kept > 0 {
			last := before.chunks[kept-1]
			s.at, s.line = last.end, last.lineAfter(old)
		}
		for len(rest) > 0 && rest[0].end < len(old)-tail {
			rest = rest[1:]
		}
	}
	by := len(src) - len(old)
	for s.next() {
		found = append(found, s.chunk())
		for len(rest) > 0 && rest[0].end+by < s.at {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0].end+by == s.at && s.isPlain() && s.src[s.at-1] == '\n' {
			lines := s.line - rest[0].lineAfter(old)
			for _, c := range rest[1:] {
				found = append(found, chunk{start: c.start + by, end: c.end + by, line: c.line + lines, risky: c.risky})
			}
			return found, true
		}
	}
	return found, s.isPlain()
}

// lineAfter is the number of the line on which the chunk ends.
func (c chunk) lineAfter(src []byte) int {
	return c.line + bytes.Count(src[c.start:c.end], []byte("\n"))
}

// common counts the bytes that two texts have in common at their beginning and, apart from those, at their end.
func common(a, b []byte) (head, tail int) {
	const block = 4096
	most := min(len(a), len(b))
	for head+block <= most && bytes.Equal(a[head:head+block], b[head:head+block]) {
		head += block
	}
	for head < most && a[head] == b[head] {
		head++
	}
	most -= head
	for tail+block <= most && bytes.Equal(a[len(a)-tail-block:len(a)-tail], b[len(b)-tail-block:len(b)-tail]) {
		tail += block
	}
	for tail < most && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// bom is the byte order mark of a text, empty when it has none.
func bom(src []byte) []byte {
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(src, mark) {
		return mark
	}
	return nil
}

// What is open while an item is scanned, besides the brackets, which stand for themselves.
const (
	inString   = '"'
	inHeredoc  = '<'
	inTemplate = '$'
)

// scanner goes through a text byte by byte.
type scanner struct {
	src []byte
	at  int
	// line is the number of the line of at, lineStart the offset of the first byte of a chunk that begins there.
	line, lineStart int
	open            []byte
	// markers are those of the open heredocs.
	markers [][]byte
	risky   bool
	// tooDeep says that the rest of the text is not worth reading.
	tooDeep bool
	// recovering says that something is not closed: an item ends also before what looks like the next.
	recovering bool
	// blanks are the offsets after blank lines between items.
	blanks []int
	// noComment says that no comment ends in the rest of the text.
	noComment bool
}

// next goes to the start of the next item. It returns false at the end of the text.
func (s *scanner) next() bool {
	s.open, s.markers, s.risky = s.open[:0], s.markers[:0], false
	blank := s.at == 0 || s.src[s.at-1] == '\n'
	for s.lineStart = s.at; s.at < len(s.src); {
		switch c := s.src[s.at]; {
		case c == '\n':
			s.at++
			s.line++
			s.lineStart = s.at
			if blank {
				s.blanks = append(s.blanks, s.at)
			}
			blank = true
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case s.comment():
			blank = false
		default:
			return s.rewind()
		}
	}
	return false
}

// rewind goes back to where the chunk of the item begins, which is before what stands on the same line as the item.
func (s *scanner) rewind() bool {
	s.line -= bytes.Count(s.src[s.lineStart:s.at], []byte("\n"))
	s.at = s.lineStart
	return true
}

// comment passes over the comment that begins here, but not over the line break after it. It returns false where none
// begins.
func (s *scanner) comment() bool {
	rest := s.src[s.at:]
	switch {
	case rest[0] == '#', bytes.HasPrefix(rest, []byte("//")):
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		s.at += end
		return true
	case bytes.HasPrefix(rest, []byte("/*")) && !s.noComment:
		end := bytes.Index(rest[2:], []byte("*/"))
		if end < 0 {
			s.noComment = true
			return false
		}
		s.line += bytes.Count(rest[:end+2], []byte("\n"))
		s.at += end + 4
		return true
	}
	return false
}

// item goes to the end of an item. It returns false when the text ends before.
func (s *scanner) item() bool {
	begun := s.at
	for s.at < len(s.src) {
		if s.recovering && s.at > begun && len(s.open) > 0 && s.src[s.at-1] == '\n' && startsBlock(s.src[s.at:]) {
			return true
		}
		if len(s.open) > MaxNesting {
			s.at, s.risky, s.tooDeep = len(s.src), true, true
			return false
		}
		switch s.top() {
		case inString:
			s.text()
		case inHeredoc:
			s.heredoc()
		default:
			if s.code() {
				return true
			}
		}
	}
	return len(s.open) == 0
}

func (s *scanner) top() byte {
	if len(s.open) == 0 {
		return 0
	}
	return s.open[len(s.open)-1]
}

func (s *scanner) push(c byte) {
	s.open = append(s.open, c)
	s.risky = s.risky || len(s.open) > MaxNesting/2
}

func (s *scanner) pop() { s.open = s.open[:len(s.open)-1] }

// code passes over one byte, comment or heredoc mark outside of texts. It returns true after the line break that ends the
// item.
func (s *scanner) code() bool {
	c := s.src[s.at]
	switch c {
	case '\n':
		s.at++
		s.line++
		return len(s.open) == 0
	case '{', '[', '(', inString:
		s.push(c)
	case '}':
		s.closeBrace()
	case ']':
		s.closeOne('[')
	case ')':
		s.closeOne('(')
	case '#', '/':
		if s.comment() {
			return false
		}
	case '<':
		if marker, length := heredocMark(s.src[s.at:]); marker != nil {
			s.push(inHeredoc)
			s.markers = append(s.markers, marker)
			s.at += length
			s.line++
			return false
		}
	case 'e', 'E':
		// It may be the exponent of a number.
		s.risky = s.risky || s.at > 0 && (s.src[s.at-1] >= '0' && s.src[s.at-1] <= '9' || s.src[s.at-1] == '.')
	}
	s.at++
	return false
}

// closeBrace closes the innermost brace or template with the brackets inside it. A brace that closes nothing is left for
// the parser to report.
func (s *scanner) closeBrace() {
	for i := len(s.open) - 1; i >= 0; i-- {
		switch s.open[i] {
		case '{', inTemplate:
			s.open = s.open[:i]
			return
		case inString, inHeredoc:
			return
		}
	}
}

func (s *scanner) closeOne(want byte) {
	if s.top() == want {
		s.pop()
	}
}

// text passes over one byte, escape or mark of a template in a quoted text.
func (s *scanner) text() {
	switch c := s.src[s.at]; c {
	case '\n':
		// No text goes beyond its line; what does lacks its quote. The brace of a block whose label it is counts.
		s.pop()
		if s.labelsBlock() {
			s.push('{')
		}
	case inString:
		s.pop()
		s.at++
	case '\\':
		s.at++
		if s.at < len(s.src) && s.src[s.at] != '\n' && s.src[s.at] != '\r' {
			s.at++
		}
	case '$', '%':
		s.template(c)
	default:
		s.at++
	}
}

// labelsBlock reports whether the line that ends here is the header of a block.
func (s *scanner) labelsBlock() bool {
	line := s.src[bytes.LastIndexByte(s.src[:s.at], '\n')+1 : s.at]
	return bytes.HasSuffix(bytes.TrimSpace(line), []byte("{")) && bytes.IndexByte(line, '=') < 0
}

// template passes over "$" or "%" in a text and what belongs to it.
func (s *scanner) template(c byte) {
	rest := s.src[s.at:]
	switch {
	case len(rest) > 2 && rest[1] == c && rest[2] == '{':
		s.at += 3
	case len(rest) > 1 && rest[1] == '{':
		s.push(inTemplate)
		s.at += 2
	default:
		s.at++
	}
}

// heredoc passes over the rest of a line of a heredoc, or up to a template in it.
func (s *scanner) heredoc() {
	rest := s.src[s.at:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	marker := s.markers[len(s.markers)-1]
	if s.src[s.at-1] == '\n' && bytes.Equal(bytes.TrimSpace(rest[:end]), marker) {
		s.pop()
		s.markers = s.markers[:len(s.markers)-1]
		s.at += end
		return
	}
	if mark := bytes.IndexAny(rest[:end], "$%"); mark >= 0 {
		s.at += mark
		s.template(rest[mark])
		return
	}
	s.at += end
	if s.at < len(s.src) {
		s.at++
		s.line++
	}
}

// heredocMark reads the opening of a heredoc with its line break; the marker is nil where none opens.
func heredocMark(rest []byte) (marker []byte, length int) {
	if !bytes.HasPrefix(rest, []byte("<<")) {
		return nil, 0
	}
	at := 2
	if at < len(rest) && rest[at] == '-' {
		at++
	}
	from := at
	for at < len(rest) && (isWord(rest[at]) || at > from && (rest[at] == '-' || rest[at] >= '0' && rest[at] <= '9')) {
		at++
	}
	marker = rest[from:at]
	if at < len(rest) && rest[at] == '\r' {
		at++
	}
	if len(marker) == 0 || at == len(rest) || rest[at] != '\n' {
		return nil, 0
	}
	return marker, at + 1
}

// isWord reports whether a byte can begin a name. Characters beyond ASCII count as letters.
func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// startsBlock reports whether a line begins with the header of a block: a word, labels and an opening brace.
func startsBlock(rest []byte) bool {
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	if len(rest) == 0 || !isWord(rest[0]) {
		return false
	}
	brace := bytes.IndexByte(rest, '{')
	if brace < 0 {
		return false
	}
	quoted := false
	for _, c := range rest[:brace] {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && !isWord(c) && c != ' ' && c != '\t' && c != '-' && (c < '0' || c > '9'):
			return false
		}
	}
	return !quoted
}
