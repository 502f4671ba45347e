package opencl

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/texels"
)

// stored is where the elements of a tensor stand that is stored as texels, four channels each: a rectangle of an image
// object, or rows in a buffer.
type stored struct {
	// image is the object, 0 for rows in a buffer.
	image cl.Mem
	rows  flat
	// pitch is the elements from one row of the buffer to the next.
	pitch int
	// width and height are texels.
	width, height int
	order         texture.Order
}

// storedImage is a tensor in a planned image.
func (d *Device) storedImage(t *device.Tensor) (*stored, error) {
	p, err := d.packing(t)
	if err != nil {
		return nil, err
	}
	s := &stored{image: p.image.mem, width: int(p.width), height: int(p.height), order: p.order}
	if s.image != 0 {
		return s, nil
	}
	size := t.DType.Size()
	if p.image.Offset%size != 0 || p.image.RowPitch%size != 0 || p.image.RowPitch/size > math.MaxInt32 {
		return nil, form.RefuseTensor(t, "offset %d and row pitch %d are no multiples of the %d bytes of an element", p.image.Offset, p.image.RowPitch, size)
	}
	s.rows = flat{d.pools[p.image.Pool].mem, p.image.Offset / size, t.DType, t.Shape}
	s.pitch = int(p.image.RowPitch / size)
	return s, nil
}

// storedFlat is a tensor of packed channels in flat memory, as "NCHW4c", that the kernel wants in another order.
func (d *Device) storedFlat(t *device.Tensor, order texture.Order) (*stored, error) {
	p, at, err := d.place(t)
	if err != nil {
		return nil, err
	}
	size := t.DType.Size()
	if at%size != 0 {
		return nil, form.RefuseTensor(t, "offset %d is no multiple of the %d bytes of an element", at, size)
	}
	n, _ := t.Shape.Elements()
	return &stored{rows: flat{p.mem, at / size, t.DType, t.Shape}, pitch: int(n), width: int(n / texels.Channels), height: 1, order: order}, nil
}

// open returns the launch that fills dense memory with the elements of a stored operand, as they are.
func (b *site) open(o *operand, dense *flat) (launch, error) { return b.shift("open", o, dense) }

// pack returns the launch that writes dense elements into the texels of a stored operand; what is padding becomes zero.
func (b *site) pack(o *operand, dense *flat) (launch, error) { return b.shift("pack", o, dense) }

func (b *site) shift(verb string, o *operand, dense *flat) (launch, error) {
	s := o.stored
	axes := len(s.order.Extents)
	if axes > 8 {
		return launch{}, form.RefuseTensor(o.t, "%d axes are more than the kernel counts, 8", axes)
	}
	var extents, strides [8]int32
	for i := range axes {
		extents[i], strides[i] = int32(s.order.Extents[i]), int32(s.order.Strides[i])
	}
	args := []any{dense, axes, extents, strides, int(s.order.Lane), s.order.Cut, int(min(s.order.Channels, maxElements)), s.width, s.height}
	global, group := cl.Size{s.width, s.height, 1}, cl.Size{64, 1, 1}
	if s.image != 0 {
		return b.launch(imageSource(o.t.DType), verb+"_image", global, group, append([]any{image(s.image)}, args...)...)
	}
	return b.launch(raw("texels", o.t.DType), verb+"_rows", global, group, append([]any{&s.rows, s.pitch}, args...)...)
}

// imageSource is the variant of the image kernels for an element type.
func imageSource(dtype graph.DType) source {
	switch dtype {
	case graph.Float32:
		return source{"texels", "-DT=float -DIMAGE=f"}
	case graph.Float16:
		return source{"texels", "-DT=ushort -DIMAGE=f -DHALF"}
	case graph.Int8, graph.Int16, graph.Int32:
		return source{"texels", "-DT=" + clTypes[dtype] + " -DIMAGE=i"}
	}
	return source{"texels", "-DT=" + clTypes[dtype] + " -DIMAGE=ui"}
}

// readOperand reads the dense elements of an operand in the order in which kernels see them.
func (d *Device) readOperand(o *operand, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if o.held != nil {
		return d.readWide(o.held, data)
	}
	s := o.stored
	if s == nil {
		return d.Read(o.t, data)
	}
	pitch := s.width * texels.Channels * int(o.t.DType.Size())
	rows := d.scratch(pitch * s.height)
	var err error
	if s.image != 0 {
		err = d.api.ReadImage(d.queue, s.image, cl.Area{Width: s.width, Height: s.height}, int64(pitch), rows)
	} else {
		for y := 0; y < s.height && err == nil; y++ {
			at := (s.rows.at + int64(y*s.pitch)) * o.t.DType.Size()
			err = d.api.ReadBuffer(d.queue, s.rows.mem, at, rows[y*pitch:(y+1)*pitch])
		}
	}
	if err != nil {
		return fmt.Errorf("read tensor %s: %w", o.t.Name, err)
	}
	texels.New(texels.Alone{}, s.order, rows, int64(s.width), int64(pitch), int(o.t.DType.Size())).Open(data)
	return nil
}

// readWide reads float16 elements as float32.
func (d *Device) readWide(held *operand, data []byte) error {
	a := &array.Array{DType: held.t.DType, Shape: held.t.Shape, Data: make([]byte, held.t.LogicalBytes)}
	if err := d.readOperand(held, a.Data); err != nil {
		return err
	}
	values, err := a.Floats()
	if err != nil {
		return fmt.Errorf("read tensor %s: %w", held.t.Name, err)
	}
	for i, v := range values {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(v)))
	}
	return nil
}
