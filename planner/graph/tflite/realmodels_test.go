package tflite_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
)

const models = "../../../testdata/models"

// realModels are the files of testdata/models with the number of ops in each.
var realModels = []struct {
	name string
	ops  int
	// named are a few facts that the description of the file states.
	input graph.Shape
	kinds []string
}{
	{"face_detection_short_range", 164, graph.Shape{1, 128, 128, 3}, []string{"Add", "Cast", "Concat", "Conv", "MaxPool", "Pad", "Relu", "Reshape"}},
	{"hand_landmark_lite", 167, graph.Shape{1, 224, 224, 3}, []string{"Add", "Cast", "Conv", "Gemm", "MaxPool", "ReduceMean", "Sigmoid"}},
	{"palm_detection_lite", 232, graph.Shape{1, 192, 192, 3}, []string{"Add", "Cast", "Concat", "Conv", "MaxPool", "PRelu", "Pad", "Reshape", "Resize"}},
}

func openModel(t testing.TB, name string) *source.File {
	t.Helper()
	f, err := source.Open(os.DirFS(models), name+".tflite")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

func TestRealModelsImport(t *testing.T) {
	for _, model := range realModels {
		t.Run(model.name, func(t *testing.T) {
			g, diags := tflite.Import(openModel(t, model.name))
			require.Empty(t, diags)
			assert.Equal(t, model.name, g.Name)
			assert.Equal(t, "tflite", g.Format)
			assert.Len(t, g.Ops, model.ops)
			require.Len(t, g.Inputs, 1)
			assert.Equal(t, model.input, g.Tensor(g.Inputs[0]).Shape)
			assert.Equal(t, "NHWC", g.Tensor(g.Inputs[0]).Layout)
			assert.Equal(t, model.kinds, kindsOf(g))
			checkGraph(t, g)
			for i := range g.Ops {
				assert.Empty(t, g.Ops[i].Domain, g.Ops[i].Name)
			}
		})
	}
}

// kindsOf lists the operators in use, sorted.
func kindsOf(g *graph.Graph) []string {
	var kinds []string
	for i := range g.Ops {
		kinds = append(kinds, g.Ops[i].Op)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// checkGraph verifies what every importer promises.
func checkGraph(t *testing.T, g *graph.Graph) {
	t.Helper()
	names, ready := map[string]bool{}, map[graph.TensorID]bool{graph.NoTensor: true}
	for i := range g.Tensors {
		tensor := &g.Tensors[i]
		if tensor.Name == "" || names[tensor.Name] {
			t.Fatalf("tensor %q: name empty or taken", tensor.Name)
		}
		names[tensor.Name] = true
		if !tensor.Shape.Known() || tensor.DType == graph.InvalidDType || (tensor.Role == graph.Constant) != (tensor.Data != nil) {
			t.Fatalf("tensor %q of shape %s, type %s and role %s", tensor.Name, tensor.Shape, tensor.DType, tensor.Role)
		}
		if tensor.Data != nil {
			if size, ok := tensor.Shape.Bytes(tensor.DType); !ok || size != tensor.Data.Size() {
				t.Fatalf("constant %q of %d bytes has %d", tensor.Name, size, tensor.Data.Size())
			}
		}
		role := tensor.Role
		ready[graph.TensorID(i)] = role == graph.Constant || role == graph.Input || role == graph.State
	}
	checkOps(t, g, ready)
	for _, id := range g.Outputs {
		if !ready[id] {
			t.Fatalf("output %q is never written", g.Tensor(id).Name)
		}
	}
}

func checkOps(t *testing.T, g *graph.Graph, ready map[graph.TensorID]bool) {
	t.Helper()
	names := map[string]bool{}
	for i := range g.Ops {
		op := &g.Ops[i]
		if op.Name == "" || names[op.Name] || op.Op == "" {
			t.Fatalf("op %q: name or operator empty, or name taken", op.Name)
		}
		names[op.Name] = true
		for _, in := range op.Inputs {
			if !ready[in] {
				t.Fatalf("%q reads %q too early", op.Name, g.Tensor(in).Name)
			}
		}
		for _, out := range op.Outputs {
			if ready[out] && g.Tensor(out).Role != graph.State {
				t.Fatalf("%q writes %q again", op.Name, g.Tensor(out).Name)
			}
			ready[out] = true
		}
	}
}

func TestRealModelsImportTheSameTwice(t *testing.T) {
	f := openModel(t, "palm_detection_lite")
	a, _ := tflite.Import(f)
	b, _ := tflite.Import(f)
	assert.Equal(t, a, b)
}

func TestEveryPrefixOfARealModelIsRefusedOrRead(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(models, "face_detection_short_range.tflite"))
	require.NoError(t, err)
	// The tables stand at the end of this file, so that nearly every prefix is damaged: a stride of a prime keeps the
	// number of imports low and still cuts in every alignment.
	for n := 0; n < len(content); n += 211 {
		mustImport(t, content[:n])
	}
	for n := len(content) - 200; n < len(content); n++ {
		mustImport(t, content[:n])
	}
}

func TestFlippedBytesOfARealModelAreRefusedOrRead(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(models, "face_detection_short_range.tflite"))
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	tables := 26_000 // bytes at the end that are tables, not weights
	for range 600 {
		damaged := slices.Clone(content)
		for range 1 + random.IntN(4) {
			damaged[len(damaged)-1-random.IntN(tables)] ^= byte(1 + random.IntN(255))
		}
		mustImport(t, damaged)
	}
	for i := range 64 {
		damaged := slices.Clone(content)
		damaged[i] ^= byte(1 + random.IntN(255))
		mustImport(t, damaged)
	}
}

// mustImport imports hostile bytes: whatever they hold, there is a sound graph or an error.
func mustImport(t *testing.T, content []byte) {
	t.Helper()
	g, diags := tflite.Import(source.FromBytes("hostile.tflite", content))
	if g == nil {
		require.True(t, diags.HasErrors())
		return
	}
	require.False(t, diags.HasErrors())
	checkGraph(t, g)
}

func BenchmarkImport(b *testing.B) {
	for _, model := range realModels {
		b.Run(model.name, func(b *testing.B) {
			f := openModel(b, model.name)
			content := f.Bytes()
			b.ReportAllocs()
			for b.Loop() {
				if _, diags := tflite.Import(source.FromBytes(f.Name(), content)); diags.HasErrors() {
					b.Fatal(diags)
				}
			}
		})
	}
}
