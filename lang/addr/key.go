package addr

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// KeyOf is the key of an instance as it stands in addresses, with its brackets: `["a"]` for a string, `[0]` for a whole
// number. It is "" for any other value.
func KeyOf(v cty.Value) string {
	if v == cty.NilVal || v.IsMarked() || v.IsNull() || !v.IsKnown() {
		return ""
	}
	switch v.Type() {
	case cty.String:
		return "[" + quote(v.AsString()) + "]"
	case cty.Number:
		if n, accuracy := v.AsBigFloat().Int64(); accuracy == big.Exact {
			return "[" + strconv.FormatInt(n, 10) + "]"
		}
	}
	return ""
}

// quote writes a string as the language would, so that an address can be read back.
func quote(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{").Replace(text)
	return `"` + escaped + `"`
}

// stepKey is the key that a step of a traversal names, "" when it names none: an index, or a name after a dot.
func stepKey(step hcl.Traverser) string {
	switch step := step.(type) {
	case hcl.TraverseAttr:
		return KeyOf(cty.StringVal(step.Name))
	case hcl.TraverseIndex:
		return KeyOf(step.Key)
	}
	return ""
}

// CompareNames orders full names. It is the order of their bytes, but for instances that are counted, which come in order
// of their numbers: b[2] before b[10].
func CompareNames(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return cmp.Compare(a[i:], b[i:])
		}
		if a[i] != '[' {
			continue
		}
		x, wide := number(a[i+1:])
		y, other := number(b[i+1:])
		if wide > 0 && other > 0 && (wide != other || x != y) {
			return cmp.Or(cmp.Compare(wide, other), cmp.Compare(x, y))
		}
	}
	return cmp.Compare(len(a), len(b))
}

// number returns the digits that a text begins with, and how many there are; 0 when no closing bracket follows them.
func number(text string) (string, int) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n == len(text) || text[n] != ']' {
		return "", 0
	}
	return text[:n], n
}
