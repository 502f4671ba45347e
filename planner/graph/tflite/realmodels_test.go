package tflite_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		require.NotEmpty(t, tensor.Name)
		require.False(t, names[tensor.Name], "tensor %q twice", tensor.Name)
		names[tensor.Name] = true
		require.True(t, tensor.Shape.Known(), tensor.Name)
		require.NotEqual(t, graph.InvalidDType, tensor.DType, tensor.Name)
		require.Equal(t, tensor.Role == graph.Constant, tensor.Data != nil, tensor.Name)
		if tensor.Data != nil {
			size, ok := tensor.Shape.Bytes(tensor.DType)
			require.True(t, ok)
			require.Equal(t, size, tensor.Data.Size(), tensor.Name)
		}
		if role := tensor.Role; role == graph.Constant || role == graph.Input || role == graph.State {
			ready[graph.TensorID(i)] = true
		}
	}
	ops := map[string]bool{}
	for i := range g.Ops {
		op := &g.Ops[i]
		require.NotEmpty(t, op.Name)
		require.False(t, ops[op.Name], "op %q twice", op.Name)
		ops[op.Name] = true
		for _, in := range op.Inputs {
			require.True(t, ready[in], "%s reads tensor %d too early", op.Name, in)
		}
		for _, out := range op.Outputs {
			require.False(t, ready[out] && g.Tensor(out).Role != graph.State, "%s writes %s again", op.Name, g.Tensor(out).Name)
			ready[out] = true
		}
		if op.Fused != nil {
			require.Equal(t, op.Op, op.Fused[0])
		}
	}
	for _, id := range g.Outputs {
		require.True(t, ready[id])
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
	for range 3000 {
		damaged := slices.Clone(content)
		for range 1 + random.IntN(4) {
			damaged[random.IntN(len(damaged))] ^= byte(1 + random.IntN(255))
		}
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
	for _, op := range g.Ops {
		require.False(t, strings.Contains(op.Op, "BUILTIN") && op.Domain == "")
	}
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
