package config

import (
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// Cache loads configurations of which most has been loaded before, as while a text is edited: a block whose tree is the same,
// and for which nothing that it refers to has changed, is neither read nor evaluated again. What was at fault always is, so
// that a cache needs to know of faults no more than that there was one. The trees are the same when the reader has a
// [syntax.Cache]. The zero value is empty; it serves one configuration, and one load at a time.
type Cache struct {
	mu sync.Mutex
	// blocks are those of the last load, by module; values are what names had then.
	blocks   map[string]map[*hclsyntax.Block]*kept
	values   map[addr.Address]*held
	builtins map[string]*syntax.Module
	devices  map[addr.Address]*Device
	pools    map[addr.Address]*Pool
}

// Load returns what the function [Load] does, with what it has in common with the last load.
func (c *Cache) Load(r syntax.Reader, path string, vars eval.VariableSources) (*Config, diag.Diagnostics) {
	c.mu.Lock()
	defer c.mu.Unlock()
	module, faults := syntax.Open(r, path)
	s := newSession(c)
	cfg, ds := loadModule(s, r, path, vars, module, faults)
	c.blocks, c.values, c.builtins, c.devices, c.pools = s.blocks, s.values, s.builtins, s.devices, s.pools
	return cfg, ds
}

// kept is what is made of a block at the top of a file, or of one instance of it, in one module. Nothing in it refers to a load.
type kept struct {
	// read is the block with its references, nil when there is a fault in it.
	read *block
	// names is what the inspection of the block relies on.
	names []named
	// refs are the names whose values the block needs; pure says that it reads no file.
	refs []addr.Address
	pure bool
	// made holds the results of steps by name.
	made map[string]*made
}

// named is a name that is declared, how often, and with which outputs if it is a module.
type named struct {
	address addr.Address
	how     eval.Repetition
	outputs []*block
}

// held is a value that a name has. Names with the same one have equal values.
type held struct{ value cty.Value }

// made is the result of one step with what it depends on.
type made struct {
	uses   []use
	result any
}

// use is the value of a name of the block's own module, or with whole the device or pool of a full address.
type use struct {
	address addr.Address
	whole   bool
	seen    any
}

// keep returns what is kept of a block at the top of a file, empty when nothing is.
func (l *loader) keep(source *hclsyntax.Block) *kept {
	now := l.session.blocks[l.site.module]
	if now == nil {
		now = make(map[*hclsyntax.Block]*kept, len(l.session.before.blocks[l.site.module]))
		l.session.blocks[l.site.module] = now
	}
	k := now[source]
	if k == nil {
		k = l.session.before.blocks[l.site.module][source]
	}
	if k == nil {
		k = &kept{}
	}
	now[source] = k
	return k
}

// set gives a name its value.
func (l *loader) set(a addr.Address, v cty.Value) {
	full := a
	full.Module = l.site.module
	h := l.session.before.values[full]
	if h == nil || !h.value.RawEquals(v) {
		h = &held{v}
	}
	l.setHeld(a, h)
}

func (l *loader) setHeld(a addr.Address, h *held) {
	l.scope.Set(a, h.value)
	l.versions[a] = h
	a.Module = l.site.module
	l.session.values[a] = h
}

// device and pool find what has a full address, nil when nothing has.
func (l *loader) device(a addr.Address) *Device {
	l.uses(use{address: a, whole: true})
	return l.session.devices[a]
}

func (l *loader) pool(a addr.Address) *Pool {
	l.uses(use{address: a, whole: true})
	return l.session.pools[a]
}

// uses notes what the step that is under way depends on.
func (l *loader) uses(u use) {
	if l.noted != nil {
		u.seen = l.sees(u)
		*l.noted = append(*l.noted, u)
	}
}

// sees is what a use finds now; equal results are of equal values.
func (l *loader) sees(u use) any {
	a := u.address
	if !u.whole {
		if a.Kind != addr.Device && a.Kind != addr.Pool || l.repeated[a] != eval.Once {
			return l.versions[a]
		}
		a.Module = l.site.module
	}
	if d := l.session.devices[a]; d != nil {
		return d.like
	}
	if p := l.session.pools[a]; p != nil {
		return p.like
	}
	return nil
}

// memo returns the result of a step that depends on a block and on the values of names: that of the last load when none of
// them has changed. A result with faults is not kept, nor one that is not to be. What is kept must not refer to the loader.
func memo[T any](l *loader, k *kept, step string, refs []addr.Address, do func() (result T, keep bool)) T {
	if k == nil || k.read == nil || !k.pure || l.noted != nil {
		result, _ := do()
		return result
	}
	if m := k.made[step]; m != nil && !slices.ContainsFunc(m.uses, func(u use) bool { return l.sees(u) != u.seen }) {
		return m.result.(T)
	}
	noted := make([]use, 0, len(refs))
	l.noted = &noted
	for _, a := range refs {
		l.uses(use{address: a})
	}
	faults := len(l.diags)
	result, keep := do()
	l.noted = nil
	delete(k.made, step)
	if keep && len(l.diags) == faults {
		if k.made == nil {
			k.made = map[string]*made{}
		}
		k.made[step] = &made{noted, result}
	}
	return result
}

// decoded is memo for what a block is decoded to.
func decoded[T any](l *loader, b *block, decode func(*block) T) T {
	var refs []addr.Address
	if b.kept != nil {
		refs = b.kept.refs
	}
	return memo(l, b.kept, "decoded", refs, func() (T, bool) { return decode(b), true })
}
