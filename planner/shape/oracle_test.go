package shape_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/shape"
	"github.com/memplan/memplan/testdata/needs"
)

// corpus is where Debian's package libonnx-testdata puts the tests of ONNX's own backends.
const corpus = "/usr/share/libonnx-testdata/data"

// python is the interpreter that Debian's python3-onnx is installed for.
const python = "/usr/bin/python3"

func corpusModels(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, folder, "*", "model.onnx"))
	require.NoError(t, err)
	if len(files) == 0 {
		needs.Missing(t, "the backend tests of ONNX are not there: apt-get install libonnx-testdata")
	}
	return files
}

// importModel returns the graph of a model, nil when the importer refuses it.
func importModel(t *testing.T, name string) *graph.Graph {
	t.Helper()
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	g, _ := onnx.Import(source.FromBytes(filepath.Base(name), content))
	return g
}

// forget removes what the file says of results, and returns it.
func forget(g *graph.Graph) []graph.Tensor {
	stated := append([]graph.Tensor{}, g.Tensors...)
	for i, producer := range g.Producers() {
		if producer >= 0 {
			g.Tensors[i].Shape, g.Tensors[i].Symbols, g.Tensors[i].DType = nil, nil, graph.InvalidDType
		}
	}
	return stated
}

// all reports whether there are diagnostics and all have the id.
func all(diags diag.Diagnostics, id diag.ID) bool {
	for _, d := range diags {
		if d.ID != id {
			return false
		}
	}
	return len(diags) > 0
}

// TestTheNodeTestsOfONNXHaveTheShapesOfTheirRecordedOutputs infers each test model of one operator, its recorded inputs
// as constants, and compares the outputs with what the model declares: the types of arrays that numpy computed.
func TestTheNodeTestsOfONNXHaveTheShapesOfTheirRecordedOutputs(t *testing.T) {
	compared, refused, dependent, without := 0, 0, 0, map[string]int{}
	for _, name := range corpusModels(t, "node") {
		g := importModel(t, name)
		if g == nil {
			refused++
			continue
		}
		feed(t, g, filepath.Dir(name))
		stated := forget(g)
		_, diags := shape.Infer(g, nil)
		if all(diags, diag.NoShapeRule) {
			without[g.Ops[0].Op]++
			continue
		}
		if all(diags, diag.DataDependentShape) {
			dependent++
			g.Tensors = stated // the file must do then
			_, diags = shape.Infer(g, nil)
		}
		if !assert.Empty(t, describe(diags), name) {
			continue
		}
		for _, id := range g.Outputs {
			if g.Tensor(id).Role == graph.Constant || stated[id].Shape == nil {
				continue
			}
			compared++
			assert.Equal(t, stated[id].Shape.String(), g.Tensor(id).Shape.String(), "%s: output %s", name, stated[id].Name)
			assert.Equal(t, stated[id].DType, g.Tensor(id).DType, "%s: output %s", name, stated[id].Name)
		}
	}
	t.Logf("%d outputs compared, %d models that the importer refuses, %d that depend on data, models with operators without a rule: %v",
		compared, refused, dependent, without)
	assert.Greater(t, compared, 900)
	assert.Equal(t, 14, dependent, "NonMaxSuppression and Unique")
}

// feed makes the inputs of a graph constants of the recorded content.
func feed(t *testing.T, g *graph.Graph, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "test_data_set_0", "input_*.pb"))
	require.NoError(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		name, raw := tensorContent(content)
		in := g.Tensor(g.ByName(name))
		if in == nil || in.Role != graph.Input {
			continue
		}
		if size, ok := in.Shape.Bytes(in.DType); ok && size == int64(len(raw)) {
			in.Role, in.Data = graph.Constant, graph.Bytes(raw)
		}
	}
}

