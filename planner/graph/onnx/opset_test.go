package onnx_test

import (
	"fmt"
	"testing"
)

func relu(opset int64) msg {
	return model(opset, input("x", float32Elem, 1), node("Relu", "r", list("x"), list("y")), untyped("y"))
}

func TestOperatorSetsOutsideTheRangeAreRefused(t *testing.T) {
	for _, version := range []int64{-1, 1, 5, 22, 1 << 40} {
		mustRefuse(t, relu(version), "MP0302", fmt.Sprint("version ", version), "versions 6 to 21")
	}
}

func TestOperatorSetsInTheRangeAreRead(t *testing.T) {
	for version := int64(6); version <= 21; version++ {
		mustImport(t, relu(version))
	}
}

func TestBothNamesOfTheDomainMeanTheSame(t *testing.T) {
	m := msg{}.num(1, 8).sub(8, msg{}.str(1, "ai.onnx").num(2, 13)).sub(7, join(
		input("x", float32Elem, 1), customNode("ai.onnx", "Relu", "r", list("x"), list("y")), untyped("y")))
	g := mustImport(t, m)
	if domain := g.Ops[0].Domain; domain != "" {
		t.Errorf("domain is %q", domain)
	}
}

func TestAModelMustDeclareTheOperatorSetItUses(t *testing.T) {
	graph := join(input("x", float32Elem, 1), node("Relu", "r", list("x"), list("y")), untyped("y"))
	mustRefuse(t, msg{}.num(1, 8).sub(8, msg{}.str(1, "my").num(2, 1)).sub(7, graph), "MP0303", "Relu")

	own := join(input("x", float32Elem, 1), customNode("my", "F", "f", list("x"), list("y")), output("y", float32Elem, 1))
	mustImport(t, msg{}.num(1, 8).sub(8, msg{}.str(1, "my").num(2, 1)).sub(7, own))
}
