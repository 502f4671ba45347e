package check

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// isImage reports whether a storage claims to be an image.
func isImage(s *plan.Storage) bool {
	return s.Width != 0 || s.Height != 0 || s.RowPitch != 0 || s.Texel != ""
}

// forms checks each storage by itself: image objects are in texture pools, everything else has an offset, and the bytes of
// an image follow from its sides.
func (c *checker) forms() {
	for i := range c.plan.Storages {
		s := &c.plan.Storages[i]
		k, ok := c.pools[s.Pool]
		if !ok {
			continue
		}
		pool := &c.plan.Pools[k]
		switch objects := pool.Type == "texture"; {
		case objects && (s.Offset != nil || !isImage(s)):
			c.report(diag.PlanScopeMisplaced, "The storage %d is in pool %q, which holds image objects, and is none. Plan again.", s.ID, pool.Name)
		case !objects && s.Offset == nil:
			c.report(diag.PlanScopeMisplaced, "The storage %d is in pool %q, which holds bytes, and has no offset there. Plan again.", s.ID, pool.Name)
		}
		if isImage(s) {
			c.form(s, pool)
		}
	}
}

// form checks the geometry of one image against its device.
func (c *checker) form(s *plan.Storage, pool *plan.Pool) {
	device := c.devices[pool.Device]
	if device == nil || device.Image2D == nil {
		return // reported of the tensors in it
	}
	limits := device.Image2D
	if s.Width > limits.MaxWidth || s.Height > limits.MaxHeight {
		c.report(diag.PlanImageBeyondLimits, "The image %d in pool %q is %d x %d texels, and device %q has images of %d x %d at most. Plan again.",
			s.ID, pool.Name, s.Width, s.Height, device.Name, limits.MaxWidth, limits.MaxHeight)
	}
	texel := texelSize(s.Texel)
	if s.Width < 1 || s.Height < 1 || texel == 0 {
		c.report(diag.PlanImageFormWrong, "The image %d in pool %q is %d x %d texels of %q, which is no image. Plan again.", s.ID, pool.Name, s.Width, s.Height, s.Texel)
		return
	}
	row := pitch(s.Width, limits.PitchAlignment, texel)
	if size := product(row, s.Height); s.RowPitch != row || s.Size != size {
		c.report(diag.PlanImageFormWrong, "The image %d in pool %q has %d bytes in rows of %d; %d x %d texels of %q at a pitch of %d texels take %d in rows of %d. Plan again.",
			s.ID, pool.Name, s.Size, s.RowPitch, s.Width, s.Height, s.Texel, limits.PitchAlignment, size, row)
	}
	if s.Offset == nil && device.MaxAlloc != nil && s.Size > *device.MaxAlloc {
		c.report(diag.PlanAllocTooLarge, "The image %d in pool %q needs an allocation of %d bytes, and device %q allows %d. Plan again.", s.ID, pool.Name, s.Size, device.Name, *device.MaxAlloc)
	}
	if s.Offset != nil && *s.Offset%texel != 0 {
		c.report(diag.PlanMisaligned, "The image %d starts at byte %d of pool %q, which is between two of its texels of %d bytes. Plan again.", s.ID, *s.Offset, pool.Name, texel)
	}
}

// image holds a tensor against the image it is in, and notes its picture. In flat memory it makes sure that there is no
// image.
func (c *checker) image(t *plan.Tensor, s *plan.Storage, pool *plan.Pool) {
	if imageScopes[t.Scope] == nil {
		if s != nil && isImage(s) {
			c.report(diag.PlanScopeMisplaced, "The tensor %q has scope %q, and its storage %d in pool %q is an image. Plan again.", t.Name, t.Scope, s.ID, s.Pool)
		}
		return
	}
	p, because := pictureOf(t)
	if because != "" {
		c.report(diag.PlanImageImpossible, "The tensor %q of type %s, shape %v and layout %q cannot have scope %q: %s. Plan again.", t.Name, t.DType, t.Shape, t.Layout, t.Scope, because)
		return
	}
	c.pictures[t] = p
	limits := c.imagesOf(t, pool)
	if limits == nil || s == nil {
		return
	}
	if !isImage(s) {
		c.report(diag.PlanScopeMisplaced, "The tensor %q has scope %q, and its storage %d in pool %q is no image. Plan again.", t.Name, t.Scope, s.ID, s.Pool)
		return
	}
	if p.width > s.Width || p.height > s.Height {
		c.report(diag.PlanImageTooSmall, "The tensor %q is %d x %d texels, and its image %d in pool %q is %d x %d. Plan again.", t.Name, p.width, p.height, s.ID, s.Pool, s.Width, s.Height)
	}
	if p.texel != s.Texel {
		c.report(diag.PlanImageTexelDiffers, "The tensor %q has texels of %s, and its image %d in pool %q has %q. Plan again.", t.Name, p.texel, s.ID, s.Pool, s.Texel)
	}
	if s.Offset != nil && t.Offset != nil && *t.Offset != *s.Offset {
		c.report(diag.PlanStorageWrong, "The tensor %s does not start where its image %d does. Plan again.", c.where(t), s.ID)
	}
	if want := product(pitch(p.width, limits.PitchAlignment, p.texelBytes), p.height); t.Size != want {
		c.report(diag.PlanImageBytesWrong, "The tensor %q takes %d bytes in the plan; its %d x %d texels of %s at a pitch of %d texels take %d. Plan again.",
			t.Name, t.Size, p.width, p.height, p.texel, limits.PitchAlignment, want)
	}
}

// imagesOf returns the limits of the images in the pool, nil after reporting that it takes none.
func (c *checker) imagesOf(t *plan.Tensor, pool *plan.Pool) *plan.Image2D {
	device := c.devices[pool.Device]
	if device == nil {
		return nil // reported of the pool
	}
	limits := device.Image2D
	if limits == nil {
		c.report(diag.PlanImagesRefused, "The tensor %q of scope %q is in pool %q on device %q, which has no images. Plan again.", t.Name, t.Scope, pool.Name, device.Name)
	} else if pool.Type == "flat" && !(pool.Images && limits.FromBuffer) {
		c.report(diag.PlanImagesRefused, "The tensor %q of scope %q is in pool %q, which is flat and holds no images over its bytes. Plan again.", t.Name, t.Scope, pool.Name)
	}
	return limits
}

// viewPicture checks that a view and its base are both flat, or images that hold the same bytes.
func (c *checker) viewPicture(t, base *plan.Tensor) {
	if imageScopes[t.Scope] == nil && imageScopes[base.Scope] == nil {
		return
	}
	p, q := c.pictures[t], c.pictures[base]
	switch {
	case imageScopes[t.Scope] == nil || imageScopes[base.Scope] == nil:
		c.report(diag.PlanImageViewDiffers, "The view %q has scope %q and its base %q has %q: bytes and images are not views of one another. Plan again.", t.Name, t.Scope, base.Name, base.Scope)
	case p == nil || q == nil: // reported of the tensor that cannot be an image
	case !p.same(q):
		c.report(diag.PlanImageViewDiffers, "The view %q is %d x %d texels of %s and its base %q is %d x %d of %s, or they order their elements differently. Plan again.",
			t.Name, p.width, p.height, p.texel, base.Name, q.width, q.height, q.texel)
	}
}
