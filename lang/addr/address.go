package addr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Kind is the first part of an address.
type Kind string

// The kinds. Those of the second group are declared by blocks too, but no expression refers to them.
const (
	Variable  Kind = "var"
	Local     Kind = "local"
	Device    Kind = "device"
	Pool      Kind = "pool"
	ScopeRule Kind = "scope_rule"
	Graph     Kind = "graph"
	Module    Kind = "module"
	Path      Kind = "path"

	Run    Kind = "run"
	Export Kind = "export"
	Check  Kind = "check"
	Output Kind = "output"
)

// Kinds lists the kinds that expressions refer to, in the order of the documentation.
func Kinds() []Kind {
	return []Kind{Variable, Local, Device, Pool, ScopeRule, Graph, Module, Path}
}

// Address is a kind and a name, such as pool.arena, and the module that declares it.
type Address struct {
	// Module is the path of the calls that lead to the module, as in "module.adreno" or "module.outer.module.inner"; "" for
	// the configuration itself and in references, which never lead out of a module.
	Module string
	Kind   Kind
	Name   string
}

// String returns the address as in "pool.arena" or "module.adreno.pool.arena".
func (a Address) String() string {
	return Inside(a.Module, string(a.Kind)+"."+a.Name)
}

// FullName is the name in plans, where the kind is known: "arena" or "module.adreno.arena".
func (a Address) FullName() string { return Inside(a.Module, a.Name) }

// Inside puts the path of a module before a name.
func Inside(module, name string) string {
	if module == "" {
		return name
	}
	return module + "." + name
}

// Compare orders addresses by module, then by kind, then by name.
func Compare(a, b Address) int {
	return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}

// ParseString reads an address such as "pool.arena" or "module.adreno.pool.arena", as given on a command line or kept in
// a plan. Kinds that no expression refers to are accepted as well. The second result is false for anything else.
func ParseString(text string) (Address, bool) {
	parts := strings.Split(text, ".")
	at := 0
	for len(parts)-at > 2 && parts[at] == string(Module) && ValidName(parts[at+1]) {
		at += 2
	}
	if len(parts)-at != 2 || !ValidName(parts[at+1]) {
		return Address{}, false
	}
	all := append(Kinds(), Run, Export, Check, Output)
	a := Address{Module: strings.Join(parts[:at], "."), Kind: Kind(parts[at]), Name: parts[at+1]}
	return a, slices.Contains(all, a.Kind)
}

// ValidName reports whether a block may have the name: an identifier, so that references can be written to it.
func ValidName(name string) bool {
	return hclsyntax.ValidIdentifier(name)
}
