package exec_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/shape"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

const modelDir = "../../testdata/models"

// golden is what another runtime computed for a model; see testdata/models/README.md.
type golden struct {
	Peer   string
	Inputs []struct {
		Name  string
		Shape any
	}
	Outputs []struct {
		Name  string
		Shape any
		File  string
	}
}

func goldens(t testing.TB) (names []string, all map[string]golden) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(modelDir, "golden", "index.json"))
	require.NoError(t, err)
	var index struct{ Models map[string]golden }
	require.NoError(t, json.Unmarshal(text, &index))
	for name := range index.Models {
		names = append(names, name)
	}
	sort.Strings(names)
	return names, index.Models
}

// shapeOf reads the two ways in which the index writes a shape: a list and a comma-separated string.
func shapeOf(t testing.TB, v any) graph.Shape {
	t.Helper()
	s := graph.Shape{}
	switch v := v.(type) {
	case string:
		for part := range strings.SplitSeq(v, ",") {
			n, err := strconv.ParseInt(part, 10, 64)
			require.NoError(t, err)
			s = append(s, n)
		}
	case []any:
		for _, n := range v {
			s = append(s, int64(n.(float64)))
		}
	}
	return s
}

// load imports a model and binds its open dimensions so that its first input has the shape of the golden's.
func load(t testing.TB, name string, want golden) *graph.Graph {
	t.Helper()
	g := importModel(t, name)
	dims := map[string]shape.Dim{}
	for symbol, n := range openDims(t, g, want) {
		dims[symbol] = shape.Dim{Value: n}
	}
	_, diags := shape.Infer(g, dims)
	require.False(t, diags.HasErrors(), "%v", diags)
	return g
}

// openDims binds the open dimensions of a graph's first input to the golden's shape.
func openDims(t testing.TB, g *graph.Graph, want golden) map[string]int64 {
	t.Helper()
	dims := map[string]int64{}
	in := g.Tensor(g.Inputs[0])
	for axis, n := range shapeOf(t, want.Inputs[0].Shape) {
		if axis < len(in.Symbols) && in.Symbols[axis] != "" {
			dims[in.Symbols[axis]] = n
		} else if in.Shape[axis] < 0 {
			dims[fmt.Sprintf("%s_axis%d", in.Name, axis)] = n
		}
	}
	return dims
}

// importModel reads a model as it stands, with its dimensions open.
func importModel(t testing.TB, name string) *graph.Graph {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(modelDir, name))
	require.NoError(t, err)
	importer := onnx.Import
	if strings.HasSuffix(name, ".tflite") {
		importer = tflite.Import
	}
	g, diags := importer(source.FromBytes(name, content))
	require.False(t, diags.HasErrors(), "%v", diags)
	return g
}

// start prepares a model on a new host device.
func start(t testing.TB, p *plan.Plan, g *graph.Graph, o exec.Options) *exec.Runner {
	t.Helper()
	return startOn(t, hostDevice, p, g, o)
}

// startOn prepares a model on a new device.
func startOn(t testing.TB, open opener, p *plan.Plan, g *graph.Graph, o exec.Options) *exec.Runner {
	t.Helper()
	dev, err := open()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	r, diags, err := exec.New(context.Background(), p, p.Graphs[0].Name, g, dev, o)
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	return r
}

// ramp is the golden input of a graph: element i, in row-major order, is ((i·2654435761) mod 65536)/65536.
func ramp(t testing.TB, g *graph.Graph) map[string]*array.Array {
	t.Helper()
	in := g.Tensor(g.Inputs[0])
	a := array.New(array.Type{DType: graph.Float32, Shape: in.Shape.Clone()})
	require.NotNil(t, a)
	for i := range len(a.Data) / 4 {
		binary.LittleEndian.PutUint32(a.Data[4*i:], math.Float32bits(float32(uint16(uint64(i)*2654435761))/65536))
	}
	return map[string]*array.Array{in.Name: a}
}

// requireGolden compares outputs with the peer's: each element within 1e-3 of itself plus 1e-3 of the output's range.
func requireGolden(t *testing.T, want golden, outputs map[string]*array.Array) {
	t.Helper()
	requireNear(t, want, outputs, 1e-3)
}

// requireNear is requireGolden with another tolerance.
func requireNear(t *testing.T, want golden, outputs map[string]*array.Array, tolerance float64) {
	t.Helper()
	for _, out := range want.Outputs {
		raw, err := os.ReadFile(filepath.Join(modelDir, "golden", out.File))
		require.NoError(t, err)
		a := outputs[out.Name]
		require.NotNil(t, a, "output %s", out.Name)
		got, err := a.Floats()
		require.NoError(t, err)
		require.Len(t, got, len(raw)/4, out.Name)
		low, high := math.Inf(1), math.Inf(-1)
		expected := make([]float64, len(got))
		for i := range expected {
			expected[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
			if !math.IsInf(expected[i], 0) {
				low, high = min(low, expected[i]), max(high, expected[i])
			}
		}
		worst := 0.0
		for i, v := range expected {
			allowed := tolerance * (math.Abs(v) + max(high-low, 0))
			if !near(v, got[i], allowed) {
				require.Failf(t, "differs", "%s[%d] is %v, the peer has %v (allowed %v)", out.Name, i, got[i], v, allowed)
			} else if !math.IsInf(v, 0) {
				worst = max(worst, math.Abs(got[i]-v)/max(high-low, 1e-9))
			}
		}
		t.Logf("%s: largest difference %.2g of the range", out.Name, worst)
	}
}

// near reports whether two numbers are no further apart than allowed. Infinities must be the same; a NaN is near nothing.
func near(want, got, allowed float64) bool {
	if math.IsInf(want, 0) || math.IsInf(got, 0) {
		return want == got
	}
	return math.Abs(want-got) <= allowed
}

func TestAnInfiniteResultAcceptsNothingElse(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		want, got, allowed float64
		near               bool
	}{
		{inf, inf, inf, true}, {-inf, -inf, 0, true}, {1, 1.5, 0.5, true},
		{inf, 3, inf, false}, {inf, -inf, inf, false}, {3, inf, inf, false}, {inf, nan, inf, false},
		{nan, 3, inf, false}, {nan, nan, inf, false}, {3, nan, inf, false}, {1, 2, 0.5, false},
	} {
		require.Equal(t, c.near, near(c.want, c.got, c.allowed), "%v, wanted %v within %v", c.got, c.want, c.allowed)
	}
}

func TestModelsGiveThePeersResults(t *testing.T) {
	names, all := goldens(t)
	for i, name := range names {
		if !needs.Turn(i, len(names)) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			g := load(t, name, all[name])
			r := start(t, sequentialPlan(t, g), g, exec.Options{Poison: true})
			outputs, diags, err := r.Run(context.Background(), ramp(t, g))
			require.NoError(t, err)
			require.Empty(t, diags)
			requireGolden(t, all[name], outputs)
		})
	}
}
