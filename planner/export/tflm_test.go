package export_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
	"github.com/memplan/memplan/planner/plan"
)

const models = "../../testdata/models/"

// runtimeSettings plan a model as TensorFlow Lite Micro runs it.
func runtimeSettings(s *config.Planner) {
	s.Order, s.Views, s.Rewrite = "source", []string{"reshape"}, []string{}
}

// micro is a model file with its plan.
func micro(t *testing.T, file string, set func(*config.Planner)) (*export.Subject, []byte) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	p := planText(t, filepath.Base(file), content, set)
	return &export.Subject{Plan: p.plan, Graph: p.name, Source: func() ([]byte, error) { return content, nil }}, content
}

func exportError(s *export.Subject, o export.Options) error {
	f, _ := export.Find("tflm-offline")
	return export.Write(&bytes.Buffer{}, f, s, &o)
}

// fbTable reads a flatbuffer by Google's own library.
type fbTable struct{ flatbuffers.Table }

func fbRoot(file []byte) fbTable {
	return fbTable{flatbuffers.Table{Bytes: file, Pos: flatbuffers.GetUOffsetT(file)}}
}

func (t fbTable) field(slot int) flatbuffers.UOffsetT {
	return flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*slot)))
}

func (t fbTable) tables(slot int) (out []fbTable) {
	at := t.field(slot)
	if at == 0 {
		return nil
	}
	start := t.Vector(at)
	for i := range t.VectorLen(at) {
		out = append(out, fbTable{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(4*i))}})
	}
	return out
}

func (t fbTable) bytes(slot int) []byte {
	if at := t.field(slot); at != 0 {
		return t.ByteVector(at + t.Pos)
	}
	return nil
}

func (t fbTable) u32(slot int) uint32 {
	if at := t.field(slot); at != 0 {
		return t.GetUint32(at + t.Pos)
	}
	return 0
}

// metadata returns the content of the metadata of a name, nil without any, and how many have the name.
func metadata(file []byte, name string) (content []byte, count int) {
	root := fbRoot(file)
	for _, m := range root.tables(6) {
		if string(m.bytes(0)) == name {
			content = root.tables(4)[m.u32(1)].bytes(0)
			count++
		}
	}
	return content, count
}

func words(content []byte) (out []int32) {
	for ; len(content) >= 4; content = content[4:] {
		out = append(out, int32(binary.LittleEndian.Uint32(content)))
	}
	return out
}

func TestTheOffsetsOfAModelAreItsPlan(t *testing.T) {
	for _, name := range []string{"face_detection_short_range", "hand_landmark_lite", "palm_detection_lite"} {
		t.Run(name, func(t *testing.T) {
			s, file := micro(t, models+name+".tflite", runtimeSettings)
			out := []byte(written(t, "tflm-offline", s, export.Options{}))
			content, count := metadata(out, "OfflineMemoryAllocation")
			require.Equal(t, 1, count)
			got := words(content)
			stored, ds := tflite.Read(source.FromBytes("model.tflite", file))
			require.Empty(t, ds)
			require.Equal(t, []int32{1, 0, int32(len(stored.Tensors))}, got[:3])
			require.Len(t, got, 3+len(stored.Tensors))
			placed := 0
			for i, offset := range got[3:] {
				want := int32(-1)
				for _, row := range s.Plan.Graphs[0].Tensors {
					if row.Name == stored.Tensors[i].Name && row.Pool == "memory" {
						want = int32(*row.Offset)
						placed++
					}
				}
				assert.Equal(t, want, offset, stored.Tensors[i].Name)
			}
			require.Greater(t, placed, 30)
			requireUnchanged(t, file, out)
		})
	}
}

// requireUnchanged checks that every byte of the model is in the copy, and that a reader finds the same content there.
func requireUnchanged(t *testing.T, file, out []byte) {
	t.Helper()
	require.True(t, bytes.HasSuffix(out, file))
	require.Zero(t, (len(out)-len(file))%64, "every alignment is kept")
	before, after := fbRoot(file), fbRoot(out)
	require.Equal(t, "TFL3", string(out[4:8]))
	require.Equal(t, before.u32(0), after.u32(0))
	require.Equal(t, before.bytes(3), after.bytes(3), "the description")
	shift := flatbuffers.UOffsetT(len(out) - len(file))
	for _, slot := range []int{1, 2} {
		old, now := before.tables(slot), after.tables(slot)
		require.Equal(t, len(old), len(now))
		for i := range old {
			require.Equal(t, old[i].Pos+shift, now[i].Pos)
		}
	}
	old, now := before.tables(4), after.tables(4)
	require.Len(t, now, len(old)+1)
	for i := range old {
		require.Equal(t, old[i].Pos+shift, now[i].Pos)
	}
	content := now[len(old)]
	require.Zero(t, content.Vector(content.field(0))%16, "the content is aligned as the schema asks")
	was, wasDiags := tflite.Import(source.FromBytes("m.tflite", file))
	is, isDiags := tflite.Import(source.FromBytes("m.tflite", out))
	require.Equal(t, wasDiags, isDiags)
	is.Digest = was.Digest
	require.Equal(t, was, is)
}

