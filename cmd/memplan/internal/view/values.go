package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// reference is a variable that a faulty expression uses, with the value it has there.
type reference struct {
	Traversal string `json:"traversal"`
	Statement string `json:"statement"`
}

// references lists the variables of a diagnostic's expression, in ascending order and each once. What cannot be
// evaluated is left out: that is the fault reported, or another one.
func references(d *diag.Diagnostic) []reference {
	if d.Expression == nil || d.EvalContext == nil {
		return nil
	}
	var out []reference
	for _, traversal := range d.Expression.Variables() {
		value, problems := traversal.TraverseAbs(d.EvalContext)
		if problems.HasErrors() {
			continue
		}
		out = append(out, reference{traversalText(traversal), "is " + briefText(value)})
	}
	slices.SortFunc(out, func(a, b reference) int { return strings.Compare(a.Traversal, b.Traversal) })
	return slices.Compact(out)
}

func traversalText(traversal hcl.Traversal) string {
	var b strings.Builder
	for _, step := range traversal {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(step.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + step.Name)
		case hcl.TraverseIndex:
			b.WriteString("[" + valueText(step.Key) + "]")
		}
	}
	return b.String()
}

// longestValue is the number of elements up to which a collection is written out, longestText the bytes up to which one is
// beside a snippet.
const (
	longestValue = 8
	longestText  = 120
)

// briefText is valueText, but that a collection whose text is long is written by its size.
func briefText(value cty.Value) string {
	text := valueText(value)
	plain := eval.Plain(value)
	if kind := plain.Type(); len(text) > longestText && (kind.IsCollectionType() || kind.IsObjectType() || kind.IsTupleType()) {
		return sizeText(plain)
	}
	return text
}

// sizeText says how many elements a collection has.
func sizeText(value cty.Value) string {
	switch kind := value.Type(); {
	case kind.IsObjectType():
		return "an object of " + plural(value.LengthInt(), "attribute")
	case kind.IsMapType():
		return "a map of " + plural(value.LengthInt(), "element")
	}
	return "a list of " + plural(value.LengthInt(), "element")
}

// valueText writes a value as a configuration would, collections of more than a few elements by their size alone.
func valueText(value cty.Value) string {
	if eval.IsSensitive(value) {
		return "(sensitive)"
	}
	value = eval.Plain(value)
	kind := value.Type()
	switch {
	case !value.IsKnown():
		return "known only after planning"
	case value.IsNull():
		return "null"
	case kind == cty.String:
		return strconv.Quote(value.AsString())
	case kind == cty.Number:
		return numberText(value)
	case kind == cty.Bool:
		return strconv.FormatBool(value.True())
	case kind.IsObjectType() || kind.IsMapType():
		return objectText(value)
	case kind.IsListType() || kind.IsTupleType() || kind.IsSetType():
		return listText(value)
	}
	return "a value of type " + kind.FriendlyName()
}

func numberText(value cty.Value) string {
	number := value.AsBigFloat()
	if number.IsInt() {
		return number.Text('f', 0)
	}
	return number.Text('g', 10)
}

func listText(value cty.Value) string {
	if value.LengthInt() > longestValue {
		return sizeText(value)
	}
	var parts []string
	for it := value.ElementIterator(); it.Next(); {
		_, element := it.Element()
		parts = append(parts, valueText(element))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func objectText(value cty.Value) string {
	if value.LengthInt() > longestValue {
		return sizeText(value)
	}
	var parts []string
	for it := value.ElementIterator(); it.Next(); {
		name, element := it.Element()
		key := name.AsString()
		if !hclsyntax.ValidIdentifier(key) {
			key = strconv.Quote(key)
		}
		parts = append(parts, key+" = "+valueText(element))
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// plural writes a count with its noun: "1 tensor", "2 tensors".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
