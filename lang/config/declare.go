package config

import (
	"slices"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// structure checks every file against the schema. The result has the blocks in order of declaration.
func (l *loader) structure(module *syntax.Module) []*block {
	s := structure{keep: l.keep}
	var all []*block
	once := map[string]*block{}
	for _, file := range module.Files {
		body := file.Body
		if file.JSON != nil {
			s.source = file.HCL.Bytes
			body = s.native(schema.Root(), file.JSON, nil)
		}
		root := s.body(schema.Root(), body, body.SrcRange)
		for _, b := range root.blocks {
			if earlier := once[b.schema.Type]; b.schema.Once && earlier != nil {
				s.report(repeated(b.schema, earlier).At(b.header))
				continue
			}
			if b.schema.Once {
				once[b.schema.Type] = b
			}
			all = append(all, b)
		}
	}
	l.diags = append(l.diags, s.diags...)
	return all
}

// declare enters the names of blocks and local values. A second block of a name is left out of the result.
func (l *loader) declare(blocks []*block) []*block {
	kept := make([]*block, 0, len(blocks))
	for _, b := range blocks {
		if isLocals(b) {
			kept = append(kept, l.declareLocals(b))
			continue
		}
		if b.schema.Kind == "" {
			kept = append(kept, b)
			continue
		}
		n := l.nameOf(b)
		if n.at != nil {
			d := diag.New(diag.DuplicateName, "There is already a %s named %q. Rename one of the two.", b.schema.Type, b.label).At(b.labelRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: *n.at}}
			l.report(d)
			continue
		}
		n.at = &b.labelRange
		if n.how = repetition(b); n.how != eval.Once {
			l.checkRepetition(b)
		}
		kept = append(kept, b)
	}
	return kept
}

// nameOf is the name that a block declares.
func (l *loader) nameOf(b *block) *name {
	if b.name == nil {
		b.name = l.name(addr.Address{Kind: b.schema.Kind, Name: b.label})
	}
	return b.name.in(l.session)
}

func (l *loader) nameOfLocal(a *attribute) *name {
	if a.local == nil {
		a.local = l.name(addr.Address{Kind: addr.Local, Name: a.name})
	}
	return a.local.in(l.session)
}

func isLocals(b *block) bool { return b.schema.Type == "locals" }

// declareLocals enters the names of a locals block and returns it without those that are taken.
func (l *loader) declareLocals(b *block) *block {
	faults := len(l.diags)
	order := slices.DeleteFunc(slices.Clone(b.order), func(a *attribute) bool {
		n := l.nameOfLocal(a)
		if n.at != nil {
			d := diag.New(diag.DuplicateAttribute, "The local value %q is declared already. Remove one of the two.", a.name).At(a.nameRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: *n.at}}
			l.report(d)
			return true
		}
		n.at = &a.nameRange
		return false
	})
	if len(l.diags) == faults {
		return b
	}
	out := again(b)
	out.kept = nil
	out.order = slices.DeleteFunc(out.order, func(a *attribute) bool {
		return !slices.ContainsFunc(order, func(other *attribute) bool { return other.name == a.name })
	})
	return out
}
