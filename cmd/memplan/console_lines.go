package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/term"

	"github.com/memplan/memplan/lang/syntax"
)

// plainLines reads lines as they come.
type plainLines struct{ in *bufio.Reader }

func newPlainLines(in io.Reader) *plainLines { return &plainLines{bufio.NewReader(in)} }

// line keeps no more of a line than the first piece that is too long to be parsed.
func (l *plainLines) line(string) (string, error) {
	var text []byte
	for {
		piece, err := l.in.ReadSlice('\n')
		if len(text) <= syntax.MaxFileSize {
			text = append(text, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(text) > 0 && errors.Is(err, io.EOF) {
			err = nil
		}
		return strings.TrimRight(string(text), "\r\n"), err
	}
}

func (l *plainLines) close() error { return nil }

// terminalLines reads lines that can be edited, with a history and completion.
type terminalLines struct {
	terminal *term.Terminal
	input    int
}

func newTerminalLines(in, out *os.File, complete func(word string) []string) (*terminalLines, error) {
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "")
	if width, height, err := term.GetSize(int(out.Fd())); err == nil && width > 0 && height > 0 {
		if err := t.SetSize(width, height); err != nil {
			return nil, err
		}
	}
	t.AutoCompleteCallback = func(line string, at int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		return completed(line, at, complete)
	}
	return &terminalLines{terminal: t, input: int(in.Fd())}, nil
}

// line reads one line. The terminal is in its raw mode only while somebody types: what is printed between is printed as
// ever.
func (l *terminalLines) line(prompt string) (text string, err error) {
	state, err := term.MakeRaw(l.input)
	if err != nil {
		return "", err
	}
	defer func() {
		if restoreErr := term.Restore(l.input, state); err == nil {
			err = restoreErr
		}
	}()
	l.terminal.SetPrompt(prompt)
	text, err = l.terminal.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	return text, err
}

func (l *terminalLines) close() error { return nil }

// completed extends the word before the cursor as far as all names that begin with it agree.
func completed(line string, at int, complete func(word string) []string) (string, int, bool) {
	start := strings.LastIndexFunc(line[:at], func(r rune) bool { return !strings.ContainsRune("._-", r) && !isWord(r) }) + 1
	names := complete(line[start:at])
	if len(names) == 0 {
		return "", 0, false
	}
	common := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	return line[:start] + common + line[at:], start + len(common), true
}

func isWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r > 127
}

// complete lists what a word may become, in ascending order: the names of kinds, blocks and fields, and of functions.
func (e *evaluator) complete(word string) []string {
	parts := strings.Split(word, ".")
	last := len(parts) - 1
	var names []string
	if last == 0 {
		for name := range e.ctx.Variables {
			names = append(names, name)
		}
		for name := range e.ctx.Functions {
			names = append(names, name+"(")
		}
	} else {
		value := cty.ObjectVal(e.ctx.Variables)
		for _, part := range parts[:last] {
			value = member(value, part)
		}
		names = members(value)
	}
	prefix := strings.Join(parts[:last], ".")
	if last > 0 {
		prefix += "."
	}
	var out []string
	for _, name := range names {
		if strings.HasPrefix(name, parts[last]) {
			out = append(out, prefix+name)
		}
	}
	slices.Sort(out)
	return out
}

// member is the member of an object, [cty.DynamicVal] when there is none.
func member(value cty.Value, name string) cty.Value {
	value, _ = value.Unmark()
	if value.IsKnown() && !value.IsNull() && value.Type().IsObjectType() && value.Type().HasAttribute(name) {
		return value.GetAttr(name)
	}
	return cty.DynamicVal
}

func members(value cty.Value) (names []string) {
	value, _ = value.Unmark()
	if value.IsKnown() && !value.IsNull() && value.Type().IsObjectType() {
		for name := range value.Type().AttributeTypes() {
			names = append(names, name)
		}
	}
	return names
}
