package opencl

import (
	"fmt"

	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/texels"
)

// Write implements device.Device. It waits for the steps that were started before.
func (d *Device) Write(t *device.Tensor, data []byte) error {
	if err := d.checkData(t, data); err != nil || len(data) == 0 {
		return err
	}
	if t.Place.Image < 0 {
		p, at, err := d.place(t)
		if err == nil {
			err = d.api.WriteBuffer(d.queue, p.mem, at, data)
		}
		return transferred("write", t, err)
	}
	p, err := d.packing(t)
	if err != nil {
		return err
	}
	rows := d.rows(p)
	texels.New(texels.Alone{}, p.order, rows, p.width, p.pitch(), int(t.DType.Size())).Pack(data)
	return transferred("write", t, d.writeRows(p.image, p.area(), rows))
}

// Read implements device.Device. It waits for the steps that were started before.
func (d *Device) Read(t *device.Tensor, data []byte) error {
	if err := d.checkData(t, data); err != nil || len(data) == 0 {
		return err
	}
	if t.Place.Image < 0 {
		p, at, err := d.place(t)
		if err == nil {
			err = d.api.ReadBuffer(d.queue, p.mem, at, data)
		}
		return transferred("read", t, err)
	}
	p, err := d.packing(t)
	if err != nil {
		return err
	}
	rows := d.rows(p)
	if err := d.readRows(p.image, p.area(), rows); err != nil {
		return transferred("read", t, err)
	}
	texels.New(texels.Alone{}, p.order, rows, p.width, p.pitch(), int(t.DType.Size())).Open(data)
	return nil
}

func (d *Device) checkData(t *device.Tensor, data []byte) error {
	if n, ok := t.Shape.Bytes(t.DType); !ok || n != int64(len(data)) {
		return fmt.Errorf("tensor %s: %v %v does not take %d bytes", t.Name, t.DType, t.Shape, len(data))
	}
	return nil
}

func transferred(verb string, t *device.Tensor, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s tensor %s: %w", verb, t.Name, err)
}

// place finds the elements of a tensor in flat memory: a pool and an offset in bytes.
func (d *Device) place(t *device.Tensor) (*memory, int64, error) {
	r := t.Place
	if r.Bytes = t.LogicalBytes; t.LogicalBytes > t.Place.Bytes {
		return nil, 0, fmt.Errorf("tensor %s has %d bytes and a place of %d", t.Name, t.LogicalBytes, t.Place.Bytes)
	}
	p, err := d.flatRegion(r)
	if err != nil {
		return nil, 0, fmt.Errorf("tensor %s: %w", t.Name, err)
	}
	return p, r.Offset, nil
}

// pitch is the bytes from one row of the tensor's rectangle to the next in host memory: there is no padding.
func (p *packing) pitch() int64 { return p.width * texelBytes(p.image.Texel) }

func (p *packing) area() cl.Area { return cl.Area{Width: int(p.width), Height: int(p.height)} }

// rows returns host memory for the rectangle of a tensor, which the next transfer uses again.
func (d *Device) rows(p *packing) []byte { return d.scratch(int(p.pitch() * p.height)) }

func (d *Device) scratch(n int) []byte {
	if len(d.band) < n {
		d.band = make([]byte, n)
	}
	return d.band[:n]
}

// writeRows writes the rows of a rectangle, dense in host memory.
func (d *Device) writeRows(im *picture, a cl.Area, rows []byte) error {
	if im.mem != 0 {
		return d.api.WriteImage(d.queue, im.mem, a, int64(len(rows)/a.Height), rows)
	}
	return eachRow(im, a, rows, func(at int64, row []byte) error { return d.api.WriteBuffer(d.queue, d.pools[im.Pool].mem, at, row) })
}

func (d *Device) readRows(im *picture, a cl.Area, rows []byte) error {
	if im.mem != 0 {
		return d.api.ReadImage(d.queue, im.mem, a, int64(len(rows)/a.Height), rows)
	}
	return eachRow(im, a, rows, func(at int64, row []byte) error { return d.api.ReadBuffer(d.queue, d.pools[im.Pool].mem, at, row) })
}

// eachRow visits the rows of a rectangle of an image over the bytes of a pool.
func eachRow(im *picture, a cl.Area, rows []byte, visit func(at int64, row []byte) error) error {
	pitch := len(rows) / a.Height
	for y := range a.Height {
		if err := visit(im.Offset+int64(a.Y+y)*im.RowPitch, rows[y*pitch:(y+1)*pitch]); err != nil {
			return err
		}
	}
	return nil
}

// Fill implements device.Device. An image is filled whole.
func (d *Device) Fill(r device.Region, value byte) error {
	if r.Bytes == 0 {
		return nil
	}
	if r.Image < 0 {
		p, err := d.flatRegion(r)
		if err != nil {
			return err
		}
		if err := d.api.FillBuffer(d.queue, p.mem, value, r.Offset, r.Bytes); err != nil {
			return fmt.Errorf("fill bytes [%d, %d) of pool %s: %w", r.Offset, r.Offset+r.Bytes, p.name, err)
		}
		return nil
	}
	if r.Image >= len(d.images) || d.images[r.Image].Pool != r.Pool || r.Offset != 0 || r.Bytes != d.images[r.Image].Bytes {
		return fmt.Errorf("OpenCL device: bytes [%d, %d+%d) of image %d of pool %d are not a whole image", r.Offset, r.Offset, r.Bytes, r.Image, r.Pool)
	}
	im := &d.images[r.Image]
	if im.mem == 0 {
		return d.Fill(device.Region{Pool: im.Pool, Image: -1, Offset: im.Offset, Bytes: im.Bytes}, value)
	}
	return d.fillImage(im, value)
}

// bandBytes bounds the host memory that an image is filled from.
const bandBytes = 4 << 20

// fillImage sets every byte of an image object, by bands of rows: filling by a colour would not keep the bits of a NaN.
func (d *Device) fillImage(im *picture, value byte) error {
	width := d.pitched(&im.Image)
	pitch := width * texelBytes(im.Texel)
	step := min(max(bandBytes/pitch, 1), im.Height)
	band := d.scratch(int(step * pitch))
	for i := range band {
		band[i] = value
	}
	for y := int64(0); y < im.Height; y += step {
		n := min(step, im.Height-y)
		if err := d.api.WriteImage(d.queue, im.mem, cl.Area{Y: int(y), Width: int(width), Height: int(n)}, pitch, band[:n*pitch]); err != nil {
			return fmt.Errorf("fill an image of %d x %d texels of pool %s: %w", im.Width, im.Height, d.pools[im.Pool].name, err)
		}
	}
	return nil
}
