package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
)

// Move is a "moved" block: what had the address From has the address To now.
type Move struct {
	// From and To are of one kind: a device, a pool, a graph or a module.
	From, To addr.Address
	// FromTensor and ToTensor are names of tensors of the graph From, which is To as well; "" when the graph itself moved.
	FromTensor, ToTensor string
	// Range is the block header's, FromRange and ToRange are those of the addresses.
	Range, FromRange, ToRange hcl.Range
}

// decodeMoved reads a moved block.
func (l *loader) decodeMoved(b *block) {
	m := &Move{Range: b.header}
	var ok, good bool
	if m.From, m.FromTensor, m.FromRange, ok = l.movedAddress(b.attrs["from"]); !ok {
		return
	}
	if m.To, m.ToTensor, m.ToRange, good = l.movedAddress(b.attrs["to"]); !good {
		return
	}
	switch {
	case m.From.Kind != m.To.Kind || (m.FromTensor == "") != (m.ToTensor == ""):
		l.report(diag.New(diag.InvalidMove, "From is %s and to is %s, which are of different kinds. Give addresses of one kind.", m.FromText(), m.ToText()).At(m.ToRange))
	case m.From == m.To && m.FromTensor == m.ToTensor:
		l.report(diag.New(diag.InvalidMove, "From and to are both %s. Remove the block.", m.FromText()).At(m.ToRange))
	case m.FromTensor != "" && m.From != m.To:
		l.report(diag.New(diag.InvalidMove, "%s and %s are of two graphs, and a tensor stays in its graph. Move the graph by a block of its own, and give its new address in both places here.", m.FromText(), m.ToText()).At(m.ToRange))
	default:
		l.cfg.Moves = append(l.cfg.Moves, m)
	}
}

// movedAddress reads an address that is written out. The tensor is "" when the address is that of a block.
func (l *loader) movedAddress(a *attribute) (addr.Address, string, hcl.Range, bool) {
	if a == nil || a.broken {
		return addr.Address{}, "", hcl.Range{}, false
	}
	r := a.expr.Range()
	t, hclDiags := hcl.AbsTraversalForExpr(a.expr)
	if hclDiags.HasErrors() {
		l.report(diag.New(diag.InvalidMove, "%q takes an address that is written out, without expressions. Write it as in %s = %s.", a.name, a.name, a.schema.Example).At(r))
		return addr.Address{}, "", r, false
	}
	found, rest, ok := addr.Absolute(t)
	tensor, isTensor := tensorName(rest)
	isTensor = isTensor && found.Kind == addr.Graph
	switch found.Kind {
	case addr.Device, addr.Pool, addr.Graph, addr.Module:
	default:
		ok = false
	}
	if !ok || len(rest) > 0 && !isTensor {
		l.report(diag.New(diag.InvalidMove, "%q takes the address of a device, a pool, a graph, a module, or a tensor of a graph. Write it as in %s = %s.", a.name, a.name, a.schema.Example).At(r))
		return addr.Address{}, "", r, false
	}
	found.Module = addr.Join(l.site.module, found.Module)
	return found, tensor, r, true
}

// tensorName reads .tensor["NAME"].
func tensorName(rest hcl.Traversal) (string, bool) {
	if len(rest) != 2 {
		return "", false
	}
	field, ok := rest[0].(hcl.TraverseAttr)
	index, keyed := rest[1].(hcl.TraverseIndex)
	if !ok || !keyed || field.Name != "tensor" || index.Key.Type() != cty.String {
		return "", false
	}
	return index.Key.AsString(), true
}

// FromText and ToText write the addresses of a move.
func (m *Move) FromText() string { return moveText(m.From, m.FromTensor) }

// ToText is the new address.
func (m *Move) ToText() string { return moveText(m.To, m.ToTensor) }

func moveText(a addr.Address, tensor string) string {
	if tensor == "" {
		return a.String()
	}
	return a.String() + ".tensor" + addr.KeyOf(cty.StringVal(tensor))
}

// checkMoves checks the moves against each other and against what is declared, once everything is decoded.
func (l *loader) checkMoves() {
	if l.session.incomplete || len(l.cfg.Moves) == 0 {
		return
	}
	declared := l.declaredInstances()
	from, to := map[string]*Move{}, map[string]*Move{}
	for _, m := range l.cfg.Moves {
		from[m.FromText()] = m
	}
	seen := map[string]*Move{}
	for _, m := range l.cfg.Moves {
		l.checkTwice(seen, m.FromText(), m, m.FromRange)
		l.checkTwice(to, m.ToText(), m, m.ToRange)
		_, goesOn := from[m.ToText()]
		switch {
		case m.FromTensor != "":
			// Whether the graph has such tensors is not known before it is read.
		case covers(declared, m.From, m.To):
			l.report(diag.New(diag.MovedFromDeclared, "%s is to be %s now, and is declared still. Remove the block, or this move.", m.FromText(), m.ToText()).At(m.FromRange))
		case !goesOn && !covers(declared, m.To, m.From):
			l.report(diag.New(diag.MovedToUndeclared, "There is no %s. Correct the address, or declare it.", m.ToText()).At(m.ToRange))
		case l.circles(from, m):
			l.report(diag.New(diag.MovedTwice, "%s comes back to itself through other moves. Remove one of them.", m.FromText()).At(m.FromRange))
		}
	}
}

