package problemfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// deepest bounds how deep values may be nested; problems need five levels.
const deepest = 16

// kind is the type of a JSON value.
type kind string

// The kinds, as messages name them.
const (
	object  kind = "an object"
	list    kind = "a list"
	text    kind = "a string"
	number  kind = "a number"
	boolean kind = "true or false"
	null    kind = "null"
)

// value is a JSON value with its place: the bytes [from, to) of the text.
type value struct {
	kind     kind
	from, to int
	// text is a string's content or a number's digits.
	text    string
	members []member
	items   []value
}

// member is a name of an object with its value; at is where the name stands.
type member struct {
	name  string
	at    span
	value value
}

type span struct{ from, to int }

func (v *value) span() span { return span{v.from, v.to} }

// member returns the value of a name, nil when there is none or it is null.
func (v *value) member(name string) *value {
	for i := range v.members {
		if v.members[i].name == name && v.members[i].value.kind != null {
			return &v.members[i].value
		}
	}
	return nil
}

// parser reads JSON values and remembers where they stand.
type parser struct {
	text string
	dec  *json.Decoder
}

var errTooDeep = fmt.Errorf("values are nested more than %d deep", deepest)

func newParser(content string) *parser {
	p := &parser{text: content, dec: json.NewDecoder(strings.NewReader(content))}
	p.dec.UseNumber()
	return p
}

// document reads the one value of the text.
func (p *parser) document() (value, error) {
	v, err := p.next(0)
	if err != nil {
		return v, err
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return v, errors.New("there is more text behind the end of the object")
	}
	return v, nil
}

// token reads one token and returns it with its place.
func (p *parser) token() (json.Token, span, error) {
	from := int(p.dec.InputOffset())
	from += len(p.text[from:]) - len(strings.TrimLeft(p.text[from:], " \t\r\n,:"))
	t, err := p.dec.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return t, span{from, int(p.dec.InputOffset())}, err
}

// next reads a value.
func (p *parser) next(depth int) (value, error) {
	t, at, err := p.token()
	if err != nil {
		return value{}, err
	}
	v := value{from: at.from, to: at.to}
	switch t := t.(type) {
	case json.Delim:
		if depth == deepest {
			return v, errTooDeep
		}
		if t == '{' {
			v.kind = object
			err = p.object(&v, depth)
		} else {
			v.kind = list
			err = p.list(&v, depth)
		}
	case string:
		v.kind, v.text = text, t
	case json.Number:
		v.kind, v.text = number, t.String()
	case bool:
		v.kind = boolean
	default:
		v.kind = null
	}
	return v, err
}

func (p *parser) object(v *value, depth int) error {
	for p.dec.More() {
		name, at, err := p.token()
		if err != nil {
			return err
		}
		inner, err := p.next(depth + 1)
		if err != nil {
			return err
		}
		v.members = append(v.members, member{name.(string), at, inner})
	}
	_, at, err := p.token()
	v.to = at.to
	return err
}

func (p *parser) list(v *value, depth int) error {
	for p.dec.More() {
		inner, err := p.next(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, inner)
	}
	_, at, err := p.token()
	v.to = at.to
	return err
}

// rangeOf is a range without lines and columns, which report adds.
func (r *reader) rangeOf(s span) hcl.Range {
	return hcl.Range{Filename: r.Name, Start: hcl.Pos{Byte: min(s.from, len(r.text))}, End: hcl.Pos{Byte: min(s.to, len(r.text))}}
}

// parse reads the text as one JSON value; a fault is reported where it stands.
func (r *reader) parse() (value, bool) {
	if !utf8.ValidString(r.text) {
		bad := strings.IndexRune(r.text, utf8.RuneError)
		r.report(r.rangeOf(span{bad, bad + 1}), diag.SolveText, "%s is not UTF-8 from here on. Save it as UTF-8.", r.Name)
		return value{}, false
	}
	p := newParser(strings.TrimPrefix(r.text, "\uFEFF"))
	v, err := p.document()
	if err == nil {
		return v, true
	}
	at := int(p.dec.InputOffset())
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && int(syntax.Offset) != at {
		// Between tokens the library counts bytes before the fault, inside one it counts the fault's own as well.
		at = max(0, int(syntax.Offset)-1)
	}
	r.report(r.rangeOf(span{at, at + 1}), diag.SolveJSON, "%s is not valid JSON: %v. Correct the text here or just before.", r.Name, err)
	return v, false
}
