package host_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
	"github.com/stretchr/testify/require"
)

// rig is one op on a device of its own: every operand has its own bytes.
type rig struct {
	t       testing.TB
	dev     *host.Device
	tensors []*device.Tensor
	data    map[*device.Tensor][]byte
	bytes   int64
}

func newRig(t testing.TB, workers int) *rig { return rigWith(t, host.Options{Workers: workers}) }

func rigWith(t testing.TB, o host.Options) *rig {
	dev, err := host.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	return &rig{t: t, dev: dev, data: map[*device.Tensor][]byte{}}
}

// tensor adds an operand; nil data leaves zeros. It lies at the next multiple of 4 bytes and no more, so that no kernel
// may count on a larger alignment.
func (r *rig) tensor(name string, role graph.Role, dtype graph.DType, shape graph.Shape, data []byte) *device.Tensor {
	bytes, ok := shape.Bytes(dtype)
	require.True(r.t, ok)
	r.bytes = (r.bytes+3)/4*4 + 4
	t := &device.Tensor{
		Name: name, Role: role, DType: dtype, Shape: shape, Scope: "global", LogicalBytes: bytes,
		Place: device.Region{Image: -1, Offset: r.bytes, Bytes: bytes},
	}
	r.bytes += bytes
	r.tensors = append(r.tensors, t)
	r.data[t] = data
	return t
}

func (r *rig) floats(name string, role graph.Role, shape graph.Shape, values []float32) *device.Tensor {
	return r.tensor(name, role, graph.Float32, shape, floatBytes(values))
}

// open allocates and uploads.
func (r *rig) open() {
	diags, err := r.dev.Open(device.Memory{Pools: []device.Pool{{Name: "memory", Bytes: r.bytes, Alignment: 64}}})
	require.NoError(r.t, err)
	require.Empty(r.t, diags)
	for _, t := range r.tensors {
		if data := r.data[t]; data != nil {
			require.NoError(r.t, r.dev.Write(t, data))
		}
	}
}

// run opens, prepares and runs an op once.
func (r *rig) run(op *graph.Op, outputs, inputs []*device.Tensor) device.Handle {
	r.open()
	h, diags, err := r.dev.Prepare(&device.Step{Op: op, Inputs: inputs, Outputs: outputs})
	require.NoError(r.t, err)
	require.Empty(r.t, diags)
	require.NoError(r.t, r.dev.Run(context.Background(), h))
	return h
}

func (r *rig) read(t *device.Tensor) []byte {
	data := make([]byte, t.LogicalBytes)
	require.NoError(r.t, r.dev.Read(t, data))
	return data
}
