package tflite_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
)

// relu is a sound model to break: x -> RELU -> z.
func relu() modelFile {
	return one(19, nil, 1, tensor("x", f32, 1, 3), tensor("z", f32, 1, 3))
}

func TestFaultsAreNamed(t *testing.T) {
	with := func(change func(*modelFile)) []byte {
		m := relu()
		change(&m)
		return m.bytes()
	}
	tests := map[string]struct {
		file []byte
		id   diag.ID
		want string
	}{
		"another kind of file":     {[]byte("\x89PNG\r\n\x1a\nrest of it"), "MP0350", "m.tflite does not carry the identifier TFL3"},
		"a cut file":               {relu().bytes()[:40], "MP0351", "m.tflite is truncated or damaged"},
		"a file without subgraphs": {[]byte("\x10\x00\x00\x00TFL3\x06\x00\x08\x00\x04\x00\x00\x00\x08\x00\x00\x00\x03\x00\x00\x00"), "MP0351", "it has no subgraph"},
		"an old schema":            {with(func(m *modelFile) { m.version = 2 }), "MP0352", "has version 2 of the TFLite schema"},
		"a branch": {
			with(func(m *modelFile) { m.ops[0].code = 118; m.more = []string{"then", "else"} }),
			"MP0353", `Operator "z" (IF) runs another subgraph, whose memory cannot be planned. It touches tensors x, z.`,
		},
		"a text tensor":              {with(func(m *modelFile) { m.tensors[0].code = str }), "MP0355", `Tensor "x" has the element type STRING`},
		"a tensor of 4-bit integers": {with(func(m *modelFile) { m.tensors[0].code = 17 }), "MP0355", `element type INT4`},
		"a type from the future":     {with(func(m *modelFile) { m.tensors[0].code = 99 }), "MP0355", `element type type 99`},
		"an open axis":               {with(func(m *modelFile) { m.tensors[0].shape[0] = -1 }), "MP0356", `Tensor "x" has -1 elements on axis 0`},
		"a short constant": {
			with(func(m *modelFile) { m.tensors[0].data = make([]byte, 5); m.inputs = nil }),
			"MP0357", `Constant "x" of shape [1, 3] and type float32 holds 5 bytes instead of 12.`,
		},
		"a missing operand":         {with(func(m *modelFile) { m.ops[0].in = nil }), "MP0359", `Operator "z" (RELU) has 0 inputs and 1 outputs; it needs 1 inputs and 1 outputs.`},
		"a required absent operand": {with(func(m *modelFile) { m.ops[0].in = []int32{-1} }), "MP0359", `it needs 1 inputs`},
		"a tensor that is not there": {
			with(func(m *modelFile) { m.ops[0].in = []int32{7} }),
			"MP0359", "The inputs of a RELU operator of m.tflite refer to tensor number 7, but the model has 2 tensors.",
		},
		"an output that is not there": {with(func(m *modelFile) { m.outputs = []int32{-1} }), "MP0359", "The graph outputs of m.tflite refer to tensor number -1"},
		"two writers": {
			with(func(m *modelFile) { m.ops = append(m.ops, m.ops[0]) }),
			"MP0360", `Tensor "z" is written by operator "z" and again by operator "RELU_1".`,
		},
		"a written input": {with(func(m *modelFile) { m.inputs = []int32{0, 1} }), "MP0360", `Operator "z" writes tensor "z", which is of role input.`},
		"a loop":          {with(func(m *modelFile) { m.ops[0].in = []int32{1} }), "MP0361", `Tensor "z" is both read and written by operator "z".`},
		"no source":       {with(func(m *modelFile) { m.inputs = nil }), "MP0361", `Tensor "x" is needed by operator "z", but no operator writes it`},
		"an output that nothing writes": {
			with(func(m *modelFile) { m.tensors = append(m.tensors, tensor("o", f32, 1)); m.outputs = []int32{2} }),
			"MP0361", `Tensor "o" is needed by the graph's output, but no operator writes it`,
		},
		"the wrong order": {
			with(func(m *modelFile) {
				m.tensors = append(m.tensors, tensor("y", f32, 1, 3))
				m.ops = []opDef{{code: 19, in: []int32{2}, out: []int32{1}}, {code: 19, in: []int32{0}, out: []int32{2}}}
			}),
			"MP0361", `Tensor "y" is needed by operator "z" before operator "y" writes it.`,
		},
		"a hash table": {with(func(m *modelFile) { m.ops[0].code = 136; m.tensors[0].code = 13 }), "MP0362", `Operator "z" (HASHTABLE) works on a table or variable`},
		"an external constant past the end": {
			without(4, with(func(m *modelFile) { m.tensors[0].external = make([]byte, 12); m.inputs = nil })),
			"MP0351", "buffer 1 has 12 bytes at offset",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g, diags := tflite.Import(source.FromBytes("m.tflite", test.file))
			require.Nil(t, g)
			require.Len(t, diags, 1, "%v", diags)
			assert.Equal(t, test.id, diags[0].ID)
			assert.Contains(t, diags[0].Detail, test.want)
		})
	}
}

