package plan

import (
	"reflect"
	"strings"
)

// want says what a Go kind reads from JSON: the first byte of such a value, 0 when there are several, and its name.
type want struct {
	first byte
	text  string
	any   string
}

func (w want) accepts(first byte) bool { return strings.IndexByte(w.any, first) >= 0 }

func expected(kind reflect.Kind) want {
	switch kind {
	case reflect.Struct, reflect.Map:
		return want{first: '{', text: "an object"}
	case reflect.Slice:
		return want{first: '[', text: "a list"}
	case reflect.String:
		return want{first: '"', text: "text in quotes"}
	case reflect.Bool:
		return want{any: "tf", text: "true or false"}
	}
	return want{any: "-0123456789", text: "a whole number"}
}

// describe names the kind of JSON value that starts with the byte.
func describe(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// namesOf lists the names of members, in ascending order.
func namesOf(declared []field) []string {
	names := make([]string, len(declared))
	for i, f := range declared {
		names[i] = f.name
	}
	return names
}
