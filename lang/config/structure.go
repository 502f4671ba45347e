package config

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/schema"
)

// block is a block that the schema knows, with the attributes and blocks in it that the schema knows.
type block struct {
	schema *schema.Block
	// label is "" for a block without one.
	label      string
	labelRange hcl.Range
	// header is the range of type and label.
	header hcl.Range
	attrs  map[string]*attribute
	// key is that of an instance of a block with for_each or count, as it stands in addresses.
	key string
	// extra are further names that the expressions of this block see, with their values.
	extra map[string]cty.Value
	// iterator is the name that the content of a dynamic block sees its element by; "" for every other block. The content is
	// the only block inside.
	iterator string
	// order holds the attributes by position.
	order  []*attribute
	blocks []*block
	// name is what the block declares, nil before that and when it is nothing.
	name *name
	// source is the tree of a block at the top of a file, kept what is kept of it or of this instance of it, nil when nothing is.
	source *hclsyntax.Block
	kept   *kept
	// lacks are the references that the block cannot do without and does not have.
	lacks []*schema.Attribute
	// unknown are the names of attributes and blocks that the schema does not know.
	unknown []string
}

// attribute is one attribute of a block.
type attribute struct {
	// schema is nil in a block whose attributes have names of the user's choice.
	schema    *schema.Attribute
	name      string
	nameRange hcl.Range
	expr      hclsyntax.Expression
	refs      []addr.Reference
	// local is the name of a local value, nil before it is declared and for every other attribute.
	local *name
	// broken marks an expression whose fault has been reported.
	broken bool
}

// ranges maps the attributes of a block to their ranges.
func (b *block) ranges() map[string]hcl.Range {
	ranges := make(map[string]hcl.Range, len(b.order))
	for _, a := range b.order {
		ranges[a.name] = a.expr.Range()
	}
	return ranges
}

// of lists the blocks of a type inside b.
func (b *block) of(blockType string) []*block {
	var found []*block
	for _, child := range b.blocks {
		if child.schema.Type == blockType {
			found = append(found, child)
		}
	}
	return found
}

// first returns the first block of a type inside b, nil when there is none.
func (b *block) first(blockType string) *block {
	for _, child := range b.blocks {
		if child.schema.Type == blockType {
			return child
		}
	}
	return nil
}

// structure checks bodies against the schema.
type structure struct {
	diags diag.Diagnostics
	// source is the text of a file in JSON syntax that is being read.
	source []byte
	// keep returns what is kept of a block at the top of a file, nil where nothing is.
	keep func(*hclsyntax.Block) *kept
}

func (s *structure) report(d diag.Diagnostic) { s.diags = append(s.diags, d) }

// body reads what is inside a block or a file. Attributes and blocks come in order of position.
func (s *structure) body(known *schema.Block, body *hclsyntax.Body, header hcl.Range) *block {
	b := &block{schema: known, header: header, attrs: map[string]*attribute{}}
	for _, a := range sortedAttributes(body) {
		s.attribute(b, a)
	}
	for _, child := range body.Blocks {
		s.block(b, child)
	}
	s.checkRequired(b)
	return b
}

func sortedAttributes(body *hclsyntax.Body) []*hclsyntax.Attribute {
	attrs := make([]*hclsyntax.Attribute, 0, len(body.Attributes))
	for _, a := range body.Attributes {
		attrs = append(attrs, a)
	}
	slices.SortFunc(attrs, func(a, b *hclsyntax.Attribute) int {
		return cmp.Compare(a.NameRange.Start.Byte, b.NameRange.Start.Byte)
	})
	return attrs
}

func (s *structure) attribute(b *block, a *hclsyntax.Attribute) {
	known := b.schema.Attribute(a.Name)
	if known == nil && !b.schema.Free {
		b.unknown = append(b.unknown, a.Name)
		s.report(unknownAttribute(b.schema, a.Name).At(a.NameRange))
		return
	}
	if known != nil && known.Deprecated != "" {
		s.report(diag.New(diag.DeprecatedAttribute, "%q is deprecated. %s", a.Name, known.Deprecated).At(a.NameRange))
	}
	read := &attribute{schema: known, name: a.Name, nameRange: a.NameRange, expr: a.Expr}
	b.attrs[a.Name] = read
	b.order = append(b.order, read)
}

