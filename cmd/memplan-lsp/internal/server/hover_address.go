package server

import (
	"path"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/planner/plan"
)

// declared explains what a block declares; nil when it declares nothing.
func (h *hovering) declared(b *outline.Block) *describe.Page {
	if b.Schema == nil || b.Schema.Kind == "" {
		return nil
	}
	return h.facts(addr.Address{Kind: b.Schema.Kind, Name: b.Label()})
}

// address explains an address: what it is, and what is known of it.
func (h *hovering) address(a addr.Address) *describe.Page {
	page := (&describe.Page{}).Text("**%s**", describe.Code(a.String()))
	if o := declarationOf(h.Documents(h.loaded), a); o != nil && o.document.URI != h.Document.URI {
		page.Text("declared in %s", describe.Code(path.Base(string(o.document.URI))))
	}
	return page.Add(h.facts(a))
}

// facts are what configuration and plan say of an address.
func (h *hovering) facts(a addr.Address) *describe.Page {
	page := &describe.Page{}
	switch a.Kind {
	case addr.Variable:
		h.variable(page, a.Name)
	case addr.Local:
		h.valueOf(page, a)
	case addr.Module:
		h.module(page, a.Name)
	case addr.Output:
		h.output(page, a.Name)
	case addr.Device:
		h.device(page, a.Name)
	case addr.Pool:
		h.planned(page, func(p *plan.Plan) *describe.Page { return describe.Pool(p, a.Name) })
	case addr.Graph:
		h.planned(page, func(p *plan.Plan) *describe.Page { return describe.Graph(p, a.Name) })
	case addr.ScopeRule:
		h.planned(page, func(p *plan.Plan) *describe.Page { return describe.Rule(p, a.Name) })
	}
	return page
}

// planned adds what the last plan says, marked when that is of an earlier text.
func (h *hovering) planned(page *describe.Page, write func(*plan.Plan) *describe.Page) {
	planned, current := h.Planned()
	if planned == nil {
		if h.Pending() {
			page.Text("The plan is being made.")
		}
		return
	}
	if written := write(planned.Plan); written != nil {
		page.Add(written).Add(h.staleness(current))
	}
}

func (h *hovering) variable(page *describe.Page, name string) {
	for i := range h.Config(h.loaded).Declarations {
		v := &h.Config(h.loaded).Declarations[i]
		if v.Name != name {
			continue
		}
		page.Add(variablePage(v))
		value, ok := h.Config(h.loaded).Variables[name]
		switch {
		case v.Sensitive:
			page.Text("Value: (sensitive), from %s", h.origin(v))
		case ok && !eval.IsInvalid(value):
			page.Text("Value: %s, from %s", describe.Code(valueText(value)), h.origin(v))
		}
	}
}

// origin says where the value of a variable comes from: variables files, the last of them first, then the environment,
// then the default.
func (h *hovering) origin(v *eval.Variable) string {
	for _, name := range slices.Backward(h.loaded.VariablesFiles()) {
		if doc := h.loaded.Document(name); doc != nil && doc.Outline().Root.Attribute(v.Name) != nil {
			return describe.Code(name)
		}
	}
	prefix := eval.EnvironmentPrefix + v.Name + "="
	if slices.ContainsFunc(h.server.options.Environment, func(entry string) bool { return strings.HasPrefix(entry, prefix) }) {
		return "the environment variable `" + eval.EnvironmentPrefix + v.Name + "`"
	}
	return "its default"
}

func variablePage(v *eval.Variable) *describe.Page {
	page := &describe.Page{}
	if v.Description != "" {
		page.Text("%s", v.Description)
	}
	page.Text("Type: %s", describe.Code(typeText(v.Type)))
	switch {
	case v.Default == cty.NilVal:
		page.Text("It has no default: a value is required.")
	case !v.Sensitive && !eval.IsInvalid(v.Default):
		page.Text("Default: %s", describe.Code(valueText(v.Default)))
	}
	if v.Deprecated != "" {
		page.Text("**Deprecated.** %s", v.Deprecated)
	}
	return page
}

// valueOf adds the value of an address.
func (h *hovering) valueOf(page *describe.Page, a addr.Address) {
	if value, ok := h.evaluate(a.String()); ok {
		page.Text("Value: %s", valueWords(value))
	}
}

func (h *hovering) module(page *describe.Page, name string) {
	m := moduleNamed(h.Config(h.loaded), name)
	if m == nil || m.Config == nil {
		return
	}
	page.Text("Module %s", describe.Code(m.Source))
	rows := [][]string{{"input", "type", "what it is for"}}
	for i := range m.Config.Declarations {
		v := &m.Config.Declarations[i]
		rows = append(rows, []string{describe.Code(v.Name), describe.Code(typeText(v.Type)), v.Description})
	}
	page.Table(rows)
	outputs := [][]string{{"output", "what it is"}}
	for _, o := range m.Config.Outputs {
		outputs = append(outputs, []string{describe.Code(o.Name), o.Description})
	}
	page.Table(outputs)
}

