package exec_test

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

// stepwise is a device that runs each step by itself.
type stepwise struct{ device.Device }

// counted runs a graph and returns its outputs and the number of launches of its second run.
func counted(t require.TestingT, session *opencl.Session, dev device.Device, p *plan.Plan, g *graph.Graph, inputs map[string]*array.Array) (map[string]*array.Array, int) {
	defer func() { require.NoError(t, dev.Close()) }()
	r, diags, err := exec.New(background, p, p.Graphs[0].Name, g, dev, exec.Options{})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	first, diags, err := r.Run(background, inputs)
	require.NoError(t, err)
	require.Empty(t, diags)
	before, counters, objects := session.Launches(), r.Counters(), session.Counts()
	second, _, err := r.Run(background, inputs)
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Equal(t, counters, r.Counters(), "a run allocates nothing")
	require.Equal(t, objects, session.Counts(), "a run creates no object of any kind")
	return second, int(session.Launches() - before)
}

// requireJoined requires that stretches of steps give the bits that the steps give one by one, and returns the launches of both.
func requireJoined(t require.TestingT, session *opencl.Session, p *plan.Plan, g *graph.Graph, inputs map[string]*array.Array) (joined, apart int) {
	want, apart := counted(t, session, stepwise{session.NewDevice()}, p, g, inputs)
	got, joined := counted(t, session, session.NewDevice(), p, g, inputs)
	require.Equal(t, want, got)
	require.LessOrEqual(t, joined, apart)
	return joined, apart
}

// mostLaunches is how many launches a model may be: those that take long are bounded by their work.
const mostLaunches = 12

func TestModelsRunInAFewLaunches(t *testing.T) {
	opencltest.Joining(t)
	// As users have it: graphs of this size are worth the compilation.
	session, diags, err := opencl.Connect(opencl.Options{})
	require.NoError(t, err)
	require.Empty(t, diags)
	defer func() { require.NoError(t, session.Close()) }()
	names, all := goldens(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p, g := planModel(t, name, all[name], openclDefaults)
			joined, apart := requireJoined(t, session, p, g, ramp(t, g))
			require.LessOrEqual(t, joined, mostLaunches)
			require.Greater(t, apart, 30)
		})
	}
}

// threadsVariable makes PoCL use so many threads. It reads it when it starts.
const threadsVariable = "POCL_MAX_PTHREAD_COUNT"

// Models give the same bits on any number of processors, also on more than work is divided among, in processes of their own.
func TestModelsRunInAFewLaunchesOnOtherNumbersOfProcessors(t *testing.T) {
	units := opencltest.Joining(t).Facts().ComputeUnits
	for _, threads := range []int{1, 3, 64} {
		if int64(threads) == units {
			continue
		}
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			cmd := osexec.Command(os.Args[0], "-test.run=^TestModelsRunInAFewLaunches$")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", threadsVariable, threads))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

// A run is interrupted between stretches: what an interrupt finds started is a part of the work.
func TestAnInterruptStopsBetweenStretches(t *testing.T) {
	session := opencltest.Joining(t)
	names, all := goldens(t)
	name := names[slices.Index(names, "palm_detection_lite.tflite")]
	p, g := planModel(t, name, all[name], openclDefaults)
	ctx, cancel := context.WithCancel(background)
	var told []int
	o := exec.Options{Watch: func(stage exec.Stage, step, _ int) {
		if stage != exec.Running {
			return
		}
		if told = append(told, step); step == 10 {
			cancel()
		}
	}}
	dev := session.NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	r, _, err := exec.New(background, p, p.Graphs[0].Name, g, dev, o)
	require.NoError(t, err)
	before := session.Launches()
	_, _, err = r.Run(ctx, ramp(t, g))
	require.ErrorIs(t, err, context.Canceled)
	require.Positive(t, session.Launches()-before)
	require.Less(t, session.Launches()-before, int64(mostLaunches/2))
	require.Less(t, len(told), len(p.Graphs[0].Steps)/2, "a stretch is a small part of the steps")

	told = nil
	_, _, err = r.Run(background, ramp(t, g))
	require.NoError(t, err)
	for i := range p.Graphs[0].Steps {
		require.Equal(t, i, told[i], "each step is told of once, in order")
	}
	require.Len(t, told, len(p.Graphs[0].Steps))
}

// neverJoins is a device that must not be asked to join steps.
type neverJoins struct {
	device.Device
	t *testing.T
}

func (d neverJoins) Join([]device.Handle) ([]device.Stretch, error) {
	d.t.Error("steps were joined after an interrupt")
	return nil, nil
}

func TestAnInterruptWhileTheLastStepIsPreparedStopsBeforeStepsAreJoined(t *testing.T) {
	made := planGraph(t, gathering(), plainly)
	opened, err := hostDevice()
	require.NoError(t, err)
	dev := neverJoins{opened, t}
	defer func() { require.NoError(t, dev.Close()) }()
	ctx, cancel := context.WithCancel(background)
	_, _, err = exec.New(ctx, made.Plan, "net", made.Graphs[0], dev, exec.Options{Watch: func(_ exec.Stage, step, steps int) {
		if step == steps-1 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
}

// gathering is a chain of additions with a Gather among them, whose kernel is no part of a joined launch and raises a flag.
func gathering() *graph.Graph {
	b := newBuilder()
	x := b.tensor("x", graph.Input, graph.Float32, 4)
	at := b.tensor("at", graph.Input, graph.Int64, 4)
	var sums []graph.TensorID
	for i := range 4 {
		sums = append(sums, b.tensor(fmt.Sprint("sum", i), graph.Activation, graph.Float32, 4))
	}
	y := b.tensor("y", graph.Output, graph.Float32, 4)
	b.op("Add", "add0", ids(sums[0]), ids(x, x), nil)
	b.op("Add", "add1", ids(sums[1]), ids(sums[0], x), nil)
	b.op("Gather", "pick", ids(sums[2]), ids(sums[1], at), nil)
	b.op("Add", "add2", ids(sums[3]), ids(sums[2], x), nil)
	b.op("Add", "add3", ids(y), ids(sums[3], x), nil)
	return b.g
}

func TestAStepAmongJoinedOnesThatFailsOnItsDataIsNamed(t *testing.T) {
	session := opencltest.Joining(t)
	made := planGraph(t, gathering(), plainly)
	dev := session.NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	r, diags, err := exec.New(background, made.Plan, "net", made.Graphs[0], dev, exec.Options{})
	require.NoError(t, err)
	require.Empty(t, diags)
	indices := func(last byte) *array.Array {
		data := make([]byte, 32)
		data[24] = last
		return &array.Array{DType: graph.Int64, Shape: graph.Shape{4}, Data: data}
	}
	x := floatArray(graph.Shape{4}, 1, 2, 3, 4)
	before := session.Launches()
	outputs, diags, err := r.Run(background, map[string]*array.Array{"x": x, "at": indices(3)})
	require.NoError(t, err)
	require.Empty(t, diags)
	require.Equal(t, []float32{5, 7, 9, 20}, floatsOf(outputs["y"]))
	require.EqualValues(t, 3, session.Launches()-before, "two launches of two additions, and the Gather")
	_, diags, err = r.Run(background, map[string]*array.Array{"x": x, "at": indices(4)})
	require.NoError(t, err)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `op "pick"`)
}
