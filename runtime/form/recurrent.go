package form

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Recurrent is what LSTM, GRU and RNN ask. Each pair of direction and batch item is a sequence of its own.
type Recurrent struct {
	// Gates is the number of gates of a cell, Dirs that of directions, 1 or 2, In that of elements of the data of a step and N
	// that of elements of a state.
	Gates, Dirs, Steps, Batch, In, N int
	// BatchFirst says that the batch is the first axis of data and states. Backwards is the single direction from the end.
	BatchFirst, Backwards bool
	// Activations are the names of the functions of the cell, for each direction.
	Activations [][]string
	// Clip bounds the sums of gates to [-Clip, Clip]; 0 is no bound.
	Clip float32
	// LinearReset and Coupled are the variants linear_before_reset of GRU and input_forget of LSTM.
	LinearReset, Coupled bool
}

// cells has the number of gates and the activations of each kind of cell.
var cells = map[string]struct {
	gates       int
	activations []string
}{
	"LSTM": {4, []string{"Sigmoid", "Tanh", "Tanh"}},
	"GRU":  {3, []string{"Sigmoid", "Tanh"}},
	"RNN":  {1, []string{"Tanh"}},
}

// RecurrentOf reads an op with data x [Steps, Batch, In] and the weights r [Dirs, Gates * N, N] of its recurrent half. It
// refuses other ranks and numbers of directions, and activations with parameters of their own.
func RecurrentOf(op *graph.Op, x, r *device.Tensor) (*Recurrent, error) {
	if len(x.Shape) != 3 || len(r.Shape) != 3 {
		return nil, RefuseTensor(x, "data of shape %v and weights of %v are not of rank 3", x.Shape, r.Shape)
	}
	cell, a := cells[op.Op], op.Attrs
	c := &Recurrent{
		Gates: cell.gates, Dirs: int(r.Shape[0]), N: int(r.Shape[2]), Steps: int(x.Shape[0]), Batch: int(x.Shape[1]), In: int(x.Shape[2]),
		BatchFirst: a.Int("layout", 0) != 0, Clip: a.Float("clip", 0),
		LinearReset: a.Int("linear_before_reset", 0) != 0, Coupled: a.Int("input_forget", 0) != 0,
	}
	if c.BatchFirst {
		c.Steps, c.Batch = c.Batch, c.Steps
	}
	direction := a.String("direction", "forward")
	c.Backwards = direction == "reverse"
	if (direction == "bidirectional") != (c.Dirs == 2) || c.Dirs < 1 || c.Dirs > 2 {
		return nil, Refuse("direction %q does not go with weights for %d directions", direction, c.Dirs)
	}
	names, each := a.Strings("activations"), len(cell.activations)
	if len(names) == 0 {
		names = append(append(names, cell.activations...), cell.activations...)
	}
	if len(names) < each*c.Dirs || len(a.Floats("activation_alpha"))+len(a.Floats("activation_beta")) > 0 {
		return nil, Refuse("activations %v for %d directions, or with parameters of their own, are not supported", names, c.Dirs)
	}
	for dir := range c.Dirs {
		c.Activations = append(c.Activations, names[dir*each:(dir+1)*each])
	}
	return c, nil
}

// UnknownActivation refuses a function that no cell has.
func UnknownActivation(name string) error {
	return Refuse("the activation %q is not known in a recurrent cell", name)
}
