package onnx_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// models is where the real models are.
const models = "../../../testdata/models"

func names(g *graph.Graph, ids []graph.TensorID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = g.Tensors[id].Name
	}
	return out
}

func TestRealModelsImport(t *testing.T) {
	cases := []struct {
		file, digest    string
		ops, constants  int
		inputs, outputs []string
	}{
		// 471 nodes, of which 250 are Constant; 18 Clip get two bounds each, Slice three inputs.
		{"ch_ppocr_mobile_v2.0_cls_infer.onnx", "491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640",
			221, 250 + 2*18 + 3, []string{"x"}, []string{"softmax_0.tmp_0"}},
		{"face_detection_front_128x128_barracuda.onnx", "d388b1cf8a5f6f1af2b3f4c14f6d0f138bab970cd618cccd12dddb7484e82e51",
			104, 68, []string{"input:0"}, []string{"Identity:0", "Identity_1:0", "Identity_2:0", "Identity_3:0"}},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			f := openFile(t, filepath.Join(models, c.file))
			g, diags := onnx.Import(f)
			require.Empty(t, diags)
			checkGraph(t, g)
			assert.Equal(t, "sha256:"+c.digest, g.Digest)
			assert.Equal(t, "onnx", g.Format)
			assert.Len(t, g.Ops, c.ops)
			assert.Equal(t, c.constants, countConstants(g))
			assert.Equal(t, c.inputs, names(g, g.Inputs))
			assert.Equal(t, c.outputs, names(g, g.Outputs))
		})
	}
}

func countConstants(g *graph.Graph) int {
	n := 0
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Constant {
			n++
		}
	}
	return n
}

func TestWeightsAliasTheFile(t *testing.T) {
	f := openFile(t, filepath.Join(models, "ch_ppocr_mobile_v2.0_cls_infer.onnx"))
	g, diags := onnx.Import(f)
	require.Empty(t, diags)
	content := read(t, tensorNamed(t, g, "conv2d_0.w_0"))
	assert.True(t, aliases(f.Bytes(), content))
}

// aliases reports whether part lies in whole.
func aliases(whole, part []byte) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(whole)))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	return at >= start && at+uintptr(len(part)) <= start+uintptr(len(whole))
}

func TestDynamicAxesKeepTheirNames(t *testing.T) {
	f := openFile(t, filepath.Join(models, "ch_ppocr_mobile_v2.0_cls_infer.onnx"))
	g, diags := onnx.Import(f)
	require.Empty(t, diags)
	x := tensorNamed(t, g, "x")
	assert.Equal(t, graph.Shape{graph.Unknown, 3, graph.Unknown, graph.Unknown}, x.Shape)
	assert.Equal(t, []string{"p2o.DynamicDimension.0", "", "p2o.DynamicDimension.1", "p2o.DynamicDimension.2"}, x.Symbols)
	assert.Equal(t, "NCHW", x.Layout)
	assert.Equal(t, "OIHW", tensorNamed(t, g, "conv2d_0.w_0").Layout)
}

// small is a model with one op of each common kind; prefixes of it, and mutations, test the decoder.
func small() msg {
	return model(13,
		input("x", float32Elem, "N", 2),
		initializer(floats("w", 1, 2)),
		initializer(ints("shape", -1, 2)),
		node("Constant", "", nil, list("c"), attrTensor("value", floats("", 3))),
		node("Add", "add", list("x", "w"), list("a")),
		node("Mul", "", list("a", "c"), list("m")),
		node("Reshape", "reshape", list("m", "shape"), list("r")),
		node("Softmax", "", list("r"), list("y"), attrInt("axis", -1)),
		value("a", float32Elem, "N", 2),
		output("y", float32Elem, "N", 2),
	)
}

func TestASmallModelBecomesTheGraphItDescribes(t *testing.T) {
	g := mustImport(t, small())
	assert.Equal(t, "net", g.Name)
	assert.Equal(t, []string{"x"}, names(g, g.Inputs))
	assert.Equal(t, []string{"y"}, names(g, g.Outputs))
	var ops []string
	for i := range g.Ops {
		op := &g.Ops[i]
		ops = append(ops, op.Name+": "+op.Op+"("+strings.Join(names(g, op.Inputs), ", ")+") = "+strings.Join(names(g, op.Outputs), ", "))
	}
	assert.Equal(t, []string{
		"add: Add(x, w) = a", "Mul_0: Mul(a, c) = m", "reshape: Reshape(m, shape) = r", "Softmax_0: Softmax(r) = y",
	}, ops)
	assert.Equal(t, graph.Output, tensorNamed(t, g, "y").Role)
	assert.Equal(t, graph.Activation, tensorNamed(t, g, "m").Role)
	assert.Nil(t, tensorNamed(t, g, "m").Shape)
	a := tensorNamed(t, g, "a")
	assert.Equal(t, graph.Shape{graph.Unknown, 2}, a.Shape)
	assert.Equal(t, []string{"N", ""}, a.Symbols)
	assert.Equal(t, graph.Float32, a.DType)
}

