package picture

// swatch is a colour with what it stands for. The colours are those of Okabe and Ito, which people with any common kind of
// colour blindness tell apart; shape and pattern carry what is said by nothing else.
type swatch struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Colour string `json:"colour"`
}

var roleSwatches = []swatch{
	{"input", "input", "#e69f00"}, {"output", "output", "#009e73"}, {"activation", "activation", "#56b4e9"},
	{"constant", "constant", "#b7b7b7"}, {"scratch", "scratch", "#cc79a7"}, {"state", "state", "#f0e442"},
}

var scopeSwatches = []swatch{
	{"global", "global", "#56b4e9"}, {"global.texture", "global.texture", "#e69f00"},
	{"global.texture-weight", "global.texture-weight", "#cc79a7"}, {"global.texture-nhwc", "global.texture-nhwc", "#009e73"},
}

var changeSwatches = []swatch{
	{"placed", "+ placed", "#009e73"}, {"moved", "~ moved", "#e69f00"}, {"gone", "- gone", "#d55e00"}, {"same", "= as it was", "#b7b7b7"},
}

// knownColour is the colour of a role, that of an activation for one that a plan of a later version may have.
func knownColour(role string) string {
	for _, s := range roleSwatches {
		if s.Name == role {
			return role
		}
	}
	return "activation"
}
