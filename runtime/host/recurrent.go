package host

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// recurrent is LSTM, GRU or RNN at work: each pair of direction and batch item is a sequence of its own.
type recurrent struct {
	gates                      int
	dirs, steps, batch, in, n  int
	batchFirst, reverseOnly    bool
	x, w, r, bias, hidden, old []float32
	// peep has the peephole weights of LSTM in the order input, output, forget.
	peep    []float32
	lengths []int32
	y       [3][]float32
	acts    [][]func(float32) float32
	clip    float32
	// linearReset and coupled are the variants linear_before_reset of GRU and input_forget of LSTM.
	linearReset, coupled bool
	cell                 func(c *recurrent, s *cellState)
}

// cellState is one sequence between two steps. The slices are the worker's scratch.
type cellState struct {
	dir int
	// x is the input of the step, h and c the state, gate the sums of all gates, part those of the recurrent half.
	x, h, c, gate, part []float32
}

// cells has the number of gates, of activations and the step of each kind.
var cells = map[string]struct {
	gates    int
	defaults []string
	step     func(c *recurrent, s *cellState)
}{
	"LSTM": {4, []string{"Sigmoid", "Tanh", "Tanh"}, (*recurrent).lstm},
	"GRU":  {3, []string{"Sigmoid", "Tanh"}, (*recurrent).gru},
	"RNN":  {1, []string{"Tanh"}, (*recurrent).rnn},
}

// buildRecurrent binds LSTM, GRU and RNN in both directions, with initial states, sequence lengths, peepholes, clipping
// and either layout.
func buildRecurrent(b *site) (func() error, error) {
	c, err := newRecurrent(b)
	if err != nil {
		return nil, err
	}
	size := (c.gates*2 + 2) * c.n
	b.d.work.reserve(b.d.crew.workers, size)
	scratch := &b.d.work
	body := func(worker, lo, hi int) {
		for item := lo; item < hi; item++ {
			lane := scratch.lanes[worker][:size]
			n, g := c.n, c.gates*c.n
			s := cellState{dir: item / c.batch, h: lane[:n], c: lane[n : 2*n], gate: lane[2*n : 2*n+g], part: lane[2*n+g:]}
			c.sequence(&s, item%c.batch)
		}
	}
	return func() error { b.d.crew.Split(c.dirs*c.batch, 1, body); return nil }, nil
}

func newRecurrent(b *site) (*recurrent, error) {
	x, err := b.need(0)
	if err != nil {
		return nil, err
	}
	r, err := b.need(2)
	if err != nil {
		return nil, err
	}
	if len(x.shape()) != 3 || len(r.shape()) != 3 {
		return nil, form.RefuseTensor(x.t, "data of shape %v and weights of %v are not of rank 3", x.shape(), r.shape())
	}
	kind := cells[b.op.Op]
	a := b.op.Attrs
	c := &recurrent{
		gates: kind.gates, cell: kind.step, dirs: int(r.shape()[0]), n: int(r.shape()[2]),
		steps: int(x.shape()[0]), batch: int(x.shape()[1]), in: int(x.shape()[2]),
		batchFirst: a.Int("layout", 0) != 0, clip: a.Float("clip", 0),
		linearReset: a.Int("linear_before_reset", 0) != 0, coupled: a.Int("input_forget", 0) != 0,
	}
	if c.batchFirst {
		c.steps, c.batch = c.batch, c.steps
	}
	direction := a.String("direction", "forward")
	c.reverseOnly = direction == "reverse"
	if (direction == "bidirectional") != (c.dirs == 2) {
		return nil, form.Refuse("direction %q does not go with weights for %d directions", direction, c.dirs)
	}
	if err := c.activations(b, kind.defaults); err != nil {
		return nil, err
	}
	return c, c.operands(b)
}

