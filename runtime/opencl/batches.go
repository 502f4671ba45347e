package opencl

import "github.com/memplan/memplan/runtime/form"

// blockGrid is what SpaceToBatchNd and BatchToSpaceNd share: for each spatial axis its extent, the block size and the
// elements before and after that are padding.
type blockGrid struct {
	batch                         int
	spatial, block, before, after []int
	rest                          int
}

func (b *site) blockGrid(x *flat) (g blockGrid, err error) {
	if b.quantised() && b.op.Op == "SpaceToBatchNd" {
		return g, form.RefuseTensor(b.out[0].t, "elements of type %v may hold quantised values", b.out[0].t.DType)
	}
	block, err := b.ints(1)
	if err != nil {
		return g, err
	}
	margins, err := b.ints(2)
	if err != nil {
		return g, err
	}
	e := extentsOf(x.shape)
	if len(block) >= len(e) || len(margins) != 2*len(block) {
		return g, form.Refuse("%d block sizes and %d margins do not suit %v", len(block), len(margins), x.shape)
	}
	g = blockGrid{batch: e[0], spatial: e[1 : 1+len(block)], rest: volume(e[1+len(block):])}
	const limit = 1 << 15
	positions := 1
	for i, s := range block {
		before, after := margins[2*i], margins[2*i+1]
		if s < 1 || s > limit || before < 0 || before > limit || after < 0 || after > limit {
			return g, form.Refuse("block size %d with margins %d and %d is not supported", s, before, after)
		}
		// Each position in a block is a launch. The product stays small: no more than the limits of both.
		positions *= int(s)
		if err := fewLaunches(positions); err != nil {
			return g, err
		}
		g.block, g.before, g.after = append(g.block, int(s)), append(g.before, int(before)), append(g.after, int(after))
	}
	return g, nil
}

// buildSpaceToBatch binds SpaceToBatchNd: the spatial axes are padded with zeros, and the position inside of each block
// becomes part of the batch. The result is seen as [block..., batch, spatial/block..., rest].
func buildSpaceToBatch(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	g, err := b.blockGrid(x)
	if err != nil {
		return nil, err
	}
	n := g.batch
	for i, s := range g.block {
		padded := g.spatial[i] + g.before[i] + g.after[i]
		if padded%s != 0 {
			return nil, form.Refuse("%d elements are no multiple of block size %d", padded, s)
		}
		// The product stays small before it is compared: an overflow must not look like the planned size.
		if n *= padded; n > maxElements {
			return nil, form.RefuseTensor(b.out[0].t, "%d elements with margins are more than the kernels count, %d", n, maxElements)
		}
	}
	if n*g.rest != y.elements() {
		return nil, form.RefuseTensor(b.out[0].t, "%v does not become %v", x.shape, y.shape)
	}
	// Index i along block axis k of size s and j along its spatial axis meet the position j·s + i - before.
	return b.boxes(x, y, g, true)
}

// buildBatchToSpace binds BatchToSpaceNd, the reverse: margins are cropped.
func buildBatchToSpace(b *site) ([]launch, error) {
	x, y, err := b.moved()
	if err != nil {
		return nil, err
	}
	g, err := b.blockGrid(x)
	if err != nil {
		return nil, err
	}
	if g.batch%volume(g.block) != 0 {
		return nil, form.Refuse("a batch of %d is no multiple of %d blocks", g.batch, volume(g.block))
	}
	g.batch /= volume(g.block)
	want := []int{g.batch}
	for i, s := range g.block {
		g.spatial[i] = g.spatial[i]*s - g.before[i] - g.after[i]
		if g.spatial[i] < 0 {
			return nil, form.Refuse("margins %d and %d exceed the elements", g.before[i], g.after[i])
		}
		want = append(want, g.spatial[i])
	}
	for _, d := range x.shape[len(want):] {
		want = append(want, int(d))
	}
	if err := b.wantShape(b.out[0], want); err != nil {
		return nil, err
	}
	return b.boxes(x, y, g, false)
}

// boxes copies between the dense array [batch, spatial..., rest] of g, which spatial has without margins, and the array
// [block..., batch, blocks..., rest], one launch for each position in a block. Margins become zeros.
func (b *site) boxes(x, y *flat, g blockGrid, split bool) ([]launch, error) {
	axes := len(g.block)
	plain := append(append([]int{g.batch}, g.spatial...), g.rest)
	blocks := []int{g.batch}
	for i, s := range g.block {
		blocks = append(blocks, (g.spatial[i]+g.before[i]+g.after[i])/s)
	}
	blocks = append(blocks, g.rest)
	own, inner := rowMajor(plain), rowMajor(blocks)
	size := volume(blocks)
	var all []launch
	if split && volume(plain) != size*volume(g.block) {
		zero, err := b.zero(y.dtype)
		if err != nil {
			return nil, err
		}
		l, err := b.spread(zero, y)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	for p := range volume(g.block) {
		// The position in the block, its first and last whole index j along each axis.
		rest, at, to := p, 0, p*size
		extents, strides := []int{g.batch}, []int{own[0]}
		for k := range axes {
			inner0 := volume(g.block[k+1:])
			i := rest / inner0
			rest %= inner0
			s := g.block[k]
			first := max((g.before[k]-i+s-1)/s, 0)
			if g.before[k] < i {
				first = 0
			}
			end := (g.before[k] + g.spatial[k] - i + s - 1) / s
			if g.before[k]+g.spatial[k] <= i {
				end = 0
			}
			extents = append(extents, max(end-first, 0))
			at += (first*s + i - g.before[k]) * own[k+1]
			to += first * inner[k+1]
			strides = append(strides, s*own[k+1])
		}
		extents, strides = append(extents, g.rest), append(strides, 1)
		plainBox, blockBox := box{at, strides}, box{to, inner}
		from, dest := plainBox, blockBox
		if !split {
			from, dest = blockBox, plainBox
		}
		l, err := b.moveBox(x, y, extents, from, dest)
		if err != nil {
			return nil, err
		}
		all = append(all, l...)
	}
	return all, nil
}
