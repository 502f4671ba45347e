package opencl_test

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/host"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/stretchr/testify/require"
)

// operand is a tensor of an op under test.
type operand struct {
	role   graph.Role
	dtype  graph.DType
	shape  graph.Shape
	layout string
	// scope is a texture scope for a tensor in an image of its own, "" for flat memory.
	scope texture.Scope
	data  []byte
}

// input is an operand of float32 values that go up and down between -2 and 2, shifted so that operands differ.
func input(shape ...int64) operand {
	n, _ := append(graph.Shape{}, shape...).Elements()
	values := make([]float32, n)
	for i := range values {
		values[i] = float32((i*37+int(n))%101)/25 - 2
	}
	return floats(values, shape...)
}

func floats(values []float32, shape ...int64) operand {
	data := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	}
	return operand{role: graph.Input, dtype: graph.Float32, shape: append(graph.Shape{}, shape...), data: data}
}

// constant is the operand as a constant.
func (o operand) constant() operand { o.role = graph.Constant; return o }

// in is the operand in an image of its own, in a layout.
func (o operand) in(scope texture.Scope, layout string) operand {
	o.scope, o.layout = scope, layout
	return o
}

// output is a result to be computed.
func output(dtype graph.DType, shape ...int64) operand {
	return operand{role: graph.Output, dtype: dtype, shape: append(graph.Shape{}, shape...)}
}

// rig is an op with its operands.
type rig struct {
	op      *graph.Op
	inputs  []operand
	outputs []operand
	// inPlace puts the first output on the bytes of the first input, onto on those of the input with the number.
	inPlace bool
	onto    int
	// again is the number of an input that is the first one once more, 0 for none.
	again int
}

// placed is a rig in the memory of a device.
type placed struct {
	memory  device.Memory
	step    device.Step
	data    map[*device.Tensor][]byte
	inPlace bool
}

// place gives each operand bytes of its own, at a multiple of 4 and no more, or an image of its own.
func (r *rig) place(t testing.TB) *placed {
	p := &placed{data: map[*device.Tensor][]byte{}, step: device.Step{Index: 7, Op: r.op}, inPlace: r.inPlace}
	p.memory.Pools = []device.Pool{{Name: "memory", Alignment: 64}, {Name: "images", Texture: true, Alignment: 1}}
	for i := range r.inputs {
		if i > 0 && i == r.again {
			p.step.Inputs = append(p.step.Inputs, p.step.Inputs[0])
			continue
		}
		p.step.Inputs = append(p.step.Inputs, p.tensor(t, "in"+string(rune('0'+i)), &r.inputs[i]))
	}
	for i := range r.outputs {
		out := p.tensor(t, "out"+string(rune('0'+i)), &r.outputs[i])
		if i == 0 && (r.inPlace || r.onto > 0) {
			out.Place = p.step.Inputs[r.onto].Place
		}
		p.step.Outputs = append(p.step.Outputs, out)
	}
	return p
}

func (p *placed) tensor(t testing.TB, name string, o *operand) *device.Tensor {
	if o.role == "" {
		return nil
	}
	bytes, ok := o.shape.Bytes(o.dtype)
	require.True(t, ok)
	x := &device.Tensor{Name: name, Role: o.role, DType: o.dtype, Shape: o.shape, Layout: o.layout, Scope: "global", LogicalBytes: bytes}
	if o.data != nil {
		p.data[x] = o.data
	}
	if o.scope == "" {
		pool := &p.memory.Pools[0]
		align := max(o.dtype.Size(), 4)
		pool.Bytes = (pool.Bytes+align-1)/align*align + align
		x.Place = device.Region{Image: -1, Offset: pool.Bytes, Bytes: bytes}
		pool.Bytes += bytes
		return x
	}
	x.Scope = string(o.scope)
	g, reason := texture.Pack(o.scope, o.shape, form.LayoutOf(x), o.dtype)
	require.Empty(t, reason)
	// The image is larger than the tensor, and its rows are padded.
	im := device.Image{Pool: 1, Offset: -1, Width: g.Width + 1, Height: g.Height + 2, RowPitch: (g.Width + 3) * g.TexelBytes, Texel: g.Texel}
	im.Bytes = im.RowPitch * im.Height
	x.Place = device.Region{Pool: 1, Image: len(p.memory.Images), Bytes: im.Bytes}
	p.memory.Images = append(p.memory.Images, im)
	return x
}

// prepare opens the rig's memory on a device, writes the content of the operands and prepares the step.
func (p *placed) prepare(t testing.TB, dev device.Device) (device.Handle, diag.Diagnostics) {
	diags, err := dev.Open(p.memory)
	require.NoError(t, err)
	require.Empty(t, diags)
	for x, data := range p.data {
		require.NoError(t, dev.Write(x, data))
	}
	h, diags, err := dev.Prepare(&p.step)
	require.NoError(t, err)
	return h, diags
}

