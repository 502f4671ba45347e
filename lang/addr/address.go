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
	Path      Kind = "path"

	Run    Kind = "run"
	Check  Kind = "check"
	Output Kind = "output"
)

// Kinds lists the kinds that expressions refer to, in the order of the documentation.
func Kinds() []Kind {
	return []Kind{Variable, Local, Device, Pool, ScopeRule, Graph, Path}
}

// Address is a kind and a name, such as pool.arena.
type Address struct {
	Kind Kind
	Name string
}

// String returns the address as an expression writes it.
func (a Address) String() string {
	return string(a.Kind) + "." + a.Name
}

// Compare orders addresses by kind, then by name.
func Compare(a, b Address) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}

// ParseString reads an address such as "pool.arena", as given on a command line or kept in a plan. Kinds that no
// expression refers to are accepted as well. The second result is false for anything else.
func ParseString(text string) (Address, bool) {
	kind, name, ok := strings.Cut(text, ".")
	if !ok || !ValidName(name) {
		return Address{}, false
	}
	all := append(Kinds(), Run, Check, Output)
	return Address{Kind(kind), name}, slices.Contains(all, Kind(kind))
}

// ValidName reports whether a block may have the name: an identifier, so that references can be written to it.
func ValidName(name string) bool {
	return hclsyntax.ValidIdentifier(name)
}
