package onnx_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestOtherFilesAreNotTakenForModels(t *testing.T) {
	cases := map[string]struct{ content, hint string }{
		"an empty file":            {"", "empty"},
		"a pointer of Git LFS":     {"version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n", "git lfs pull"},
		"a TensorFlow Lite model":  {"\x1c\x00\x00\x00TFL3\x00\x00", ".tflite"},
		"a JSON document":          {`{"format_version": "1.0"}`, "protobuf"},
		"a web page":               {"<!DOCTYPE html>", "protobuf"},
		"an unrelated message":     {string(msg{}.str(2, "x").num(90, 3)), "neither a version nor a graph"},
		"a group that never ends":  {string(protowire.AppendTag(nil, 15, protowire.StartGroupType)), "protobuf"},
		"an implausible version":   {string(msg{}.num(1, 1<<40)) + "\xff", "protobuf"},
		"a first byte that is odd": {"\xff\xff\xff\xff", "protobuf"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			mustRefuse(t, msg(c.content), "MP0300", c.hint, "cannot be read as an ONNX model")
		})
	}
}

func TestDamagedModelsSayWhere(t *testing.T) {
	whole := small()
	d := mustRefuse(t, whole[:len(whole)-5], "MP0301", "unexpected EOF")
	assert.Contains(t, d.Detail, "decoding fails at byte 9 of", "the graph is the first part that breaks off")
	mustRefuse(t, msg{}.num(1, 8).sub(8, msg{}.num(2, 13)), "MP0301", "has no graph")
	mustRefuse(t, msg{}.sub(8, msg{}.num(2, 13)).sub(7, msg{}), "MP0301", "no ir_version")
	mustRefuse(t, model(13, node("", "odd", nil, list("y")), untyped("y")), "MP0301", `"odd"`, `"y"`)
}

func TestAModelWithUnknownFieldsIsRead(t *testing.T) {
	group := protowire.AppendTag(protowire.AppendTag(nil, 99, protowire.StartGroupType), 99, protowire.EndGroupType)
	unknown := join(msg{}.num(100, 1).str(101, "new").fixed32(102, 1), group)
	m := join(unknown, model(13, unknown, input("x", float32Elem, 1), node("Relu", "r", list("x"), list("y"), unknown), untyped("y")), unknown)
	mustImport(t, m)
}

func TestEveryPrefixOfAModelIsRefused(t *testing.T) {
	whole := small()
	for n := range whole {
		g, diags := onnx.Import(source.FromBytes("cut.onnx", whole[:n:n]))
		require.Nil(t, g, n)
		require.True(t, diags.HasErrors(), n)
	}
}

// hostile are models that claim to hold far more than they do.
func hostile() map[string]msg {
	huge := int64(1) << 33
	lengths := protowire.AppendVarint(protowire.AppendTag(msg{}.num(1, 8), 7, protowire.BytesType), math.MaxInt32)
	sparse := msg{}.sub(15, msg{}.sub(1, floats("s", 1)).sub(2, ints("", 0)).num(3, huge).num(3, huge))
	return map[string]msg{
		"a graph of two gigabytes":   lengths,
		"a weight without values":    model(13, initializer(tensor("w", float32Elem, huge)), untyped("w")),
		"a shape that overflows":     model(13, initializer(tensor("w", float32Elem, 1<<31, 1<<31, 8)), untyped("w")),
		"a sparse weight":            model(13, sparse, untyped("s")),
		"functions that double":      model(13, customNode("f", "F0", "f", nil, nil)).sub(8, msg{}.str(1, "f").num(2, 1)).sub(25, nil),
		"an empty graph, many times": join(model(13), msg{}.sub(7, nil), msg{}.sub(7, nil)),
	}
}

func TestHostileModelsAllocateLittle(t *testing.T) {
	for name, m := range hostile() {
		t.Run(name, func(t *testing.T) {
			assert.Less(t, allocated(func() { onnx.Import(source.FromBytes("hostile.onnx", m)) }), uint64(1<<20))
		})
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(small()))
	for _, m := range hostile() {
		f.Add([]byte(m))
	}
	for _, m := range seeds() {
		f.Add([]byte(m))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		g, diags := onnx.Import(source.FromBytes("fuzz.onnx", content))
		require.Equal(t, g == nil, diags.HasErrors())
		for _, d := range diags {
			info, ok := diag.Lookup(d.ID)
			require.True(t, ok)
			require.Equal(t, info.Summary, d.Summary)
		}
		if g == nil {
			return
		}
		checkGraph(t, g)
		for i := range g.Tensors {
			if tensor := &g.Tensors[i]; tensor.Data != nil && tensor.Data.Size() < 1<<20 {
				require.Len(t, read(t, tensor), int(tensor.Data.Size()))
			}
		}
	})
}
