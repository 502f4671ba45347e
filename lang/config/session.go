package config

import (
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

// session is what the modules of one load share. Blocks are found by their full addresses, since values carry those from
// module to module.
type session struct {
	// all lists the addresses of the devices of all modules.
	all []addr.Address
	// devices and pools are those of blocks with for_each or count; the others have names.
	devices map[addr.Address]*Device
	pools   map[addr.Address]*Pool
	graphs  map[addr.Address]*Graph
	// opened holds the parsed modules by key, so that a module that is called often is read once.
	opened map[string]*syntax.Module
	// modules counts the calls.
	modules      int
	syntaxFaults diag.Diagnostics
	// runs decode the run and export blocks; checks need the names of everything in all modules.
	runs, checks []func()
	// known holds what names found, by kind.
	known map[addr.Kind][]string
	// before is what the last load kept, blocks and builtins what this one does.
	before   *Cache
	number   int
	blocks   map[string]map[*hclsyntax.Block]*kept
	builtins map[string]*syntax.Module
	// overrides are those of a test, of blocks of modules.
	overrides []*moduleOverride
	// incomplete says that the instances of some block could not be told, so that what seems to be missing may not be.
	incomplete bool
}

func newSession(before *Cache) *session {
	return &session{
		before: before, number: before.loads + 1, blocks: map[string]map[*hclsyntax.Block]*kept{}, builtins: map[string]*syntax.Module{},
		devices: map[addr.Address]*Device{}, pools: map[addr.Address]*Pool{}, graphs: map[addr.Address]*Graph{},
		opened: map[string]*syntax.Module{}, known: map[addr.Kind][]string{},
	}
}

// site is where a module stands in the tree of calls.
type site struct {
	// module is the path of calls, as in "module.outer.module.inner", "" for the root.
	module string
	// name is that of the block that calls it, call the range of the block's header.
	name string
	call hcl.Range
	// key identifies what was opened: a path or the name of a builtin module.
	key string
	// rel is the directory of the module relative to that of the root.
	rel string
	// parent is nil for the root.
	parent *loader
}

// syntaxKey is the key of a path.
func syntaxKey(name string) string { return path.Clean(name) }

// full is the address of a block in the whole configuration.
func (l *loader) full(b *block) addr.Address {
	return addr.Address{Module: l.site.module, Kind: b.schema.Kind, Name: b.label, Key: b.key}
}

// namesOf returns the names of a module.
func (s *session) namesOf(module string) map[addr.Address]*name {
	if s.before.names == nil {
		s.before.names = map[string]map[addr.Address]*name{}
	}
	if s.before.names[module] == nil {
		s.before.names[module] = map[addr.Address]*name{}
	}
	return s.before.names[module]
}

// names lists the full names of the devices or graphs of all modules, sorted, once all of them are decoded.
func (s *session) names(kind addr.Kind) []string {
	if names, ok := s.known[kind]; ok {
		return names
	}
	var names []string
	switch kind {
	case addr.Device:
		for _, a := range s.all {
			names = append(names, a.FullName())
		}
	case addr.Graph:
		for a := range s.graphs {
			names = append(names, a.FullName())
		}
	}
	slices.SortFunc(names, addr.CompareNames)
	s.known[kind] = names
	return names
}

// relative brings a path of this module to the directory of the root, from where the plan's files are opened.
func (l *loader) relative(name string) string {
	if l.site.module == "" || name == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(l.site.rel, name)
}
