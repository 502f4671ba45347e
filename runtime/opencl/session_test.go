package opencl_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

func TestAMachineWithoutOpenCLIsToldWhatToInstall(t *testing.T) {
	t.Setenv(cl.LibraryVariable, "/nowhere/libOpenCL.so.1")
	s, diags, err := opencl.Connect(opencl.Options{})
	require.NoError(t, err)
	require.Nil(t, s)
	require.Len(t, diags, 1)
	require.Equal(t, "MP0818", string(diags[0].ID))
	for _, word := range []string{"/nowhere/libOpenCL.so.1", "pocl-opencl-icd", "ocl-icd-libopencl1", "-device host"} {
		require.Contains(t, diags[0].Detail, word)
	}
}

func TestADeviceThatIsNotThereIsNamed(t *testing.T) {
	opencltest.Connect(t)
	t.Setenv(opencl.DeviceVariable, "no such device")
	_, diags, err := opencl.Connect(opencl.Options{})
	require.NoError(t, err)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, `"no such device"`)
}

func TestAnOperatorWithoutAKernelIsNamedWithItsTensorAndStep(t *testing.T) {
	dev := opencltest.Connect(t).NewDevice()
	p := (&rig{op: &graph.Op{Name: "op", Op: "Nonsense"}, inputs: []operand{input(4)}, outputs: []operand{output(graph.Float32, 4)}}).place(t)
	diags, err := dev.Open(p.memory)
	require.NoError(t, err)
	require.Empty(t, diags)
	_, diags, err = dev.Prepare(&p.step)
	require.NoError(t, err)
	require.Len(t, diags, 1)
	require.Equal(t, "MP0801", string(diags[0].ID))
	for _, word := range []string{"Step 7", `"op"`, "Nonsense", `"out0"`} {
		require.Contains(t, diags[0].Detail, word)
	}
	require.NoError(t, dev.Close())
}

func TestExactlyThePlannedBytesAreCreated(t *testing.T) {
	s := opencltest.Connect(t)
	before := s.Counts()
	dev := s.NewDevice()
	memory := device.Memory{
		Pools: []device.Pool{{Name: "a", Bytes: 1000, Alignment: 64}, {Name: "empty"}, {Name: "images", Texture: true}},
		Images: []device.Image{
			{Pool: 2, Offset: -1, Bytes: 64 * 16 * 5, Width: 50, Height: 5, RowPitch: 64 * 16, Texel: "rgba_float32"},
			{Pool: 2, Offset: -1, Bytes: 7 * 8 * 3, Width: 7, Height: 3, RowPitch: 7 * 8, Texel: "rgba_float16"},
		},
	}
	diags, err := dev.Open(memory)
	require.NoError(t, err)
	require.Empty(t, diags)
	after := s.Counts()
	require.EqualValues(t, 3, after.Created-before.Created)
	require.EqualValues(t, 1000+64*16*5+7*8*3, after.CreatedBytes-before.CreatedBytes)
	require.EqualValues(t, 1000+64*16*5+7*8*3, dev.Counters().PoolBytes)
	require.NoError(t, dev.Close())
	require.Equal(t, before.Memories, s.Counts().Memories)
}

func TestAnInterruptStopsBetweenSteps(t *testing.T) {
	dev := opencltest.Connect(t).NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, dev.Run(ctx, 0), context.Canceled)
}
