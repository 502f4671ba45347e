package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

// overridden is a module in which blocks have the attributes of the overrides of the same type and label. Blocks inside go
// by type: the first of a type is changed, one that is not there is added. The trees of the files are shared with other
// loads and stay as they are. Overrides of what is not declared are reported; a planner block that is left out is added.
func overridden(module *syntax.Module, overrides []*hclsyntax.Block) (*syntax.Module, diag.Diagnostics) {
	if len(overrides) == 0 || len(module.Files) == 0 {
		return module, nil
	}
	out := *module
	out.Files = make([]*syntax.File, len(module.Files))
	for i, f := range module.Files {
		file, body := *f, *f.Body
		body.Blocks = slices.Clone(body.Blocks)
		file.Body = &body
		out.Files[i] = &file
	}
	var ds diag.Diagnostics
	for _, override := range overrides {
		if merge(&out, override) {
			continue
		}
		if override.Type == "planner" {
			body := out.Files[0].Body
			body.Blocks = append(body.Blocks, override)
			continue
		}
		ds = append(ds, diag.New(diag.UndeclaredReference, "The configuration has no %s of this name to override. Correct the name.", override.Type).At(override.DefRange()))
	}
	return &out, ds
}

// merge puts an override into the block that it is for. It returns false when there is none.
func merge(module *syntax.Module, override *hclsyntax.Block) bool {
	for _, file := range module.Files {
		for i, block := range file.Body.Blocks {
			if block.Type == override.Type && slices.Equal(block.Labels, override.Labels) {
				file.Body.Blocks[i] = merged(block, override)
				return true
			}
		}
	}
	return false
}

func merged(block, override *hclsyntax.Block) *hclsyntax.Block {
	out, body := *block, *block.Body
	out.Body = &body
	body.Attributes = maps.Clone(body.Attributes)
	if body.Attributes == nil {
		body.Attributes = hclsyntax.Attributes{}
	}
	maps.Copy(body.Attributes, override.Body.Attributes)
	body.Blocks = slices.Clone(body.Blocks)
	for _, inner := range override.Body.Blocks {
		at := slices.IndexFunc(body.Blocks, func(b *hclsyntax.Block) bool { return b.Type == inner.Type && slices.Equal(b.Labels, inner.Labels) })
		if at < 0 {
			body.Blocks = append(body.Blocks, inner)
		} else {
			body.Blocks[at] = merged(body.Blocks[at], inner)
		}
	}
	return &out
}
