package opencl

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/texels"
)

// texelFormats are the formats of planned texels.
var texelFormats = map[string]cl.Format{
	"rgba_float32": cl.RGBA(cl.TypeFloat32), "rgba_float16": cl.RGBA(cl.TypeFloat16),
	"rgba_int8": cl.RGBA(cl.TypeInt8), "rgba_int16": cl.RGBA(cl.TypeInt16), "rgba_int32": cl.RGBA(cl.TypeInt32),
	"rgba_uint8": cl.RGBA(cl.TypeUint8), "rgba_uint16": cl.RGBA(cl.TypeUint16), "rgba_uint32": cl.RGBA(cl.TypeUint32),
}

// texelNames are the planned texels in the order of the documentation.
var texelNames = []string{
	"rgba_float32", "rgba_float16", "rgba_int8", "rgba_int16", "rgba_int32", "rgba_uint8", "rgba_uint16", "rgba_uint32",
}

// maxWidth and maxHeight are the sides of the largest image in texels, 0 without images.
func (s *Session) maxWidth() int64 {
	if s.facts.Image2D == nil {
		return 0
	}
	return s.facts.Image2D.MaxWidth
}

func (s *Session) maxHeight() int64 {
	if s.facts.Image2D == nil {
		return 0
	}
	return s.facts.Image2D.MaxHeight
}

// openImage makes an image object for an image of a texture pool; one over the bytes of a flat pool has its memory.
func (d *Device) openImage(m device.Memory, i int) (diag.Diagnostics, error) {
	im := m.Images[i]
	if im.Pool < 0 || im.Pool >= len(m.Pools) || im.Width < 1 || im.Height < 1 || im.RowPitch < 1 || im.RowPitch > im.Bytes/im.Height {
		return nil, fmt.Errorf("OpenCL device: image of %d x %d texels at a row pitch of %d in %d bytes", im.Width, im.Height, im.RowPitch, im.Bytes)
	}
	d.images = append(d.images, picture{Image: im})
	if im.Offset >= 0 {
		_, err := d.flatRegion(device.Region{Pool: im.Pool, Offset: im.Offset, Bytes: im.Bytes})
		return nil, err
	}
	pool := m.Pools[im.Pool].Name
	width := d.pitched(&im)
	mem, err := d.api.CreateImage(d.ctx, texelFormats[im.Texel], width, im.Height)
	if tooLarge(err) {
		return diag.Diagnostics{diag.New(diag.PoolTooLarge,
			"Pool %q needs an image of %d x %d texels of %s, and %s does not provide it: %v. Its largest image is %d x %d texels. Declare these limits for the device and plan again.",
			pool, im.Width, im.Height, im.Texel, d.Name(), err, d.maxWidth(), d.maxHeight())}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("image of %d x %d texels of %s in pool %s: %w", im.Width, im.Height, im.Texel, pool, err)
	}
	d.images[i].mem = mem
	return nil, d.fillImage(&d.images[i], 0)
}

// pitched is the width to create an image with, in texels: that of its planned rows, padding and all, so that the image
// takes the planned bytes, unless the device has no images so wide.
func (d *Device) pitched(im *device.Image) int64 {
	width := im.RowPitch / texelBytes(im.Texel)
	if width > d.maxWidth() {
		return im.Width
	}
	return width
}

// texelBytes is the size of a planned texel.
func texelBytes(texel string) int64 {
	dtype, _ := graph.ParseDType(texel[len("rgba_"):])
	return texels.Channels * dtype.Size()
}

// packing is a tensor in an image: its rectangle from the first texel, and where its elements stand.
type packing struct {
	image         *picture
	width, height int64
	order         texture.Order
}

// packing finds the image of a tensor and checks that it fits.
func (d *Device) packing(t *device.Tensor) (*packing, error) {
	if t.Place.Image < 0 || t.Place.Image >= len(d.images) {
		return nil, fmt.Errorf("tensor %s: no image %d", t.Name, t.Place.Image)
	}
	im := &d.images[t.Place.Image]
	g, reason := texture.Pack(texture.Scope(t.Scope), t.Shape, form.LayoutOf(t), t.DType)
	if reason != "" {
		return nil, fmt.Errorf("tensor %s cannot be stored in scope %s: %s", t.Name, t.Scope, reason)
	}
	if g.Width > im.Width || g.Height > im.Height || g.Texel != im.Texel || t.Place.Offset != 0 {
		return nil, fmt.Errorf("tensor %s is %d x %d texels of %s, which do not fit an image of %d x %d of %s",
			t.Name, g.Width, g.Height, g.Texel, im.Width, im.Height, im.Texel)
	}
	order, _ := texture.OrderOf(t.Shape, form.LayoutOf(t))
	return &packing{im, g.Width, g.Height, order}, nil
}
