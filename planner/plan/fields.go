package plan

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// field is one member of a JSON object as a Go struct declares it.
type field struct {
	name      string
	index     []int
	omitEmpty bool
}

// fields lists the JSON members of struct types. It remembers what it has seen: one lives for one encoding or decoding.
type fields map[reflect.Type][]field

// of returns the members of t in ascending order of name, those of embedded structs included.
func (f fields) of(t reflect.Type) []field {
	if known, ok := f[t]; ok {
		return known
	}
	var out []field
	for _, sf := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if sf.Anonymous || name == "" || name == "-" {
			continue
		}
		out = append(out, field{name: name, index: sf.Index, omitEmpty: options == "omitempty"})
	}
	slices.SortFunc(out, func(a, b field) int { return cmp.Compare(a.name, b.name) })
	f[t] = out
	return out
}
