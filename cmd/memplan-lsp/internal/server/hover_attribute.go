package server

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/schema"
)

// blockPage is the documentation of a block.
func blockPage(b *outline.Block) *describe.Page {
	page := &describe.Page{}
	if b.Schema == nil {
		return page
	}
	return page.Text("**%s** %s", b.Type, b.Schema.Doc)
}

// attribute explains an attribute and shows its value.
func (h *hovering) attribute(a *outline.Attribute) *describe.Page {
	page := &describe.Page{}
	switch {
	case a.Schema != nil:
		page.Add(attributePage(a.Schema))
	case a.Block.Type == "locals":
		page.Text("**`local.%s`**", a.Name)
	case a.Block.Type == "module":
		h.input(page, a)
	default:
		return nil
	}
	if a.Schema != nil && (!hasValue(a.Schema) || a.Schema.Phase == schema.DuringPlanning) {
		return page
	}
	value, ok := h.evaluate(h.file.Text(a.Value))
	switch {
	case !ok:
	case a.Schema != nil && a.Schema.Type == schema.Size:
		if n, ok := sizeOf(value); ok {
			page.Text("Value: %s", bytesText(n))
		}
	default:
		page.Text("Value: %s", valueWords(value))
	}
	return page
}

// hasValue says whether an attribute has a value of its own to show: a reference is an address, which stands there already.
func hasValue(a *schema.Attribute) bool {
	return a.Type != schema.TypeConstraint && a.Type != schema.Reference && a.Type != schema.References
}

// input explains an input of a module.
func (h *hovering) input(page *describe.Page, a *outline.Attribute) {
	page.Text("**%s**", describe.Code(a.Name))
	m := moduleNamed(h.Config(h.loaded), a.Block.Label())
	if m == nil || m.Config == nil {
		return
	}
	for i := range m.Config.Declarations {
		if v := &m.Config.Declarations[i]; v.Name == a.Name {
			page.Add(variablePage(v))
		}
	}
}

// attributePage is the documentation of an attribute.
func attributePage(a *schema.Attribute) *describe.Page {
	page := (&describe.Page{}).Text("**`%s`** %s%s", a.Name, a.Type, demand(a))
	if a.Deprecated != "" {
		page.Text("**Deprecated.** %s", a.Deprecated)
	}
	page.Text("%s", a.Doc)
	rows := [][]string{{"value", "meaning"}}
	for _, v := range a.Values {
		rows = append(rows, []string{"`" + v.Name + "`", v.Doc})
	}
	if a.Values != nil && a.Values[0].Doc != "" {
		page.Table(rows)
	} else if a.Values != nil {
		page.Text("One of `%s`.", strings.Join(a.ValueNames(), "`, `"))
	}
	return page
}

func demand(a *schema.Attribute) string {
	switch {
	case a.Required:
		return ", required"
	case a.Default != "":
		return ", default `" + a.Default + "`"
	case a.DefaultDoc != "":
		return ", default: " + a.DefaultDoc
	}
	return ""
}

// evaluate gives an expression its value, with the last plan's. The second result is false when it has none.
func (h *hovering) evaluate(text string) (cty.Value, bool) { return h.query.evaluate(h.loaded, text) }
