package schema

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
)

//go:embed preface.md
var preface string

// FunctionDoc describes a function for the documentation.
type FunctionDoc struct {
	Category, Signature, Doc, Example string
}

// Markdown writes the language reference: the blocks, the objects and the functions, in the order of the tables.
func Markdown(functions []FunctionDoc) string {
	var w strings.Builder
	w.WriteString(preface)
	w.WriteString("## Blocks\n")
	for i := range root.Blocks {
		writeBlock(&w, &root.Blocks[i], "###", "")
	}
	writeBlock(&w, &dynamicBlock, "###", "")
	w.WriteString("\n## Objects\n\nWhat a reference to a block gives, and what a rule's condition sees.\n")
	for _, kind := range []addr.Kind{addr.Device, addr.Pool, addr.Graph, addr.ScopeRule} {
		writeObject(&w, ObjectOf(kind))
		if kind == addr.Graph {
			writeObject(&w, PlannedTensor())
		}
	}
	writeObject(&w, &pathObject)
	for _, object := range append([]*Object{&eachObject, &countObject}, ConditionObjects()...) {
		writeObject(&w, object)
	}
	writeFunctions(&w, functions)
	return w.String()
}

func writeBlock(w *strings.Builder, b *Block, heading, inside string) {
	fmt.Fprintf(w, "\n%s `%s`", heading, b.Type)
	if inside != "" {
		fmt.Fprintf(w, " in `%s`", inside)
	}
	fmt.Fprintf(w, "\n\n%s\n", b.Doc)
	if occurrence := occurrence(b); occurrence != "" {
		fmt.Fprintf(w, "\n%s\n", occurrence)
	}
	if b.Label != nil {
		fmt.Fprintf(w, "\nLabel: %s. %s\n", b.Label.Name, b.Label.Doc)
	}
	if b.Example != "" {
		fmt.Fprintf(w, "\n```hcl\n%s\n```\n", b.Example)
	}
	if len(b.Attributes) > 0 {
		w.WriteString("\n| attribute | type | default | meaning |\n|---|---|---|---|\n")
		for i := range b.Attributes {
			writeAttribute(w, &b.Attributes[i])
		}
	}
	for i := range b.Attributes {
		writeValues(w, &b.Attributes[i])
	}
	for i := range b.Blocks {
		writeBlock(w, &b.Blocks[i], heading+"#", b.Type)
	}
}

func occurrence(b *Block) string {
	switch {
	case b.Once:
		return "At most one such block."
	case b.Required:
		return "One or more such blocks."
	}
	return ""
}

func writeAttribute(w *strings.Builder, a *Attribute) {
	meaning := a.Doc
	if a.Deprecated != "" {
		meaning = "**Deprecated.** " + a.Deprecated + " " + meaning
	}
	if a.Example != "" {
		meaning += " Example: `" + a.Example + "`."
	}
	fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", a.Name, typeText(a), defaultText(a), escapePipes(meaning))
}

func typeText(a *Attribute) string {
	switch a.Type {
	case Reference:
		return "reference to a `" + string(a.Refers) + "`"
	case References:
		return "list of references to `" + string(a.Refers) + "`"
	case Selection:
		return "list of references to `" + string(a.Refers) + "`, or of globs"
	}
	return a.Type.String()
}

func defaultText(a *Attribute) string {
	switch {
	case a.Required:
		return "**required**"
	case a.Default != "":
		return "`" + a.Default + "`"
	case a.DefaultDoc != "":
		return a.DefaultDoc
	}
	return "none"
}

func writeValues(w *strings.Builder, a *Attribute) {
	if len(a.Values) == 0 {
		return
	}
	fmt.Fprintf(w, "\nValues of `%s`:", a.Name)
	if a.Values[0].Doc == "" {
		names := make([]string, len(a.Values))
		for i, v := range a.Values {
			names[i] = " `\"" + v.Name + "\"`"
		}
		fmt.Fprintf(w, "%s.\n", strings.Join(names, ","))
		return
	}
	w.WriteString("\n\n")
	for _, v := range a.Values {
		fmt.Fprintf(w, "- `\"%s\"`: %s\n", v.Name, v.Doc)
	}
}

func writeObject(w *strings.Builder, o *Object) {
	fmt.Fprintf(w, "\n### `%s`\n\n%s\n\n| field | type | meaning |\n|---|---|---|\n", o.Name, o.Doc)
	for _, f := range o.Fields {
		doc := f.Doc
		if f.Planned {
			doc = "*Planned.* " + doc
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", f.Name, fieldType(f.Type), escapePipes(doc))
	}
}

func fieldType(t cty.Type) string {
	switch {
	case t.IsMapType():
		return "map of objects"
	case t.IsListType():
		return "list of " + t.ElementType().FriendlyName() + "s"
	case t == cty.DynamicPseudoType:
		return "any"
	}
	return t.FriendlyName()
}

func writeFunctions(w *strings.Builder, functions []FunctionDoc) {
	w.WriteString("\n## Functions\n\nA function's result has 16 MiB of text or 100,000 elements at most.\n")
	category := ""
	for _, f := range functions {
		if f.Category != category {
			category = f.Category
			fmt.Fprintf(w, "\n### %s\n\n| function | meaning | example |\n|---|---|---|\n", category)
		}
		fmt.Fprintf(w, "| `%s` | %s | `%s` |\n", f.Signature, escapePipes(f.Doc), escapePipes(f.Example))
	}
}

// escapePipes keeps a text within its cell of a table.
func escapePipes(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
