package host

import "github.com/memplan/memplan/runtime/form"

// buildCopy binds Copy, which moves a tensor between scopes. Its operands have the same dense elements; packing and
// unpacking are around the kernel as around any other. No element is converted, so it is exact for every type.
func buildCopy(b *site) (func() error, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if x.t.DType != y.t.DType || !x.shape().Equal(y.shape()) {
		return nil, form.RefuseTensor(y.t, "a copy of %v %v cannot be %v %v", x.t.DType, x.shape(), y.t.DType, y.shape())
	}
	return func() error { copy(y.bytes, x.bytes); return nil }, nil
}
