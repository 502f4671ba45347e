package config

import (
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"

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
	// blocks and names are those of each module by its path; those of names that nothing has any more go now and then.
	blocks map[string]map[*hclsyntax.Block]*kept
	names  map[string]map[addr.Address]*name
	// devices and pools are the instances of the last load.
	devices  map[addr.Address]*Device
	pools    map[addr.Address]*Pool
	builtins map[string]*syntax.Module
	loads    int
	// live is how many names were declared when that was last counted.
	live int
}

// isStale reports whether most names are of what is no more. They are counted when there are many more than last time.
func (c *Cache) isStale() bool {
	all := 0
	for _, names := range c.names {
		all += len(names)
	}
	if all <= 1000+2*c.live {
		return false
	}
	c.live = 0
	for _, names := range c.names {
		for _, n := range names {
			if n.load == c.loads && n.at != nil {
				c.live++
			}
		}
	}
	return all > 1000+2*c.live
}

// Load returns what the function [Load] does, with what it has in common with the last load.
func (c *Cache) Load(r syntax.Reader, path string, vars eval.VariableSources) (*Config, diag.Diagnostics) {
	c.mu.Lock()
	defer c.mu.Unlock()
	module, faults := syntax.Open(r, path)
	s := newSession(c)
	cfg, ds := loadModule(s, r, path, vars, module, faults)
	c.blocks, c.builtins, c.devices, c.pools = s.blocks, s.builtins, s.devices, s.pools
	c.loads = s.number
	if c.isStale() {
		c.names, c.blocks = nil, nil
	}
	return cfg, ds
}

// kept is what is made of a block at the top of a file, or of one instance of it, in one module. Nothing in it refers to a load.
type kept struct {
	// read is the block with its references, nil when there is a fault in it.
	read *block
	// names is what the inspection of the block relies on.
	names []named
	// refs are the names whose values the block needs; pure says that it reads no file.
	refs []*name
	pure bool
	// first are the names that must have a value before the block can have one.
	first []*name
	// made holds the results of steps by name.
	made map[string]*made
}

// named is a name that is declared, how often, and with which outputs if it is a module.
type named struct {
	name    *name
	how     eval.Repetition
	outputs []*block
}

// made is the result of one step with what it depends on.
type made struct {
	uses   []use
	result any
}

// use is something of which a step needs the value: a name, or an instance with its full address.
type use struct {
	name     *name
	instance addr.Address
	seen     any
}

// use is that of what has a full address.
func (s *session) use(a addr.Address) use {
	if a.Key != "" {
		return use{instance: a}
	}
	return use{name: s.find(a)}
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

// uses notes what the step that is under way depends on.
func (l *loader) uses(u use) {
	if l.noted != nil {
		u.seen = l.session.sees(&u)
		*l.noted = append(*l.noted, u)
	}
}

// sees is what a use finds now; equal results are of equal values.
func (s *session) sees(u *use) any {
	switch {
	case u.name != nil:
		return u.name.in(s).value()
	case s.devices[u.instance] != nil:
		return s.devices[u.instance].like
	case s.pools[u.instance] != nil:
		return s.pools[u.instance].like
	}
	return nil
}

// holds reports whether all that the step used is as it was.
func (s *session) holds(m *made) bool {
	for i := range m.uses {
		if s.sees(&m.uses[i]) != m.uses[i].seen {
			return false
		}
	}
	return true
}

// memo returns the result of a step that depends on a block and on the values of names: that of the last load when none of
// them has changed. A result with faults is not kept, nor one that is not to be. What is kept must not refer to the loader.
func memo[T any](l *loader, k *kept, step string, refs []*name, do func() (result T, keep bool)) T {
	if k == nil || k.read == nil || !k.pure || l.noted != nil {
		result, _ := do()
		return result
	}
	if m := k.made[step]; m != nil && l.session.holds(m) {
		return m.result.(T)
	}
	noted := make([]use, 0, len(refs))
	l.noted = &noted
	for _, n := range refs {
		l.uses(use{name: n})
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

// needs are the names whose values are needed for what is made of the block, if that is to be kept.
func (b *block) needs() []*name {
	if b.kept == nil {
		return nil
	}
	return b.kept.refs
}

// decoded is memo for what a block is decoded to.
func decoded[T any](l *loader, b *block, decode func(*block) T) T {
	return memo(l, b.kept, "decoded", b.needs(), func() (T, bool) { return decode(b), true })
}
