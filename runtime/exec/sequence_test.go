package exec_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/opencl"
)

const multiModel = "../../examples/multi-model"

// planMultiModel plans the example of a backbone with two heads.
func planMultiModel(t *testing.T) (*planner.Result, map[string]*graph.Graph) {
	t.Helper()
	cfg, diags := config.Load(syntax.Disk{}, multiModel+"/config.hcl", eval.VariableSources{})
	require.Empty(t, diags)
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: func(path string) (*source.File, error) {
		content, err := os.ReadFile(filepath.Join(multiModel, path))
		return source.FromBytes(path, content), err
	}})
	require.NoError(t, err)
	require.Empty(t, diags)
	t.Cleanup(func() { require.NoError(t, result.Close()) })
	graphs := map[string]*graph.Graph{}
	for i := range result.Graphs {
		graphs[result.Plan.Graphs[i].Name] = result.Graphs[i]
	}
	return result, graphs
}

// moves counts what goes between the caller and a device, and the steps that are started with others.
type moves struct {
	device.Device
	writes, joined int
}

func (m *moves) Join(steps []device.Handle) ([]device.Stretch, error) {
	joiner, ok := m.Device.(device.Joiner)
	if !ok {
		return device.Apart(steps), nil
	}
	stretches, err := joiner.Join(steps)
	m.joined += len(steps) - len(stretches)
	return stretches, err
}

func (m *moves) Write(t *device.Tensor, data []byte) error {
	m.writes++
	return m.Device.Write(t, data)
}

// runOnce prepares a graph with those before it and runs it twice; the second run must not see what the first one left. Poison keeps
// steps apart, and without it they give the same.
func runOnce(t *testing.T, open opener, result *planner.Result, graphs map[string]*graph.Graph, name string, inputs map[string]*array.Array, before ...string) map[string]*array.Array {
	t.Helper()
	apart := runTwice(t, open, true, result, graphs, name, inputs, before...)
	require.Equal(t, apart, runTwice(t, open, false, result, graphs, name, inputs, before...))
	return apart
}

func runTwice(t *testing.T, open opener, poison bool, result *planner.Result, graphs map[string]*graph.Graph, name string, inputs map[string]*array.Array, before ...string) map[string]*array.Array {
	t.Helper()
	opened, err := open()
	require.NoError(t, err)
	dev := &moves{Device: opened}
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	// Every step is prepared once, and once more run in each run.
	told := map[exec.Stage]int{}
	options := exec.Options{Poison: poison, Watch: func(stage exec.Stage, step, steps int) {
		require.Less(t, step, steps)
		told[stage]++
	}}
	for _, graphName := range before {
		options.Before = append(options.Before, exec.Upstream{Name: graphName, Graph: graphs[graphName]})
	}
	r, diags, err := exec.New(context.Background(), result.Plan, name, graphs[name], dev, options)
	require.NoError(t, err)
	require.Empty(t, diags)
	cl, ok := opened.(*opencl.Device)
	require.Equal(t, ok && !poison && cl.Unjoined() == "", dev.joined > 0, "steps are joined where they can be")
	first, diags, err := r.Run(context.Background(), inputs)
	require.NoError(t, err)
	require.Empty(t, diags)
	allocated := r.Allocations()
	dev.writes = 0
	second, _, err := r.Run(context.Background(), inputs)
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Equal(t, allocated, r.Allocations())
	require.Equal(t, len(inputs), dev.writes, "nothing but the inputs is copied to the device")
	require.Positive(t, told[exec.Preparing])
	require.Equal(t, 2*told[exec.Preparing], told[exec.Running])
	require.Equal(t, sizes(result.Plan), r.PoolBytes(), "the graphs share the planned pools")
	return first
}

func sizes(p *plan.Plan) map[string]int64 {
	bytes := map[string]int64{}
	for _, pool := range p.Pools {
		bytes[pool.Name] = pool.Peak
	}
	return bytes
}

func TestAGraphReadsTheOutputOfAnotherWhereItStands(t *testing.T) {
	for name, open := range map[string]opener{"host": hostDevice, "OpenCL": openclDevice(t)} {
		t.Run(name, func(t *testing.T) {
			result, graphs := planMultiModel(t)
			once := func(name string, inputs map[string]*array.Array, before ...string) map[string]*array.Array {
				return runOnce(t, open, result, graphs, name, inputs, before...)
			}
			image, err := exec.Seed(3, graph.Shape{1, 3, 16, 16}, graph.Float32)
			require.NoError(t, err)
			features := once("backbone", map[string]*array.Array{"image": image})["features"]
			for _, head := range []string{`head["boxes"]`, `head["classes"]`} {
				apart := once(head, map[string]*array.Array{"features": features})
				together := once(head, map[string]*array.Array{exec.InputName("backbone", "image"): image}, "backbone")
				require.Equal(t, apart, together, head)
				for _, v := range floatsOf(together["out"]) {
					require.False(t, v != v, "a stale read would be NaN")
				}
			}
			// The second head runs after the first and reads the same features, which the first must have left alone.
			apart := once(`head["classes"]`, map[string]*array.Array{"features": features})
			both := once(`head["classes"]`, map[string]*array.Array{exec.InputName("backbone", "image"): image}, "backbone", `head["boxes"]`)
			require.Equal(t, apart, both)
		})
	}
}
