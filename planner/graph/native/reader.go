package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// maxDepth is how deep values may be nested; the format itself needs six levels.
const maxDepth = 32

// maxReports is the number of faults that are described one by one.
const maxReports = 100

// span is a half-open range of bytes of the file.
type span struct{ from, to int }

// reader walks over the values of a JSON text and notes where each stands. A fault in the JSON itself ends the walk:
// dead is set and every later read does nothing.
type reader struct {
	filename string
	data     []byte
	dec      *json.Decoder
	dead     bool
	depth    int
	last     int // end of the token read last
	newlines []int

	diags  diag.Diagnostics
	more   int
	moreAt span
}

func newReader(filename string, data []byte) *reader {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &reader{filename: filename, data: data, dec: dec}
}

// token reads the next token; nil when there is none.
func (r *reader) token() (json.Token, span) {
	if r.dead {
		return nil, span{}
	}
	from := r.last
	for from < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[from]) >= 0 {
		from++
	}
	t, err := r.dec.Token()
	if err != nil {
		r.syntaxError(from, err)
		return nil, span{}
	}
	r.last = int(r.dec.InputOffset())
	return tokenOrNull(t), span{from, r.last}
}

// null is the token of a JSON null, which the library gives as nil.
type null struct{}

func tokenOrNull(t json.Token) json.Token {
	if t == nil {
		return null{}
	}
	return t
}

// syntaxError reports why the text is not JSON, and where. The offsets that the token reader gives with its errors
// are not all counted alike, those of a pass over the whole text are.
func (r *reader) syntaxError(at int, err error) {
	message := err.Error()
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(r.data, new(json.RawMessage)), &syntax) {
		at, message = max(0, int(syntax.Offset)-1), syntax.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, message = len(r.data), "the file ends in the middle of a value"
	}
	r.die(span{at, min(at+1, len(r.data))}, "%s is not valid JSON: %s. Correct the file at this place.", r.filename, message)
}

func (r *reader) die(at span, detail string, args ...any) {
	r.report(at, diag.NativeSyntax, detail, args...)
	r.dead = true
}

// end reports whatever follows the value of the file.
func (r *reader) end() {
	if r.dead {
		return
	}
	rest := bytes.TrimLeft(r.data[r.last:], " \t\r\n")
	if len(rest) > 0 {
		r.die(span{len(r.data) - len(rest), len(r.data)}, "%s has text behind its closing brace. Remove it.", r.filename)
	}
}

// fieldRule says how a field of an object is read.
type fieldRule struct {
	name     string
	required bool
	read     func(r *reader)
}

// object reads an object with the given fields, in any order. what names it in messages.
func (r *reader) object(what string, rules []fieldRule) (span, bool) {
	open, at := r.token()
	if open != json.Delim('{') {
		return at, r.wrongType(what, "an object", open, at)
	}
	if !r.enter(at) {
		return at, false
	}
	seen := make([]bool, len(rules))
	for !r.dead && r.dec.More() {
		key, keyAt := r.token()
		name, _ := key.(string)
		if i := ruleNamed(rules, name); i < 0 {
			r.unknownField(what, name, rules, keyAt)
			r.skip()
		} else if seen[i] {
			r.report(keyAt, diag.NativeRepeatedField, "Field %q of %s is given twice. Keep one of the two.", name, what)
			r.skip()
		} else {
			seen[i] = true
			rules[i].read(r)
		}
	}
	at.to = r.leave().to
	for i, rule := range rules {
		if rule.required && !seen[i] && !r.dead {
			r.report(span{at.from, at.from + 1}, diag.NativeMissingField, "%s has no field %q. Add it.", capital(what), rule.name)
		}
	}
	return at, !r.dead
}

func ruleNamed(rules []fieldRule, name string) int {
	for i := range rules {
		if rules[i].name == name {
			return i
		}
	}
	return -1
}

