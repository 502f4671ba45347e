package host

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// filter is the weights of a convolution.
type filter struct {
	operand *operand
	data    []float32
	// constant says that data has its content when the step is prepared.
	constant bool
}

func newFilter(b *site, o *operand) (*filter, error) {
	data, err := b.floats(o)
	return &filter{operand: o, data: data, constant: o.t.Role == graph.Constant}, err
}

// at returns the weight from input channel i to output channel o of group g.
func (f *filter) at(c *convolution, g, o, i int, k form.Dims) float32 {
	return f.data[c.Weight(g, o, i, k)]
}

// repack runs pack once when the weights are constant, else before each run.
func (b *site) repack(f *filter, pack func()) {
	if f.constant {
		pack()
		f.operand.spent = true
		return
	}
	b.before = append(b.before, pack)
}
