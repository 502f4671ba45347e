package texture

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// Relay chooses a scope from a packed shape as TVM's Relay does. Of the three texture scopes those count whose sides are
// both strictly below limit; the one with the least difference between its sides wins, Weight before NHWC before
// Activation when they are equal. Global is the answer when none counts and for every shape but [a, b, c, d, 4] with known
// axes that are not empty. The element type does not matter.
func Relay(shape graph.Shape, limit int64) Scope {
	if !isQuad(shape) {
		return Global
	}
	best, least := Global, int64(math.MaxInt64)
	for _, scope := range []Scope{Activation, NHWC, Weight} {
		width, height, ok := scope.sides(shape)
		if !ok || width >= limit || height >= limit {
			continue
		}
		if skew := max(width-height, height-width); skew <= least {
			best, least = scope, skew
		}
	}
	return best
}

// Relax chooses a scope from a packed shape as TVM's Relax does: the first of Weight, NHWC and Activation whose three
// extents of an image array are strictly below the limits, limit for the sides and depth for the layers. Where Relay
// folds all leading axes into the height, the array folds those before the last of them into its layers, so the 2D image
// of the answer can be higher than limit: [Geometry.Fits] has the last word. Shapes that Relay sends to Global go there.
func Relax(shape graph.Shape, limit, depth int64) Scope {
	if !isQuad(shape) {
		return Global
	}
	a, b, c, d := shape[0], shape[1], shape[2], shape[3]
	switch {
	case a < limit && below(limit, b, c, d):
		return Weight
	case a < depth && b < limit && below(limit, c, d):
		return NHWC
	case below(depth, a, b) && c < limit && d < limit:
		return Activation
	}
	return Global
}

// isQuad reports whether a shape is [a, b, c, d, 4] with known axes that are not empty.
func isQuad(shape graph.Shape) bool {
	return len(shape) == 5 && shape[4] == texelChannels && shape.Known() && !emptyAxis(shape)
}

// below reports whether the product of the factors is strictly below the limit.
func below(limit int64, factors ...int64) bool {
	n, ok := graph.Shape(factors).Elements()
	return ok && n < limit
}
