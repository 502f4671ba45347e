package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/addr"
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
		name := strings.Join(override.Labels, ".")
		next := diag.DidYouMean(name, namesOf(&out, override.Type)).Or(" Correct the name.")
		ds = append(ds, diag.New(diag.UndeclaredReference, "The configuration has no %s %q to override.%s", override.Type, name, next).At(override.DefRange()))
	}
	return &out, ds
}

// moduleOverride is an override of a block of a module, in all instances of it.
type moduleOverride struct {
	// module is the path of calls to it, as in "module.phone"; block has the name of the block there.
	module string
	block  *hclsyntax.Block
	met    bool
}

// ofModules takes the overrides of blocks of modules from the others. They are named as in plans: pool "module.phone.arena".
func ofModules(overrides []*hclsyntax.Block) (here []*hclsyntax.Block, inside []*moduleOverride) {
	for _, override := range overrides {
		a, ok := addr.Address{}, false
		if len(override.Labels) == 1 {
			a, ok = addr.ParseFullName(addr.Kind(override.Type), override.Labels[0])
		}
		if !ok || a.Module == "" || a.Key != "" {
			here = append(here, override)
			continue
		}
		block := *override
		block.Labels = []string{a.Name}
		inside = append(inside, &moduleOverride{module: a.Module, block: &block})
	}
	return here, inside
}

// overriddenIn is a module that is called, with its overrides.
func (s *session) overriddenIn(path string, module *syntax.Module) *syntax.Module {
	out := module
	for _, o := range s.overrides {
		if o.module != path {
			continue
		}
		changed, ds := overridden(out, []*hclsyntax.Block{o.block})
		if !ds.HasErrors() {
			out, o.met = changed, true
		}
	}
	return out
}

// unmet reports the overrides of blocks that no module has.
func (s *session) unmet() (ds diag.Diagnostics) {
	for _, o := range s.overrides {
		if !o.met {
			ds = append(ds, diag.New(diag.UndeclaredReference, "The configuration has no %s %q in %s to override. Correct the name, which is that of all instances and has no key.", o.block.Type, o.block.Labels[0], o.module).At(o.block.DefRange()))
		}
	}
	return ds
}

// namesOf lists the names of the module's blocks of a type, in order of declaration.
func namesOf(module *syntax.Module, blockType string) []string {
	var out []string
	for _, file := range module.Files {
		for _, block := range file.Body.Blocks {
			if block.Type == blockType {
				out = append(out, strings.Join(block.Labels, "."))
			}
		}
	}
	return out
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
