package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// recurrentBuilders walk sequences.
var recurrentBuilders = map[string]builder{"LSTM": buildRecurrent, "GRU": buildRecurrent, "RNN": buildRecurrent}

// recurrences is the program of their kernels.
var recurrences = source{file: "recurrent"}

// recurrent is LSTM, GRU or RNN bound to memory.
type recurrent struct {
	*form.Recurrent
	acts                                       [maxAxes]int32
	x, w, r, bias, hidden, cell, peep, lengths *flat
	biased, started, celled, peeped, limited   bool
	y                                          [3]*flat
	wanted                                     [3]bool
	sums, states0, states1, cells              *flat
}

// gateFunctions are the numbers of the activations in recurrent.cl.
var gateFunctions = map[string]int32{"Sigmoid": 0, "Tanh": 1, "Relu": 2, "HardSigmoid": 3, "Softsign": 4, "Softplus": 5}

// buildRecurrent binds LSTM, GRU and RNN in both directions, with initial states, sequence lengths, peepholes, clipping
// and either layout: one launch for the input's half of all steps, then one or two a step.
func buildRecurrent(b *site) ([]launch, error) {
	c, err := b.recurrent()
	if err != nil {
		return nil, err
	}
	states := c.Dirs * c.Batch * c.N
	rows := c.Gates * c.N
	items := c.Dirs * c.Steps * c.Batch * rows
	input, err := b.line(recurrences, "recurrent_input", items, c.x, c.w, c.bias, c.sums, items, rows, c.Batch, c.Steps, c.In, flag(c.BatchFirst), flag(c.biased))
	if err != nil {
		return nil, err
	}
	input.macs = int64(items) * int64(c.In)
	all := []launch{input}
	for _, s := range []struct {
		given, state *flat
		there        bool
	}{{c.hidden, c.states0, c.started}, {c.cell, c.cells, c.celled}} {
		l, err := b.line(recurrences, "recurrent_start", states, s.given, s.state, states, c.Batch, c.Dirs, c.N, flag(c.BatchFirst), flag(!s.there))
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	h0, h1 := c.states0, c.states1
	for t := range c.Steps {
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
		l, err := b.line(recurrences, "recurrent_end", states, state, c.y[i], states, c.Batch, c.Dirs, c.N, flag(c.BatchFirst))
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
	if c.variant() {
		return []string{"recurrent_gru"}
	}
	return []string{"recurrent_reset", "recurrent_gru"}
}

func (b *site) recurrentStep(c *recurrent, kernel string, t int, h0, h1 *flat) (launch, error) {
	items := c.Dirs * c.Batch * c.N
	l, err := b.line(recurrences, kernel, items, c.sums, c.r, c.bias, c.peep, c.lengths, h0, h1, c.cells, c.y[0],
		t, items, c.N, c.Batch, c.Dirs, c.Steps, c.Gates, c.acts, c.Clip, flag(c.limited), flag(c.Backwards), flag(c.biased),
		flag(c.peeped), flag(c.variant()), flag(c.wanted[0]), flag(c.BatchFirst))
	l.macs = int64(items) * int64(c.Gates) * int64(c.N)
	return l, err
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
	shared, err := form.RecurrentOf(b.op, x.t, r.t)
	if err != nil {
		return nil, err
	}
	c := &recurrent{Recurrent: shared}
	if err := fewLaunches(c.Steps * len(c.kernels(b.op.Op))); err != nil {
		return nil, err
	}
	if err := c.activations(); err != nil {
		return nil, err
	}
	if err := c.operands(b); err != nil {
		return nil, err
	}
	return c, c.workspace(b)
}

// variant reports whether the cell is the other one of its kind.
func (c *recurrent) variant() bool { return c.LinearReset || c.Coupled }

// activations resolves the names for each direction.
func (c *recurrent) activations() error {
	for dir, names := range c.Activations {
		for k, name := range names {
			number, ok := gateFunctions[name]
			if !ok {
				return form.UnknownActivation(name)
			}
			c.acts[dir*3+k] = number
		}
	}
	return nil
}

// operands binds the inputs and outputs and checks their sizes. What is absent has some other memory as an argument.
func (c *recurrent) operands(b *site) (err error) {
	rows, states := c.Dirs*c.Gates*c.N, c.Dirs*c.Batch*c.N
	if c.x, err = b.vector(0, c.Steps*c.Batch*c.In); err != nil {
		return err
	}
	if c.w, err = b.vector(1, rows*c.In); err != nil {
		return err
	}
	if c.r, err = b.vector(2, rows*c.N); err != nil {
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
	}{{3, 2 * rows, &c.bias, &c.biased}, {5, states, &c.hidden, &c.started}, {6, states, &c.cell, &c.celled}, {7, 3 * c.Dirs * c.N, &c.peep, &c.peeped}} {
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
	if o.t.DType != graph.Int32 || o.elements() != c.Batch {
		return form.RefuseTensor(o.t, "sequence lengths are int32, one for each of %d items", c.Batch)
	}
	c.limited = true
	c.lengths, err = b.elementsOf(o)
	return err
}

func (c *recurrent) results(b *site) (err error) {
	states := c.Dirs * c.Batch * c.N
	for i, n := range []int{c.Steps * states, states, states} {
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
		{&c.sums, c.Dirs * c.Steps * c.Batch * c.Gates * c.N}, {&c.states0, c.Dirs * c.Batch * c.N},
		{&c.states1, c.Dirs * c.Batch * c.N}, {&c.cells, c.Dirs * c.Batch * c.N},
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
