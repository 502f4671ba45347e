package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// recurrent: data [steps, batch, size] by weights [directions, gates*hidden, size] and recurrence [directions,
// gates*hidden, hidden] give all states [steps, directions, batch, hidden] and the last ones [directions, batch,
// hidden]; with layout = 1 the batch comes first. gates is 4 for LSTM, 3 for GRU, 1 for RNN.
func recurrent(gates int64) rule {
	return func(n *node) ([]array.Type, error) {
		for i := range 3 {
			if err := n.wantRank(i, 3); err != nil {
				return nil, err
			}
		}
		layout, err := n.intAttr("layout", 0)
		if err != nil {
			return nil, err
		}
		directions, err := n.directions()
		if err != nil {
			return nil, err
		}
		hidden, err := n.hiddenSize(gates, directions)
		if err != nil {
			return nil, err
		}
		steps, batch := n.shape(0)[0], n.shape(0)[1]
		all, last := graph.Shape{steps, directions, batch, hidden}, graph.Shape{directions, batch, hidden}
		if layout != 0 {
			steps, batch = batch, steps
			all, last = graph.Shape{batch, steps, directions, hidden}, graph.Shape{batch, directions, hidden}
		}
		d := n.dtype(0)
		return []array.Type{{DType: d, Shape: all}, {DType: d, Shape: last}, {DType: d, Shape: last.Clone()}}, nil
	}
}

func (n *node) directions() (int64, error) {
	direction, err := n.stringAttr("direction", "forward")
	if err != nil {
		return 0, err
	}
	switch direction {
	case "forward", "reverse":
		return 1, nil
	case "bidirectional":
		return 2, nil
	}
	return 0, n.fault(diag.InvalidAttribute, "has the direction %q; known are forward, reverse and bidirectional. Correct the attribute.", direction)
}

// hiddenSize returns the extent of the state, checked against weights and recurrence.
func (n *node) hiddenSize(gates, directions int64) (int64, error) {
	recurrence := n.shape(2)
	hidden, err := n.positiveAttr("hidden_size", max(recurrence[2], 1))
	if err != nil {
		return 0, err
	}
	var c checked
	rows := c.mul(gates, hidden)
	if c.overflow {
		return 0, n.overflows(2, recurrence)
	}
	for i := 1; i <= 2; i++ {
		if err := n.wantExtent(i, 0, directions, "one set of weights for each direction"); err != nil {
			return 0, err
		}
		if err := n.wantExtent(i, 1, rows, "the gates times the hidden size"); err != nil {
			return 0, err
		}
	}
	if err := n.wantExtent(1, 2, n.shape(0)[2], "the input size of "+n.operand(0)); err != nil {
		return 0, err
	}
	return hidden, n.wantExtent(2, 2, hidden, "the hidden size")
}
