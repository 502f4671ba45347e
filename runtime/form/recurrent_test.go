package form_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
)

func TestRecurrentCellsAreRead(t *testing.T) {
	tensor := func(shape ...int64) *device.Tensor { return &device.Tensor{Name: "t", Shape: shape} }
	x := tensor(5, 2, 3)
	nine := []string{"Relu", "Relu", "Relu", "Relu", "Relu", "Relu", "Relu", "Relu", "Relu"}
	for _, c := range []struct {
		name    string
		op      graph.Op
		r       *device.Tensor
		want    form.Recurrent
		refused string
	}{
		{name: "one direction", op: graph.Op{Op: "GRU", Attrs: graph.Attrs{"linear_before_reset": int64(1)}}, r: tensor(1, 12, 4),
			want: form.Recurrent{Gates: 3, Dirs: 1, Steps: 5, Batch: 2, In: 3, N: 4, LinearReset: true, Activations: [][]string{{"Sigmoid", "Tanh"}}}},
		{name: "two directions, the batch first", op: graph.Op{Op: "RNN", Attrs: graph.Attrs{"direction": "bidirectional", "layout": int64(1)}}, r: tensor(2, 4, 4),
			want: form.Recurrent{Gates: 1, Dirs: 2, Steps: 2, Batch: 5, In: 3, N: 4, BatchFirst: true, Activations: [][]string{{"Tanh"}, {"Tanh"}}}},
		{name: "one of two directions", op: graph.Op{Op: "RNN"}, r: tensor(2, 4, 4), refused: `direction "forward" does not go with weights for 2 directions`},
		{name: "three directions", op: graph.Op{Op: "LSTM", Attrs: graph.Attrs{"activations": nine}}, r: tensor(3, 16, 4), refused: "weights for 3 directions"},
		{name: "too few activations", op: graph.Op{Op: "LSTM", Attrs: graph.Attrs{"activations": nine[:2]}}, r: tensor(1, 16, 4), refused: "activations [Relu Relu] for 1 directions"},
		{name: "another rank", op: graph.Op{Op: "RNN"}, r: tensor(4, 4), refused: "not of rank 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := form.RecurrentOf(&c.op, x, c.r)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			require.Equal(t, &c.want, got)
		})
	}
}
