package host

import "github.com/memplan/memplan/runtime/form"

// buildPad binds Pad. An input that the plan has placed inside the result, where it belongs, stays there: only the borders
// are filled. Everything else is the reference kernel's.
func buildPad(b *site) (func() error, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	y, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if !intersect(x.bytes, y.bytes) {
		return reference(b)
	}
	at, ok := b.padsAt(x, y)
	if from := int64(start(x.bytes)) - int64(start(y.bytes)); !ok || from != at || at+int64(len(x.bytes)) > int64(len(y.bytes)) {
		return reference(b)
	}
	value := make([]byte, y.t.DType.Size())
	if o := b.input(2); o != nil {
		if len(o.bytes) != len(value) {
			return nil, form.RefuseTensor(o.t, "a padding by %d bytes does not fit elements of %d", len(o.bytes), len(value))
		}
		value = o.bytes
	}
	before, after := y.bytes[:at], y.bytes[at+int64(len(x.bytes)):]
	return func() error {
		repeat(before, value)
		repeat(after, value)
		return nil
	}, nil
}

// padsAt is the byte of the result at which the input starts, when it is a run of the result's bytes.
func (b *site) padsAt(x, y *operand) (int64, bool) {
	rank := len(x.shape())
	pads, err := b.constant(1)
	if err != nil || b.input(3) != nil || len(pads) != 2*rank || len(y.shape()) != rank || b.op.Attrs.String("mode", "constant") != "constant" {
		return 0, false
	}
	at, stride, gap := int64(0), y.t.DType.Size(), false
	for axis := rank - 1; axis >= 0; axis-- {
		extent := x.shape()[axis]
		if pads[axis] < 0 || pads[rank+axis] < 0 || pads[axis]+extent+pads[rank+axis] != y.shape()[axis] || gap && extent != 1 {
			return 0, false
		}
		gap = gap || extent != y.shape()[axis]
		at += pads[axis] * stride
		stride *= y.shape()[axis]
	}
	return at, true
}

// repeat fills memory with copies of an element.
func repeat(memory, element []byte) {
	if len(memory) == 0 {
		return
	}
	for n := copy(memory, element); n < len(memory); n *= 2 {
		copy(memory[n:], memory[:n])
	}
}
