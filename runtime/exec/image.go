package exec

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
)

// isImage reports whether a tensor's scope is another than flat memory.
func isImage(t *plan.Tensor) bool { return t.Scope != "" && t.Scope != string(texture.Global) }

// axesOf is the layout that a tensor is packed by. One of rank 4 that nothing labels has the order of ONNX.
func axesOf(layout string, shape graph.Shape) string {
	if layout == "" && len(shape) == 4 {
		return "NCHW"
	}
	return layout
}

// inImage finds the image of a tensor in a texture scope: all of it, since it serves one tensor at a time. It checks
// that the tensor as the plan packs it lies inside.
func (l *layout) inImage(pool int, t *plan.Tensor) (device.Region, bool) {
	storage := l.storages[t.Storage]
	if storage == nil || storage.Width == 0 || storage.Height == 0 {
		l.report(diag.NotAnImage, "Tensor %q has scope %q, and its storage %d in pool %q is no image. Make the plan again.", t.Name, t.Scope, t.Storage, t.Pool)
		return device.Region{}, false
	}
	dtype, _ := graph.ParseDType(t.DType)
	shape := graph.Shape(t.Shape)
	g, reason := texture.Pack(texture.Scope(t.Scope), shape, axesOf(t.Layout, shape), dtype)
	if reason != "" {
		l.report(diag.NotAnImage, "Tensor %q, %s %v in layout %q, cannot be stored in scope %q: %s. Make the plan again.",
			t.Name, t.DType, shape, t.Layout, t.Scope, reason)
		return device.Region{}, false
	}
	if !l.holds(storage, t, &g) || !l.inside(pool, storage) {
		return device.Region{}, false
	}
	return device.Region{Pool: pool, Image: l.image(pool, storage), Bytes: storage.Size}, true
}

// holds checks an image against the rectangle of a tensor.
func (l *layout) holds(s *plan.Storage, t *plan.Tensor, g *texture.Geometry) bool {
	if s.Texel != g.Texel {
		l.report(diag.ImageTexel, "Tensor %q, %s, takes texels of %s, and its image, storage %d in pool %q, has %s. Make the plan again.",
			t.Name, t.DType, g.Texel, s.ID, s.Pool, s.Texel)
		return false
	}
	if g.Width > s.Width || g.Height > s.Height {
		l.report(diag.ImageTooSmall, "Tensor %q is %d x %d texels in scope %q, and its image, storage %d in pool %q, is %d x %d. Make the plan again.",
			t.Name, g.Width, g.Height, t.Scope, s.ID, s.Pool, s.Width, s.Height)
		return false
	}
	if s.RowPitch/g.TexelBytes < s.Width || s.RowPitch > s.Size/s.Height {
		l.report(diag.ImageTooSmall, "The image of tensor %q, storage %d in pool %q, has %d rows of %d texels of %d bytes, which a row pitch of %d and %d bytes do not hold. Make the plan again.",
			t.Name, s.ID, s.Pool, s.Height, s.Width, g.TexelBytes, s.RowPitch, s.Size)
		return false
	}
	return true
}

// inside checks that an image over a flat pool lies in it, and that one of a texture pool is an object.
func (l *layout) inside(pool int, s *plan.Storage) bool {
	p := &l.memory.Pools[pool]
	switch {
	case p.Texture != (s.Offset == nil):
		l.mismatch("Storage %d is an image of pool %q: an image has an offset exactly when its pool is flat. Make the plan again.", s.ID, p.Name)
		return false
	case s.Offset != nil && (*s.Offset < 0 || s.Size > p.Bytes || *s.Offset > p.Bytes-s.Size):
		l.mismatch("The image of storage %d takes %d bytes at offset %d of pool %q, whose peak is %d bytes. Make the plan again.",
			s.ID, s.Size, *s.Offset, p.Name, p.Bytes)
		return false
	}
	return true
}

// image returns the index of a storage's image, making it on first use.
func (l *layout) image(pool int, s *plan.Storage) int {
	if at, ok := l.images[s.ID]; ok {
		return at
	}
	im := device.Image{Pool: pool, Offset: -1, Bytes: s.Size, Width: s.Width, Height: s.Height, RowPitch: s.RowPitch, Texel: s.Texel}
	if s.Offset != nil {
		im.Offset = *s.Offset
	}
	l.images[s.ID] = len(l.memory.Images)
	l.memory.Images = append(l.memory.Images, im)
	return l.images[s.ID]
}

// sameImage reports whether two tensors of one image have the same texels in it.
func sameImage(a, b *device.Tensor) bool {
	one, reason := texture.Pack(texture.Scope(a.Scope), a.Shape, axesOf(a.Layout, a.Shape), a.DType)
	other, reason2 := texture.Pack(texture.Scope(b.Scope), b.Shape, axesOf(b.Layout, b.Shape), b.DType)
	if reason != "" || reason2 != "" || one.Width != other.Width || one.Height != other.Height || one.Texel != other.Texel {
		return false
	}
	first, _ := texture.OrderOf(a.Shape, axesOf(a.Layout, a.Shape))
	second, _ := texture.OrderOf(b.Shape, axesOf(b.Layout, b.Shape))
	return first.Same(second)
}

// torn reports a step that only renames within one image, but would have to move texels there under its input's other
// readers.
func torn(s *device.Step) *diag.Diagnostic {
	in, out := renamed(s)
	if in == nil || in.Place.Image < 0 || in.Place.Image != out.Place.Image || sameImage(in, out) {
		return nil
	}
	d := diag.New(diag.TornImageView,
		"Step %d, op %q (%s), views the image of %q, %v in layout %q, as %q, %v in layout %q, where elements have other texels. Make the plan again.",
		s.Index, s.Op.Name, s.Op.Op, in.Name, in.Shape, in.Layout, out.Name, out.Shape, out.Layout)
	return &d
}

func (l *layout) report(id diag.ID, detail string, args ...any) {
	l.diags = append(l.diags, diag.New(id, detail, args...))
}
