package host_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// stored is a tensor in an image over a flat pool, whose bytes a test can read.
type stored struct {
	tensor *device.Tensor
	image  device.Image
	raw    *device.Tensor
	g      texture.Geometry
}

// drawStored draws a tensor that can be an image, and an image with room for more.
func drawStored(t *rapid.T) stored {
	scope := rapid.SampledFrom(texture.Scopes()).Draw(t, "scope")
	dtype := rapid.SampledFrom([]graph.DType{graph.Float32, graph.Float16, graph.Int8, graph.Int16, graph.Int32, graph.Uint8, graph.Uint16, graph.Uint32}).Draw(t, "dtype")
	layout := rapid.SampledFrom(append(texture.Layouts(), "", "NCHW4c", "OIHW4o")).Draw(t, "layout")
	shape := graph.Shape(rapid.SliceOfN(rapid.Int64Range(1, 5), 4, 4).Draw(t, "shape"))
	if layout == "" || len(layout) > 4 {
		shape = append(shape, 4)
	} else {
		for i := range layout {
			if c := layout[i]; c == 'C' || c == 'O' {
				shape[i] = rapid.Int64Range(4, 11).Draw(t, "channels")
			}
		}
	}
	g, reason := texture.Pack(scope, shape, layout, dtype)
	require.Empty(t, reason)
	extra := rapid.Int64Range(0, 3)
	s := stored{g: g}
	s.image = device.Image{Offset: 64 * extra.Draw(t, "offset"), Width: g.Width + extra.Draw(t, "width"), Height: g.Height + extra.Draw(t, "height"), Texel: g.Texel}
	s.image.RowPitch = (s.image.Width + extra.Draw(t, "pitch")) * g.TexelBytes
	s.image.Bytes = s.image.RowPitch * s.image.Height
	logical, _ := shape.Bytes(dtype)
	s.tensor = &device.Tensor{Name: "t", DType: dtype, Shape: shape, Layout: layout, Scope: string(scope), LogicalBytes: logical,
		Place: device.Region{Image: 0, Bytes: s.image.Bytes}}
	s.raw = &device.Tensor{Name: "raw", DType: graph.Uint8, Shape: graph.Shape{s.image.Bytes}, Scope: "global", LogicalBytes: s.image.Bytes,
		Place: device.Region{Image: -1, Offset: s.image.Offset, Bytes: s.image.Bytes}}
	return s
}

func (s *stored) open(t require.TestingT, more ...device.Image) *host.Device {
	dev, err := host.New(host.Options{Workers: 3})
	require.NoError(t, err)
	diags, err := dev.Open(device.Memory{
		Pools:  []device.Pool{{Name: "memory", Bytes: s.image.Offset + s.image.Bytes, Alignment: 64}, {Name: "images", Texture: true, Alignment: 1}},
		Images: append([]device.Image{s.image}, more...),
	})
	require.NoError(t, err)
	require.Empty(t, diags)
	require.NoError(t, dev.Fill(s.raw.Place, 0xff))
	return dev
}

// expected is the image by the definition: each element stands at its packed index, the axes before the separator
// counted as rows, the others as columns.
func (s *stored) expected(data []byte) []byte {
	image := bytes.Repeat([]byte{0xff}, int(s.image.Bytes))
	size := int(s.tensor.DType.Size())
	place := func(index []int64) []byte {
		at, _ := texture.Scope(s.tensor.Scope).Separator(len(s.g.Packed))
		row, column := int64(0), int64(0)
		for i, n := range s.g.Packed[:4] {
			if i < at {
				row = row*n + index[i]
			} else {
				column = column*n + index[i]
			}
		}
		from := row*s.image.RowPitch + column*s.g.TexelBytes + index[4]*int64(size)
		return image[from : from+int64(size)]
	}
	each(s.g.Packed, func(_ int, index []int64) { clear(place(index)) })
	each(s.tensor.Shape, func(number int, index []int64) {
		copy(place(s.packedIndex(index)), data[number*size:])
	})
	return image
}

// packedIndex is where an element is in the packed shape.
func (s *stored) packedIndex(index []int64) []int64 {
	layout := s.tensor.Layout
	if len(index) == 5 {
		return index
	}
	packed := make([]int64, 5)
	for i, letter := range s.g.Layout[:4] {
		at := bytes.IndexByte([]byte(layout), byte(letter))
		packed[i] = index[at]
		if letter == 'C' || letter == 'O' {
			packed[i], packed[4] = index[at]/4, index[at]%4
		}
	}
	return packed
}

