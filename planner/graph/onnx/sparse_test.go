package onnx_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sparse is a sparse initializer of shape [2, 3] with the given indices.
func sparse(indices msg, values ...float32) msg {
	return msg{}.sub(15, msg{}.sub(1, floats("s", values...)).sub(2, indices).num(3, 2).num(3, 3))
}

func matrix(rows, columns int64, values ...int64) msg {
	return tensor("", int64Elem, rows, columns).sub(7, varints(values...))
}

func TestSparseInitializersBecomeDenseWhenRead(t *testing.T) {
	for name, indices := range map[string]msg{"places": ints("", 1, 5), "coordinates": matrix(2, 2, 0, 1, 1, 2)} {
		t.Run(name, func(t *testing.T) {
			g := mustImport(t, model(13, input("x", float32Elem, 2, 3), sparse(indices, 4, 8), node("Add", "add", list("x", "s"), list("y")), untyped("y")))
			assert.IsType(t, &graph.Lazy{}, tensorNamed(t, g, "s").Data)
			assert.Equal(t, graph.Shape{2, 3}, tensorNamed(t, g, "s").Shape)
			require.Equal(t, []float32{0, 4, 0, 0, 0, 8}, float32s(t, g, opNamed(t, g, "add"), 1))
		})
	}
}

func TestSparseInitializersAreChecked(t *testing.T) {
	cases := map[string]struct {
		s     msg
		names []string
	}{
		"a place outside":            {sparse(ints("", 1, 6), 4, 8), list("index 6")},
		"a negative place":           {sparse(ints("", -1, 5), 4, 8), list("index -1")},
		"a coordinate outside":       {sparse(matrix(2, 2, 0, 1, 1, 3), 4, 8), list("index 3", "axis 1")},
		"places that descend":        {sparse(ints("", 5, 1), 4, 8), list("does not come after")},
		"a place that comes twice":   {sparse(ints("", 1, 1), 4, 8), list("does not come after")},
		"too few places":             {sparse(ints("", 1), 4, 8), list("a row for each")},
		"coordinates of wrong rank":  {sparse(matrix(2, 3, 0, 0, 0, 0, 0, 1), 4, 8), list("a row for each")},
		"places that are no numbers": {sparse(floats("", 1, 5), 4, 8), list("float32")},
		"a dense form that is huge":  {msg{}.sub(15, msg{}.sub(1, floats("s", 1)).sub(2, ints("", 0)).num(3, 1<<40)), list("above the limit")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			mustRefuse(t, model(13, c.s, untyped("s")), "MP0315", append(c.names, `sparse initializer "s"`)...)
		})
	}
}
