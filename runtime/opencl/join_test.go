package opencl_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

// Additions in place need each other's results: every one of them must see all that the one before has written, whoever did it,
// and however soon groups end.
func TestJoinedLaunchesSeeWhatTheLaunchesBeforeHaveWritten(t *testing.T) {
	s := opencltest.Joining(t)
	const n, additions, runs = 1 << 14, 100, 50
	values, ones := make([]float32, n), make([]float32, n)
	for i := range values {
		values[i], ones[i] = float32(i), 1
	}
	r := rig{op: &graph.Op{Name: "op", Op: "Add"}, inputs: []operand{floats(values, n), floats(ones, n)}, outputs: []operand{output(graph.Float32, n)}, inPlace: true}
	for name, patience := range map[string]int{"patient groups": opencl.Patience, "groups without patience": 0, "groups with a little": 3} {
		t.Run(name, func(t *testing.T) {
			defer opencl.SetPatience(s, opencl.SetPatience(s, patience))
			p := r.place(t)
			dev := s.NewDevice()
			defer func() { require.NoError(t, dev.Close()) }()
			h, diags := p.prepare(t, dev)
			require.Empty(t, diags)
			stretches, err := dev.Join(slices.Repeat([]device.Handle{h}, additions))
			require.NoError(t, err)
			require.Len(t, stretches, 1)
			before := s.Launches()
			for range runs {
				require.NoError(t, dev.Run(context.Background(), stretches[0].Handle))
			}
			require.NoError(t, dev.Finish())
			require.EqualValues(t, runs, s.Launches()-before)
			data := make([]byte, 4*n)
			require.NoError(t, dev.Read(p.step.Outputs[0], data))
			for i := range n {
				require.Equal(t, float32(i+additions*runs), math.Float32frombits(binary.NativeEndian.Uint32(data[4*i:])), "element %d", i)
			}
		})
	}
}

func TestStretchesAreBoundedByWorkAndByLaunches(t *testing.T) {
	s := opencltest.Joining(t)
	for _, c := range []struct {
		name     string
		elements int64
		steps    int
		want     []int
	}{
		{"little work", 64, 600, []int{256, 256, 88}},
		{"much work", 1 << 21, 4, []int{1, 1, 1, 1}},
		{"one step", 64, 1, []int{1}},
		{"no step", 64, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := (&rig{op: &graph.Op{Name: "op", Op: "Relu"}, inputs: []operand{input(c.elements)}, outputs: []operand{output(graph.Float32, c.elements)}}).place(t)
			dev := s.NewDevice()
			defer func() { require.NoError(t, dev.Close()) }()
			_, err := dev.Open(p.memory)
			require.NoError(t, err)
			h, _, err := dev.Prepare(&p.step)
			require.NoError(t, err)
			stretches, err := dev.Join(slices.Repeat([]device.Handle{h}, c.steps))
			require.NoError(t, err)
			var steps []int
			for _, s := range stretches {
				steps = append(steps, s.Steps)
			}
			require.Equal(t, c.want, steps)
		})
	}
}

// A joined launch takes only so many buffers as arguments: what needs another one begins the next launch of the stretch.
func TestStepsInMorePoolsThanALaunchTakesBecomeSeveralLaunches(t *testing.T) {
	s := opencltest.Joining(t)
	const n, pools = 100, 2*opencl.JoinedBuffers + 1
	var memory device.Memory
	var tensors []*device.Tensor
	for i := range pools {
		memory.Pools = append(memory.Pools, device.Pool{Name: fmt.Sprint("pool", i), Bytes: 4 * n, Alignment: 64})
		tensors = append(tensors, &device.Tensor{Name: fmt.Sprint("t", i), Role: graph.Activation, DType: graph.Float32, Shape: graph.Shape{n},
			Scope: "global", LogicalBytes: 4 * n, Place: device.Region{Pool: i, Image: -1, Bytes: 4 * n}})
	}
	dev := s.NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	_, err := dev.Open(memory)
	require.NoError(t, err)
	var handles []device.Handle
	for i := range pools - 1 {
		step := device.Step{Index: int64(i), Op: &graph.Op{Name: "double", Op: "Add"}, Inputs: []*device.Tensor{tensors[i], tensors[i]}, Outputs: tensors[i+1 : i+2]}
		h, diags, err := dev.Prepare(&step)
		require.NoError(t, err)
		require.Empty(t, diags)
		handles = append(handles, h)
	}
	stretches, err := dev.Join(handles)
	require.NoError(t, err)
	require.Len(t, stretches, 1)
	data := make([]byte, 4*n)
	for i := range n {
		binary.NativeEndian.PutUint32(data[4*i:], math.Float32bits(float32(i)))
	}
	require.NoError(t, dev.Write(tensors[0], data))
	before := s.Launches()
	require.NoError(t, dev.Run(context.Background(), stretches[0].Handle))
	require.NoError(t, dev.Finish())
	// The first reads one pool and each of its steps writes another one; the next launch begins with the pool written last.
	require.EqualValues(t, 3, s.Launches()-before)
	require.NoError(t, dev.Read(tensors[pools-1], data))
	for i := range n {
		require.Equal(t, math.Ldexp(float64(i), pools-1), float64(math.Float32frombits(binary.NativeEndian.Uint32(data[4*i:]))), "element %d", i)
	}
}

