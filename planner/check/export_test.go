package check

import "github.com/memplan/memplan/planner/plan"

// Image returns the sides, the texel format and the bytes of a tensor's image at a pitch, or why it has none.
func Image(t *plan.Tensor, align int64) (width, height int64, texel string, bytes int64, because string) {
	p, because := pictureOf(t)
	if because != "" {
		return 0, 0, "", 0, because
	}
	return p.width, p.height, p.texel, product(pitch(p.width, align, p.texelBytes), p.height), ""
}

// SameElements reports whether the images of two tensors hold the same bytes.
func SameElements(a, b *plan.Tensor) bool {
	p, _ := pictureOf(a)
	q, _ := pictureOf(b)
	return p != nil && q != nil && p.same(q)
}
