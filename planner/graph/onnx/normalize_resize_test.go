package onnx_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
)

func TestResizeOfSet10GetsTheInputsOfSet11(t *testing.T) {
	cases := map[string]struct {
		scales  []float32
		nearest string
	}{
		"enlarging takes the sample before": {[]float32{1, 2}, "floor"},
		"shrinking takes the sample after":  {[]float32{1, 0.6}, "ceil"},
		"both take the sample before":       {[]float32{2, 0.6}, "floor"},
		"the same size":                     {[]float32{1, 1}, "floor"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := mustImport(t, model(10, input("x", float32Elem, 2, 2), initializer(floats("s", c.scales...)),
				node("Resize", "op", list("x", "s"), list("y")), untyped("y")))
			op := opNamed(t, g, "op")
			assert.Equal(t, []graph.TensorID{g.ByName("x"), graph.NoTensor, g.ByName("s")}, op.Inputs)
			assert.Equal(t, graph.Attrs{"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": c.nearest}, op.Attrs)
		})
	}
}

func TestScalesThatAreComputedAreTakenToEnlarge(t *testing.T) {
	for _, op := range []string{"Resize", "Upsample"} {
		g := mustImport(t, model(10, input("x", float32Elem, 2, 2), input("s", float32Elem, 2), node(op, "op", list("x", "s"), list("y")), untyped("y")))
		assert.Equal(t, "Resize", opNamed(t, g, "op").Op)
		assert.Equal(t, "floor", opNamed(t, g, "op").Attrs["nearest_mode"])
	}
}

func TestEmptyInputsOfResizeAreAbsent(t *testing.T) {
	with := func(mode string) *graph.Op {
		g := mustImport(t, model(11, input("x", float32Elem, 2, 2), initializer(floats("none")), initializer(floats("roi", 0, 0, 1, 1)), initializer(ints("sizes", 4, 4)),
			node("Resize", "op", list("x", "roi", "none", "sizes"), list("y"), attrString("coordinate_transformation_mode", mode)), untyped("y")))
		return opNamed(t, g, "op")
	}
	op := with("half_pixel")
	assert.Equal(t, graph.NoTensor, op.Inputs[1], "one mode alone reads the region")
	assert.Equal(t, graph.NoTensor, op.Inputs[2])
	assert.NotEqual(t, graph.NoTensor, op.Inputs[3])
	assert.NotEqual(t, graph.NoTensor, with("tf_crop_and_resize").Inputs[1])
}
