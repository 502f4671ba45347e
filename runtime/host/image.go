package host

import (
	"fmt"

	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/texels"
)

// checkImage reports an image that does not lie in its pool or whose rows overlap.
func checkImage(m device.Memory, im *device.Image) error {
	if im.Pool < 0 || im.Pool >= len(m.Pools) || im.Bytes < 0 {
		return fmt.Errorf("host device: image of %d bytes in pool %d of %d", im.Bytes, im.Pool, len(m.Pools))
	}
	if im.Width < 0 || im.Height < 0 || im.RowPitch < im.Width || im.Height > 0 && im.RowPitch > im.Bytes/im.Height {
		return fmt.Errorf("host device: image of %d x %d texels at a row pitch of %d in %d bytes", im.Width, im.Height, im.RowPitch, im.Bytes)
	}
	pool := &m.Pools[im.Pool]
	if im.Offset >= 0 && (pool.Texture || im.Bytes > pool.Bytes || im.Offset > pool.Bytes-im.Bytes) {
		return fmt.Errorf("host device: image of %d bytes at offset %d of pool %s, which has %d", im.Bytes, im.Offset, pool.Name, pool.Bytes)
	}
	return nil
}

// image returns the mover of a tensor in an image, for its dense elements in the tensor's own order or in another one
// that the caller gives.
func (d *Device) image(t *device.Tensor, other *texture.Order) (*texels.Mover, error) {
	stored, err := d.region(t.Place)
	if err != nil {
		return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
	}
	im := &d.images[t.Place.Image]
	g, reason := texture.Pack(texture.Scope(t.Scope), t.Shape, form.LayoutOf(t), t.DType)
	if reason != "" {
		return nil, fmt.Errorf("tensor %s cannot be stored in scope %s: %s", t.Name, t.Scope, reason)
	}
	if g.Width > im.Width || g.Height > im.Height || g.Texel != im.Texel || im.RowPitch/g.TexelBytes < g.Width || t.Place.Offset != 0 {
		return nil, fmt.Errorf("tensor %s is %d x %d texels of %s, which do not fit an image of %d x %d of %s at a row pitch of %d",
			t.Name, g.Width, g.Height, g.Texel, im.Width, im.Height, im.Texel, im.RowPitch)
	}
	if int64(len(stored)) < im.Bytes {
		return nil, fmt.Errorf("tensor %s takes %d bytes of an image of %d", t.Name, len(stored), im.Bytes)
	}
	order, _ := texture.OrderOf(t.Shape, form.LayoutOf(t))
	if other != nil {
		order = *other
	}
	return texels.New(d.crew, order, stored, g.Width, im.RowPitch, int(t.DType.Size())), nil
}

// mover returns the mover of a tensor in an image, made once.
func (d *Device) mover(t *device.Tensor) (*texels.Mover, error) {
	if m := d.movers[t]; m != nil {
		return m, nil
	}
	m, err := d.image(t, nil)
	if err == nil {
		d.movers[t] = m
	}
	return m, err
}

// ready returns the mover of a tensor in an image for the dense elements in data.
func (d *Device) ready(t *device.Tensor, data []byte) (*texels.Mover, error) {
	if n, ok := t.Shape.Bytes(t.DType); !ok || n != int64(len(data)) {
		return nil, fmt.Errorf("tensor %s: %v %v does not take %d bytes", t.Name, t.DType, t.Shape, len(data))
	}
	return d.mover(t)
}

// packed returns a tensor of packed channels in flat memory, as "NCHW4c", with the mover between it and the plain array
// of its order.
func (d *Device) packed(t *device.Tensor, plain texture.Order) (*texels.Mover, error) {
	stored, err := d.dense(t)
	if err != nil {
		return nil, err
	}
	if n, ok := t.Shape.Bytes(t.DType); !ok || n != int64(len(stored)) {
		return nil, fmt.Errorf("tensor %s: %v %v does not take %d bytes", t.Name, t.DType, t.Shape, len(stored))
	}
	width := int64(len(stored)) / (texels.Channels * t.DType.Size())
	return texels.New(d.crew, plain, stored, width, int64(len(stored)), int(t.DType.Size())), nil
}
