package onnx_test

import (
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestControlFlowIsRefusedByName(t *testing.T) {
	x := input("x", float32Elem, 1)
	for _, op := range []string{"If", "Loop", "Scan"} {
		mustRefuse(t, model(13, x, node(op, "decide", list("x"), list("y", "", "z")), untyped("y")),
			"MP0304", `"decide" (`+op+`)`, `"y" and "z"`, "control flow is not planned")
	}
	mustRefuse(t, model(13, x, customNode("my", "Repeat", "again", list("x"), list("y"), attrGraph("body", msg{})), output("y", float32Elem, 1)),
		"MP0304", `"again" (Repeat)`)
}

func TestSequencesAreRefusedByName(t *testing.T) {
	x := input("x", float32Elem, 1)
	mustRefuse(t, model(13, x, node("SequenceConstruct", "seq", list("x"), list("s")), untyped("s")), "MP0305", `"seq" (SequenceConstruct)`, `"s"`)

	for field, kind := range map[int32]string{4: "sequence", 5: "map", 7: "opaque value", 8: "sparse tensor", 9: "optional"} {
		declared := msg{}.sub(11, msg{}.str(1, "items").sub(2, msg{}.sub(protoField(field), msg{})))
		mustRefuse(t, model(13, declared, untyped("items")), "MP0305", `"items"`, kind)
	}
}

func TestElementTypesWithoutASizeAreRefusedByName(t *testing.T) {
	x := input("x", float32Elem, 1)
	cases := map[string]struct {
		m     msg
		names []string
	}{
		"a weight below a byte":       {model(21, initializer(tensor("w", int4Elem, 3).num(5, 0)), untyped("w")), list(`initializer "w"`, "int4")},
		"strings in an initializer":   {model(13, initializer(tensor("w", stringElem, 1).str(6, "a")), untyped("w")), list(`"w"`, "string")},
		"an 8-bit float value":        {model(21, input("x", 17, 1), untyped("x")), list(`value "x"`, "float8e4m3fn")},
		"a type from the future":      {model(21, input("x", 99, 1), untyped("x")), list(`value "x"`, "type 99")},
		"a string constant":           {model(13, node("Constant", "", nil, list("c"), attrString("value_string", "a")), untyped("c")), list(`constant "c"`, "strings")},
		"a cast to strings":           {model(13, x, node("Cast", "cast", list("x"), list("y"), attrInt("to", stringElem)), untyped("y")), list(`"cast" (Cast)`, "string")},
		"an op on strings":            {model(13, x, node("StringNormalizer", "norm", list("x"), list("y")), untyped("y")), list(`"norm" (StringNormalizer)`)},
		"quantisation to 4 bits":      {model(21, x, node("QuantizeLinear", "q", list("x", "x"), list("y"), attrInt("output_dtype", int4Elem)), untyped("y")), list(`"q" (QuantizeLinear)`, "int4")},
		"a constant without its type": {model(13, initializer(tensor("w", 0, 1)), untyped("w")), list(`"w"`, "undefined")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { mustRefuse(t, c.m, "MP0306", c.names...) })
	}
}

func TestACustomOpNeedsADeclaredShape(t *testing.T) {
	x := input("x", float32Elem, 1)
	gelu := customNode("com.microsoft", "FusedGelu", "gelu", list("x"), list("y"))
	mustRefuse(t, model(13, x, gelu, untyped("y")), "MP0307", `"gelu" (FusedGelu)`, `"com.microsoft"`, `"y"`)

	g := mustImport(t, model(13, x, gelu, node("Relu", "r", list("y"), list("z")), value("y", float32Elem, 1), untyped("z")))
	op := opNamed(t, g, "gelu")
	assert.Equal(t, "com.microsoft", op.Domain)
	assert.Equal(t, "FusedGelu", op.Op)
	assert.Equal(t, graph.Shape{1}, tensorNamed(t, g, "y").Shape)
}

func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	g, diags := onnx.Import(source.FromBytes("bad.onnx", model(13,
		initializer(tensor("w", float32Elem, 3)),
		node("If", "decide", list("x"), list("y")),
		node("Add", "add", list("y", "w"), list("z")),
		node("Add", "late", list("z", "lost"), list("u")),
		untyped("u"))))
	require.Nil(t, g)
	var ids []diag.ID
	for _, d := range diags {
		ids = append(ids, d.ID)
	}
	assert.Equal(t, []diag.ID{"MP0311", "MP0309", "MP0309", "MP0304"}, ids)
}

func TestAttributesThatCannotBeCarriedAreRefused(t *testing.T) {
	x := input("x", float32Elem, 1)
	with := func(attr msg) msg {
		return model(13, x, node("Relu", "r", list("x"), list("y"), attr), untyped("y"))
	}
	mustRefuse(t, with(msg{}.sub(5, msg{}.str(1, "a").num(20, 13))), "MP0314", `attribute "a"`, `"r" (Relu)`, "is a type")
	mustRefuse(t, with(msg{}.sub(5, msg{}.str(1, "a").num(20, 9))), "MP0314", "a list of tensors")
	mustRefuse(t, with(msg{}.sub(5, msg{}.str(1, "a").num(20, 4))), "MP0314", "a tensor without a value")
	mustRefuse(t, with(msg{}.sub(5, msg{}.str(1, "a"))), "MP0314", "without a value")
	mustRefuse(t, with(msg{}.sub(5, msg{}.str(1, "a").num(20, 77))), "MP0314", "unknown kind 77")
	mustRefuse(t, with(attrRef("a", "parameter")), "MP0314", `"parameter"`)
	mustRefuse(t, model(13, node("Constant", "", nil, list("c")), untyped("c")), "MP0314", `constant "c"`)
}

func TestAttributesOfEveryKindAreCarried(t *testing.T) {
	g := mustImport(t, model(13, input("x", float32Elem, 1), node("Relu", "r", list("x"), list("y"),
		attrInt("i", -3), attrFloat("f", 0.5), attrString("s", "text"), attrInts("is", 1, -2), attrFloats("fs", 1.5, 2),
		attrInts("none"), attrTensor("t", ints("", 7)),
		msg{}.sub(5, msg{}.str(1, "ss").str(9, "a").str(9, "b").num(20, 8)),
		msg{}.sub(5, msg{}.str(1, "packed").sub(8, msg("\x01\x02")).num(20, 7)),
		msg{}.sub(5, msg{}.str(1, "untyped").num(3, 4)),
		msg{}.sub(5, msg{}.str(1, "zero").num(20, 2)),
	), untyped("y")))
	attrs := opNamed(t, g, "r").Attrs
	assert.Equal(t, int64(-3), attrs["i"])
	assert.Equal(t, float32(0.5), attrs["f"])
	assert.Equal(t, "text", attrs["s"])
	assert.Equal(t, []int64{1, -2}, attrs["is"])
	assert.Equal(t, []float32{1.5, 2}, attrs["fs"])
	assert.Equal(t, []string{"a", "b"}, attrs["ss"])
	assert.Equal(t, []int64{1, 2}, attrs["packed"])
	assert.Equal(t, int64(4), attrs["untyped"], "old files do not say the kind")
	assert.Equal(t, int64(0), attrs["zero"], "a zero may be left out on the wire")
	assert.Equal(t, []int64{}, attrs["none"], "an empty list is not an absent one")
	assert.Equal(t, graph.Shape{1}, attrs["t"].(*graph.AttrTensor).Shape)
}
