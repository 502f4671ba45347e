package opencl

import "github.com/memplan/memplan/runtime/form"

// copyBuilders are the ops whose result has the elements of the input in their order.
var copyBuilders = map[string]builder{
	"Identity": buildCopy, "Reshape": buildCopy, "Flatten": buildCopy, "Squeeze": buildCopy, "Unsqueeze": buildCopy,
}

// buildCopy binds Copy, which moves a tensor between scopes, and reshapes that are no views. The operands have the same
// dense elements, of any type. One that is stored as texels is read or written there directly.
func buildCopy(b *site) ([]launch, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if x.t.DType != y.t.DType || x.elements() != y.elements() {
		return nil, form.RefuseTensor(y.t, "a copy of %v %v cannot be %v %v", x.t.DType, x.shape(), y.t.DType, y.shape())
	}
	if rawTypes[x.t.DType.Size()] == "" {
		return nil, form.RefuseTensor(y.t, "elements of type %v are not supported", x.t.DType)
	}
	asHeld := x.held == nil && y.held == nil
	if asHeld && x.stored != nil && y.stored == nil {
		to, err := b.placed(y)
		if err != nil {
			return nil, err
		}
		return one(b.open(x, to))
	}
	from, err := b.elementsOf(x)
	if err != nil {
		return nil, err
	}
	if asHeld && y.stored != nil {
		return one(b.pack(y, from))
	}
	to, err := b.resultElements(y, true)
	if err != nil {
		return nil, err
	}
	if to.mem == from.mem && to.at == from.at {
		return nil, nil
	}
	return one(b.move(from, to))
}

// one is the launches of a step that has a single one.
func one(l launch, err error) ([]launch, error) {
	if err != nil {
		return nil, err
	}
	return []launch{l}, nil
}
