package host

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// recurrent is LSTM, GRU or RNN at work.
type recurrent struct {
	*form.Recurrent
	x, w, r, bias, hidden, old []float32
	// peep has the peephole weights of LSTM in the order input, output, forget.
	peep    []float32
	lengths []int32
	y       [3][]float32
	acts    [][]func(float32) float32
	step    func(c *recurrent, s *cellState)
}

// cellState is one sequence between two steps. The slices are the worker's scratch.
type cellState struct {
	dir int
	// x is the input of the step, h and c the state, gate the sums of all gates, part those of the recurrent half.
	x, h, c, gate, part []float32
}

// cells has the step of each kind of cell.
var cells = map[string]func(c *recurrent, s *cellState){
	"LSTM": (*recurrent).lstm,
	"GRU":  (*recurrent).gru,
	"RNN":  (*recurrent).rnn,
}

// buildRecurrent binds LSTM, GRU and RNN in both directions, with initial states, sequence lengths, peepholes, clipping
// and either layout.
func buildRecurrent(b *site) (func() error, error) {
	c, err := newRecurrent(b)
	if err != nil {
		return nil, err
	}
	size := (c.Gates*2 + 2) * c.N
	b.d.work.reserve(b.d.crew.workers, size)
	scratch := &b.d.work
	body := func(worker, lo, hi int) {
		for item := lo; item < hi; item++ {
			lane := scratch.lanes[worker][:size]
			n, g := c.N, c.Gates*c.N
			s := cellState{dir: item / c.Batch, h: lane[:n], c: lane[n : 2*n], gate: lane[2*n : 2*n+g], part: lane[2*n+g:]}
			c.sequence(&s, item%c.Batch)
		}
	}
	return func() error { b.d.crew.Split(c.Dirs*c.Batch, 1, body); return nil }, nil
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
	shared, err := form.RecurrentOf(b.op, x.t, r.t)
	if err != nil {
		return nil, err
	}
	c := &recurrent{Recurrent: shared, step: cells[b.op.Op]}
	if c.acts, err = gateFunctionsOf(shared); err != nil {
		return nil, err
	}
	return c, c.operands(b)
}

// operands binds the inputs and outputs and checks their sizes.
func (c *recurrent) operands(b *site) (err error) {
	rows := c.Dirs * c.Gates * c.N
	states := c.Dirs * c.Batch * c.N
	for _, o := range []struct {
		to       *[]float32
		input, n int
		optional bool
	}{
		{&c.x, 0, c.Steps * c.Batch * c.In, false}, {&c.w, 1, rows * c.In, false}, {&c.r, 2, rows * c.N, false},
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
		if c.peep, err = b.vector(7, 3*c.Dirs*c.N, true); err != nil {
			return err
		}
	}
	if o := b.input(4); o != nil {
		if o.t.DType != graph.Int32 || o.elements() != c.Batch {
			return form.RefuseTensor(o.t, "sequence lengths are int32, one for each of %d items", c.Batch)
		}
		if c.lengths, err = view[int32](o); err != nil {
			return err
		}
	}
	for i, n := range []int{c.Steps * states, states, states} {
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

// gateFunctionsOf resolves the names for each direction.
func gateFunctionsOf(shared *form.Recurrent) ([][]func(float32) float32, error) {
	var all [][]func(float32) float32
	for _, names := range shared.Activations {
		var list []func(float32) float32
		for _, name := range names {
			f := gateFunctions[name]
			if f == nil {
				return nil, form.UnknownActivation(name)
			}
			list = append(list, f)
		}
		all = append(all, list)
	}
	return all, nil
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
	length := c.Steps
	if c.lengths != nil {
		length = min(max(int(c.lengths[item]), 0), c.Steps)
	}
	backwards := c.Backwards || s.dir == 1
	for t := range c.Steps {
		step := t
		if t >= length {
			c.emit(s, t, item, nil)
			continue
		}
		if backwards {
			step = length - 1 - t
		}
		from := (step*c.Batch + item) * c.In
		if c.BatchFirst {
			from = (item*c.Steps + step) * c.In
		}
		s.x = c.x[from : from+c.In]
		c.step(c, s)
		c.emit(s, step, item, s.h)
	}
	if c.y[1] != nil {
		copy(c.y[1][at:at+c.N], s.h)
	}
	if c.y[2] != nil {
		copy(c.y[2][at:at+c.N], s.c)
	}
}

// stateAt is the place of a state: [dirs, batch, n], or [batch, dirs, n].
func (c *recurrent) stateAt(dir, item int) int {
	if c.BatchFirst {
		return (item*c.Dirs + dir) * c.N
	}
	return (dir*c.Batch + item) * c.N
}

// emit writes the result of a step, zeros for nil: [steps, dirs, batch, n], or [batch, steps, dirs, n].
func (c *recurrent) emit(s *cellState, step, item int, h []float32) {
	if c.y[0] == nil {
		return
	}
	at := ((step*c.Dirs+s.dir)*c.Batch + item) * c.N
	if c.BatchFirst {
		at = ((item*c.Steps+step)*c.Dirs + s.dir) * c.N
	}
	to := c.y[0][at : at+c.N]
	if h == nil {
		clear(to)
		return
	}
	copy(to, h)
}