// tensorContent returns the name and the raw content of a serialised TensorProto.
func tensorContent(b []byte) (name string, raw []byte) {
	const nameField, rawField = 8, 9
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return name, raw
		}
		b = b[n:]
		size := protowire.ConsumeFieldValue(field, kind, b)
		if size < 0 {
			return name, raw
		}
		if kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(b)
			switch field {
			case nameField:
				name = string(value)
			case rawField:
				raw = value
			}
		}
		b = b[size:]
	}
	return name, raw
}

// elementTypes are the element types by ONNX's numbers.
var elementTypes = map[int]graph.DType{
	1: graph.Float32, 2: graph.Uint8, 3: graph.Int8, 4: graph.Uint16, 5: graph.Int16, 6: graph.Int32, 7: graph.Int64, 9: graph.Bool,
	10: graph.Float16, 11: graph.Float64, 12: graph.Uint32, 13: graph.Uint64, 14: graph.Complex64, 15: graph.Complex128, 16: graph.BFloat16,
}

// inferByReference runs the reference inference over models.
func inferByReference(t *testing.T, models []string) map[string]map[string]graph.Tensor {
	t.Helper()
	if err := exec.Command(python, "-c", "import onnx").Run(); err != nil {
		needs.Missing(t, "the reference inference of ONNX is not there: apt-get install python3-onnx")
	}
	cmd := exec.Command(python, filepath.Join("testdata", "infer.py"))
	cmd.Stdin = strings.NewReader(strings.Join(models, "\n"))
	out, err := cmd.Output()
	require.NoError(t, err)
	all := map[string]map[string]graph.Tensor{}
	for line := range strings.Lines(string(out)) {
		var r struct {
			Path  string
			Types map[string][2]json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		all[r.Path] = map[string]graph.Tensor{}
		for name, pair := range r.Types {
			var number int
			extents := graph.Shape{}
			require.NoError(t, json.Unmarshal(pair[0], &number))
			require.NoError(t, json.Unmarshal(pair[1], &extents))
			all[r.Path][name] = graph.Tensor{DType: elementTypes[number], Shape: extents}
		}
	}
	return all
}

// TestTheReferenceInferenceOfONNXAgrees compares each value of the models with the reference inference, where that knows
// an extent.
func TestTheReferenceInferenceOfONNXAgrees(t *testing.T) {
	models := []string{filepath.Join("..", "..", "testdata", "models", "face_detection_front_128x128_barracuda.onnx")}
	for _, folder := range []string{"node", "simple", "pytorch-converted", "pytorch-operator"} {
		models = append(models, corpusModels(t, folder)...)
	}
	expected := inferByReference(t, models)
	values, refused := 0, 0
	for _, name := range models {
		g := importModel(t, name)
		if g == nil {
			refused++
			continue
		}
		forget(g)
		_, diags := shape.Infer(g, nil)
		for _, d := range diags {
			assert.Contains(t, []diag.ID{diag.NoShapeRule, diag.DataDependentShape}, d.ID, "%s: %s", name, d.Detail)
		}
		for i := range g.Tensors {
			tensor := &g.Tensors[i]
			want, ok := expected[name][tensor.Name]
			if !ok || tensor.Shape == nil {
				continue
			}
			values++
			assert.Equal(t, want.DType, tensor.DType, "%s: %s", name, tensor.Name)
			compareExtents(t, want.Shape, tensor.Shape, name+": "+tensor.Name)
		}
	}
	t.Logf("%d values of %d models compared, %d refused by the importer", values, len(models)-refused, refused)
	assert.Greater(t, values, 2000)
}

// compareExtents compares the extents that are known on both sides.
func compareExtents(t *testing.T, want, got graph.Shape, where string) {
	t.Helper()
	if !assert.Len(t, got, len(want), where) {
		return
	}
	for axis := range want {
		if want[axis] >= 0 && got[axis] >= 0 {
			assert.Equal(t, want[axis], got[axis], "%s axis %d", where, axis)
		}
	}
}