func (r *reader) unknownField(what, name string, rules []fieldRule, at span) {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].name
	}
	r.report(at, diag.NativeUnknownField, "Field %s of %s is not known; the fields are %s.%s Remove or rename it.",
		quoted(name), what, strings.Join(names, ", "), diag.DidYouMean(name, names))
}

// array reads an array; each reads one element.
func (r *reader) array(what string, each func(i int)) (span, bool) {
	open, at := r.token()
	if open != json.Delim('[') {
		return at, r.wrongType(what, "an array", open, at)
	}
	if !r.enter(at) {
		return at, false
	}
	for i := 0; !r.dead && r.dec.More(); i++ {
		each(i)
	}
	at.to = r.leave().to
	return at, !r.dead
}

// enter counts a level of nesting.
func (r *reader) enter(at span) bool {
	r.depth++
	if r.depth > maxDepth {
		r.die(at, "%s nests values more than %d deep. Correct the file at this place.", r.filename, maxDepth)
	}
	return !r.dead
}

// leave reads the closing bracket.
func (r *reader) leave() span {
	r.depth--
	_, at := r.token()
	return at
}

// text reads a string.
func (r *reader) text(what string) (string, span, bool) {
	t, at := r.token()
	s, ok := t.(string)
	if !ok {
		return "", at, r.wrongType(what, "a string", t, at)
	}
	return s, at, true
}

// flag reads a boolean.
func (r *reader) flag(what string) bool {
	t, at := r.token()
	b, ok := t.(bool)
	if !ok {
		r.wrongType(what, "true or false", t, at)
	}
	return b
}

// integer reads a whole number of 64 bits.
func (r *reader) integer(what string) (int64, span, bool) {
	t, at := r.token()
	n, ok := t.(json.Number)
	if !ok {
		return 0, at, r.wrongType(what, "a whole number", t, at)
	}
	v, ok := r.parseInteger(what, n, at)
	return v, at, ok
}

func (r *reader) parseInteger(what string, n json.Number, at span) (int64, bool) {
	v, err := strconv.ParseInt(n.String(), 10, 64)
	if err == nil {
		return v, true
	}
	if errors.Is(err, strconv.ErrRange) {
		r.report(at, diag.NativeValue, "%s is %s, which does not fit into 64 bits. Use a smaller number.", capital(what), quoted(n.String()))
		return 0, false
	}
	r.report(at, diag.NativeType, "%s is %s, but must be a whole number. Write it without a fraction or exponent.",
		capital(what), quoted(n.String()))
	return 0, false
}

// wrongType reports a value of another type, skips it and returns false.
func (r *reader) wrongType(what, want string, got json.Token, at span) bool {
	if r.dead {
		return false
	}
	r.report(at, diag.NativeType, "%s must be %s, not %s. Correct it.", capital(what), want, kindOf(got))
	r.skipRest(got, at)
	return false
}

func kindOf(t json.Token) string {
	switch v := t.(type) {
	case json.Delim:
		if v == '{' {
			return "an object"
		}
		return "an array"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	}
	return "null"
}

// skip reads over one value.
func (r *reader) skip() {
	t, at := r.token()
	r.skipRest(t, at)
}

// skipRest reads over the rest of the value that a token began.
func (r *reader) skipRest(t json.Token, at span) {
	if t != json.Delim('{') && t != json.Delim('[') {
		return
	}
	for depth := 1; depth > 0 && !r.dead; {
		if r.depth+depth > maxDepth {
			r.die(at, "%s nests values more than %d deep. Correct the file at this place.", r.filename, maxDepth)
			return
		}
		switch t, _ := r.token(); t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// capital makes the first letter a capital, for a sentence that starts with it.
func capital(what string) string { return strings.ToUpper(what[:1]) + what[1:] }

// quoted quotes a text of the file and shortens a very long one.
func quoted(text string) string {
	const most = 120
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return fmt.Sprintf("%q", text)
}
