package tflite_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
)

// small is a model of one RELU, with the further subgraphs named.
func small(more ...string) modelFile {
	return modelFile{
		tensors: []tensorDef{{name: "x", shape: []int32{1, 4}}, {name: "y", shape: []int32{1, 4}}},
		ops:     []opDef{{code: 19, in: []int32{0}, out: []int32{1}}},
		inputs:  []int32{0}, outputs: []int32{1}, more: more,
	}
}

func TestMetadataLeavesTheModelAsItWas(t *testing.T) {
	file := small("other").bytes()
	out, err := tflite.WithMetadata(file, "plan", []byte("content"))
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(out, file))
	was, _ := tflite.Import(source.FromBytes("m.tflite", file))
	is, ds := tflite.Import(source.FromBytes("m.tflite", out))
	require.Len(t, ds, 1, "of the subgraph that is not planned")
	is.Digest = was.Digest
	require.Equal(t, was, is)
}

func TestMetadataRefusesWhatCannotBeMoved(t *testing.T) {
	external := small()
	external.tensors[1] = tensorDef{name: "y", shape: []int32{1, 4}, external: make([]byte, 16)}
	_, err := tflite.WithMetadata(external.bytes(), "plan", nil)
	require.ErrorContains(t, err, "lies behind the flatbuffer")
	_, err = tflite.WithMetadata([]byte("TFL3"), "plan", nil)
	require.ErrorContains(t, err, "identifier")
	file := small().bytes()
	_, err = tflite.WithMetadata(file[:len(file)-40], "plan", nil)
	require.ErrorContains(t, err, "damaged")
}

func TestAStoredModelHasWhatAnInterpreterSees(t *testing.T) {
	m := small("one", "two")
	m.tensors = append(m.tensors, tensorDef{name: "unused", shape: []int32{2}}, tensorDef{name: "w", shape: []int32{1}, data: make([]byte, 4)}, tensorDef{name: "s", shape: []int32{3}, variable: true})
	stored, ds := tflite.Read(source.FromBytes("m.tflite", m.bytes()))
	require.Empty(t, ds)
	require.Equal(t, []tflite.StoredTensor{
		{Name: "x", Bytes: 16}, {Name: "y", Bytes: 16}, {Name: "unused", Bytes: 8}, {Name: "w", Bytes: 4, Constant: true}, {Name: "s", Bytes: 12, Variable: true},
	}, stored.Tensors)
	require.Equal(t, []tflite.StoredOperator{{Name: "y", Kind: "RELU", Inputs: []int32{0}, Outputs: []int32{1}}}, stored.Operators)
	require.Zero(t, stored.Others)
	_, ds = tflite.Read(source.FromBytes("m.tflite", nil))
	require.True(t, ds.HasErrors())
}

func FuzzWithMetadata(f *testing.F) {
	f.Add(small("other").bytes())
	f.Add([]byte("\x00\x00\x00\x00TFL3"))
	with, err := tflite.WithMetadata(small().bytes(), "name", []byte("old"))
	require.NoError(f, err)
	f.Add(with)
	f.Fuzz(func(t *testing.T, data []byte) {
		tflite.Read(source.FromBytes("m.tflite", data))
		out, err := tflite.WithMetadata(data, "name", []byte("content"))
		if err != nil {
			return
		}
		require.True(t, bytes.HasSuffix(out, data))
		_, err = tflite.WithMetadata(out, "name", nil)
		require.NoError(t, err)
	})
}
