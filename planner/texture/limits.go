package texture

import (
	"fmt"
	"strings"
)

// Limits are the largest image of a device in texels.
type Limits struct{ MaxWidth, MaxHeight int64 }

// Fits reports whether the image is within the limits; a side equal to its limit is. When it is not, the second result
// says so, as in "width 9072 exceeds max_width 8192".
func (g Geometry) Fits(limits Limits) (bool, string) {
	var because []string
	if g.Width > limits.MaxWidth {
		because = append(because, fmt.Sprintf("width %d exceeds max_width %d", g.Width, limits.MaxWidth))
	}
	if g.Height > limits.MaxHeight {
		because = append(because, fmt.Sprintf("height %d exceeds max_height %d", g.Height, limits.MaxHeight))
	}
	return len(because) == 0, strings.Join(because, " and ")
}
