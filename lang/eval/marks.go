package eval

import (
	"github.com/zclconf/go-cty/cty"
)

// mark is the type of the marks without content.
type mark string

const (
	// Sensitive marks values that messages and listings hide.
	Sensitive = mark("sensitive")
	// Invalid marks the stand-in for a value that could not be computed; the fault has been reported already, so
	// whatever depends on it stays silent.
	Invalid = mark("invalid")
)

// Planned marks a value that is unknown until the plan is made, with the reference it came from, as in
// "pool.arena.peak".
type Planned string

// InvalidValue is the stand-in for a value that could not be computed.
func InvalidValue() cty.Value { return invalid }

var invalid = cty.DynamicVal.Mark(Invalid)

// PlannedValue is a value of the type that is unknown until the plan is made.
func PlannedValue(t cty.Type, source string) cty.Value {
	return cty.UnknownVal(t).Mark(Planned(source))
}

// IsInvalid reports whether v, or something in it, stands for a value whose fault has been reported.
func IsInvalid(v cty.Value) bool { return hasMark(v, func(m any) bool { return m == Invalid }) }

// IsSensitive reports whether v, or something in it, is to be hidden.
func IsSensitive(v cty.Value) bool { return hasMark(v, func(m any) bool { return m == Sensitive }) }

// PlannedSource returns the reference that makes v unknown until the plan is made, "" when nothing does. Of several,
// it is the first in order of text.
func PlannedSource(v cty.Value) string {
	if v == cty.NilVal || !v.ContainsMarked() {
		return ""
	}
	_, marks := v.UnmarkDeep()
	return firstPlanned(marks)
}

// firstPlanned is the first of the references that make a value unknown, in order of text, "" when there is none.
func firstPlanned(marks cty.ValueMarks) string {
	first := ""
	for m := range marks {
		if p, ok := m.(Planned); ok && (first == "" || string(p) < first) {
			first = string(p)
		}
	}
	return first
}

func hasMark(v cty.Value, is func(any) bool) bool {
	if v == cty.NilVal || !v.ContainsMarked() {
		return false
	}
	_, marks := v.UnmarkDeep()
	for m := range marks {
		if is(m) {
			return true
		}
	}
	return false
}

// Plain returns v without any marks.
func Plain(v cty.Value) cty.Value {
	if v == cty.NilVal || !v.ContainsMarked() {
		return v
	}
	plain, _ := v.UnmarkDeep()
	return plain
}
