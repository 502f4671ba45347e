package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// concatKernels put arrays side by side and take them apart.
var concatKernels = map[string]entry{
	"Concat": {kernel: concat, needed: 1, most: -1, outputs: 1},
	"Split":  {kernel: split, needed: 1, most: 2, outputs: -1},
}

func concat(op *graph.Op, outputs, inputs []*Array) error {
	out := outputs[0]
	axis, err := axisOf(op.Attrs.Int("axis", 0), len(out.Shape))
	if err != nil {
		return err
	}
	if err := sideBySide(out, inputs, axis, false); err != nil {
		return err
	}
	outer, n, inner := laneBytes(out, axis)
	at := 0
	for _, in := range inputs {
		size := int(in.Shape[axis]) * inner
		copyRows(out.Data, at, n*inner, in.Data, 0, size, size, outer)
		at += size
	}
	return nil
}

func split(op *graph.Op, outputs, inputs []*Array) error {
	in := inputs[0]
	axis, err := axisOf(op.Attrs.Int("axis", 0), len(in.Shape))
	if err != nil {
		return err
	}
	lengths, err := splitLengths(outputs, inputs, axis)
	if err != nil {
		return err
	}
	outer, n, inner := laneBytes(in, axis)
	at := 0
	for i, out := range outputs {
		size := int(lengths[i]) * inner
		if out != nil {
			copyRows(out.Data, 0, size, in.Data, at, n*inner, size, outer)
		}
		at += size
	}
	return nil
}

// splitLengths returns the extent of each output on the axis and checks their shapes. An output that nobody wants gets
// its extent from the split input, or from the equal share.
func splitLengths(outputs, inputs []*Array, axis int) ([]int64, error) {
	in := inputs[0]
	lengths, err := intsOf(inputs, 1)
	if err != nil {
		return nil, err
	}
	if lengths == nil {
		share := (in.Shape[axis] + int64(len(outputs)) - 1) / int64(len(outputs))
		rest := in.Shape[axis]
		for range outputs {
			lengths = append(lengths, min(share, rest))
			rest -= min(share, rest)
		}
	}
	if len(lengths) != len(outputs) {
		return nil, fmt.Errorf("%d lengths given for %d outputs", len(lengths), len(outputs))
	}
	parts := make([]*Array, len(outputs))
	for i, out := range outputs {
		parts[i] = out
		if lengths[i] < 0 || lengths[i] > in.Shape[axis] {
			return nil, fmt.Errorf("length %d is outside [0, %d]", lengths[i], in.Shape[axis])
		}
		if out == nil {
			parts[i] = &Array{DType: in.DType, Shape: in.Shape.Clone()}
			parts[i].Shape[axis] = lengths[i]
		}
		if len(parts[i].Shape) == len(in.Shape) && parts[i].Shape[axis] != lengths[i] {
			return nil, fmt.Errorf("output %d has shape %v where %d on axis %d was asked for", i, out.Shape, lengths[i], axis)
		}
	}
	return lengths, sideBySide(in, parts, axis, true)
}

// sideBySide fails unless the parts, put side by side on the axis, make the whole.
func sideBySide(whole *Array, parts []*Array, axis int, allowNone bool) error {
	total := int64(0)
	for i, p := range parts {
		if p == nil {
			return fmt.Errorf("input %d is absent", i)
		}
		if err := sameDType(whole, p); err != nil {
			return err
		}
		fits := len(p.Shape) == len(whole.Shape)
		for j := 0; fits && j < len(p.Shape); j++ {
			fits = j == axis || p.Shape[j] == whole.Shape[j]
		}
		if !fits {
			return fmt.Errorf("shape %v is no part of %v on axis %d", p.Shape, whole.Shape, axis)
		}
		if p.Shape[axis] > whole.Shape[axis]-total {
			return fmt.Errorf("the parts exceed %d on axis %d", whole.Shape[axis], axis)
		}
		total += p.Shape[axis]
	}
	if total != whole.Shape[axis] {
		return fmt.Errorf("the parts have %d on axis %d, the whole %d", total, axis, whole.Shape[axis])
	}
	return nil
}

// laneBytes is lanes with the inner part in bytes.
func laneBytes(a *Array, axis int) (outer, n, inner int) {
	outer, n, inner = lanes(dims(a.Shape), axis)
	if len(a.Data) == 0 {
		return 0, n, inner
	}
	return outer, n, inner * int(a.DType.Size())
}

// copyRows copies rows pieces of size bytes between arrays whose rows lie pitch bytes apart.
func copyRows(dst []byte, at, pitch int, src []byte, from, srcPitch, size, rows int) {
	for range rows {
		copy(dst[at:at+size], src[from:from+size])
		at += pitch
		from += srcPitch
	}
}
