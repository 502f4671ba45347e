package addr

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
)

// Reference is an address as an expression refers to it, with what follows it.
type Reference struct {
	// Address is that of the block, without the key of an instance.
	Address Address
	// Instance is the key that follows the name of a block with for_each or count, as in `["a"]`; "" when all instances are
	// referred to, and where the key is an expression.
	Instance string
	// Rest is what follows kind, name and key: ".peak", `.tensor["t"].offset`.
	Rest hcl.Traversal
	// Range is that of kind and name; Whole includes Rest.
	Range, Whole hcl.Range
}

// Keyed returns the reference with its first step taken for the key of an instance, as given; the second result is false
// when that step is no key.
func (r Reference) Keyed() (Reference, bool) {
	if len(r.Rest) == 0 {
		return r, false
	}
	key := stepKey(r.Rest[0])
	if key == "" {
		return r, false
	}
	r.Instance, r.Rest = key, r.Rest[1:]
	return r, true
}

// Field returns the name of the first field after the address, as "peak" in pool.arena.peak or pool.arena["peak"], ""
// when there is none.
func (r Reference) Field() string {
	if len(r.Rest) == 0 {
		return ""
	}
	return stepName(r.Rest[0])
}

// Key returns the string after the first field, as "t" in graph.g.tensor["t"]; the second result is false when there is
// none.
func (r Reference) Key() (string, bool) {
	if len(r.Rest) < 2 {
		return "", false
	}
	name := stepName(r.Rest[1])
	return name, name != ""
}

func stepName(step hcl.Traverser) string {
	switch step := step.(type) {
	case hcl.TraverseAttr:
		return step.Name
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
			return step.Key.AsString()
		}
	}
	return ""
}

// Parse takes a traversal for a reference. A traversal that is none gives a diagnostic with the traversal's range.
// Further roots that are legal in the expression, such as "tensor" in a rule's condition, are handled by the caller
// before; they are listed in extra for suggestions.
func Parse(t hcl.Traversal, extra ...string) (Reference, diag.Diagnostics) {
	root := t.RootName()
	whole := t.SourceRange()
	if !slices.Contains(Kinds(), Kind(root)) {
		return Reference{}, diag.Diagnostics{unknownRoot(t, extra).At(t[0].SourceRange())}
	}
	if len(t) < 2 {
		return Reference{}, diag.Diagnostics{noName(root).At(whole)}
	}
	name, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		return Reference{}, diag.Diagnostics{indexed(root, t[1]).At(whole)}
	}
	return Reference{
		Address: Address{Kind: Kind(root), Name: name.Name},
		Rest:    t[2:],
		Range:   hcl.RangeBetween(t[0].SourceRange(), name.SrcRange),
		Whole:   whole,
	}, nil
}

func unknownRoot(t hcl.Traversal, extra []string) diag.Diagnostic {
	root := t.RootName()
	if where := within[root]; where != "" {
		return diag.New(diag.InvalidReference, "Nothing is called %q here: it is there %s.", root, where)
	}
	if len(t) == 1 {
		return diag.New(diag.InvalidReference, "Nothing is called %q here. If it is meant as a text, put it in double quotes.", root)
	}
	if last, ok := t[len(t)-1].(hcl.TraverseAttr); ok && slices.Contains(fileEndings, last.Name) {
		return diag.New(diag.InvalidReference, "Nothing is called %q here. If the path of a file is meant, put it in double quotes.", root)
	}
	var names []string
	for _, kind := range Kinds() {
		names = append(names, string(kind))
	}
	names = append(names, extra...)
	hint := diag.DidYouMean(root, names)
	if kind, ok := blockTypes[root]; ok {
		hint = diag.Meant(root, string(kind))
	}
	hint = hint.Or(fmt.Sprintf(" Begin the reference with %s, or put a text in double quotes.", diag.Enumerate(names, "or")))
	return diag.New(diag.InvalidReference, "Nothing is called %q here.%s", root, hint)
}

// fileEndings are what a path without its quotes ends in, which reads as a reference.
var fileEndings = []string{"onnx", "tflite", "json", "csv", "hcl", "npy"}

// within says where names are known that mean something in some blocks only.
var within = map[string]string{
	"each":  "in a block that has for_each. Add for_each to the block, or write the value itself",
	"count": "in a block that has count. Add count to the block, or write the value itself",
	"self":  "in a postcondition. Refer to the block by its address",
}

// blockTypes are the types of blocks whose references begin with another word.
var blockTypes = map[string]Kind{"variable": Variable, "locals": Local}

func noName(root string) diag.Diagnostic {
	return diag.New(diag.InvalidReference, "%q alone is not a value. Write the name after it, as in %s.NAME.", root, root)
}

func indexed(root string, step hcl.Traverser) diag.Diagnostic {
	name := stepName(step)
	if name == "" {
		return diag.New(diag.InvalidReference, "A name follows %q after a dot, not in brackets. Write %s.NAME.", root, root)
	}
	meant := root + "." + name
	return diag.New(diag.InvalidReference, "A name follows %q after a dot, not in brackets. Write %s.", root, meant).With(diag.Replace{With: meant})
}