func without(n int, file []byte) []byte { return file[:len(file)-n] }

func TestOtherSubgraphsAreLeftOutWithAWarning(t *testing.T) {
	m := relu()
	m.more = []string{"train", ""}
	g, diags := tflite.Import(source.FromBytes("m.tflite", m.bytes()))
	require.NotNil(t, g)
	require.Len(t, diags, 1)
	assert.Equal(t, diag.ID("MP0354"), diags[0].ID)
	assert.Equal(t, diag.Warning, diags[0].Severity)
	assert.Contains(t, diags[0].Detail, "m.tflite has subgraphs beside the main one that are not planned, 2 in number: train, subgraph 2.")
}

func TestEveryFaultIsReported(t *testing.T) {
	m := relu()
	m.tensors[0].code, m.tensors[1].shape = str, []int32{-5}
	_, diags := tflite.Import(source.FromBytes("m.tflite", m.bytes()))
	require.Len(t, diags, 2)
	assert.Equal(t, diag.ID("MP0355"), diags[0].ID)
	assert.Equal(t, diag.ID("MP0356"), diags[1].ID)
}

func TestNamesAreMadeUnique(t *testing.T) {
	m := modelFile{
		tensors: []tensorDef{
			tensor("a", f32, 1), tensor("a", f32, 1), tensor("a_1", f32, 1), tensor("", f32, 1), tensor("", f32, 1), tensor("b\xff", f32, 1),
		},
		ops: []opDef{
			{code: 19, in: []int32{0}, out: []int32{1}},
			{code: 19, in: []int32{1}, out: []int32{2}},
			{code: 19, in: []int32{2}, out: []int32{3}},
			{code: 0, in: []int32{3, 4}, out: []int32{5}},
		},
		inputs: []int32{0, 4}, outputs: []int32{5},
	}
	g := importFile(t, m)
	var tensors, ops []string
	for i := range g.Tensors {
		tensors = append(tensors, g.Tensors[i].Name)
	}
	for i := range g.Ops {
		ops = append(ops, g.Ops[i].Name)
	}
	assert.Equal(t, []string{"a", "a_2", "a_1", "RELU_2:0", "tensor_4", "b\uFFFD"}, tensors)
	assert.Equal(t, []string{"RELU_0", "a_1", "RELU_2", "b\uFFFD"}, ops)
}

func TestVariablesAreState(t *testing.T) {
	m := one(27, nil, 1, tensor("x", f32, 1, 3), tensorDef{name: "memory", shape: []int32{1, 8}, variable: true}, tensor("z", f32, 1, 3))
	g := importFile(t, m)
	assert.Equal(t, graph.State, g.Tensor(g.ByName("memory")).Role)
	assert.Equal(t, "z = tflite:Svdf(x, memory)\n", text(t, g))
}

