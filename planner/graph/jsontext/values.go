package jsontext

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Text is a string of the file with its place. The zero Text stands for one that is absent.
type Text struct {
	Value string
	At    Span
}

// Given reports whether the file has the text.
func (t Text) Given() bool { return t.At.Given() }

// Number is a whole number of the file with its place.
type Number struct {
	Value int64
	At    Span
}

// Text reads a string. Its place is that of the value also when it is none, which is reported.
func (r *Reader) Text(what string) (Text, bool) {
	t, at := r.Token()
	s, ok := t.(string)
	if !ok {
		return Text{At: at}, r.WrongType(what, "a string", t, at)
	}
	return Text{s, at}, true
}

// Flag reads a boolean, false when it is none, which is reported.
func (r *Reader) Flag(what string) bool {
	t, at := r.Token()
	b, ok := t.(bool)
	if !ok {
		r.WrongType(what, "true or false", t, at)
	}
	return b
}

// Integer reads a whole number of 64 bits. Anything else is reported and gives 0 and false.
func (r *Reader) Integer(what string) (Number, bool) {
	t, at := r.Token()
	n, ok := t.(json.Number)
	if !ok {
		return Number{At: at}, r.WrongType(what, "a whole number", t, at)
	}
	v, ok := r.ParseInteger(what, n, at)
	return Number{v, at}, ok
}

// ParseInteger is Integer for a token that was read.
func (r *Reader) ParseInteger(what string, n json.Number, at Span) (int64, bool) {
	v, err := strconv.ParseInt(n.String(), 10, 64)
	switch {
	case err == nil:
		return v, true
	case errors.Is(err, strconv.ErrRange):
		r.Report(at, r.words.Value, "%s is %s, which does not fit into 64 bits. Use a smaller number.", Capital(what), Quoted(n.String()))
	default:
		r.Report(at, r.words.Type, "%s is %s, but must be a whole number. Write it without a fraction or exponent.", Capital(what), Quoted(n.String()))
	}
	return 0, false
}

// WrongType reports a value of another type, skips the rest of it and returns false.
func (r *Reader) WrongType(what, want string, got json.Token, at Span) bool {
	if r.dead {
		return false
	}
	r.Report(at, r.words.Type, "%s must be %s, not %s. Correct it.", Capital(what), want, kindOf(got))
	r.SkipRest(got, at)
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

// Capital makes the first letter a capital, for a sentence that starts with it.
func Capital(what string) string { return strings.ToUpper(what[:1]) + what[1:] }

// Quoted quotes a text of the file and shortens a very long one.
func Quoted(text string) string {
	const most = 120
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return fmt.Sprintf("%q", text)
}
