package texture

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalid is wrapped by every error about a problem that no algorithm can read.
var ErrInvalid = errors.New("invalid image storage problem")

// Validate reports the first thing that makes the problem unreadable: a side, texel size or pitch alignment below 1, a
// negative limit, a kind with two texel sizes, an empty lifetime, an image without candidates, an index that names
// nothing, or images beyond 2^63-1 bytes in all. A problem that merely cannot be stored is valid. It costs
// O(pools + images + candidates).
func (p *Problem) Validate() error {
	if len(p.Images) > math.MaxInt32 || len(p.Pools) > math.MaxInt32 {
		return fmt.Errorf("%w: more than %d images or pools", ErrInvalid, math.MaxInt32)
	}
	for k := range p.Pools {
		if err := p.Pools[k].validate(); err != nil {
			return fmt.Errorf("%w: pool %d %w", ErrInvalid, k, err)
		}
	}
	total, sizes := int64(0), map[int]int64{}
	for i := range p.Images {
		im := &p.Images[i]
		bytes, err := im.validate(len(p.Pools))
		if err != nil {
			return fmt.Errorf("%w: image %d %w", ErrInvalid, i, err)
		}
		if size, ok := sizes[im.Texel]; ok && size != im.TexelBytes {
			return fmt.Errorf("%w: image %d has texels of %d bytes, and an earlier one of kind %d has %d", ErrInvalid, i, im.TexelBytes, im.Texel, size)
		}
		sizes[im.Texel] = im.TexelBytes
		if total > math.MaxInt64-bytes {
			return fmt.Errorf("%w: images exceed 2^63-1 bytes in all", ErrInvalid)
		}
		total += bytes
	}
	return nil
}

func (p *Pool) validate() error {
	switch {
	case p.Capacity < Unlimited:
		return fmt.Errorf("has capacity %d", p.Capacity)
	case p.PitchAlignment < 1:
		return fmt.Errorf("has pitch alignment %d", p.PitchAlignment)
	case p.MaxWidth < 0 || p.MaxHeight < 0:
		return fmt.Errorf("has a largest image of %d x %d", p.MaxWidth, p.MaxHeight)
	case p.MaxImages < 0 || p.MaxImageBytes < 0:
		return fmt.Errorf("allows %d images of %d bytes", p.MaxImages, p.MaxImageBytes)
	}
	return nil
}

// validate returns the bytes of the texels.
func (im *Image) validate(pools int) (int64, error) {
	switch {
	case im.Width < 1 || im.Height < 1:
		return 0, fmt.Errorf("has sides %d x %d", im.Width, im.Height)
	case im.TexelBytes < 1:
		return 0, fmt.Errorf("has texels of %d bytes", im.TexelBytes)
	case !im.Always && im.Live.First >= im.Live.Last:
		return 0, fmt.Errorf("lives from step %d to step %d", im.Live.First, im.Live.Last)
	case len(im.Pools) == 0:
		return 0, errors.New("has no candidate pool")
	case im.Height > math.MaxInt64/im.Width || im.TexelBytes > math.MaxInt64/(im.Width*im.Height):
		return 0, fmt.Errorf("of %d x %d texels of %d bytes exceeds 2^63-1 bytes", im.Width, im.Height, im.TexelBytes)
	}
	for _, k := range im.Pools {
		if k < 0 || k >= pools {
			return 0, fmt.Errorf("names pool %d of %d", k, pools)
		}
	}
	return im.Width * im.Height * im.TexelBytes, nil
}