// each visits the indexes of a shape in row-major order.
func each(shape graph.Shape, visit func(number int, index []int64)) {
	n, _ := shape.Elements()
	for number := range int(n) {
		index, rest := make([]int64, len(shape)), int64(number)
		for axis := len(shape) - 1; axis >= 0; axis-- {
			index[axis] = rest % shape[axis]
			rest /= shape[axis]
		}
		visit(number, index)
	}
}

// ramp is bytes that differ from their neighbours, none of them 0xff or 0.
func ramp(n int64) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(1 + i%253)
	}
	return data
}

func TestATensorIsPackedByTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStored(t)
		dev := s.open(t)
		defer func() { require.NoError(t, dev.Close()) }()
		data := ramp(s.tensor.LogicalBytes)
		require.NoError(t, dev.Write(s.tensor, data))
		image := make([]byte, s.image.Bytes)
		require.NoError(t, dev.Read(s.raw, image))
		require.Equal(t, s.expected(data), image)

		back := make([]byte, len(data))
		require.NoError(t, dev.Read(s.tensor, back))
		require.Equal(t, data, back)
	})
}

func TestCopiesBetweenScopesKeepEveryBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStored(t)
		other := s.g
		if scope := rapid.SampledFrom(texture.Scopes()).Draw(t, "other scope"); true {
			other, _ = texture.Pack(scope, s.tensor.Shape, s.tensor.Layout, s.tensor.DType)
		}
		image := device.Image{Pool: 1, Offset: -1, Width: other.Width, Height: other.Height, Texel: other.Texel, RowPitch: (other.Width + 1) * other.TexelBytes}
		image.Bytes = image.RowPitch * image.Height
		dev := s.open(t, image)
		defer func() { require.NoError(t, dev.Close()) }()
		there := *s.tensor
		there.Name, there.Scope, there.Place = "there", string(other.Scope), device.Region{Pool: 1, Image: 1, Bytes: image.Bytes}
		data := ramp(s.tensor.LogicalBytes)
		require.NoError(t, dev.Write(s.tensor, data))
		copyOver(t, dev, s.tensor, &there)
		require.NoError(t, dev.Fill(s.raw.Place, 0xff))
		copyOver(t, dev, &there, s.tensor)
		stored := make([]byte, s.image.Bytes)
		require.NoError(t, dev.Read(s.raw, stored))
		require.Equal(t, s.expected(data), stored)
	})
}

func copyOver(t require.TestingT, dev *host.Device, from, to *device.Tensor) {
	h, diags, err := dev.Prepare(&device.Step{Op: &graph.Op{Name: "copy", Op: "Copy", Domain: "memplan"}, Inputs: []*device.Tensor{from}, Outputs: []*device.Tensor{to}})
	require.NoError(t, err)
	require.Empty(t, diags)
	require.NoError(t, dev.Run(context.Background(), h))
}

func TestOnlyEqualTensorsAreCopied(t *testing.T) {
	r := newRig(t, 1)
	x := r.floats("x", graph.Input, graph.Shape{2, 2}, []float32{1, 2, 3, 4})
	y := r.floats("y", graph.Output, graph.Shape{4}, make([]float32, 4))
	r.open()
	_, diags, err := r.dev.Prepare(&device.Step{Op: &graph.Op{Name: "copy", Op: "Copy", Domain: "memplan"}, Inputs: []*device.Tensor{x}, Outputs: []*device.Tensor{y}})
	require.NoError(t, err)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Detail, "[2, 2]")
}

