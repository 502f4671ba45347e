package tvmjson

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

// maxDepth is how deep values may be nested; the format itself needs five levels.
const maxDepth = 32

// reader walks over the values of a JSON text and notes where each stands. Broken JSON ends the walk: dead is set and
// later reads do nothing.
type reader struct {
	faults
	dec   *json.Decoder
	depth int
	end   int // of the token read last
}

func newReader(filename string, data []byte) *reader {
	r := &reader{faults: faults{filename: filename, data: data}, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	return r
}

// null is the token of a JSON null, which the library gives as nil.
type null struct{}

// token reads the next token; nil when there is none.
func (r *reader) token() (json.Token, span) {
	if r.dead {
		return nil, span{}
	}
	from := r.end
	for from < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[from]) >= 0 {
		from++
	}
	t, err := r.dec.Token()
	if err != nil {
		r.syntax(from, err)
		return nil, span{}
	}
	r.end = int(r.dec.InputOffset())
	if t == nil {
		t = null{}
	}
	return t, span{from, r.end}
}

// syntax reports why the text is not JSON, and where. Only the offsets of a pass over the whole text are all counted
// alike.
func (r *reader) syntax(at int, err error) {
	message := err.Error()
	var fault *json.SyntaxError
	if errors.As(json.Unmarshal(r.data, new(json.RawMessage)), &fault) {
		at, message = max(0, int(fault.Offset)-1), fault.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, message = len(r.data), "the file ends in the middle of a value"
	}
	r.die(span{at, min(at+1, len(r.data))}, "%s is not valid JSON: %s. Write the file again, or correct it at this place.", r.filename, message)
}

func (r *reader) die(at span, detail string, args ...any) {
	r.report(at, diag.TVMSyntax, detail, args...)
	r.dead = true
}

// finishText reports whatever follows the value of the file.
func (r *reader) finishText() {
	if r.dead {
		return
	}
	if rest := bytes.TrimLeft(r.data[r.end:], " \t\r\n"); len(rest) > 0 {
		r.die(span{len(r.data) - len(rest), len(r.data)}, "%s has text behind its closing brace. Remove it.", r.filename)
	}
}

// object reads an object: field reads the value of each field, or skips it.
func (r *reader) object(what string, field func(name string, at span)) (span, bool) {
	open, at := r.token()
	if open != json.Delim('{') {
		return at, r.wrongType(what, "an object", open, at)
	}
	if !r.enter(at) {
		return at, false
	}
	seen := map[string]bool{}
	for !r.dead && r.dec.More() {
		key, keyAt := r.token()
		name, _ := key.(string)
		if seen[name] {
			r.report(keyAt, diag.TVMLengths, "Field %s of %s is given twice. Keep one of the two.", quoted(name), what)
			r.skip()
			continue
		}
		seen[name] = true
		field(name, keyAt)
	}
	at.to = r.leave().to
	return at, !r.dead
}

// array reads an array: each reads one element.
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

// text is a string of the file with its place.
type text struct {
	value string
	at    span
}

func (r *reader) text(what string) (text, bool) {
	t, at := r.token()
	s, ok := t.(string)
	if !ok {
		return text{at: at}, r.wrongType(what, "a string", t, at)
	}
	return text{s, at}, true
}

// number is a whole number of the file with its place.
type number struct {
	value int64
	at    span
}

func (r *reader) integer(what string) (number, bool) {
	t, at := r.token()
	n, ok := t.(json.Number)
	if !ok {
		return number{at: at}, r.wrongType(what, "a whole number", t, at)
	}
	v, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil {
		r.report(at, diag.TVMValue, "%s is %s, which is no whole number of 64 bits. Correct it.", capital(what), quoted(n.String()))
	}
	return number{v, at}, err == nil
}

// wrongType reports a value of another type, skips it and returns false.
func (r *reader) wrongType(what, want string, got json.Token, at span) bool {
	if r.dead {
		return false
	}
	r.report(at, diag.TVMValue, "%s must be %s, not %s. Correct it.", capital(what), want, kindOf(got))
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
