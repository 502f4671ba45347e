package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// tfliteKernels are the operators of TFLite that ONNX has no form for, with TFLite's operands. It is never changed.
var tfliteKernels = map[string]entry{
	"SquaredDifference": {kernel: plain(arithmetic), needed: 2, most: 2, outputs: 1, halves: true},
	"FloorDiv":          {kernel: plain(arithmetic), needed: 2, most: 2, outputs: 1, halves: true},
	"FloorMod":          {kernel: plain(arithmetic), needed: 2, most: 2, outputs: 1, halves: true},
	"Rsqrt":             {kernel: plain(mapping), needed: 1, most: 1, outputs: 1, halves: true},
	"Square":            {kernel: plain(mapping), needed: 1, most: 1, outputs: 1, halves: true},

	"ReverseV2":      {kernel: reverse, needed: 2, most: 2, outputs: 1},
	"GatherNd":       {kernel: gatherND, needed: 2, most: 2, outputs: 1},
	"ScatterNd":      {kernel: plain(scatterNew), needed: 3, most: 3, outputs: 1, halves: true},
	"SpaceToBatchNd": {kernel: plain(spaceToBatch), needed: 3, most: 3, outputs: 1},
	"BatchToSpaceNd": {kernel: batchToSpace, needed: 3, most: 3, outputs: 1},
	"Where":          {kernel: whereTrue, needed: 1, most: 1, outputs: 1},
	"ZerosLike":      {kernel: zerosLike, needed: 1, most: 1, outputs: 1},
	"Range":          {kernel: arange, needed: 3, most: 3, outputs: 1},
	"Rank":           {kernel: rankOf, needed: 1, most: 1, outputs: 1},
}

// plain refuses the element types that TFLite stores quantised values in: these have a scale that the op does not show.
func plain(kernel Kernel) Kernel {
	return func(op *graph.Op, outputs, inputs []*Array) error {
		switch d := outputs[0].DType; d {
		case graph.Int8, graph.Uint8, graph.Int16:
			return fmt.Errorf("%v may hold quantised values", d)
		}
		return kernel(op, outputs, inputs)
	}
}

// reverse runs the axes of input 1 backwards.
func reverse(_ *graph.Op, outputs, inputs []*Array) error {
	in := inputs[0]
	axes, err := intsOf(inputs, 1)
	if err != nil {
		return err
	}
	backwards, err := axisSet(axes, len(in.Shape))
	if err != nil {
		return err
	}
	extents, from := dims(in.Shape), dense(dims(in.Shape))
	for axis, back := range backwards {
		if back {
			from.offset += (extents[axis] - 1) * from.strides[axis]
			from.strides[axis] = -from.strides[axis]
		}
	}
	if err := wantShape(outputs[0], extents); err != nil {
		return err
	}
	return move(outputs[0], dense(extents), in, from, extents)
}

// scatterNew adds the slices of input 1 to zeros, at the indices of input 0.
func scatterNew(op *graph.Op, outputs, inputs []*Array) error {
	out := outputs[0]
	clear(out.Data)
	add := graph.Op{Op: op.Op, Attrs: graph.Attrs{"reduction": "add"}}
	return scatterND(&add, outputs, []*Array{out, inputs[0], inputs[1]})
}

// blockGrid is what SpaceToBatchNd and BatchToSpaceNd share: the extents of the batch, of the spatial axes and of the
// rest, and for each spatial axis the block size and the elements before and after that are padding.
type blockGrid struct {
	batch         int
	spatial, rest []int
	block         []int
	before, after []int
}

func newBlockGrid(inputs []*Array) (blockGrid, error) {
	shape := dims(inputs[0].Shape)
	block, err := intsOf(inputs, 1)
	if err != nil {
		return blockGrid{}, err
	}
	margins, err := intsOf(inputs, 2)
	if err != nil {
		return blockGrid{}, err
	}
	if len(block) >= len(shape) || len(margins) != 2*len(block) {
		return blockGrid{}, fmt.Errorf("%d block sizes and %d margins for shape %v", len(block), len(margins), inputs[0].Shape)
	}
	g := blockGrid{batch: shape[0], spatial: shape[1 : 1+len(block)], rest: shape[1+len(block):]}
	const limit = 1 << 30
	blocks := int64(1)
	for i, b := range block {
		before, after := margins[2*i], margins[2*i+1]
		if b < 1 || b > limit/blocks || before < 0 || before > limit || after < 0 || after > limit || g.spatial[i] > limit {
			return blockGrid{}, fmt.Errorf("block size %d with margins %d and %d for %d elements", b, before, after, g.spatial[i])
		}
		blocks *= b
		g.block, g.before, g.after = append(g.block, int(b)), append(g.before, int(before)), append(g.after, int(after))
	}
	return g, nil
}