// output adds the value that an output has in the last plan.
func (h *hovering) output(page *describe.Page, name string) {
	planned, current := h.Planned()
	if planned == nil {
		return
	}
	for _, o := range planned.Finished.Outputs {
		if o.Name != name {
			continue
		}
		if o.Sensitive {
			page.Text("Value: (sensitive)")
		} else {
			page.Text("Value: %s", valueWords(o.Value))
		}
		page.Add(h.staleness(current))
	}
}

func (h *hovering) device(page *describe.Page, name string) {
	for _, d := range h.Config(h.loaded).Devices {
		if d.Name != name {
			continue
		}
		rows := [][]string{{"device", ""}, {"driver", describe.Code(d.Driver)}, {"base_alignment", bytesText(d.BaseAlignment)}}
		if d.MaxAlloc > 0 {
			rows = append(rows, []string{"max_alloc", bytesText(d.MaxAlloc)})
		}
		page.Table(append(rows, []string{"pools", poolsOf(h.Config(h.loaded), d)}))
	}
}

func poolsOf(c *config.Config, d *config.Device) string {
	text := ""
	for _, p := range c.Pools {
		if p.Device == d {
			if text != "" {
				text += ", "
			}
			text += describe.Code(p.Name)
		}
	}
	return text
}

// traversal explains a step of a traversal.
func (h *hovering) traversal(a *outline.Attribute, t *outline.Traversal, step int) (*describe.Page, outline.Span) {
	whole := outline.Span{Start: t.Steps[0].Span.Start, End: t.Steps[step].Span.End}
	address, ok := t.Address()
	switch {
	case ok && step <= 1:
		return h.address(address), outline.Span{Start: t.Steps[0].Span.Start, End: t.Steps[1].Span.End}
	case ok:
		return h.field(address, t, step), whole
	}
	for _, object := range conditionObjects(h.file, a) {
		if object.Name != t.Steps[0].Name {
			continue
		}
		page := (&describe.Page{}).Text("**`%s`** %s", object.Name, object.Doc)
		if step > 0 {
			if field := object.Field(t.Steps[1].Name); field != nil {
				page = (&describe.Page{}).Text("**`%s.%s`** %s", object.Name, field.Name, field.Doc)
			}
		}
		return page, whole
	}
	return nil, whole
}

// conditionObjects are the further names that an attribute sees: those of a rule's condition, the elements that the blocks
// around it are repeated for, the innermost first, and the block that a postcondition is about.
func conditionObjects(f *outline.File, a *outline.Attribute) []*schema.Object {
	var objects []*schema.Object
	if a.Schema != nil && a.Schema.Phase == schema.DuringPlanning {
		objects = append(objects, schema.ConditionObjects()...)
	}
	for b, inside := a.Block, a; b != nil && b.Parent != nil; b, inside = b.Parent, nil {
		switch {
		case inside != nil && (inside.Name == "for_each" || inside.Name == "count" || inside.Name == "iterator"):
			// They are evaluated before there is an element.
		case b.Schema == schema.Dynamic():
			objects = append(objects, schema.Iterator(iteratorOf(f, b)))
		case b.Schema != nil && b.Schema.Repeats() && b.Attribute("for_each") != nil:
			objects = append(objects, schema.Each())
		case b.Schema != nil && b.Schema.Repeats() && b.Attribute("count") != nil:
			objects = append(objects, schema.Count())
		}
		if b.Type == "postcondition" && b.Parent.Schema != nil && schema.ObjectOf(b.Parent.Schema.Kind) != nil {
			self := *schema.ObjectOf(b.Parent.Schema.Kind)
			self.Name = "self"
			objects = append(objects, &self)
		}
	}
	return objects
}

// iteratorOf is the name of the element in a dynamic block.
func iteratorOf(f *outline.File, b *outline.Block) string {
	if a := b.Attribute("iterator"); a != nil && f.Text(a.Value) != "" {
		return f.Text(a.Value)
	}
	return b.Label()
}

// field explains a field of a reference, with its value.
func (h *hovering) field(a addr.Address, t *outline.Traversal, step int) *describe.Page {
	text := h.file.Text(outline.Span{Start: t.Steps[0].Span.Start, End: t.Steps[step].Span.End})
	page := &describe.Page{}
	object := schema.ObjectOf(a.Kind)
	if a.Kind == addr.Graph && step >= 3 && t.Steps[2].Name == "tensor" {
		if step == 3 {
			if tensor := h.tensor(a.Name, t.Steps[3].Name); tensor != nil {
				return tensor
			}
		}
		object = schema.PlannedTensor()
	}
	page.Text("**%s**", describe.Code(text))
	if object != nil {
		if field := object.Field(t.Steps[step].Name); field != nil {
			page.Text("%s", field.Doc)
		}
	}
	if value, ok := h.evaluate(text); ok {
		page.Text("Value: %s", valueWords(value))
	}
	return page
}
