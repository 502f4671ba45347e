package server

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/lang/units"
)

// evaluate gives an expression of the configuration its value, with those of the last plan. The second result is false
// when it has none. While the configuration has errors only constants have values.
func (q *query) evaluate(loaded *session.Loaded, text string) (cty.Value, bool) {
	if text == "" {
		return cty.NilVal, false
	}
	expr, ds := syntax.ParseExpression("", []byte(text))
	if ds.HasErrors() || loaded.Diags.HasErrors() && len(expr.Variables()) > 0 {
		return cty.NilVal, false
	}
	value, diags := q.Evaluate(loaded, expr)
	if diags.HasErrors() || value == cty.NilVal || eval.IsInvalid(value) {
		return cty.NilVal, false
	}
	return value, true
}

// longestValue bounds in bytes the value that is shown.
const longestValue = 400

// valueWords writes a value for people: a number of bytes also with a unit, a secret not at all.
func valueWords(v cty.Value) string {
	if eval.IsSensitive(v) {
		return "(sensitive)"
	}
	v = eval.Plain(v)
	if !v.IsWhollyKnown() {
		return "known once planned"
	}
	if n, ok := wholeNumber(v); ok && (n >= 1024 || n <= -1024) {
		return fmt.Sprintf("`%d` (%s)", n, units.FormatBytes(n))
	}
	text := describe.Code(valueText(v))
	if !v.IsNull() && v.Type() == cty.String && strings.HasSuffix(v.AsString(), "B") {
		if n, ok := sizeOf(v); ok {
			text += " (" + units.FormatExact(n) + ")"
		}
	}
	return text
}

func wholeNumber(v cty.Value) (int64, bool) {
	if v.IsNull() || v.Type() != cty.Number || !v.AsBigFloat().IsInt() {
		return 0, false
	}
	n, accuracy := v.AsBigFloat().Int64()
	return n, accuracy == 0
}

// valueText writes a value as JSON, which is how most of it would be written in a configuration too.
func valueText(v cty.Value) string {
	v = eval.Plain(v)
	if !v.IsWhollyKnown() {
		return "known once planned"
	}
	encoded, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return v.Type().FriendlyName()
	}
	if len(encoded) > longestValue {
		return strings.ToValidUTF8(string(encoded[:longestValue]), "") + "..."
	}
	return string(encoded)
}

// sizeOf reads a value as a size in bytes.
func sizeOf(v cty.Value) (int64, bool) {
	if eval.IsSensitive(v) {
		return 0, false
	}
	v = eval.Plain(v)
	if !v.IsKnown() || v.IsNull() {
		return 0, false
	}
	var n int64
	var err error
	switch v.Type() {
	case cty.String:
		n, err = units.ParseBytes(v.AsString())
	case cty.Number:
		n, err = units.FromNumber(v.AsBigFloat())
	default:
		return 0, false
	}
	return n, err == nil
}

// bytesText writes an amount exactly and with a unit.
func bytesText(n int64) string { return units.FormatBoth(n) }

func typeText(t cty.Type) string {
	if t == cty.NilType || t == cty.DynamicPseudoType {
		return "any"
	}
	return typeexpr.TypeString(t)
}
