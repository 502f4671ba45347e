package scope

import "strings"

// The scopes.
const (
	Global        = "global"
	Texture       = "global.texture"
	TextureWeight = "global.texture-weight"
	TextureNHWC   = "global.texture-nhwc"
)

// FlatPolicy is the name of the policy that leaves everything in flat memory.
const FlatPolicy = "flat"

// Names lists the scopes in the order of the documentation.
func Names() []string { return []string{Global, Texture, TextureWeight, TextureNHWC} }

// Canonical returns the one spelling of a scope, "global" for the empty one. The second result is false for an unknown
// name.
func Canonical(name string) (string, bool) {
	if name == "" {
		return Global, true
	}
	for _, known := range Names() {
		if name == known {
			return known, true
		}
	}
	return "", false
}

// isTexture reports whether a canonical scope is a 2D image.
func isTexture(name string) bool { return strings.HasPrefix(name, Texture) }
