package config

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// dynamic reads a dynamic block inside b. Its content is read as a block of the type that the label names.
func (s *structure) dynamic(b *block, child *hclsyntax.Block) {
	known := schema.Dynamic()
	if len(child.Labels) != 1 {
		s.report(diag.New(diag.WrongLabelCount, "A dynamic block takes one label, the type of the blocks to make. Write dynamic \"TYPE\" {.").At(child.TypeRange))
		return
	}
	target := b.schema.Block(child.Labels[0])
	if target == nil || target == known {
		s.report(unknownBlock(b.schema, child.Labels[0]).At(child.LabelRanges[0]))
		return
	}
	d := &block{schema: known, label: child.Labels[0], labelRange: child.LabelRanges[0], header: child.DefRange(), attrs: map[string]*attribute{}, iterator: target.Type}
	for _, a := range sortedAttributes(child.Body) {
		s.attribute(d, a)
	}
	for _, inner := range child.Body.Blocks {
		switch earlier := len(d.blocks) > 0; {
		case inner.Type != "content":
			s.report(unknownBlock(known, inner.Type).At(inner.TypeRange))
		case earlier:
			s.report(repeated(known.Block("content"), d.blocks[0]).At(inner.DefRange()))
		case len(inner.Labels) > 0:
			s.report(diag.New(diag.WrongLabelCount, "The content of a dynamic block takes no label: labels stand in the attribute \"labels\". Write content {.").At(inner.LabelRanges[0]))
		default:
			d.blocks = append(d.blocks, s.body(target, inner.Body, inner.DefRange()))
		}
	}
	if s.isComplete(d, target) {
		b.blocks = append(b.blocks, d)
	}
}

// isComplete reports what a dynamic block lacks, and reads the name of its iterator.
func (s *structure) isComplete(d *block, target *schema.Block) bool {
	count := len(s.diags)
	if d.attrs["for_each"] == nil {
		s.report(missingAttribute(d.schema, d.schema.Attribute("for_each"), d.schema.Attribute("for_each").Example).At(d.header))
	}
	if len(d.blocks) == 0 {
		s.report(diag.New(diag.MissingBlock, "A \"dynamic\" block needs a block of type \"content\" inside it. Add content { ... }.").At(d.header))
	}
	if a := d.attrs["iterator"]; a != nil {
		if d.iterator = hcl.ExprAsKeyword(a.expr); d.iterator == "" {
			s.report(diag.New(diag.InvalidDynamic, "The iterator of a dynamic block is a name, without quotes. Write it as in iterator = pin.").At(a.expr.Range()))
		}
		delete(d.attrs, "iterator")
		d.order = slices.DeleteFunc(d.order, func(x *attribute) bool { return x == a })
	}
	labels := d.attrs["labels"]
	switch {
	case target.Label != nil && labels == nil:
		s.report(diag.New(diag.InvalidDynamic, "A block of type %q has a label, its %s. Add labels = [...] with one element, as in labels = [%s.key].", target.Type, target.Label.Name, d.iterator).At(d.header))
	case target.Label == nil && labels != nil:
		s.report(diag.New(diag.InvalidDynamic, "A block of type %q has no label. Remove \"labels\".", target.Type).At(labels.nameRange))
	}
	return len(s.diags) == count
}

// materialize makes the dynamic blocks inside a block, at all depths. A block without any comes back as it is.
func (l *loader) materialize(b *block) *block {
	if !b.hasDynamic() {
		return b
	}
	out := *b
	out.blocks = nil
	for _, inner := range b.blocks {
		if inner.iterator == "" {
			out.blocks = append(out.blocks, l.materialize(inner))
			continue
		}
		for _, made := range l.makeBlocks(inner) {
			made = l.materialize(made)
			if earlier := out.first(made.schema.Type); made.schema.Once && earlier != nil {
				l.report(repeated(made.schema, earlier).At(made.header))
				continue
			}
			out.blocks = append(out.blocks, made)
		}
	}
	for i := range b.schema.Blocks {
		if known := &b.schema.Blocks[i]; known.Required && out.first(known.Type) == nil {
			l.report(missingBlock(b.schema, known).At(b.header))
		}
	}
	return &out
}

func (b *block) hasDynamic() bool {
	return slices.ContainsFunc(b.blocks, func(inner *block) bool { return inner.iterator != "" || inner.hasDynamic() })
}

// makeBlocks makes the blocks of one dynamic block.
func (l *loader) makeBlocks(d *block) []*block {
	a := d.attrs["for_each"]
	if a.broken {
		return nil
	}
	v, ds := l.scope.Evaluate(a.expr, a.refs, d.extra)
	l.diags = append(l.diags, ds...)
	if len(ds) > 0 || v.HasMark(eval.Invalid) {
		return nil
	}
	elements, err := eval.Elements(v, true)
	if err != nil {
		l.report(repetitionFault(d, "for_each", err).At(a.expr.Range()))
		return nil
	}
	var made []*block
	for _, e := range elements {
		content := d.blocks[0].seeing(map[string]cty.Value{d.iterator: cty.ObjectVal(map[string]cty.Value{"key": e.Key, "value": e.Value})})
		content.header = d.header
		if l.labelled(d, content) {
			made = append(made, content)
		}
	}
	return made
}

// labelled gives a block that is being made its label.
func (l *loader) labelled(d, made *block) bool {
	a := d.attrs["labels"]
	if a == nil || a.broken {
		return a == nil
	}
	v, ds := l.scope.Evaluate(a.expr, a.refs, made.extra)
	l.diags = append(l.diags, ds...)
	if eval.IsInvalid(v) {
		return false
	}
	plain := eval.Plain(v)
	fault := func(problem string) bool {
		l.report(diag.New(diag.InvalidDynamic, "%s Write it as in labels = [%s.key].", problem, d.iterator).At(a.expr.Range()))
		return false
	}
	if !plain.IsWhollyKnown() {
		return fault("The label is known only after planning.")
	}
	list := elements(plain, a.expr, a.expr.Range())
	if plain.IsNull() || len(list) != 1 || list[0].value.IsNull() || list[0].value.Type() != cty.String {
		return fault(fmt.Sprintf("A block of type %q has one label, a string.", made.schema.Type))
	}
	made.label, made.labelRange = list[0].value.AsString(), list[0].at
	want := made.schema.Label
	if made.label == "" {
		l.report(invalidName(want, "").At(made.labelRange))
		return false
	}
	return true
}
