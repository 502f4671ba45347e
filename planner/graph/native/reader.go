package native

import (
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// words are how faults of the JSON itself are reported.
var words = jsontext.Words{
	Syntax: diag.NativeSyntax, Repeated: diag.NativeRepeatedField, Type: diag.NativeType, Value: diag.NativeValue, More: diag.NativeMore,
	Advice: "Correct the file at this place.",
}

// reader reads the parts of a file.
type reader struct{ *jsontext.Reader }

// fieldRule says how a field of an object is read.
type fieldRule struct {
	name     string
	required bool
	read     func(r *reader)
}

// object reads an object with the given fields, in any order. what names it in messages.
func (r *reader) object(what string, rules []fieldRule) (jsontext.Span, bool) {
	seen := make([]bool, len(rules))
	at, ok := r.Object(what, func(name string, at jsontext.Span) {
		i := ruleNamed(rules, name)
		if i < 0 {
			r.unknownField(what, name, rules, at)
			r.Skip()
			return
		}
		seen[i] = true
		rules[i].read(r)
	})
	for i, rule := range rules {
		if ok && rule.required && !seen[i] {
			r.Report(at.Start(), diag.NativeMissingField, "%s has no field %q. Add it.", jsontext.Capital(what), rule.name)
		}
	}
	return at, ok
}

func ruleNamed(rules []fieldRule, name string) int {
	for i := range rules {
		if rules[i].name == name {
			return i
		}
	}
	return -1
}

func (r *reader) unknownField(what, name string, rules []fieldRule, at jsontext.Span) {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].name
	}
	r.Report(at, diag.NativeUnknownField, "Field %s of %s is not known; the fields are %s.%s Remove or rename it.",
		jsontext.Quoted(name), what, strings.Join(names, ", "), diag.DidYouMean(name, names))
}