func (l *loader) checkTwice(seen map[string]*Move, address string, m *Move, r hcl.Range) {
	first := seen[address]
	if first == nil {
		seen[address] = m
		return
	}
	if first.FromText() == m.FromText() && first.ToText() == m.ToText() {
		return // said twice: instances of a module share their moved blocks
	}
	d := diag.New(diag.MovedTwice, "Another moved block has the address %s in the same place. Remove one of the two.", address).At(r)
	d.Related = []diag.Related{{Message: "the other one is here", Range: first.Range}}
	l.report(d)
}

func (l *loader) circles(from map[string]*Move, m *Move) bool {
	start := m.FromText()
	for range from {
		next := from[m.ToText()]
		if next == nil {
			return false
		}
		if m = next; m.FromText() == start {
			return true
		}
	}
	return false
}

// instances is a set of addresses: whole says of each whether it is that of something declared, as opposed to that of the
// block whose instances are.
type instances struct{ whole map[addr.Address]bool }

func (s instances) add(a addr.Address) {
	s.whole[a] = true
	if base := a.Base(); base != a && !s.whole[base] {
		s.whole[base] = false
	}
}

// declaredInstances are the addresses of everything that can be moved.
func (l *loader) declaredInstances() instances {
	out := instances{map[addr.Address]bool{}}
	for _, d := range l.cfg.Devices {
		out.add(d.Address)
	}
	for _, p := range l.cfg.Pools {
		out.add(p.Address)
	}
	for _, g := range l.cfg.Graphs {
		out.add(g.Address)
	}
	l.addModules(out)
	return out
}

func (l *loader) addModules(out instances) {
	for name, called := range l.called {
		for _, module := range called {
			key := strings.TrimPrefix(module.site.module, addr.Inside(l.site.module, "module."+name))
			out.add(addr.Address{Module: l.site.module, Kind: addr.Module, Name: name, Key: key})
			module.addModules(out)
		}
	}
}

// covers reports whether the address is declared. An address without a key stands for all instances where the other side of
// the move has none either.
func covers(declared instances, a, other addr.Address) bool {
	whole, known := declared.whole[a]
	return whole || known && other.Key == ""
}

// Moved follows the moves from an address to the one it has now. The second result is false when none is about it.
func (c *Config) Moved(a addr.Address) (addr.Address, bool) {
	moved := false
	for range c.Moves {
		next, ok := c.step(a)
		if !ok {
			break
		}
		a, moved = next, true
	}
	return a, moved
}

// step follows one move.
func (c *Config) step(a addr.Address) (addr.Address, bool) {
	for _, m := range c.Moves {
		switch {
		case m.FromTensor != "":
		case m.From == a:
			return m.To, true
		case m.From.Kind == addr.Module:
			if module, ok := movedModule(a.Module, m); ok {
				a.Module = module
				return a, true
			}
		case m.From == a.Base() && m.To.Key == "":
			to := m.To
			to.Key = a.Key
			return to, true
		}
	}
	return a, false
}

// movedModule applies the move of a module to the path of calls.
func movedModule(path string, m *Move) (string, bool) {
	from, to := addr.Inside(m.From.Module, "module."+m.From.Name+m.From.Key), addr.Inside(m.To.Module, "module."+m.To.Name+m.To.Key)
	rest, ok := strings.CutPrefix(path, from)
	if !ok {
		return "", false
	}
	if rest == "" || rest[0] == '.' || rest[0] == '[' && m.From.Key == "" && m.To.Key == "" {
		return to + rest, true
	}
	return "", false
}

// deprecatedOutputs warns of outputs of modules that will go.
func (l *loader) deprecatedOutputs(refs []addr.Reference) diag.Diagnostics {
	var ds diag.Diagnostics
	for _, ref := range refs {
		called := l.calls[ref.Address.Name]
		if ref.Address.Kind != addr.Module || called == nil || ref.Field() == "" {
			continue
		}
		for _, b := range called.blocks {
			if b.schema.Kind != addr.Output || b.label != ref.Field() || b.attrs["deprecated"] == nil {
				continue
			}
			message, hclDiags := b.attrs["deprecated"].expr.Value(nil)
			if hclDiags.HasErrors() || message.IsNull() || message.Type() != cty.String {
				continue // reported where it is decoded
			}
			d := diag.New(diag.DeprecatedOutput, "The output %q of module %q is deprecated: %s", b.label, ref.Address.Name, message.AsString()).At(ref.Whole)
			d.Related = []diag.Related{{Message: "the output is declared here", Range: b.header}}
			ds = append(ds, d)
		}
	}
	return ds
}
