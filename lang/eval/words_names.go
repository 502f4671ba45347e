package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
)

// The next steps that names take the place of where the finding tells what was looked into.
const (
	compareKey   = " Compare the key with those that the value has."
	compareName  = " Compare the name with those that the value has."
	compareStart = " An expression starts with the word of a block, such as pool or graph, or with var, local, module, path, each, count or self."
)

// withNames puts the names there are in the place of the advice to look for them.
func withNames(text string, d *hcl.Diagnostic) string {
	for _, advice := range []string{compareKey, compareName, compareStart} {
		start, found := strings.CutSuffix(text, advice)
		if !found {
			continue
		}
		if names := named(d).Text; names != "" {
			return start + names
		}
	}
	return text
}

// named says what there is in the place of a name that a finding did not find.
func named(d *hcl.Diagnostic) diag.Hint {
	if d.Summary == "Unknown variable" {
		return beginnings(d)
	}
	return among(d)
}

// beginnings says what an expression can start with in a context, the nearest word first.
func beginnings(d *hcl.Diagnostic) diag.Hint {
	written, ok := d.Expression.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return diag.Hint{}
	}
	var names []string
	for ctx := d.EvalContext; ctx != nil; ctx = ctx.Parent() {
		names = slices.AppendSeq(names, maps.Keys(ctx.Variables))
	}
	slices.Sort(names)
	return oneOf(written.Traversal.RootName(), slices.Compact(names), " An expression here starts with %s.", "or")
}

// among says what the value has of which an index or an attribute was asked that it does not have: the nearest name, else the first
// of them. Of a sensitive value it says nothing more.
func among(d *hcl.Diagnostic) diag.Hint {
	value, asked := refused(d)
	if value.IsMarked() || !value.IsKnown() || value.IsNull() {
		return diag.Hint{}
	}
	switch t := value.Type(); {
	case t.IsObjectType():
		return oneOf(asked, slices.Sorted(maps.Keys(t.AttributeTypes())), " It has %s.", "and")
	case t.IsMapType():
		return oneOf(asked, slices.Sorted(maps.Keys(value.AsValueMap())), " It has %s.", "and")
	case t.IsListType() || t.IsTupleType():
		return diag.Hint{Text: fmt.Sprintf(" Its length is %d, and indexes start at 0.", value.LengthInt())}
	}
	return diag.Hint{}
}

// refused returns the value in which a finding looked for a name, and the name, "" for a number; a null value when the finding does
// not tell.
func refused(d *hcl.Diagnostic) (value cty.Value, asked string) {
	written, ok := d.Expression.(*hclsyntax.ScopeTraversalExpr)
	if !ok || d.Subject == nil || d.EvalContext == nil {
		return cty.NullVal(cty.DynamicPseudoType), ""
	}
	for i, step := range written.Traversal[1:] {
		if step.SourceRange() != *d.Subject {
			continue
		}
		value, _ = written.Traversal[:i+1].TraverseAbs(d.EvalContext)
		return value, stepName(step)
	}
	return cty.NullVal(cty.DynamicPseudoType), ""
}

func stepName(step hcl.Traverser) string {
	switch step := step.(type) {
	case hcl.TraverseAttr:
		return step.Name
	case hcl.TraverseIndex:
		if key := step.Key; key.Type() == cty.String && key.IsKnown() && !key.IsNull() {
			return key.AsString()
		}
	}
	return ""
}

// mostNames bounds how many names a message lists.
const mostNames = 10

// oneOf names the nearest of names, else the first of them in a sentence, "" when there is none.
func oneOf(given string, names []string, sentence, conjunction string) diag.Hint {
	near := diag.DidYouMean(given, names)
	if near.Text != "" {
		return near
	}
	var items []string
	for _, name := range names[:min(len(names), mostNames)] {
		items = append(items, fmt.Sprintf("%q", name))
	}
	if more := len(names) - len(items); more > 0 {
		items = append(items, fmt.Sprintf("%d more", more))
	}
	if len(items) == 0 {
		return diag.Hint{}
	}
	return diag.Hint{Text: fmt.Sprintf(sentence, diag.Enumerate(items, conjunction))}
}
