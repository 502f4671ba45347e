package server

import (
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/schema"
)

// value offers what can stand in a value: in a string, after a dot, or at its start.
func (c *completing) value(a *outline.Attribute) {
	if span, ok := c.file.StringAt(c.offset); ok && span.Contains(c.offset) {
		c.text(a, span)
		return
	}
	word := c.word()
	steps := c.stepsBefore(word.Start)
	switch {
	case len(steps) > 0:
		c.fields(a, steps, word)
	case a.Schema != nil && a.Schema.Type == schema.Dimensions && c.isKey(a, word.Start):
		c.dimensions(a, word)
	case a.Schema != nil && a.Schema.Type == schema.TypeConstraint:
		for _, name := range []string{"string", "number", "bool", "any", "list(string)", "map(string)", "object({})"} {
			c.add(offer{label: name, text: name, kind: protocol.CompletionItemKindTypeParameter, span: word})
		}
	default:
		c.expressions(a, word)
	}
}

// isKey reports whether a key of an object can stand at an offset: after a brace, a comma or a line break.
func (c *completing) isKey(a *outline.Attribute, offset int) bool {
	before := strings.TrimRight(string(c.file.Src[a.Equals.End:max(offset, a.Equals.End)]), " \t")
	return strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",") || strings.HasSuffix(before, "\n")
}

// stepsBefore are the names that stand before an offset, each with a dot behind it: pool.arena. gives pool and arena.
func (c *completing) stepsBefore(offset int) []string {
	i := sort.Search(len(c.file.Tokens), func(i int) bool { return c.file.Tokens[i].Range.End.Byte > offset-1 })
	var steps []string
	for i >= 1 && i < len(c.file.Tokens) && c.file.Tokens[i].Type == hclsyntax.TokenDot {
		if c.file.Tokens[i-1].Type == hclsyntax.TokenCBrack && i >= 6 && c.file.Tokens[i-3].Type == hclsyntax.TokenQuotedLit {
			steps = append(steps, string(c.file.Tokens[i-3].Bytes))
			if c.file.Tokens[i-6].Type != hclsyntax.TokenIdent {
				return nil
			}
			steps = append(steps, string(c.file.Tokens[i-6].Bytes))
			i -= 7
			continue
		}
		if c.file.Tokens[i-1].Type != hclsyntax.TokenIdent {
			return nil
		}
		steps = append(steps, string(c.file.Tokens[i-1].Bytes))
		i -= 2
	}
	slices.Reverse(steps)
	return steps
}

// fields offers what can follow names and a dot.
func (c *completing) fields(a *outline.Attribute, steps []string, word outline.Span) {
	kind := addr.Kind(steps[0])
	switch {
	case len(steps) == 1 && kind == addr.Path:
		c.add(offer{label: "module", detail: "string", text: "module", kind: protocol.CompletionItemKindField, span: word})
	case len(steps) == 1 && slices.Contains(addr.Kinds(), kind):
		for _, name := range c.declaredNames(kind) {
			c.add(offer{label: name, detail: string(kind), text: name, kind: protocol.CompletionItemKindVariable, span: word})
		}
	case len(steps) == 2 && kind == addr.Module:
		c.outputs(steps[1], word)
	case len(steps) == 2 && schema.ObjectOf(kind) != nil:
		c.objectFields(schema.ObjectOf(kind), word)
	case len(steps) == 4 && kind == addr.Graph && steps[2] == "tensor":
		c.objectFields(schema.PlannedTensor(), word)
	case len(steps) == 1:
		for _, object := range conditionObjects(c.file, a) {
			if object.Name == steps[0] {
				c.objectFields(object, word)
			}
		}
	}
}

func (c *completing) objectFields(object *schema.Object, word outline.Span) {
	for _, f := range object.Fields {
		detail := f.Type.FriendlyName()
		if f.Planned {
			detail += ", planned"
		}
		c.add(offer{label: f.Name, detail: detail, text: f.Name, kind: protocol.CompletionItemKindField, docs: (&describe.Page{}).Text("%s", f.Doc), span: word})
	}
}

func (c *completing) outputs(module string, word outline.Span) {
	m := moduleNamed(c.Config(c.loaded), module)
	if m == nil || m.Config == nil {
		return
	}
	for _, o := range m.Config.Outputs {
		c.add(offer{label: o.Name, detail: "output", text: o.Name, kind: protocol.CompletionItemKindField, docs: (&describe.Page{}).Text("%s", o.Description), span: word})
	}
}

// declaredNames lists what is declared of a kind, in order of name.
func (c *completing) declaredNames(kind addr.Kind) []string {
	var names []string
	for _, doc := range c.Documents(c.loaded) {
		for _, name := range declarationsIn(doc) {
			if name.Address.Kind == kind && name.Address.Name != "" {
				names = append(names, name.Address.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// expressions offers what can begin a value, the likeliest first.
func (c *completing) expressions(a *outline.Attribute, word outline.Span) {
	if a.Schema != nil {
		if a.Schema.Refers != "" {
			c.addresses(a.Schema.Refers, word)
		}
		for _, v := range a.Schema.Values {
			c.add(offer{label: `"` + v.Name + `"`, detail: v.Doc, text: `"` + v.Name + `"`, kind: protocol.CompletionItemKindEnumMember, span: word})
		}
		if a.Schema.Type == schema.Bool {
			for _, name := range []string{"true", "false"} {
				c.add(offer{label: name, text: name, kind: protocol.CompletionItemKindKeyword, span: word})
			}
		}
		if a.Schema.Phase == schema.Constant {
			return
		}
	}
	for _, object := range conditionObjects(c.file, a) {
		c.add(offer{label: object.Name, text: object.Name, kind: protocol.CompletionItemKindVariable, docs: (&describe.Page{}).Text("%s", object.Doc), span: word})
	}
	for _, kind := range addr.Kinds() {
		if a.Schema == nil || a.Schema.Refers != kind {
			c.addresses(kind, word)
		}
	}
	c.calls(word)
}

// addresses offers everything that is declared of a kind.
func (c *completing) addresses(kind addr.Kind, word outline.Span) {
	for _, name := range c.declaredNames(kind) {
		text := string(kind) + "." + name
		c.add(offer{label: text, detail: string(kind), text: text, kind: protocol.CompletionItemKindReference, span: word})
	}
}

func (c *completing) calls(word outline.Span) {
	for _, f := range functions() {
		c.add(offer{label: f.Name, detail: f.Signature, text: f.Name + "(${1})", plain: f.Name, snippet: true, kind: protocol.CompletionItemKindFunction, docs: functionPage(f), span: word})
	}
}
