package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// maxDepth is how deep values may be nested; no format that is read needs more than six levels.
const maxDepth = 32

// Reader walks over the values of a JSON text. Broken JSON ends the walk: it is dead then, and later reads do nothing.
type Reader struct {
	Faults
	dec   *json.Decoder
	depth int
	last  int // end of the token read last
}

// New returns a reader at the start of the file. filename is for the places of faults.
func New(filename string, data []byte, words Words) *Reader {
	r := &Reader{Faults: Faults{filename: filename, data: data, words: words}, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	return r
}

// Null is the token of a JSON null, which the library gives as nil.
type Null struct{}

// Token reads the next token: a json.Delim, string, json.Number, bool or Null; nil when there is none.
func (r *Reader) Token() (json.Token, Span) {
	if r.dead {
		return nil, Span{}
	}
	from := r.last
	for from < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[from]) >= 0 {
		from++
	}
	t, err := r.dec.Token()
	if err != nil {
		r.syntax(from, err)
		return nil, Span{}
	}
	r.last = int(r.dec.InputOffset())
	if t == nil {
		t = Null{}
	}
	return t, Span{from, r.last}
}

// syntax reports why the text is not JSON, and where. The offsets that the token reader gives with its errors are not all
// counted alike, those of a pass over the whole text are.
func (r *Reader) syntax(at int, err error) {
	message := err.Error()
	var fault *json.SyntaxError
	if errors.As(json.Unmarshal(r.data, new(json.RawMessage)), &fault) {
		at, message = max(0, int(fault.Offset)-1), fault.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, message = len(r.data), "the file ends in the middle of a value"
	}
	r.die(Span{at, min(at+1, len(r.data))}, "%s is not valid JSON: %s. %s", r.filename, message, r.words.Advice)
}

func (r *Reader) die(at Span, detail string, args ...any) {
	r.Report(at, r.words.Syntax, detail, args...)
	r.dead = true
}

// End reports whatever follows the value of the file.
func (r *Reader) End() {
	if r.dead {
		return
	}
	if rest := bytes.TrimLeft(r.data[r.last:], " \t\r\n"); len(rest) > 0 {
		r.die(Span{len(r.data) - len(rest), len(r.data)}, "%s has text behind its closing brace. Remove it.", r.filename)
	}
}

// More reports whether the object or array that is open has another element.
func (r *Reader) More() bool { return !r.dead && r.dec.More() }

// Object reads an object: field reads the value of each field, or skips it. what names the object in messages. The second
// result is false when it is none, or not to its end; the span is the whole object otherwise.
func (r *Reader) Object(what string, field func(name string, at Span)) (Span, bool) {
	open, at := r.Token()
	if open != json.Delim('{') {
		return at, r.WrongType(what, "an object", open, at)
	}
	return r.Fields(what, at, field)
}

// Fields reads the rest of an object as Object does, behind the brace that is at.
func (r *Reader) Fields(what string, at Span, field func(name string, at Span)) (Span, bool) {
	if !r.enter(at) {
		return at, false
	}
	seen := map[string]bool{}
	for r.More() {
		key, keyAt := r.Token()
		name, _ := key.(string)
		if seen[name] {
			r.Report(keyAt, r.words.Repeated, "Field %s of %s is given twice. Keep one of the two.", Quoted(name), what)
			r.Skip()
			continue
		}
		seen[name] = true
		field(name, keyAt)
	}
	at.To = r.leave().To
	return at, !r.dead
}

// Array reads an array: each reads one element. The results are those of Object.
func (r *Reader) Array(what string, each func(i int)) (Span, bool) {
	open, at := r.Token()
	if open != json.Delim('[') {
		return at, r.WrongType(what, "an array", open, at)
	}
	return r.Elements(at, each)
}

// Elements reads the rest of an array as Array does, behind the bracket that is at.
func (r *Reader) Elements(at Span, each func(i int)) (Span, bool) {
	if !r.enter(at) {
		return at, false
	}
	for i := 0; r.More(); i++ {
		each(i)
	}
	at.To = r.leave().To
	return at, !r.dead
}

// enter counts a level of nesting.
func (r *Reader) enter(at Span) bool {
	r.depth++
	if r.depth > maxDepth {
		r.tooDeep(at)
	}
	return !r.dead
}

// leave reads the closing bracket.
func (r *Reader) leave() Span {
	r.depth--
	_, at := r.Token()
	return at
}

func (r *Reader) tooDeep(at Span) {
	r.die(at, "%s nests values more than %d deep. Correct the file at this place.", r.filename, maxDepth)
}

// Skip reads over one value.
func (r *Reader) Skip() {
	t, at := r.Token()
	r.SkipRest(t, at)
}

// SkipRest reads over the rest of the value that a token began.
func (r *Reader) SkipRest(t json.Token, at Span) {
	if t != json.Delim('{') && t != json.Delim('[') {
		return
	}
	for depth := 1; depth > 0 && !r.dead; {
		if r.depth+depth > maxDepth {
			r.tooDeep(at)
			return
		}
		switch t, _ := r.Token(); t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}
