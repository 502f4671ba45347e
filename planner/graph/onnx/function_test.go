package onnx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// function is a function of the domain "f". Its nodes are for operator set 13.
func function(name string, inputs, outputs []string, parts ...msg) msg {
	m := msg{}.str(1, name).str(10, "f").sub(9, msg{}.str(1, "").num(2, 13))
	for _, in := range inputs {
		m = m.str(4, in)
	}
	for _, out := range outputs {
		m = m.str(5, out)
	}
	return msg{}.sub(25, append(m, join(parts...)...))
}

// bodyNode is a node in the body of a function.
func bodyNode(domain, op, name string, inputs, outputs []string, attrs ...msg) msg {
	return msg{}.sub(7, nodeBody(domain, op, name, inputs, outputs, attrs...))
}

// ops writes the graph's ops as "name: Op(inputs) = outputs".
func ops(g *graph.Graph) []string {
	var out []string
	for i := range g.Ops {
		op := &g.Ops[i]
		out = append(out, fmt.Sprintf("%s: %s(%s) = %s", op.Name, op.Op, strings.Join(names(g, op.Inputs), ", "), strings.Join(names(g, op.Outputs), ", ")))
	}
	return out
}

func TestFunctionsAreWrittenOutAtEachCall(t *testing.T) {
	swish := function("Swish", list("x"), list("y"),
		bodyNode("", "Sigmoid", "", list("x"), list("gate")),
		bodyNode("", "Mul", "scale", list("x", "gate"), list("y")))
	g := mustImport(t, join(model(13, input("x", float32Elem, 1),
		customNode("f", "Swish", "first", list("x"), list("a")),
		customNode("f", "Swish", "", list("a"), list("b")), untyped("b")), swish))
	assert.Equal(t, []string{
		"first/Sigmoid_0: Sigmoid(x) = first/gate", "first/scale: Mul(x, first/gate) = a",
		"Swish_0/Sigmoid_0: Sigmoid(a) = Swish_0/gate", "Swish_0/scale: Mul(a, Swish_0/gate) = b",
	}, ops(g))
}

func TestFunctionsCallFunctionsAndPassAttributes(t *testing.T) {
	m := join(model(18, input("x", float32Elem, 1),
		customNode("f", "Outer", "call", list("x"), list("y", "same", "twice"), attrInt("dim", 1)), untyped("y"), untyped("same"), untyped("twice")),
		function("Outer", list("in", "missing"), list("out", "in", "out"), msg{}.str(6, "dim"),
			bodyNode("f", "Inner", "inner", list("in", "missing"), list("out"), attrRef("axis", "dim"))),
		function("Inner", list("in", "bound"), list("out"), msg{}.sub(11, msg{}.str(1, "to").num(3, 7).num(20, 2)),
			bodyNode("", "Constant", "", nil, list("c"), attrInt("value_int", 2)),
			bodyNode("", "Softmax", "", list("in"), list("s"), attrRef("axis", "axis"), attrRef("left_out", "nothing")),
			bodyNode("", "Cast", "", list("s"), list("cast"), attrRef("to", "to")),
			bodyNode("", "Clip", "", list("cast", "bound", "c"), list("out"))))
	g := mustImport(t, m)
	assert.Equal(t, int64(1), opNamed(t, g, "call/inner/Softmax_0").Attrs["axis"])
	assert.NotContains(t, opNamed(t, g, "call/inner/Softmax_0").Attrs, "left_out")
	assert.Equal(t, int64(7), opNamed(t, g, "call/inner/Cast_0").Attrs["to"])
	clip := opNamed(t, g, "call/inner/Clip_0")
	assert.Equal(t, graph.NoTensor, clip.Inputs[1], "an input that the call leaves out is absent inside too")
	assert.Equal(t, "call/inner/c", g.Tensors[clip.Inputs[2]].Name)
	assert.Equal(t, list("y", "same", "twice"), names(g, g.Outputs))
	assert.Equal(t, "Identity", opNamed(t, g, "call/Identity_0").Op, "an input that is given out is copied")
}

func TestAFunctionHasItsOwnOperatorSet(t *testing.T) {
	old := msg{}.sub(25, msg{}.str(1, "F").str(10, "f").sub(9, msg{}.num(2, 11)).str(4, "x").str(5, "y").
		sub(7, nodeBody("", "Squeeze", "s", list("x"), list("y"), attrInts("axes", 0))))
	call := model(18, input("x", float32Elem, 1), customNode("f", "F", "call", list("x"), list("y")), untyped("y"))
	g := mustImport(t, join(call, old))
	assert.Equal(t, []int64{0}, int64s(t, g, opNamed(t, g, "call/s"), 1))

	future := msg{}.sub(25, msg{}.str(1, "F").str(10, "f").sub(9, msg{}.num(2, 40)).str(4, "x").str(5, "y"))
	mustRefuse(t, join(call, future), "MP0302", "function f.F", "version 40")
}

func TestFunctionsThatCannotBeWrittenOutAreRefused(t *testing.T) {
	call := model(13, input("x", float32Elem, 1), customNode("f", "F0", "call", list("x"), list("y")), untyped("y"))
	self := function("F0", list("x"), list("y"), bodyNode("f", "F0", "again", list("x"), list("y")))
	mustRefuse(t, join(call, self), "MP0316", `"call/again" (F0)`, "F0 -> F0")

	var deep []msg
	for i := range 40 {
		deep = append(deep, function(fmt.Sprint("F", i), list("x"), list("y"), bodyNode("f", fmt.Sprint("F", i+1), "n", list("x"), list("y"))))
	}
	mustRefuse(t, join(call, join(deep...)), "MP0316", "more than 32 deep")

	one := function("F0", list("x"), list("y"), bodyNode("", "Abs", "n", list("x"), list("y")))
	mustRefuse(t, join(call, one, one), "MP0316", "defined twice")
}

// doubling are functions of which each calls the next one twice: 2^30 nodes when written out.
func doubling() msg {
	m := model(13, input("x", float32Elem, 1), customNode("f", "F0", "call", list("x"), list("y")), untyped("y"))
	for i := range 30 {
		next := fmt.Sprint("F", i+1)
		m = append(m, function(fmt.Sprint("F", i), list("x"), list("y"), bodyNode("f", next, "", list("x"), list("a")), bodyNode("f", next, "", list("a"), list("y")))...)
	}
	return append(m, function("F30", list("x"), list("y"), bodyNode("", "Abs", "", list("x"), list("y")))...)
}

func TestFunctionsThatGrowWithoutEndAreStopped(t *testing.T) {
	g, diags := onnx.Import(source.FromBytes("bomb.onnx", doubling()))
	require.Nil(t, g)
	assert.Equal(t, "MP0316", string(diags[0].ID))
	assert.Contains(t, diags[0].Detail, "adds more than")
}
