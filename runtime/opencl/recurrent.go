package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// recurrentBuilders walk sequences.
var recurrentBuilders = map[string]builder{"LSTM": buildRecurrent, "GRU": buildRecurrent, "RNN": buildRecurrent}

// recurrent is what LSTM, GRU and RNN share: each pair of direction and batch item is a sequence of its own.
type recurrent struct {
	gates, dirs, steps, batch, in, n           int
	batchFirst, backwards                      bool
	acts                                       [maxAxes]int32
	x, w, r, bias, hidden, cell, peep, lengths *flat
	biased, started, celled, peeped, limited   bool
	y                                          [3]*flat
	wanted                                     [3]bool
	clip                                       float32
	variant                                    bool
	sums, states0, states1, cells              *flat
}

// gateFunctions are the numbers of the activations in recurrent.cl.
var gateFunctions = map[string]int32{"Sigmoid": 0, "Tanh": 1, "Relu": 2, "HardSigmoid": 3, "Softsign": 4, "Softplus": 5}

// recurrentCells has the number of gates and the activations of each kind.
var recurrentCells = map[string]struct {
	gates    int
	defaults []string
}{
	"LSTM": {4, []string{"Sigmoid", "Tanh", "Tanh"}},
	"GRU":  {3, []string{"Sigmoid", "Tanh"}},
	"RNN":  {1, []string{"Tanh"}},
}

