package texture_test

import (
	"fmt"
	"math/big"

	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
)

// verify checks a result against its problem with nothing but the problem's words, in big numbers.
func verify(p *texture.Problem, r *texture.Result) error {
	if len(r.Of) != len(p.Images) || len(r.Pools) != len(p.Pools) {
		return fmt.Errorf("%d images and %d pools in the result, %d and %d in the problem", len(r.Of), len(r.Pools), len(p.Images), len(p.Pools))
	}
	users := make([][]int, len(r.Storages))
	unplaced := 0
	for i, k := range r.Of {
		if k == texture.NoStorage {
			if unplaced >= len(r.Unplaced) || r.Unplaced[unplaced] != i {
				return fmt.Errorf("image %d has no storage and is not listed", i)
			}
			unplaced++
			continue
		}
		if k < 0 || k >= len(r.Storages) {
			return fmt.Errorf("image %d has storage %d of %d", i, k, len(r.Storages))
		}
		if err := serves(&p.Images[i], &r.Storages[k]); err != nil {
			return fmt.Errorf("image %d in storage %d: %w", i, k, err)
		}
		for _, j := range users[k] {
			a, b := &p.Images[i], &p.Images[j]
			if a.Always || b.Always || a.Live.First < b.Live.Last && b.Live.First < a.Live.Last {
				return fmt.Errorf("images %d and %d use storage %d at once", j, i, k)
			}
		}
		users[k] = append(users[k], i)
	}
	if unplaced != len(r.Unplaced) {
		return fmt.Errorf("unplaced are %v, but some have a storage", r.Unplaced)
	}
	return verifyStorages(p, r, users)
}

func serves(im *texture.Image, st *texture.Storage) error {
	candidate := false
	for _, k := range im.Pools {
		candidate = candidate || k == st.Pool
	}
	switch {
	case !candidate:
		return fmt.Errorf("pool %d is not among %v", st.Pool, im.Pools)
	case st.Texel != im.Texel || st.TexelBytes != im.TexelBytes:
		return fmt.Errorf("texels of kind %d differ from %d", st.Texel, im.Texel)
	case st.Width < im.Width || st.Height < im.Height:
		return fmt.Errorf("%d x %d does not cover %d x %d", st.Width, st.Height, im.Width, im.Height)
	}
	return nil
}

func verifyStorages(p *texture.Problem, r *texture.Result, users [][]int) error {
	bytes, images := make([]*big.Int, len(p.Pools)), make([]int64, len(p.Pools))
	for k := range bytes {
		bytes[k] = new(big.Int)
	}
	for k, st := range r.Storages {
		pool := &p.Pools[st.Pool]
		width, height := int64(0), int64(0)
		for _, i := range users[k] {
			width, height = max(width, p.Images[i].Width), max(height, p.Images[i].Height)
		}
		if width != st.Width || height != st.Height || len(users[k]) == 0 {
			return fmt.Errorf("storage %d is %d x %d, its images need %d x %d", k, st.Width, st.Height, width, height)
		}
		if st.Width > pool.MaxWidth || st.Height > pool.MaxHeight || pool.MaxImageBytes > 0 && st.Bytes > pool.MaxImageBytes {
			return fmt.Errorf("storage %d of %d x %d, %d bytes exceeds the limits of pool %d", k, st.Width, st.Height, st.Bytes, st.Pool)
		}
		row := big.NewInt((st.Width + pool.PitchAlignment - 1) / pool.PitchAlignment * pool.PitchAlignment)
		row.Mul(row, big.NewInt(st.TexelBytes))
		size := new(big.Int).Mul(row, big.NewInt(st.Height))
		if row.Cmp(big.NewInt(st.RowPitch)) != 0 || size.Cmp(big.NewInt(st.Bytes)) != 0 {
			return fmt.Errorf("storage %d has rows of %d and %d bytes, not %s and %s", k, st.RowPitch, st.Bytes, row, size)
		}
		bytes[st.Pool].Add(bytes[st.Pool], size)
		images[st.Pool]++
	}
	for k, out := range r.Pools {
		pool := &p.Pools[k]
		switch {
		case bytes[k].Cmp(big.NewInt(out.Bytes)) != 0 || images[k] != out.Images:
			return fmt.Errorf("pool %d reports %d bytes in %d images, not %s in %d", k, out.Bytes, out.Images, bytes[k], images[k])
		case pool.Capacity != layout.Unlimited && out.Bytes > pool.Capacity || pool.MaxImages > 0 && out.Images > pool.MaxImages:
			return fmt.Errorf("pool %d with %d bytes in %d images is beyond its limits", k, out.Bytes, out.Images)
		case out.Bound > out.Bytes || out.Gap != out.Bytes-out.Bound || out.Proved != (out.Gap == 0):
			return fmt.Errorf("pool %d has bound %d and gap %d for %d bytes", k, out.Bound, out.Gap, out.Bytes)
		}
	}
	return nil
}
