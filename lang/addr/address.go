package addr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
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
	// Key is that of one instance of a block with for_each or count, with its brackets, as in `["a"]` or `[0]`; "" for a block
	// without them and for all instances together.
	Key string
}

// String returns the address as in "pool.arena", `pool.bank["a"]` or "module.adreno.pool.arena".
func (a Address) String() string {
	return Inside(a.Module, string(a.Kind)+"."+a.Name+a.Key)
}

// FullName is the name in plans, where the kind is known: "arena", `bank["a"]` or "module.adreno.arena".
func (a Address) FullName() string { return Inside(a.Module, a.Name+a.Key) }

// Base is the address of the block that an instance belongs to, and of any other block the address itself.
func (a Address) Base() Address {
	a.Key = ""
	return a
}

// Inside puts the path of a module before a name.
func Inside(module, name string) string {
	if module == "" {
		return name
	}
	return module + "." + name
}

// Compare orders addresses by module, then by kind, then by name, then by key.
func Compare(a, b Address) int {
	return cmp.Or(CompareNames(a.Module, b.Module), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), CompareNames(a.Key, b.Key))
}

// ParseString reads an address such as "pool.arena", `pool.bank["a"]` or "module.adreno.pool.arena", as given on a command line
// or kept in a plan. Kinds that no expression refers to are accepted as well. The second result is false for anything else.
func ParseString(text string) (Address, bool) {
	if strings.Contains(text, "[") {
		t, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			return Address{}, false
		}
		a, rest, ok := Absolute(t)
		return a, ok && len(rest) == 0
	}
	parts := strings.Split(text, ".")
	at := 0
	for len(parts)-at > 2 && parts[at] == string(Module) && ValidName(parts[at+1]) {
		at += 2
	}
	if len(parts)-at != 2 || !ValidName(parts[at+1]) {
		return Address{}, false
	}
	a := Address{Module: strings.Join(parts[:at], "."), Kind: Kind(parts[at]), Name: parts[at+1]}
	return a, slices.Contains(declaredKinds(), a.Kind)
}

func declaredKinds() []Kind { return append(Kinds(), Run, Export, Check, Output) }

// Absolute reads a traversal as an address that may lead into modules, as in module.phone["a"].pool.arena, and returns what
// follows it. The second result is false when it is none. An index after the name is the key of an instance.
func Absolute(t hcl.Traversal) (a Address, rest hcl.Traversal, ok bool) {
	kind, at := t.RootName(), 1
	for {
		if at >= len(t) {
			return a, nil, false
		}
		name, isName := t[at].(hcl.TraverseAttr)
		if !isName {
			return a, nil, false
		}
		a.Kind, a.Name, a.Key = Kind(kind), name.Name, ""
		at++
		if at < len(t) {
			if index, isIndex := t[at].(hcl.TraverseIndex); isIndex {
				a.Key = KeyOf(index.Key)
				at++
			}
		}
		if a.Kind != Module || at == len(t) {
			return a, t[at:], slices.Contains(declaredKinds(), a.Kind)
		}
		inner, isName := t[at].(hcl.TraverseAttr)
		if !isName {
			return a, nil, false
		}
		a.Module = Inside(a.Module, "module."+a.Name+a.Key)
		kind = inner.Name
		at++
	}
}

// ValidName reports whether a block may have the name: an identifier, so that references can be written to it.
func ValidName(name string) bool {
	return hclsyntax.ValidIdentifier(name)
}

// Join puts the path of a module before another path; either may be "".
func Join(module, inner string) string {
	if inner == "" {
		return module
	}
	return Inside(module, inner)
}

// ParseFullName reads a name as plans have it, such as "arena" or `module.phone["a"].bank[0]`, as that of a block of a kind. The
// second result is false for anything else.
func ParseFullName(kind Kind, name string) (Address, bool) {
	at := 0
	for i, quoted := 0, false; i < len(name); i++ {
		switch {
		case name[i] == '\\':
			i++
		case name[i] == '"':
			quoted = !quoted
		case name[i] == '.' && !quoted:
			at = i + 1
		}
	}
	return ParseString(name[:at] + string(kind) + "." + name[at:])
}
