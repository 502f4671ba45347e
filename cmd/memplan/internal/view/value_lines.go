package view

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/eval"
)

// ValueLines writes a whole value as a configuration would, collections over several lines. Sensitive values are hidden,
// and those that depend on a plan that was not made say so.
func ValueLines(value cty.Value) string {
	if eval.IsSensitive(value) {
		return "(sensitive)"
	}
	var b strings.Builder
	writeValue(&b, value, 0)
	return b.String()
}

func writeValue(b *strings.Builder, value cty.Value, depth int) {
	if eval.IsSensitive(value) {
		b.WriteString("(sensitive)")
		return
	}
	value = eval.Plain(value)
	kind := value.Type()
	switch {
	case !value.IsKnown() || value.IsNull() || kind.IsPrimitiveType():
		b.WriteString(valueText(value))
	case kind.IsObjectType() || kind.IsMapType():
		writeMembers(b, value, depth)
	case kind.IsListType() || kind.IsTupleType() || kind.IsSetType():
		writeElements(b, value, depth)
	default:
		b.WriteString(valueText(value))
	}
}

func writeMembers(b *strings.Builder, value cty.Value, depth int) {
	if value.LengthInt() == 0 {
		b.WriteString("{}")
		return
	}
	widest := 0
	for it := value.ElementIterator(); it.Next(); {
		name, _ := it.Element()
		widest = max(widest, len(keyText(name.AsString())))
	}
	b.WriteString("{\n")
	for it := value.ElementIterator(); it.Next(); {
		name, element := it.Element()
		key := keyText(name.AsString())
		b.WriteString(strings.Repeat("  ", depth+1) + key + strings.Repeat(" ", widest-len(key)) + " = ")
		writeValue(b, element, depth+1)
		b.WriteByte('\n')
	}
	b.WriteString(strings.Repeat("  ", depth) + "}")
}

func writeElements(b *strings.Builder, value cty.Value, depth int) {
	if value.LengthInt() == 0 {
		b.WriteString("[]")
		return
	}
	b.WriteString("[\n")
	for it := value.ElementIterator(); it.Next(); {
		_, element := it.Element()
		b.WriteString(strings.Repeat("  ", depth+1))
		writeValue(b, element, depth+1)
		b.WriteString(",\n")
	}
	b.WriteString(strings.Repeat("  ", depth) + "]")
}

func keyText(name string) string {
	if hclsyntax.ValidIdentifier(name) {
		return name
	}
	return strconv.Quote(name)
}
