package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/schema"
)

// place names a block type for messages.
func place(b *schema.Block) string {
	if b.Type == "" {
		return "the top level of a file"
	}
	return article(b.Type)
}

// article names a block type with the article that its first letter asks for, as in `an "image2d" block`.
func article(blockType string) string {
	if strings.ContainsAny(blockType[:1], "aeio") {
		return fmt.Sprintf("an %q block", blockType)
	}
	return fmt.Sprintf("a %q block", blockType)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func unknownAttribute(b *schema.Block, name string) diag.Diagnostic {
	var next diag.Hint
	switch inner := b.Block(name); {
	case inner != nil && inner.Label != nil:
		next.Text = fmt.Sprintf(" It is a block: write %s \"NAME\" { ... }, without the equals sign.", name)
	case inner != nil:
		next.Text = fmt.Sprintf(" It is a block: write %s { ... }, without the equals sign.", name)
	case elsewhere[b.Type+"."+name] != "":
		next.Text = " " + elsewhere[b.Type+"."+name]
	case elsewhere[name] != "":
		next.Text = " " + elsewhere[name]
	default:
		names := b.AttributeNames()
		if diag.Nearest(name, names) == "" && diag.Nearest(name, b.BlockTypes()) != "" {
			names = b.BlockTypes()
		}
		next = hint(name, names, homes(name, attributeIn), "attributes")
	}
	return diag.New(diag.UnknownAttribute, "There is no attribute %q in %s.%s", name, place(b), next)
}

func unknownBlock(b *schema.Block, blockType string) diag.Diagnostic {
	var next diag.Hint
	switch meant := shortNames[blockType]; {
	case b.Attribute(blockType) != nil:
		next.Text = fmt.Sprintf(" It is an attribute: write %s = ..., with an equals sign.", blockType)
	case meant != "" && b.Block(meant) != nil:
		next = diag.Meant(blockType, meant)
	case elsewhere[blockType] != "":
		next.Text = " " + elsewhere[blockType]
	default:
		if next = home(homes(blockType, blockIn)); next.Text == "" {
			next = hint(blockType, b.BlockTypes(), nil, "blocks")
		}
	}
	return diag.New(diag.UnknownBlock, "There is no block %q in %s.%s", blockType, place(b), next)
}

// elsewhere are attributes and blocks that people know from Terraform, some in a block alone, and what to do here.
var elsewhere = map[string]string{
	"run.command":        "A run of a test plans. Leave it out.",
	"module.version":     "A module is a directory or builtin, and has no versions. Remove it.",
	"depends_on":         "What a block needs is known from its references. Remove it.",
	"lifecycle":          "Write precondition and postcondition in the block itself.",
	"backend":            "The lock lies beside the configuration. Remove the block.",
	"cloud":              "The lock lies beside the configuration. Remove the block.",
	"required_providers": "Nothing is plugged in. Remove the block.",
	"resource":           "What is planned are the tensors of a graph block. Declare pools for them.",
	"data":               "Nothing is looked up. Give values with variables, or read files with functions.",
	"import":             "Every tensor of a graph is planned by itself. Remove the block.",
	"removed":            "What is declared no more is gone from the next plan. Remove the block.",
}

// shortNames are the words of references that stand for blocks of another name, and what such blocks are called in Terraform.
var shortNames = map[string]string{"var": "variable", "local": "locals", "terraform": "memplan", "provider": "device"}

// hint is the next step for an unknown name: the nearest one, the place where the name belongs, or all there are.
func hint(given string, names, homes []string, what string) diag.Hint {
	next := diag.DidYouMean(given, names).Or(home(homes).Text)
	switch len(names) {
	case 0:
		return next.Or(fmt.Sprintf(" It takes no %s: remove it.", what))
	case 1:
		return next.Or(fmt.Sprintf(" The only one is %q: use it, or remove %q.", names[0], given))
	}
	return next.Or(fmt.Sprintf(" Use one of %s, or remove it.", diag.Enumerate(names, "and")))
}

// home says where a name belongs, as long as that is one of few places.
func home(places []string) diag.Hint {
	const most = 3
	if len(places) == 0 || len(places) > most {
		return diag.Hint{}
	}
	var blocks []string
	for _, place := range places {
		blocks = append(blocks, article(place))
	}
	return diag.Hint{Text: fmt.Sprintf(" It belongs in %s: move it there.", diag.Enumerate(blocks, "or"))}
}

func attributeIn(b *schema.Block, name string) bool { return b.Attribute(name) != nil }
func blockIn(b *schema.Block, name string) bool     { return b.Block(name) != nil }

// homes lists the types of the blocks that have something of the name.
func homes(name string, has func(*schema.Block, string) bool) []string {
	var found []string
	var visit func(b *schema.Block)
	visit = func(b *schema.Block) {
		if has(b, name) && b.Type != "" && !slices.Contains(found, b.Type) {
			found = append(found, b.Type)
		}
		for i := range b.Blocks {
			visit(&b.Blocks[i])
		}
	}
	visit(schema.Root())
	return found
}

func missingAttribute(b *schema.Block, a *schema.Attribute, example string) diag.Diagnostic {
	return diag.New(diag.MissingAttribute, "%s needs %q. Add it, as in %s = %s.", capital(article(b.Type)), a.Name, a.Name, example).With(diag.AddAttribute{Name: a.Name, Example: example})
}

func missingBlock(b, inner *schema.Block) diag.Diagnostic {
	fix := diag.AddBlock{Type: inner.Type}
	for i := range inner.Attributes {
		if a := &inner.Attributes[i]; a.Required {
			fix.Attributes = append(fix.Attributes, a.Name+" = "+a.Example)
		}
	}
	return diag.New(diag.MissingBlock, "%s needs a block of type %q inside it. Add %s { ... }.", capital(article(b.Type)), inner.Type, inner.Type).With(fix)
}

func repeated(known *schema.Block, earlier *block) diag.Diagnostic {
	d := diag.New(diag.RepeatedBlock, "There may be one %q block here. Merge the two.", known.Type)
	d.Related = []diag.Related{{Message: "the first one is here", Range: earlier.header}}
	return d
}

func invalidName(want *schema.Label, label string) diag.Diagnostic {
	if label == "" {
		return diag.New(diag.InvalidName, "The %s is empty. Write one.", want.Name)
	}
	var next diag.Hint
	if fixed := Identifier(label); fixed != label {
		next = diag.Hint{Text: fmt.Sprintf(" Write %q.", fixed), Fix: diag.Replace{Text: label, With: fixed}}
	}
	return diag.New(diag.InvalidName, "%q cannot be referred to: names begin with a letter or an underscore and go on with letters, digits, underscores and hyphens.%s", label, next)
}

// Identifier makes a valid name of any text: characters that no name has become underscores. It is idempotent.
func Identifier(text string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		if !hclsyntax.ValidIdentifier("x" + string(r)) {
			r = '_'
		}
		out = append(out, r)
	}
	if name := string(out); hclsyntax.ValidIdentifier(name) {
		return name
	}
	return "_" + string(out)
}
