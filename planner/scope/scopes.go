package scope

import (
	"math/bits"
	"slices"

	"github.com/memplan/memplan/planner/texture"
)

// The scopes.
const (
	Global        = string(texture.Global)
	Texture       = string(texture.Activation)
	TextureWeight = string(texture.Weight)
	TextureNHWC   = string(texture.NHWC)
)

// scopeNames are the scopes by label, in the order of the documentation.
var scopeNames = [...]string{Global, Texture, TextureWeight, TextureNHWC}

// Names lists the scopes in the order of the documentation.
func Names() []string { return slices.Clone(scopeNames[:]) }

// Canonical returns the one spelling of a scope, "global" for the empty one. The second result is false for an unknown
// name.
func Canonical(name string) (string, bool) {
	if name == "" {
		return Global, true
	}
	if l, ok := labelOf(name); ok {
		return l.String(), true
	}
	return "", false
}

// label is the index of a scope. The least is flat memory: where labels tie, the least wins.
type label uint8

const flat label = 0

// labels is the number of scopes.
const labels = label(len(scopeNames))

func (l label) String() string { return scopeNames[l] }

// labelOf finds a canonical scope.
func labelOf(name string) (label, bool) {
	for l := range labels {
		if scopeNames[l] == name {
			return l, true
		}
	}
	return flat, false
}

// set is a set of scopes, one bit a label.
type set uint8

const (
	onlyFlat set = 1 << flat
	images   set = 1<<labels - 1 - onlyFlat
	anywhere set = onlyFlat | images
)

func one(l label) set          { return 1 << l }
func (s set) has(l label) bool { return s>>l&1 == 1 }
func (s set) size() int        { return bits.OnesCount8(uint8(s)) }

// least is the first member of a set that is not empty.
func (s set) least() label { return label(bits.TrailingZeros8(uint8(s))) }

// String lists the members as in "global or global.texture".
func (s set) String() string {
	out := ""
	for l := range labels {
		if s.has(l) {
			if out != "" {
				out += " or "
			}
			out += l.String()
		}
	}
	return out
}