func TestExternalConstantsAreReadFromBehindTheTables(t *testing.T) {
	m := one(0, nil, 1, tensor("x", f32, 3), tensorDef{name: "w", shape: []int32{3}, external: i32s(1, 2, 3)}, tensor("z", f32, 3))
	m.inputs = []int32{0}
	g := importFile(t, m)
	content, err := g.Tensor(g.ByName("w")).Data.Read()
	require.NoError(t, err)
	assert.Equal(t, i32s(1, 2, 3), content)
}

func TestUnusedTensorsAreLeftOut(t *testing.T) {
	m := relu()
	m.tensors = append(m.tensors, weights("unused", 1000), tensorDef{name: "text", code: str})
	g := importFile(t, m)
	assert.Len(t, g.Tensors, 2)
}

// A file may name the same bytes any number of times: a vector of a hundred thousand tables that are all one tensor
// with a long name must cost neither time nor memory.
func TestSharedTablesDoNotMultiply(t *testing.T) {
	m := relu()
	m.tensors[0].name = strings.Repeat("n", 1<<16)
	m.ops[0].in = nil
	for range 1 << 16 {
		m.inputs = append(m.inputs, 0)
	}
	m.tensors[0].code = str
	for range 1000 {
		m.ops = append(m.ops, opDef{code: 19, in: []int32{0}, out: []int32{0}})
	}
	_, diags := tflite.Import(source.FromBytes("m.tflite", m.bytes()))
	require.True(t, diags.HasErrors())
	total := 0
	for _, d := range diags {
		total += len(d.Detail)
	}
	assert.Less(t, total, 10<<20)
}

// An unnamed result is called after its op: a long name must not be copied for each of many results.
func TestALongNameIsNotCopiedForEveryResult(t *testing.T) {
	m := relu()
	m.tensors[1].name = strings.Repeat("n", 1<<16)
	for i := range int32(20_000) {
		m.tensors = append(m.tensors, tensorDef{})
		m.ops[0].out = append(m.ops[0].out, 2+i)
	}
	g, diags := tflite.Import(source.FromBytes("m.tflite", m.bytes()))
	require.Nil(t, g)
	require.Len(t, diags, 1)
	assert.Equal(t, diag.TFLiteDamaged, diags[0].ID)
}

func FuzzImport(f *testing.F) {
	f.Add(relu().bytes())
	f.Add(quantizedConv().bytes())
	f.Add(sparseModel(csr()).bytes())
	f.Add(one(83, []option{{0, int32(2)}, {1, int32(1)}}, 1, tensor("x", f32, 3), tensor("y", f32, 3), tensor("z", f32, 3, 2)).bytes())
	f.Add(one(45, []option{{4, int32(1)}}, 1, tensor("x", f32, 5, 4), vector("b", -1, 0), vector("e", 0, 4), vector("s", 1, 1), tensor("z", f32, 4)).bytes())
	f.Fuzz(func(t *testing.T, content []byte) { mustImport(t, content) })
}

func TestEveryPrefixOfASmallModelIsRefusedOrRead(t *testing.T) {
	for _, m := range []modelFile{relu(), quantizedConv(), sparseModel(csr())} {
		content := m.bytes()
		for n := range content {
			mustImport(t, content[:n])
		}
	}
}

func TestEveryByteOfASmallModelMayBeWrong(t *testing.T) {
	for _, m := range []modelFile{relu(), quantizedConv(), sparseModel(csr())} {
		content := m.bytes()
		for i, kept := range content {
			for _, wrong := range []byte{0, 1, 0x7f, 0x80, 0xff, kept ^ 1, kept + 4} {
				content[i] = wrong
				mustImport(t, content)
			}
			content[i] = kept
		}
	}
}
