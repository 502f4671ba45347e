package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/eval"
)

// inspectAll finds the references of the blocks. A block that was inspected before stays as it is while the names that it
// refers to stand for the same things; else it is read anew, since nothing of an earlier load is changed.
func (l *loader) inspectAll() {
	for i, b := range l.blocks {
		k := b.kept
		if k != nil && k.read == b {
			if l.nameSame(k.names) {
				continue
			}
			b = again(b)
			l.blocks[i] = b
		}
		faults := len(l.diags)
		l.inspect(b, nil)
		if k == nil {
			continue
		}
		*k = kept{}
		if names, ok := l.namesIn(b); ok && len(l.diags) == faults {
			*k = kept{read: b, names: names, refs: l.needs(allAttributes(b)...), first: l.first(b), pure: !readsFiles(b)}
		}
	}
}

// nameSame reports whether names stand for what they did.
func (l *loader) nameSame(names []named) bool {
	for i := range names {
		n := names[i].name
		if n.load != l.session.number || n.at == nil || n.how != names[i].how || n.address.Kind == addr.Module && !slices.Equal(l.outputs(n.address), names[i].outputs) {
			return false
		}
	}
	return true
}

// outputs lists the output blocks of a module that is called, nil for every other address.
func (l *loader) outputs(a addr.Address) []*block {
	if a.Kind != addr.Module || l.calls[a.Name] == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.calls[a.Name].blocks), func(b *block) bool { return b.schema.Kind != addr.Output })
}

// namesIn lists what the references in a block stand for. The second result is false for a block of which it is not certain
// what it refers to: a word alone is a reference to a block once there is one of that name.
func (l *loader) namesIn(b *block) (names []named, ok bool) {
	for _, a := range b.order {
		if t, is := a.expr.(*hclsyntax.ScopeTraversalExpr); is && len(t.Traversal) == 1 && a.schema != nil && a.schema.Refers != "" {
			return nil, false
		}
		for _, n := range l.needs(a) {
			if n.address.Kind != addr.Path {
				names = append(names, named{n, n.how, l.outputs(n.address)})
			}
		}
	}
	for _, inner := range b.blocks {
		more, ok := l.namesIn(inner)
		if !ok {
			return nil, false
		}
		names = append(names, more...)
	}
	return names, true
}

// needs lists the names that attributes refer to, each once.
func (l *loader) needs(attributes ...*attribute) []*name {
	var found []*name
	for _, a := range attributes {
		for _, ref := range a.refs {
			if n := l.name(ref.Address); !slices.Contains(found, n) {
				found = append(found, n)
			}
		}
	}
	return found
}

// readsFiles reports whether an expression in the block calls a function whose result depends on a file.
func readsFiles(b *block) bool {
	return slices.ContainsFunc(b.order, func(a *attribute) bool {
		found := false
		_ = hclsyntax.VisitAll(a.expr, func(node hclsyntax.Node) hcl.Diagnostics {
			call, ok := node.(*hclsyntax.FunctionCallExpr)
			found = found || ok && eval.ReadsFiles(call.Name)
			return nil
		})
		return found
	}) || slices.ContainsFunc(b.blocks, readsFiles)
}
