package exec_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/memplan/memplan/testdata/networks"
)

// withWeights is the file of a graph in which every float32 constant has content that its name decides: biases and means are
// small, scales and variances around 1, and weights keep the size of what they are multiplied with.
func withWeights(t testing.TB, g *graph.Graph) []byte {
	var text bytes.Buffer
	require.NoError(t, native.Write(&text, g))
	var file map[string]any
	require.NoError(t, json.Unmarshal(text.Bytes(), &file))
	for i, tensor := range file["tensors"].([]any) {
		if c := &g.Tensors[i]; c.Role == graph.Constant && c.DType == graph.Float32 {
			require.Equal(t, c.Name, tensor.(map[string]any)["name"])
			tensor.(map[string]any)["data"] = base64.StdEncoding.EncodeToString(floatBytes(weightsOf(c)...))
		}
	}
	out, err := json.Marshal(file)
	require.NoError(t, err)
	return out
}

func weightsOf(c *graph.Tensor) []float32 {
	name := fnv.New64()
	name.Write([]byte(c.Name))
	random := rand.New(rand.NewPCG(name.Sum64(), 0))
	n, _ := c.Shape.Elements()
	scale, around := 0.1, 0.0
	if len(c.Shape) > 1 {
		scale = math.Sqrt(6 / float64(n/c.Shape[0]))
	}
	if bytes.HasSuffix([]byte(c.Name), []byte("_scale")) || bytes.HasSuffix([]byte(c.Name), []byte("_variance")) {
		around = 1
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(around + scale*(2*random.Float64()-1))
	}
	return values
}

// planFile plans a native graph file.
func planFile(t testing.TB, file []byte, change func(*config.Config)) *planner.Result {
	cfg := config.Bare("net.json", nil)
	change(cfg)
	open := func(path string) (*source.File, error) { return source.FromBytes(path, file), nil }
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: open, Version: "test"})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	return result
}

// onceIn says of how many networks the race detector sees one.
const onceIn = 5

// Every network gives on OpenCL, as OpenCL devices have it, what it gives on the host as the model has it.
func TestTheNetworksGiveOnOpenCLWhatTheyGiveOnTheHost(t *testing.T) {
	open, session := openclDevice(t), opencltest.Connect(t)
	separable := 0
	for i, n := range networks.Small() {
		if !needs.Turn(i, onceIn) {
			continue
		}
		t.Run(n.Name, func(t *testing.T) {
			g := n.Build()
			file := withWeights(t, g)
			plain := planFile(t, file, func(c *config.Config) { plainly(&c.Planner) })
			as := planFile(t, file, openclDefaults)
			for i := range as.Graphs[0].Ops {
				separable += min(1, as.Graphs[0].Ops[i].Separable())
			}
			inputs := inputsOf(g)
			want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
			got := runPoisoned(t, open, as.Plan, as.Graphs[0], inputs)
			requireClose(t, want, got)
			joined, _ := counted(t, session, session.NewDevice(), as.Plan, as.Graphs[0], inputs)
			require.Equal(t, got, joined)
			requireClose(t, want, runPoisoned(t, hostDevice, as.Plan, as.Graphs[0], inputs))
		})
	}
	require.Positive(t, separable, "networks with separable convolutions")
}

// Every network gives the same outputs whatever shares its memory, in poisoned memory.
func TestTheNetworksGiveTheSameOutputsWhateverSharesTheirMemory(t *testing.T) {
	all := []string{"reshape", "inplace", "concat", "diagonal"}
	saved, tried := 0, 0
	for i, n := range networks.Small() {
		if !needs.Turn(i, onceIn) {
			continue
		}
		tried++
		t.Run(n.Name, func(t *testing.T) {
			g := n.Build()
			file := withWeights(t, g)
			made := func(change func(*config.Planner)) *planner.Result {
				return planFile(t, file, func(c *config.Config) { change(&c.Planner) })
			}
			inputs := inputsOf(g)
			plain := made(plainly)
			want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
			for name, a := range want {
				require.Greater(t, spread(floatsOf(a)), float32(1e-3), "%s is nearly constant, which proves little", name)
			}
			for _, rewrites := range [][]string{{}, {"fold", "fuse", "depthwise_branches", "partial_sums"}} {
				shared := made(func(p *config.Planner) { p.Order, p.Views, p.Rewrite = "memory", all, rewrites })
				require.LessOrEqual(t, shared.Plan.Pools[0].Peak, plain.Plan.Pools[0].Peak)
				if shared.Plan.Pools[0].Peak < plain.Plan.Pools[0].Peak {
					saved++
				}
				got := runPoisoned(t, hostDevice, shared.Plan, shared.Graphs[0], inputs)
				if len(rewrites) == 0 {
					require.Equal(t, want, got)
				}
				requireClose(t, want, got)
			}
		})
	}
	// The picture itself sets the peak of some of them.
	require.Greater(t, saved, tried/3)
}

// spread is the difference of the largest and the smallest value.
func spread(values []float32) float32 { return slices.Max(values) - slices.Min(values) }