// spaceToBatch pads the spatial axes with zeros and moves the position inside of each block to the batch.
func spaceToBatch(_ *graph.Op, outputs, inputs []*Array) error {
	g, err := newBlockGrid(inputs)
	if err != nil {
		return err
	}
	padded := []int{g.batch}
	split, perm := []int{g.batch}, []int{}
	to := region{}
	for i, n := range g.spatial {
		n += g.before[i] + g.after[i]
		if n%g.block[i] != 0 {
			return fmt.Errorf("%d elements are no multiple of block size %d", n, g.block[i])
		}
		padded = append(padded, n)
		split = append(split, n/g.block[i], g.block[i])
		perm = append(perm, 2+2*i)
	}
	perm = append(perm, 0)
	want := []int{g.batch * product(g.block)}
	for i := range g.spatial {
		perm = append(perm, 1+2*i)
		want = append(want, split[1+2*i])
	}
	for i := range g.rest {
		perm = append(perm, len(split)+i)
	}
	padded, split, want = append(padded, g.rest...), append(split, g.rest...), append(want, g.rest...)
	out, in := outputs[0], inputs[0]
	if err := sameDType(out, in); err != nil {
		return err
	}
	if err := wantShape(out, want); err != nil {
		return err
	}
	wide := &Array{DType: in.DType, Shape: extentsOf(padded), Data: make([]byte, len(out.Data))}
	to.strides = strides(padded)
	for i, n := range g.before {
		to.offset += n * to.strides[1+i]
	}
	if err := move(wide, to, in, dense(dims(in.Shape)), dims(in.Shape)); err != nil {
		return err
	}
	return permute(out, wide, split, perm, false)
}

// batchToSpace undoes spaceToBatch: the margins are cropped.
func batchToSpace(_ *graph.Op, outputs, inputs []*Array) error {
	g, err := newBlockGrid(inputs)
	if err != nil {
		return err
	}
	blocks := product(g.block)
	if g.batch%blocks != 0 {
		return fmt.Errorf("a batch of %d is no multiple of %d blocks", g.batch, blocks)
	}
	m := len(g.block)
	split := append(append(append(append([]int{}, g.block...), g.batch/blocks), g.spatial...), g.rest...)
	perm := []int{m}
	merged, want := []int{g.batch / blocks}, []int{g.batch / blocks}
	for i, n := range g.spatial {
		perm = append(perm, m+1+i, i)
		n *= g.block[i]
		if g.before[i]+g.after[i] > n {
			return fmt.Errorf("margins %d and %d exceed %d elements", g.before[i], g.after[i], n)
		}
		merged = append(merged, n)
		want = append(want, n-g.before[i]-g.after[i])
	}
	for i := range g.rest {
		perm = append(perm, 2*m+1+i)
	}
	merged, want = append(merged, g.rest...), append(want, g.rest...)
	out, in := outputs[0], inputs[0]
	if err := wantShape(out, want); err != nil {
		return err
	}
	whole := &Array{DType: in.DType, Shape: extentsOf(merged), Data: make([]byte, len(in.Data))}
	if err := permute(whole, in, split, perm, false); err != nil {
		return err
	}
	from := dense(merged)
	for i, n := range g.before {
		from.offset += n * from.strides[1+i]
	}
	return move(out, dense(want), whole, from, want)
}

// whereTrue lists the indices of the elements that are not 0, one row each.
func whereTrue(op *graph.Op, outputs, inputs []*Array) error {
	out, rank := outputs[0], int64(len(inputs[0].Shape))
	if len(out.Shape) != 2 || out.Shape[1] != rank || out.DType != graph.Int64 {
		return fmt.Errorf("the result is %v where rows of %d int64 were planned", out.Type(), rank)
	}
	columns := New(Type{graph.Int64, graph.Shape{rank, out.Shape[0]}})
	if columns == nil {
		return fmt.Errorf("an array of int64 %v cannot be allocated", out.Shape)
	}
	if err := nonZero(op, []*Array{columns}, inputs); err != nil {
		return err
	}
	return permute(out, columns, dims(columns.Shape), []int{1, 0}, true)
}

func zerosLike(_ *graph.Op, outputs, inputs []*Array) error {
	clear(outputs[0].Data)
	return wantShape(outputs[0], dims(inputs[0].Shape))
}

func rankOf(_ *graph.Op, outputs, inputs []*Array) error {
	if err := wantShape(outputs[0], nil); err != nil {
		return err
	}
	if !storeIntegers(outputs[0], 0, []int64{int64(len(inputs[0].Shape))}) {
		return fmt.Errorf("there is no rank of %v", outputs[0].DType)
	}
	return nil
}