func TestAnUnnamedGraphIsCalledLikeItsFile(t *testing.T) {
	m := msg{}.num(1, 8).sub(8, msg{}.num(2, 13)).sub(7, join(input("x", float32Elem, 1), untyped("x")))
	g, diags := onnx.Import(source.FromBytes("models/tiny.onnx", m))
	require.Empty(t, diags)
	assert.Equal(t, "tiny", g.Name)
	assert.Equal(t, graph.Input, g.Tensors[g.Outputs[0]].Role, "an input that is given out stays an input")
}

func TestAnOpenAxisWithoutANameStaysOpen(t *testing.T) {
	g := mustImport(t, model(13, input("x", float32Elem, nil, -1, 3), node("Relu", "r", list("x"), list("y")), output("y", float32Elem, nil, "N", 3)))
	assert.Equal(t, []string{"", "", ""}, tensorNamed(t, g, "x").Symbols)
	assert.Equal(t, graph.Shape{graph.Unknown, graph.Unknown, 3}, tensorNamed(t, g, "x").Shape)
	assert.Equal(t, []string{"", "N", ""}, tensorNamed(t, g, "y").Symbols)
}

func TestAScalarDiffersFromAnUnknownShape(t *testing.T) {
	g := mustImport(t, model(13, input("x", float32Elem), node("Relu", "r", list("x"), list("y")), untyped("y")))
	assert.Equal(t, graph.Shape{}, tensorNamed(t, g, "x").Shape)
	assert.Nil(t, tensorNamed(t, g, "y").Shape)
}

func TestAnInitializerAmongTheInputsIsAConstant(t *testing.T) {
	g := mustImport(t, model(13, input("w", float32Elem, 2), input("x", float32Elem, 2), initializer(floats("w", 1, 2)),
		node("Add", "add", list("x", "w"), list("y")), untyped("y")))
	assert.Equal(t, []string{"x"}, names(g, g.Inputs))
	assert.Equal(t, graph.Constant, tensorNamed(t, g, "w").Role)
}

func TestAbsentInputsAndOutputsAreNoTensor(t *testing.T) {
	g := mustImport(t, model(13, input("x", float32Elem, 4), initializer(floats("max", 6)),
		node("Clip", "clip", list("x", "", "max"), list("y")),
		node("LSTM", "lstm", list("y", "max", "max", "", ""), list("", "h", "")),
		untyped("h")))
	assert.Equal(t, graph.NoTensor, opNamed(t, g, "clip").Inputs[1])
	assert.Len(t, opNamed(t, g, "lstm").Inputs, 3, "absent inputs at the end are cut off")
	assert.Equal(t, graph.NoTensor, opNamed(t, g, "lstm").Outputs[0])
	assert.Len(t, opNamed(t, g, "lstm").Outputs, 2)
}

func TestConstantsThatNothingReadsAreLeftOut(t *testing.T) {
	g := mustImport(t, model(13, input("x", float32Elem, 4), initializer(floats("unused", 6)), initializer(floats("given", 6)),
		node("Relu", "r", list("x"), list("y")), untyped("y"), untyped("given")))
	assert.Equal(t, graph.NoTensor, g.ByName("unused"))
	assert.Equal(t, []string{"y", "given"}, names(g, g.Outputs))
	assert.Equal(t, graph.Constant, tensorNamed(t, g, "given").Role)
}

func TestImportingAgainGivesTheSameGraph(t *testing.T) {
	first, _ := onnx.Import(openFile(t, filepath.Join(models, "ch_ppocr_mobile_v2.0_cls_infer.onnx")))
	second, _ := onnx.Import(openFile(t, filepath.Join(models, "ch_ppocr_mobile_v2.0_cls_infer.onnx")))
	assert.Equal(t, first, second)
}

func BenchmarkImport(b *testing.B) {
	for _, name := range []string{"ch_ppocr_mobile_v2.0_cls_infer.onnx", "face_detection_front_128x128_barracuda.onnx"} {
		b.Run(name, func(b *testing.B) {
			content := openFile(b, filepath.Join(models, name)).Bytes()
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				// A new file each time, because a file computes its digest once.
				if g, _ := onnx.Import(source.FromBytes(name, content)); g == nil {
					b.Fatal("not imported")
				}
			}
		})
	}
}
