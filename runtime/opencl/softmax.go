package opencl

import "github.com/memplan/memplan/runtime/form"

// softmaxBuilders normalise exponentials.
var softmaxBuilders = map[string]builder{"Softmax": buildSoftmax, "LogSoftmax": buildSoftmax}

// softmaxes is the program of their kernels.
var softmaxes = source{file: "sum16+softmax"}

// paired binds the first input and the first output as float32 of one size.
func (b *site) paired(aliased bool) (x, y *flat, err error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, nil, err
	}
	if x, err = b.floats(0); err != nil {
		return nil, nil, err
	}
	if x.elements() != out.elements() {
		return nil, nil, form.RefuseTensor(out.t, "the shape %v does not have the elements of %v", out.shape(), x.shape)
	}
	y, err = b.resultFloats(out, aliased)
	return x, y, err
}

// buildSoftmax binds Softmax and LogSoftmax along one axis; with the attribute flatten, which older models imply, along
// all axes from it on. It may run in place.
func buildSoftmax(b *site) ([]launch, error) {
	x, y, err := b.paired(true)
	if err != nil {
		return nil, err
	}
	rank := len(x.shape)
	flatten := b.op.Attrs.Int("flatten", 0) != 0
	def := int64(-1)
	if flatten {
		def = 1
	}
	axis, err := b.axis("axis", def, rank)
	if err != nil {
		return nil, err
	}
	g := around(x.shape, axis, min(axis+1, rank))
	if flatten {
		g = around(x.shape, axis, rank)
	}
	beta, logarithm := b.op.Attrs.Float("beta", 1), flag(b.op.Op == "LogSoftmax")
	if g.inner == 1 {
		return one(b.line(softmaxes, "softmax_rows", g.outer, x, y, g.outer, g.n, beta, logarithm))
	}
	chunks := (g.inner + chunk - 1) / chunk
	return one(b.line(softmaxes, "softmax_columns", g.outer*chunks, x, y, chunks, g.outer*chunks, g.n, g.inner, beta, logarithm))
}
