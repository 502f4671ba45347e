package onnx_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
)

// legacy adds b to x of shape [2, 3, 4, 5], at an axis as operator set 6 has it.
func legacy(b msg, attrs ...msg) msg {
	return model(6, input("x", float32Elem, 2, 3, 4, 5), b, node("Add", "op", list("x", "b"), list("y"), attrs...), untyped("y"))
}

func TestBroadcastingFromAnAxisGetsAxesOfSizeOne(t *testing.T) {
	at := func(axis int64) msg { return join(attrInt("broadcast", 1), attrInt("axis", axis)) }
	constant := initializer(floats("b", 1, 2, 3))

	g := mustImport(t, legacy(constant, at(1)))
	assert.Equal(t, []string{"op: Add(x, op.aligned) = y"}, ops(g))
	assert.Equal(t, graph.Shape{3, 1, 1}, tensorNamed(t, g, "op.aligned").Shape)
	assert.Equal(t, []float32{1, 2, 3}, float32s(t, g, &g.Ops[0], 1))
	assert.Empty(t, g.Ops[0].Attrs)

	g = mustImport(t, legacy(input("b", float32Elem, 3, 4), at(-3)))
	assert.Equal(t, []string{"op.unsqueeze: Unsqueeze(b, op.axes) = op.unsqueeze:0", "op: Add(x, op.unsqueeze:0) = y"}, ops(g))
	assert.Equal(t, []int64{2}, int64s(t, g, &g.Ops[0], 1))
	assert.Equal(t, graph.Shape{3, 4, 1}, tensorNamed(t, g, "op.unsqueeze:0").Shape)

	assert.Equal(t, []string{"op: Add(x, b) = y"}, ops(mustImport(t, legacy(input("b", float32Elem, 4, 5), at(2)))), "the last axes need nothing")
	assert.Equal(t, []string{"op: Add(x, b) = y"}, ops(mustImport(t, legacy(input("b", float32Elem, 5), attrInt("broadcast", 1)))))

	mustRefuse(t, legacy(constant, at(4)), "MP0317", `"op" (Add)`, "axis 4")
	mustRefuse(t, legacy(msg{}.sub(11, msg{}.str(1, "b")), at(1)), "MP0317", "rank")
}

func TestTheSlopeOfPReluStandsAtTheChannels(t *testing.T) {
	prelu := func(x, slope msg) msg {
		return model(6, x, slope, node("PRelu", "op", list("x", "b"), list("y")), untyped("y"))
	}
	x := input("x", float32Elem, 2, 3, 4, 5)
	g := mustImport(t, prelu(x, initializer(floats("b", 1, 2, 3))))
	assert.Equal(t, graph.Shape{3, 1, 1}, g.Tensor(g.Ops[0].Inputs[1]).Shape)
	assert.Equal(t, []string{"op: PRelu(x, b) = y"}, ops(mustImport(t, prelu(x, initializer(floats("b", 1))))))
	mustRefuse(t, prelu(msg{}.sub(11, msg{}.str(1, "x")), initializer(floats("b", 1, 2))), "MP0317", `"op" (PRelu)`)
}
