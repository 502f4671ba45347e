package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestANameIsDefinedOnce(t *testing.T) {
	x := input("x", float32Elem, 1)
	cases := map[string]msg{
		"two inputs":                 model(13, x, x, untyped("x")),
		"two initializers":           model(13, initializer(floats("x", 1)), initializer(floats("x", 2)), untyped("x")),
		"an input and a result":      model(13, x, node("Relu", "r", list("x"), list("x")), untyped("x")),
		"the results of two ops":     model(13, input("a", float32Elem, 1), node("Relu", "r", list("a"), list("x")), node("Abs", "s", list("a"), list("x")), untyped("x")),
		"two results of one op":      model(13, input("a", float32Elem, 1), node("LSTM", "r", list("a"), list("x", "x")), untyped("x")),
		"an initializer and a node":  model(13, initializer(floats("x", 1)), node("Constant", "", nil, list("x"), attrInt("value_int", 1)), untyped("x")),
		"an output that comes twice": model(13, x, untyped("x"), untyped("x")),
	}
	for name, m := range cases {
		t.Run(name, func(t *testing.T) { mustRefuse(t, m, "MP0308", `"x"`) })
	}
}

func TestAnUndefinedNameGetsASuggestion(t *testing.T) {
	d := mustRefuse(t, model(13, input("image", float32Elem, 1), node("Add", "add", list("image", "imgae"), list("y")),
		node("Add", "again", list("y", "imgae"), list("z")), untyped("z")), "MP0309", `"imgae"`, `"add" (Add)`)
	assert.Contains(t, d.Detail, `Did you mean "image"?`)
	mustRefuse(t, model(13, input("image", float32Elem, 1), untyped("logits")), "MP0309", `"logits"`, "an output of the graph")
}

func TestOpsHaveStableUniqueNames(t *testing.T) {
	g := mustImport(t, model(13, input("a", float32Elem, 1),
		node("Relu", "", list("a"), list("b")),
		node("Relu", "twin", list("b"), list("c")),
		node("Abs", "", list("c"), list("d")),
		node("Relu", "twin", list("d"), list("e")),
		node("Relu", "", list("e"), list("f")),
		node("Abs", "Relu_1", list("f"), list("g")),
		node("Relu", "twin", list("g"), list("h")),
		node("Relu", "twin_2", list("h"), list("i")),
		untyped("i")))
	var got []string
	for i := range g.Ops {
		got = append(got, g.Ops[i].Name)
	}
	assert.Equal(t, list("Relu_0", "twin", "Abs_0", "twin_3", "Relu_2", "Relu_1", "twin_4", "twin_2"), got)
}

func TestNamesThatAreNotTextAreMadeText(t *testing.T) {
	g := mustImport(t, model(13, input("a\xff", float32Elem, 1), node("Relu", "r", list("a\xff"), list("y")), untyped("y")))
	assert.Equal(t, "a\uFFFD", g.Tensors[g.Inputs[0]].Name)
}
