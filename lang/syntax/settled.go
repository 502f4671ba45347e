package syntax

import (
	"bytes"
	"strings"
)

// mostSettled is how deep values nest that settled reads.
const mostSettled = 8

// settled reports whether a text is known to be in canonical form. It reads what most configurations consist of, line by line:
// headers and ends of blocks, comments on lines of their own, and attributes that are numbers, names, strings without escapes or
// templates, or calls and lists of these. It is false for all else, which may be in canonical form too. It costs O(text), a small
// part of what it takes to format it.
func settled(src []byte) bool {
	var lines settling
	for len(src) > 0 {
		line, rest, ended := bytes.Cut(src, []byte("\n"))
		if !ended || !lines.add(string(line)) {
			return false
		}
		src = rest
	}
	return lines.depth == 0 && lines.aligned()
}

// settling is what settled knows of the lines so far.
type settling struct {
	// depth is that of the blocks that are open.
	depth int
	// equals is the column of the equals signs of the neighbouring lines with attributes, 0 without any; longest is the column
	// after the longest name of those.
	equals, longest int
}

// aligned reports whether the equals signs of neighbouring lines are where they belong.
func (s *settling) aligned() bool { return s.equals == 0 || s.equals == s.longest+1 }

// add reads a line, and returns false where it or those before are not known to be settled.
func (s *settling) add(line string) bool {
	text := strings.TrimLeft(line, " ")
	if text == "}" {
		s.depth--
	}
	if text != "" && len(line)-len(text) != 2*s.depth || text == "" && line != "" {
		return false
	}
	if name, rest := word(text); name != "" && strings.TrimLeft(rest, " ") != rest {
		value := strings.TrimLeft(rest, " ")
		if after, ok := strings.CutPrefix(value, "= "); ok {
			rest, ok := plainValue(after, mostSettled)
			return ok && rest == "" && s.addAttribute(len(text)-len(value), len(name))
		}
	}
	ok := s.aligned()
	s.equals, s.longest = 0, 0
	switch {
	case text == "" || text == "}":
	case text[0] == '#', strings.HasPrefix(text, "//"):
		ok = ok && !strings.Contains(text, "\r")
	default:
		ok = ok && opensBlock(text)
		s.depth++
	}
	return ok
}

// addAttribute takes a line with an equals sign in a column after a name of that length.
func (s *settling) addAttribute(equals, name int) bool {
	if s.equals == 0 {
		s.equals = equals
	}
	s.longest = max(s.longest, name)
	return s.equals == equals
}

// opensBlock reports whether a text is the header of a block: a word, labels in quotes and a brace, a space between each two.
func opensBlock(text string) bool {
	name, rest := word(text)
	for name != "" {
		after, ok := strings.CutPrefix(rest, " ")
		if after == "{" {
			return ok
		}
		if after == rest || !strings.HasPrefix(after, `"`) {
			return false
		}
		if rest, ok = plainString(after); !ok {
			return false
		}
	}
	return false
}

// plainValue reads a value of at most so many values within one another, and returns what follows it.
func plainValue(text string, nesting int) (rest string, ok bool) {
	if text == "" || nesting == 0 {
		return text, false
	}
	switch c := text[0]; {
	case c == '"':
		return plainString(text)
	case c == '[':
		return plainList(text[1:], ']', nesting)
	case c >= '0' && c <= '9':
		return strings.TrimLeft(text, "0123456789"), true
	}
	name, rest := word(text)
	for name != "" {
		after, dotted := strings.CutPrefix(rest, ".")
		if !dotted {
			if strings.HasPrefix(rest, "(") {
				return plainList(rest[1:], ')', nesting)
			}
			return rest, true
		}
		name, rest = word(after)
	}
	return text, false
}

// plainList reads values up to a bracket.
func plainList(text string, end byte, nesting int) (rest string, ok bool) {
	if text != "" && text[0] == end {
		return text[1:], true
	}
	for ok = true; ok; text, ok = strings.CutPrefix(text, ", ") {
		if text, ok = plainValue(text, nesting-1); !ok {
			return text, false
		}
		if text != "" && text[0] == end {
			return text[1:], true
		}
	}
	return text, false
}

// plainString reads a string of characters of one byte that stand for themselves.
func plainString(text string) (rest string, ok bool) {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return text[i+1:], true
		case c < ' ' || c > '~' || c == '\\' || c == '$' || c == '%':
			return text, false
		}
	}
	return text, false
}

// word reads a name of letters, digits, "_" and "-" of one byte each, and returns it with what follows; "" where none begins.
func word(text string) (name, rest string) {
	n := 0
	for n < len(text) && text[n] < 0x80 && (isWord(text[n]) || n > 0 && (text[n] == '-' || text[n] >= '0' && text[n] <= '9')) {
		n++
	}
	return text[:n], text[n:]
}