// A step that cannot be joined may take long: a run can be interrupted before it and after it.
func TestAStepThatCannotBeJoinedIsAStretchOfItsOwn(t *testing.T) {
	s := opencltest.Joining(t)
	p := (&rig{op: &graph.Op{Name: "op", Op: "Relu"}, inputs: []operand{input(64)}, outputs: []operand{output(graph.Float32, 64)}}).place(t)
	dev := s.NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	_, err := dev.Open(p.memory)
	require.NoError(t, err)
	prepare := func(op string) device.Handle {
		step := p.step
		step.Op = &graph.Op{Name: "op", Op: op}
		h, diags, err := dev.Prepare(&step)
		require.NoError(t, err)
		require.Empty(t, diags)
		return h
	}
	part, other := prepare("Relu"), prepare("Cos")
	stretches, err := dev.Join([]device.Handle{part, part, other, part, part, part, other, other, part})
	require.NoError(t, err)
	var steps []int
	for _, s := range stretches {
		steps = append(steps, s.Steps)
	}
	require.Equal(t, []int{2, 1, 3, 1, 1, 1}, steps)
}

// Compiling takes seconds, once on a machine: a small graph must not wait for what it does not gain from.
func TestTheProgramOfJoinedLaunchesIsCompiledForGraphsThatSaveManyLaunches(t *testing.T) {
	opencltest.Joining(t)
	s, diags, err := opencl.Connect(opencl.Options{})
	require.NoError(t, err)
	require.Empty(t, diags)
	defer func() { require.NoError(t, s.Close()) }()
	for _, c := range []struct {
		name            string
		steps, programs int
		want            []int
	}{
		{"as many as are not worth it", opencl.WorthJoining, 0, slices.Repeat([]int{1}, opencl.WorthJoining)},
		{"one more", opencl.WorthJoining + 1, 1, []int{opencl.WorthJoining + 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := (&rig{op: &graph.Op{Name: "op", Op: "Relu"}, inputs: []operand{input(64)}, outputs: []operand{output(graph.Float32, 64)}}).place(t)
			dev := s.NewDevice()
			defer func() { require.NoError(t, dev.Close()) }()
			_, err := dev.Open(p.memory)
			require.NoError(t, err)
			h, _, err := dev.Prepare(&p.step)
			require.NoError(t, err)
			before := s.Counts().Programs
			stretches, err := dev.Join(slices.Repeat([]device.Handle{h}, c.steps))
			require.NoError(t, err)
			var steps []int
			for _, s := range stretches {
				steps = append(steps, s.Steps)
			}
			require.Equal(t, c.want, steps)
			require.Equal(t, c.programs, s.Counts().Programs-before)
			require.Equal(t, c.programs == 0, dev.Unjoined() != "", dev.Unjoined())
		})
	}
}

func TestWorkIsDividedIntoTickets(t *testing.T) {
	for _, c := range []struct {
		name  string
		work  float64
		lanes int
		want  int
	}{
		{"nothing", 0, 2, 1},
		{"less than a ticket is worth", 1e3, 2, 1},
		{"two tickets on one processor", 20e3, 1, 2},
		{"three tickets, as many for each of two processors", 40e3, 2, 4},
		{"fewer tickets than processors", 40e3, 16, 3},
		{"much work", 1e9, 2, 16},
		{"much work for many processors", 1e9, 16, 128},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, opencl.TicketsOf(c.work, c.lanes)) })
	}
}