func TestASecondExportReplacesTheFirst(t *testing.T) {
	_, file := micro(t, models+"hand_landmark_lite.tflite", runtimeSettings)
	once, err := tflite.WithMetadata(file, "OfflineMemoryAllocation", []byte{1, 2, 3, 4})
	require.NoError(t, err)
	twice, err := tflite.WithMetadata(once, "OfflineMemoryAllocation", []byte{5, 6, 7, 8})
	require.NoError(t, err)
	content, count := metadata(twice, "OfflineMemoryAllocation")
	require.Equal(t, 1, count)
	require.Equal(t, []byte{5, 6, 7, 8}, content)
	other, err := tflite.WithMetadata(twice, "another", []byte("x"))
	require.NoError(t, err)
	content, _ = metadata(other, "OfflineMemoryAllocation")
	require.Equal(t, []byte{5, 6, 7, 8}, content)
	for name := range map[string]bool{"min_runtime_version": true} {
		was, n := metadata(file, name)
		is, m := metadata(other, name)
		require.Equal(t, n, m)
		require.Equal(t, was, is)
	}
}

func TestFoldedConstantsAreLeftToTheRuntime(t *testing.T) {
	s, file := micro(t, models+"hand_landmark_lite.tflite", nil)
	content, _ := metadata([]byte(written(t, "tflm-offline", s, export.Options{})), "OfflineMemoryAllocation")
	stored, _ := tflite.Read(source.FromBytes("m.tflite", file))
	for i, offset := range words(content)[3:] {
		if strings.HasSuffix(stored.Tensors[i].Name, "_dequantize") {
			assert.Equal(t, int32(-1), offset)
		}
	}
}

func TestTheArenaMayBeSeveralPools(t *testing.T) {
	s, _ := micro(t, models+"hand_landmark_lite.tflite", runtimeSettings)
	size := int64(1 << 20)
	fast := s.Plan.Pools[0]
	fast.Name, fast.Capacity = "fast", &size
	s.Plan.Pools = append(s.Plan.Pools, fast)
	row := &s.Plan.Graphs[0].Tensors[0]
	row.Pool, row.Offset = "fast", new(int64)
	err := exportError(s, export.Options{})
	require.ErrorContains(t, err, "lies in the pools fast and memory")
	_, both := metadata([]byte(written(t, "tflm-offline", s, export.Options{Arena: []string{"fast", "memory"}})), "OfflineMemoryAllocation")
	require.Equal(t, 1, both)
	content, _ := metadata([]byte(written(t, "tflm-offline", s, export.Options{Arena: []string{"fast", "memory"}})), "OfflineMemoryAllocation")
	offsets := words(content)[3:]
	require.Contains(t, offsets, int32(0))
	for _, o := range s.Plan.Graphs[0].Tensors[1:] {
		if o.Pool == "memory" {
			require.Contains(t, offsets, int32(size+*o.Offset))
		}
	}
	require.ErrorContains(t, exportError(s, export.Options{Arena: []string{"memory", "fast"}}), "has no size")
	require.ErrorContains(t, exportError(s, export.Options{Arena: []string{"memory"}}), "not among the pools of the arena")
	require.ErrorContains(t, exportError(s, export.Options{Arena: []string{"memry"}}), "not a flat pool")
}

// The check looks at the file alone: it finds what a plan of another order, or one that was altered, would do.
func TestWhatTheRuntimeKeepsAtOnceMustNotShareBytes(t *testing.T) {
	s, file := micro(t, models+"hand_landmark_lite.tflite", runtimeSettings)
	g := &s.Plan.Graphs[0]
	var live []*plan.Tensor
	for i := range g.Tensors {
		if o := &g.Tensors[i]; o.Pool == "memory" && o.First <= 4 && o.Last > 4 && o.ViewOf == nil {
			live = append(live, o)
		}
	}
	require.Greater(t, len(live), 1)
	kept := *live[0].Offset
	live[0].Offset = live[1].Offset
	require.ErrorContains(t, exportError(s, export.Options{}), "share bytes")
	live[0].Offset = &kept
	require.NoError(t, exportError(s, export.Options{}))

	odd := kept + 8
	live[0].Offset = &odd
	require.ErrorContains(t, exportError(s, export.Options{}), "aligns tensors to 16 bytes")
	live[0].Offset = &kept

	s.Source = func() ([]byte, error) { return append(slices.Clone(file), 0), nil }
	require.ErrorContains(t, exportError(s, export.Options{}), "is not the one that was planned")
	s.Source = func() ([]byte, error) { return nil, os.ErrNotExist }
	require.ErrorIs(t, exportError(s, export.Options{}), os.ErrNotExist)
	views := planFile(t, "testdata/views.json")
	require.ErrorContains(t, exportError(&export.Subject{Plan: views.plan, Graph: views.name}, export.Options{}), "only .tflite files")
}
