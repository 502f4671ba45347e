package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// reshapeKernels keep the elements and their order.
var reshapeKernels = map[string]entry{
	"Identity":  {kernel: copyElements, needed: 1, most: 1, outputs: 1},
	"Reshape":   {kernel: copyElements, needed: 1, most: 2, outputs: 1},
	"Flatten":   {kernel: copyElements, needed: 1, most: 1, outputs: 1},
	"Squeeze":   {kernel: copyElements, needed: 1, most: 2, outputs: 1},
	"Unsqueeze": {kernel: copyElements, needed: 1, most: 2, outputs: 1},
	"Dropout":   {kernel: dropout, needed: 1, most: 3, outputs: -1},
	"Transpose": {kernel: transposeAxes, needed: 1, most: 1, outputs: 1},

	"DepthToSpace": {kernel: depthToSpace, needed: 1, most: 1, outputs: 1},
	"SpaceToDepth": {kernel: spaceToDepth, needed: 1, most: 1, outputs: 1},
}

func copyElements(_ *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	if err := sameDType(out, in); err != nil {
		return err
	}
	if len(out.Data) != len(in.Data) {
		return fmt.Errorf("%v elements do not fill %v", in.Shape, out.Shape)
	}
	copy(out.Data, in.Data)
	return nil
}

// dropout is the identity, as outside of training. Its mask keeps everything.
func dropout(op *graph.Op, outputs, inputs []*Array) error {
	training, err := intOf(inputs, 2, 0)
	if err != nil {
		return err
	}
	if training != 0 {
		return fmt.Errorf("training_mode is set")
	}
	if len(outputs) > 1 && outputs[1] != nil {
		if outputs[1].DType != graph.Bool {
			return fmt.Errorf("the mask has element type %v, not bool", outputs[1].DType)
		}
		fill(outputs[1].Data, 1)
	}
	if outputs[0] == nil {
		return nil
	}
	return copyElements(op, outputs, inputs)
}

func transposeAxes(op *graph.Op, outputs, inputs []*Array) error {
	rank := len(inputs[0].Shape)
	perm := make([]int, 0, rank)
	given := op.Attrs.Ints("perm")
	if given == nil {
		for i := rank - 1; i >= 0; i-- {
			perm = append(perm, i)
		}
		return permute(outputs[0], inputs[0], dims(inputs[0].Shape), perm, true)
	}
	if _, err := axisSet(given, rank); err != nil || len(given) != rank {
		return fmt.Errorf("perm %v is no permutation of %d axes", given, rank)
	}
	for _, p := range given {
		axis, err := axisOf(p, rank)
		if err != nil {
			return err
		}
		perm = append(perm, axis)
	}
	return permute(outputs[0], inputs[0], dims(inputs[0].Shape), perm, true)
}

// permute copies in, seen as an array of the given extents, with its axes in the order of perm. When exact is set, the
// permuted extents must be the output's shape; otherwise only their product.
func permute(out, in *Array, extents, perm []int, exact bool) error {
	natural := strides(extents)
	to, from := make([]int, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		to[i], from[i] = extents[p], natural[p]
	}
	if exact {
		if err := wantShape(out, to); err != nil {
			return err
		}
	}
	if len(out.Data) != len(in.Data) {
		return fmt.Errorf("%v elements do not fill %v", in.Shape, out.Shape)
	}
	return move(out, dense(to), in, region{0, from}, to)
}

// blocks reads the block size and the layout of DepthToSpace and SpaceToDepth and splits the shape of a rank 4 array
// into its axes.
func blocks(op *graph.Op, in *Array) (n, c, h, w, block int, channelsLast bool, err error) {
	size := op.Attrs.Int("blocksize", 0)
	if len(in.Shape) != 4 || size < 1 || size > 1<<20 {
		return 0, 0, 0, 0, 0, false, fmt.Errorf("shape %v with blocksize %d; rank 4 and 1 or more are needed", in.Shape, size)
	}
	d := dims(in.Shape)
	switch layout := op.Attrs.String(graph.AttrDataLayout, "NCHW"); layout {
	case "NCHW":
		return d[0], d[1], d[2], d[3], int(size), false, nil
	case "NHWC":
		return d[0], d[3], d[1], d[2], int(size), true, nil
	default:
		return 0, 0, 0, 0, 0, false, fmt.Errorf("unknown data_layout %q", layout)
	}
}

func depthToSpace(op *graph.Op, outputs, inputs []*Array) error {
	n, c, h, w, b, last, err := blocks(op, inputs[0])
	if err != nil {
		return err
	}
	if c%(b*b) != 0 {
		return fmt.Errorf("%d channels are no multiple of blocksize %d squared", c, b)
	}
	c /= b * b
	mode := op.Attrs.String("mode", "DCR")
	if mode != "DCR" && mode != "CRD" {
		return fmt.Errorf("unknown mode %q", mode)
	}
	switch {
	case last && mode == "DCR":
		err = permuteTo(outputs[0], inputs[0], []int{n, h, w, b, b, c}, []int{0, 1, 3, 2, 4, 5}, []int{n, h * b, w * b, c})
	case last:
		err = permuteTo(outputs[0], inputs[0], []int{n, h, w, c, b, b}, []int{0, 1, 4, 2, 5, 3}, []int{n, h * b, w * b, c})
	case mode == "DCR":
		err = permuteTo(outputs[0], inputs[0], []int{n, b, b, c, h, w}, []int{0, 3, 4, 1, 5, 2}, []int{n, c, h * b, w * b})
	default:
		err = permuteTo(outputs[0], inputs[0], []int{n, c, b, b, h, w}, []int{0, 1, 4, 2, 5, 3}, []int{n, c, h * b, w * b})
	}
	return err
}

func spaceToDepth(op *graph.Op, outputs, inputs []*Array) error {
	n, c, h, w, b, last, err := blocks(op, inputs[0])
	if err != nil {
		return err
	}
	if h%b != 0 || w%b != 0 {
		return fmt.Errorf("height %d and width %d are no multiples of blocksize %d", h, w, b)
	}
	h, w = h/b, w/b
	if last {
		return permuteTo(outputs[0], inputs[0], []int{n, h, b, w, b, c}, []int{0, 1, 3, 2, 4, 5}, []int{n, h, w, b * b * c})
	}
	return permuteTo(outputs[0], inputs[0], []int{n, c, h, b, w, b}, []int{0, 3, 5, 1, 2, 4}, []int{n, b * b * c, h, w})
}

// permuteTo is permute for a result of shape want.
func permuteTo(out, in *Array, extents, perm, want []int) error {
	if err := wantShape(out, want); err != nil {
		return err
	}
	return permute(out, in, extents, perm, false)
}