// buildRecurrent binds LSTM, GRU and RNN in both directions, with initial states, sequence lengths, peepholes, clipping
// and either layout: one launch for the input's half of all steps, then one or two a step.
func buildRecurrent(b *site) ([]launch, error) {
	c, err := b.recurrent()
	if err != nil {
		return nil, err
	}
	from := source{file: "recurrent"}
	states := c.dirs * c.batch * c.n
	rows := c.gates * c.n
	items := c.dirs * c.steps * c.batch * rows
	input, err := b.line(from, "recurrent_input", items, c.x, c.w, c.bias, c.sums, items, rows, c.batch, c.steps, c.in, flag(c.batchFirst), flag(c.biased))
	if err != nil {
		return nil, err
	}
	all := []launch{input}
	for _, s := range []struct {
		given, state *flat
		there        bool
	}{{c.hidden, c.states0, c.started}, {c.cell, c.cells, c.celled}} {
		l, err := b.line(from, "recurrent_start", states, s.given, s.state, states, c.batch, c.dirs, c.n, flag(c.batchFirst), flag(!s.there))
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	h0, h1 := c.states0, c.states1
	for t := range c.steps {
		for _, kernel := range c.kernels(b.op.Op) {
			l, err := b.recurrentStep(c, kernel, t, h0, h1)
			if err != nil {
				return nil, err
			}
			all = append(all, l)
		}
		h0, h1 = h1, h0
	}
	for i, state := range []*flat{1: h0, 2: c.cells} {
		if i == 0 || !c.wanted[i] {
			continue
		}
		l, err := b.line(from, "recurrent_end", states, state, c.y[i], states, c.batch, c.dirs, c.n, flag(c.batchFirst))
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// kernels are those of one step.
func (c *recurrent) kernels(op string) []string {
	switch op {
	case "LSTM":
		return []string{"recurrent_lstm"}
	case "RNN":
		return []string{"recurrent_rnn"}
	}
	if c.variant {
		return []string{"recurrent_gru"}
	}
	return []string{"recurrent_reset", "recurrent_gru"}
}

func (b *site) recurrentStep(c *recurrent, kernel string, t int, h0, h1 *flat) (launch, error) {
	items := c.dirs * c.batch * c.n
	return b.line(source{file: "recurrent"}, kernel, items, c.sums, c.r, c.bias, c.peep, c.lengths, h0, h1, c.cells, c.y[0],
		t, items, c.n, c.batch, c.dirs, c.steps, c.gates, c.acts, c.clip, flag(c.limited), flag(c.backwards), flag(c.biased),
		flag(c.peeped), flag(c.variant), flag(c.wanted[0]), flag(c.batchFirst))
}

func (b *site) recurrent() (*recurrent, error) {
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
	kind := recurrentCells[b.op.Op]
	a := b.op.Attrs
	xe, re := extentsOf(x.shape()), extentsOf(r.shape())
	c := &recurrent{
		gates: kind.gates, dirs: re[0], n: re[2], steps: xe[0], batch: xe[1], in: xe[2],
		batchFirst: a.Int("layout", 0) != 0, clip: a.Float("clip", 0),
		variant: a.Int("linear_before_reset", 0) != 0 || a.Int("input_forget", 0) != 0,
	}
	if c.batchFirst {
		c.steps, c.batch = c.batch, c.steps
	}
	if err := fewLaunches(c.steps * len(c.kernels(b.op.Op))); err != nil {
		return nil, err
	}
	direction := a.String("direction", "forward")
	c.backwards = direction == "reverse"
	if (direction == "bidirectional") != (c.dirs == 2) || c.dirs > 2 || c.dirs < 1 {
		return nil, form.Refuse("direction %q does not go with weights for %d directions", direction, c.dirs)
	}
	if err := c.activations(b, kind.defaults); err != nil {
		return nil, err
	}
	if err := c.operands(b); err != nil {
		return nil, err
	}
	return c, c.workspace(b)
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
		for k := range defaults {
			number, ok := gateFunctions[names[dir*len(defaults)+k]]
			if !ok {
				return form.Refuse("the activation %q is not known in a recurrent cell", names[dir*len(defaults)+k])
			}
			c.acts[dir*3+k] = number
		}
	}
	return nil
}

// operands binds the inputs and outputs and checks their sizes. What is absent has some other memory as an argument.
func (c *recurrent) operands(b *site) (err error) {
	rows, states := c.dirs*c.gates*c.n, c.dirs*c.batch*c.n
	if c.x, err = b.vector(0, c.steps*c.batch*c.in); err != nil {
		return err
	}
	if c.w, err = b.vector(1, rows*c.in); err != nil {
		return err
	}
	if c.r, err = b.vector(2, rows*c.n); err != nil {
		return err
	}
	last := 5
	if b.op.Op == "LSTM" {
		last = 7
	}
	for _, o := range []struct {
		input, n int
		to       **flat
		there    *bool
	}{{3, 2 * rows, &c.bias, &c.biased}, {5, states, &c.hidden, &c.started}, {6, states, &c.cell, &c.celled}, {7, 3 * c.dirs * c.n, &c.peep, &c.peeped}} {
		if *o.to = c.r; o.input > last || b.input(o.input) == nil {
			continue
		}
		*o.there = true
		if *o.to, err = b.vector(o.input, o.n); err != nil {
			return err
		}
	}
	if err := c.sequenceLengths(b); err != nil {
		return err
	}
	return c.results(b)
}

func (c *recurrent) sequenceLengths(b *site) (err error) {
	o := b.input(4)
	if o == nil {
		c.lengths = c.r
		return nil
	}
	if o.t.DType != graph.Int32 || o.elements() != c.batch {
		return form.RefuseTensor(o.t, "sequence lengths are int32, one for each of %d items", c.batch)
	}
	c.limited = true
	c.lengths, err = b.elementsOf(o)
	return err
}

func (c *recurrent) results(b *site) (err error) {
	states := c.dirs * c.batch * c.n
	for i, n := range []int{c.steps * states, states, states} {
		o := b.result(i)
		if o == nil || i == 2 && b.op.Op != "LSTM" {
			continue
		}
		if o.elements() != n {
			return form.RefuseTensor(o.t, "the shape %v does not take %d elements", o.shape(), n)
		}
		if c.y[i], err = b.resultFloats(o, false); err != nil {
			return err
		}
		c.wanted[i] = true
	}
	return nil
}

// workspace binds what the steps hand on.
func (c *recurrent) workspace(b *site) (err error) {
	for _, w := range []struct {
		to **flat
		n  int
	}{
		{&c.sums, c.dirs * c.steps * c.batch * c.gates * c.n}, {&c.states0, c.dirs * c.batch * c.n},
		{&c.states1, c.dirs * c.batch * c.n}, {&c.cells, c.dirs * c.batch * c.n},
	} {
		if *w.to, err = b.scratch(graph.Float32, graph.Shape{int64(w.n)}); err != nil {
			return err
		}
	}
	for i := range c.y {
		if c.y[i] == nil {
			c.y[i] = c.states1
		}
	}
	return nil
}