func TestTensorsThatDoNotFitTheirImageAreRefused(t *testing.T) {
	s := stored{image: device.Image{Width: 3, Height: 4, RowPitch: 48, Bytes: 192, Texel: "rgba_float32"}}
	s.tensor = &device.Tensor{Name: "t", DType: graph.Float32, Shape: graph.Shape{1, 8, 2, 3}, Scope: "global.texture", LogicalBytes: 192, Place: device.Region{Bytes: 192}}
	s.raw = &device.Tensor{Place: device.Region{Image: -1, Bytes: 192}}
	dev := s.open(t)
	defer func() { require.NoError(t, dev.Close()) }()
	require.NoError(t, dev.Write(s.tensor, make([]byte, 192)), "rank 4 without a layout is NCHW")
	for name, change := range map[string]func(*device.Tensor){
		"higher":             func(x *device.Tensor) { x.Shape = graph.Shape{1, 8, 3, 2} },
		"wider":              func(x *device.Tensor) { x.Shape = graph.Shape{1, 8, 1, 6} },
		"other texels":       func(x *device.Tensor) { x.DType, x.Shape = graph.Int32, graph.Shape{1, 8, 2, 3} },
		"no packed form":     func(x *device.Tensor) { x.Shape = graph.Shape{48} },
		"an unknown scope":   func(x *device.Tensor) { x.Scope = "global.textur" },
		"not at the origin":  func(x *device.Tensor) { x.Place.Offset, x.Place.Bytes = 16, 176 },
		"an unknown image":   func(x *device.Tensor) { x.Place.Image = 3 },
		"another pool":       func(x *device.Tensor) { x.Place.Pool = 1 },
		"a part of an image": func(x *device.Tensor) { x.Place.Bytes = 96 },
	} {
		x := *s.tensor
		change(&x)
		require.Error(t, dev.Write(&x, make([]byte, 192)), name)
		require.Error(t, dev.Read(&x, make([]byte, 192)), name)
		_, _, err := dev.Prepare(&device.Step{Op: &graph.Op{Op: "Relu"}, Inputs: []*device.Tensor{&x}, Outputs: []*device.Tensor{s.tensor}})
		require.Error(t, err, name)
	}
	require.Error(t, dev.Write(s.tensor, make([]byte, 100)))
}

func TestImagesThatDoNotFitTheirPoolAreRefused(t *testing.T) {
	good := device.Image{Width: 3, Height: 4, RowPitch: 48, Bytes: 192, Texel: "rgba_float32"}
	for name, change := range map[string]func(*device.Image){
		"beyond the pool":      func(im *device.Image) { im.Offset = 64 },
		"rows beyond the size": func(im *device.Image) { im.Height = 5 },
		"a pitch of nothing":   func(im *device.Image) { im.RowPitch = 0 },
		"a negative side":      func(im *device.Image) { im.Width = -1 },
		"an unknown pool":      func(im *device.Image) { im.Pool = 2 },
	} {
		im := good
		change(&im)
		dev, err := host.New(host.Options{Workers: 1})
		require.NoError(t, err)
		_, err = dev.Open(device.Memory{Pools: []device.Pool{{Name: "memory", Bytes: 200, Alignment: 64}}, Images: []device.Image{im}})
		require.Error(t, err, name)
		require.NoError(t, dev.Close())
	}
}

func TestStepsOnImagesRunWithoutAllocating(t *testing.T) {
	dev := newRig(t, 2).dev
	image := device.Image{Offset: -1, Width: 64, Height: 128, RowPitch: 1024, Bytes: 128 * 1024, Texel: "rgba_float32"}
	_, err := dev.Open(device.Memory{Pools: []device.Pool{{Name: "images", Texture: true, Alignment: 1}}, Images: []device.Image{image, image, image}})
	require.NoError(t, err)
	tensor := func(at int, role graph.Role, shape ...int64) *device.Tensor {
		n, _ := graph.Shape(shape).Bytes(graph.Float32)
		return &device.Tensor{Name: "t", Role: role, DType: graph.Float32, Shape: shape, Layout: "NCHW", Scope: "global.texture", LogicalBytes: n, Place: device.Region{Image: at, Bytes: image.Bytes}}
	}
	x, w, y := tensor(0, graph.Input, 1, 7, 64, 64), tensor(1, graph.Constant, 8, 7, 1, 1), tensor(2, graph.Output, 1, 8, 64, 64)
	w.Layout = "OIHW"
	for _, v := range []*device.Tensor{x, w} {
		require.NoError(t, dev.Write(v, floatBytes(small(int(v.LogicalBytes/4), 1))))
	}
	h, diags, err := dev.Prepare(&device.Step{Op: &graph.Op{Name: "conv", Op: "Conv"}, Inputs: []*device.Tensor{x, w}, Outputs: []*device.Tensor{y}})
	require.NoError(t, err)
	require.Empty(t, diags)
	before := dev.Counters()
	require.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, dev.Run(context.Background(), h)) }))
	require.Equal(t, before, dev.Counters())
	require.Positive(t, before.WorkspaceBytes)
}
