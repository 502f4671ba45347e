package onnx

import (
	"encoding/binary"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// upsampleToResize turns Upsample, which ended with set 10, into Resize. Its scales were an attribute before set 9.
func (o *older) upsampleToResize() {
	scales := o.input(1)
	if scales == graph.NoTensor {
		values, ok := require[[]float32](o, "scales")
		if !ok {
			return
		}
		scales = o.constant("scales", floatTensor(values))
	}
	o.op.Op = "Resize"
	o.resizeBy(scales, "floor")
}

// resizeFromScales gives Resize of set 10, with the inputs X and scales, the inputs that it has since. Where an output
// sample falls between two of the input, the nearest was the one before it when enlarging and the one after it when
// shrinking, as runtimes have it; the specification of set 10 does not say.
func (o *older) resizeFromScales() {
	nearest := "floor"
	if o.shrinks(o.input(1)) {
		nearest = "ceil"
	}
	o.resizeBy(o.input(1), nearest)
}

func (o *older) resizeBy(scales graph.TensorID, nearest string) {
	mode, ok := take[string](o, "mode")
	switch {
	case !ok:
		mode = "nearest"
	case mode == "bilinear" || mode == "trilinear":
		mode = "linear"
	}
	o.set("mode", mode)
	o.set("coordinate_transformation_mode", "asymmetric")
	o.set("nearest_mode", nearest)
	o.op.Inputs = []graph.TensorID{o.input(0), graph.NoTensor, scales}
}

// shrinks reports whether constant scales make no axis larger and one smaller.
func (o *older) shrinks(scales graph.TensorID) bool {
	t := o.im.graph.Tensor(scales)
	if t == nil || t.Data == nil || t.DType != graph.Float32 {
		return false
	}
	content, err := t.Data.Read()
	if err != nil {
		return false
	}
	smaller := false
	for ; len(content) >= 4; content = content[4:] {
		s := math.Float32frombits(binary.LittleEndian.Uint32(content))
		if s > 1 {
			return false
		}
		smaller = smaller || s < 1
	}
	return smaller
}

// dropEmptyInputs makes absent what set 11 could say with an empty tensor only: scales beside sizes. The region is read
// by one mode alone.
func (o *older) dropEmptyInputs() {
	if o.input(1) != graph.NoTensor && o.op.Attrs.String("coordinate_transformation_mode", "") != "tf_crop_and_resize" {
		o.setInput(1, graph.NoTensor)
	}
	for _, at := range []int{2, 3} {
		if t := o.tensor(at); t != nil && t.Data != nil && t.Data.Size() == 0 {
			o.setInput(at, graph.NoTensor)
		}
	}
}