// operands binds the inputs and outputs and checks their sizes.
func (c *recurrent) operands(b *site) (err error) {
	rows := c.dirs * c.gates * c.n
	states := c.dirs * c.batch * c.n
	for _, o := range []struct {
		to       *[]float32
		input, n int
		optional bool
	}{
		{&c.x, 0, c.steps * c.batch * c.in, false}, {&c.w, 1, rows * c.in, false}, {&c.r, 2, rows * c.n, false},
		{&c.bias, 3, 2 * rows, true}, {&c.hidden, 5, states, true},
	} {
		if *o.to, err = b.vector(o.input, o.n, o.optional); err != nil {
			return err
		}
	}
	if b.op.Op == "LSTM" {
		if c.old, err = b.vector(6, states, true); err != nil {
			return err
		}
		if c.peep, err = b.vector(7, 3*c.dirs*c.n, true); err != nil {
			return err
		}
	}
	if o := b.input(4); o != nil {
		if o.t.DType != graph.Int32 || o.elements() != c.batch {
			return form.RefuseTensor(o.t, "sequence lengths are int32, one for each of %d items", c.batch)
		}
		if c.lengths, err = view[int32](o); err != nil {
			return err
		}
	}
	for i, n := range []int{c.steps * states, states, states} {
		o := b.result(i)
		if o == nil {
			continue
		}
		if o.elements() != n {
			return form.RefuseTensor(o.t, "the shape %v does not take %d elements", o.shape(), n)
		}
		if c.y[i], err = b.resultFloats(o, false); err != nil {
			return err
		}
	}
	return nil
}

// activations resolves the names for each direction.
func (c *recurrent) activations(b *site, defaults []string) error {
	names := b.op.Attrs.Strings("activations")
	if len(names) == 0 {
		names = append(append([]string{}, defaults...), defaults...)
	}
	if len(names) < len(defaults)*c.dirs || len(b.op.Attrs.Floats("activation_alpha"))+len(b.op.Attrs.Floats("activation_beta")) > 0 {
		return form.Refuse("activations %v for %d directions, or with parameters of their own, are not supported", names, c.dirs)
	}
	for dir := range c.dirs {
		var list []func(float32) float32
		for _, name := range names[dir*len(defaults) : (dir+1)*len(defaults)] {
			f := gateFunctions[name]
			if f == nil {
				return form.Refuse("the activation %q is not known in a recurrent cell", name)
			}
			list = append(list, f)
		}
		c.acts = append(c.acts, list)
	}
	return nil
}

// gateFunctions are the activations of cells, with ONNX's default parameters.
var gateFunctions = map[string]func(float32) float32{
	"Sigmoid":     func(v float32) float32 { return float32(1 / (1 + math.Exp(-float64(v)))) },
	"Tanh":        func(v float32) float32 { return float32(math.Tanh(float64(v))) },
	"Relu":        func(v float32) float32 { return max(v, 0) },
	"HardSigmoid": func(v float32) float32 { return max(0, min(1, float32(0.2*v)+0.5)) },
	"Softsign":    func(v float32) float32 { return v / (1 + max(v, -v)) },
	"Softplus":    func(v float32) float32 { return float32(math.Log1p(math.Exp(float64(v)))) },
}

// sequence runs all steps of one batch item in one direction.
func (c *recurrent) sequence(s *cellState, item int) {
	clear(s.h)
	clear(s.c)
	at := c.stateAt(s.dir, item)
	if c.hidden != nil {
		copy(s.h, c.hidden[at:])
	}
	if c.old != nil {
		copy(s.c, c.old[at:])
	}
	length := c.steps
	if c.lengths != nil {
		length = min(max(int(c.lengths[item]), 0), c.steps)
	}
	backwards := c.reverseOnly || s.dir == 1
	for t := range c.steps {
		step := t
		if t >= length {
			c.emit(s, t, item, nil)
			continue
		}
		if backwards {
			step = length - 1 - t
		}
		from := (step*c.batch + item) * c.in
		if c.batchFirst {
			from = (item*c.steps + step) * c.in
		}
		s.x = c.x[from : from+c.in]
		c.cell(c, s)
		c.emit(s, step, item, s.h)
	}
	if c.y[1] != nil {
		copy(c.y[1][at:at+c.n], s.h)
	}
	if c.y[2] != nil {
		copy(c.y[2][at:at+c.n], s.c)
	}
}

// stateAt is the place of a state: [dirs, batch, n], or [batch, dirs, n].
func (c *recurrent) stateAt(dir, item int) int {
	if c.batchFirst {
		return (item*c.dirs + dir) * c.n
	}
	return (dir*c.batch + item) * c.n
}

// emit writes the result of a step, zeros for nil: [steps, dirs, batch, n], or [batch, steps, dirs, n].
func (c *recurrent) emit(s *cellState, step, item int, h []float32) {
	if c.y[0] == nil {
		return
	}
	at := ((step*c.dirs+s.dir)*c.batch + item) * c.n
	if c.batchFirst {
		at = ((item*c.steps+step)*c.dirs + s.dir) * c.n
	}
	to := c.y[0][at : at+c.n]
	if h == nil {
		clear(to)
		return
	}
	copy(to, h)
}
