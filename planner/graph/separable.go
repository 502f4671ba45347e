package graph

import "slices"

// IsBlock reports whether the op is a block of several ops with tensors of their own between them: two convolutions, or one of
// squeeze and excitation.
func (o *Op) IsBlock() bool { return o.Separable() > 0 || o.excites() }

// Separable returns the place in Fused of the pointwise convolution that follows a depthwise one in the same op, 0 when the op
// is none of such two. Operands are the data, weights and bias of the first, weights and bias of the second, and those of
// the ops after it; attributes of the second have "Conv." as a prefix.
func (o *Op) Separable() int {
	if o.Op != "Conv" || len(o.Fused) < 2 {
		return 0
	}
	return 1 + slices.Index(o.Fused[1:], "Conv")
}