// run executes the rig on a device twice, everything that is not an operand's content filled with NaN before, and returns
// the outputs of the second run: none where the device says that it lacks float64.
func (p *placed) run(t testing.TB, dev device.Device) []*array.Array {
	diags, err := dev.Open(p.memory)
	require.NoError(t, err)
	require.Empty(t, diags)
	load := func() {
		require.NoError(t, dev.Fill(device.Region{Image: -1, Bytes: p.memory.Pools[0].Bytes}, 0xff))
		for i, im := range p.memory.Images {
			require.NoError(t, dev.Fill(device.Region{Pool: 1, Image: i, Bytes: im.Bytes}, 0xff))
		}
		for x, data := range p.data {
			require.NoError(t, dev.Write(x, data))
		}
	}
	load()
	h, diags, err := dev.Prepare(&p.step)
	require.NoError(t, err)
	if d, ok := dev.(*opencl.Device); ok && !d.Facts().Float64 && len(diags) == 1 && strings.Contains(diags[0].Detail, "does not compute with float64") {
		return nil
	}
	require.Empty(t, diags)
	created := func() (counts cl.Counts) {
		if d, ok := dev.(*opencl.Device); ok {
			counts = d.Counts()
		}
		return counts
	}
	twice := func(h device.Handle) []*array.Array {
		allocated, objects := dev.Counters(), created()
		for range 2 {
			load()
			require.NoError(t, dev.Run(context.Background(), h))
			require.NoError(t, dev.Finish())
		}
		require.Equal(t, allocated, dev.Counters(), "a run allocates nothing")
		require.Equal(t, objects, created(), "a run creates no object of any kind")
		return p.read(t, dev)
	}
	outputs := twice(h)
	if d, ok := dev.(*opencl.Device); ok {
		// Of as many tickets as the work is worth, and as there can be.
		for _, work := range []float64{opencl.TicketWork, 1} {
			joined, ok, err := opencl.JoinAlone(d, h, work)
			require.NoError(t, err)
			if ok {
				require.Equal(t, outputs, twice(joined), "joined launches of tickets of %v compute the same bits", work)
			}
		}
	}
	return outputs
}

// read returns the outputs.
func (p *placed) read(t testing.TB, dev device.Device) (outputs []*array.Array) {
	for _, x := range p.step.Outputs {
		if x == nil {
			outputs = append(outputs, nil)
			continue
		}
		a := &array.Array{DType: x.DType, Shape: x.Shape, Data: make([]byte, x.LogicalBytes)}
		require.NoError(t, dev.Read(x, a.Data))
		outputs = append(outputs, a)
	}
	return outputs
}

// compare runs the rig on the host and on OpenCL, and requires results that agree within 1e-3 of each value and 1e-3 of
// the range.
func (r *rig) compare(t testing.TB) { r.within(t, 1e-3) }

// within is compare with another tolerance.
func (r *rig) within(t testing.TB, tolerance float64) {
	t.Helper()
	reference, err := host.New(host.Options{Workers: 1})
	require.NoError(t, err)
	defer func() { require.NoError(t, reference.Close()) }()
	want := r.place(t).run(t, reference)
	dev := opencltest.Connect(t).NewDevice()
	defer func() { require.NoError(t, dev.Close()) }()
	got := r.place(t).run(t, dev)
	for i := range got {
		if want[i] != nil {
			requireClose(t, want[i], got[i], tolerance)
		}
	}
}

// requireClose compares floats within the tolerance; everything else must be equal.
func requireClose(t testing.TB, want, got *array.Array, tolerance float64) {
	t.Helper()
	if !want.DType.IsFloat() {
		require.Equal(t, want.Data, got.Data, "%v are exact", want.DType)
		return
	}
	w, err := want.Floats()
	require.NoError(t, err)
	g, err := got.Floats()
	require.NoError(t, err)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range w {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	for i, v := range w {
		if !near(v, g[i], tolerance*(math.Abs(v)+max(high-low, 0))) {
			require.Failf(t, "differs", "element %d is %v, the host has %v", i, g[i], v)
		}
	}
}

// near reports whether two numbers are no further apart than allowed. Infinities must be the same, and a NaN is near a NaN.
func near(want, got, allowed float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return want == got || math.IsNaN(want) && math.IsNaN(got)
	}
	return math.Abs(want-got) <= allowed && !math.IsInf(got, 0)
}

func TestAnInfiniteResultAcceptsNothingElse(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		want, got, allowed float64
		near               bool
	}{
		{inf, inf, inf, true}, {-inf, -inf, 0, true}, {nan, nan, 0, true}, {1, 1.5, 0.5, true},
		{inf, 3, inf, false}, {inf, -inf, inf, false}, {3, inf, inf, false}, {inf, nan, inf, false},
		{nan, 3, inf, false}, {3, nan, inf, false}, {1, 2, 0.5, false},
	} {
		require.Equal(t, c.near, near(c.want, c.got, c.allowed), "%v, wanted %v within %v", c.got, c.want, c.allowed)
	}
}