// block reads a block inside b. One whose type is unknown is left out with everything in it.
func (s *structure) block(b *block, child *hclsyntax.Block) {
	known := b.schema.Block(child.Type)
	if known == schema.Dynamic() {
		s.dynamic(b, child)
		return
	}
	if known == nil {
		b.unknown = append(b.unknown, child.Type)
		s.report(unknownBlock(b.schema, child.Type).At(child.TypeRange))
		return
	}
	if known.Once {
		if earlier := b.first(child.Type); earlier != nil {
			s.report(repeated(known, earlier).At(child.DefRange()))
			return
		}
	}
	if s.keep == nil {
		if read := s.body(known, child.Body, child.DefRange()); s.label(read, child) {
			b.blocks = append(b.blocks, read)
		}
		return
	}
	if read := s.top(known, child); read != nil {
		b.blocks = append(b.blocks, read)
	}
}

// top reads a block at the top of a file, unless it was read before. It returns nil for a block that lacks its label.
func (s *structure) top(known *schema.Block, child *hclsyntax.Block) *block {
	k := s.keep(child)
	if k.read != nil {
		return k.read
	}
	inner := structure{source: s.source}
	read := inner.body(known, child.Body, child.DefRange())
	read.source = child
	ok := inner.label(read, child)
	if len(inner.diags) == 0 {
		read.kept = k
	}
	s.diags = append(s.diags, inner.diags...)
	if !ok {
		return nil
	}
	return read
}

// again reads a block at the top of a file that has no faults once more.
func again(b *block) *block {
	var s structure
	read := s.body(b.schema, b.source.Body, b.header)
	read.label, read.labelRange, read.source, read.kept = b.label, b.labelRange, b.source, b.kept
	return read
}

// label reads the label of a block. It returns false when the block cannot go without the one that it lacks.
func (s *structure) label(b *block, child *hclsyntax.Block) bool {
	want := b.schema.Label
	switch {
	case want == nil && len(child.Labels) > 0:
		s.report(diag.New(diag.WrongLabelCount, "%s takes no label. Write %s { without it.", capital(article(child.Type)), child.Type).At(child.LabelRanges[0]))
		return true
	case want == nil:
		return true
	case len(child.Labels) == 0:
		s.report(diag.New(diag.WrongLabelCount, "%s takes one label, its %s. Write %s \"NAME\" {.", capital(article(child.Type)), want.Name, child.Type).At(child.TypeRange))
		return false
	case len(child.Labels) > 1:
		s.report(diag.New(diag.WrongLabelCount, "%s takes one label, its %s. Remove %q.", capital(article(child.Type)), want.Name, child.Labels[1]).At(child.LabelRanges[1]))
	}
	b.label, b.labelRange = child.Labels[0], child.LabelRanges[0]
	if b.label == "" || !want.Free && !addr.ValidName(b.label) {
		s.report(invalidName(want, b.label).At(b.labelRange))
		return want.Free && b.label != ""
	}
	return true
}

// misspells reports whether an unknown name in the block is reported as one of the names misspelt: it is not missing then.
func (b *block) misspells(name string, names []string) bool {
	return slices.ContainsFunc(b.unknown, func(given string) bool { return diag.Nearest(given, names) == name })
}

// checkRequired reports what is missing in a block. That references are is reported once it is known what there is to refer to.
func (s *structure) checkRequired(b *block) {
	for i := range b.schema.Attributes {
		a := &b.schema.Attributes[i]
		switch {
		case !a.Required || b.attrs[a.Name] != nil || b.misspells(a.Name, b.schema.AttributeNames()):
		case a.Refers != "":
			b.lacks = append(b.lacks, a)
		default:
			s.report(missingAttribute(b.schema, a, a.Example).At(b.header))
		}
	}
	for i := range b.schema.Blocks {
		inner := &b.schema.Blocks[i]
		if inner.Required && b.first(inner.Type) == nil && !b.makes(inner.Type) && !b.misspells(inner.Type, b.schema.BlockTypes()) {
			s.report(missingBlock(b.schema, inner).At(b.header))
		}
	}
}

// makes reports whether a dynamic block inside b makes blocks of the type.
func (b *block) makes(blockType string) bool {
	return slices.ContainsFunc(b.blocks, func(inner *block) bool { return inner.iterator != "" && inner.label == blockType })
}
