package texture

import "github.com/memplan/memplan/planner/graph"

// Scope is the memory scope of a tensor. Its value is the name that configurations and plans use.
type Scope string

// The scopes. Global is flat memory; the others are 2D images that differ in the axis where the rows end.
const (
	Global Scope = "global"
	// Activation makes rows of all axes but the last spatial one.
	Activation Scope = "global.texture"
	// NHWC makes rows of the first two axes, of the first one when the packed shape has three.
	NHWC Scope = "global.texture-nhwc"
	// Weight makes rows of the first axis, the blocks of output channels.
	Weight Scope = "global.texture-weight"
)

// Scopes lists the texture scopes in the order of the documentation.
func Scopes() []Scope { return []Scope{Activation, Weight, NHWC} }

// Separator returns the number of leading axes of a packed shape of the given rank that multiply to the height; the
// others but the channels multiply to the width. The second result is false for a scope that is no texture and for a
// rank below 3.
func (s Scope) Separator(rank int) (int, bool) {
	if rank < 3 {
		return 0, false
	}
	switch s {
	case Activation:
		return rank - 2, true
	case NHWC:
		return min(2, rank-2), true
	case Weight:
		return 1, true
	}
	return 0, false
}

// sides returns the width and height in texels of a packed shape; false when a product exceeds 2^63-1.
func (s Scope) sides(packed graph.Shape) (width, height int64, ok bool) {
	at, ok := s.Separator(len(packed))
	if !ok {
		return 0, 0, false
	}
	height, ok = graph.Shape(packed[:at]).Elements()
	if !ok {
		return 0, 0, false
	}
	width, ok = graph.Shape(packed[at : len(packed)-1]).Elements()
	return width, height, ok
}
