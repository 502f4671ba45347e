package graph

import (
	"encoding/binary"
	"math"
)

// resizeSweep is that of a Resize: a row is one position of the first axis that is resized. What follows it is inside.
func (g *Graph) resizeSweep(op *Op, operand, result *Tensor) (sweep, bool) {
	if len(operand.Shape) != len(result.Shape) || operand.Layout != result.Layout || len(op.Fused) > 1 {
		return sweep{}, false
	}
	scales, ok := g.resizeScales(op, operand, result)
	if !ok {
		return sweep{}, false
	}
	for i, scale := range scales {
		if scale == 1 && operand.Shape[i] == result.Shape[i] {
			continue
		}
		at, known := resizeCoordinate(op, float64(operand.Shape[i]), float64(result.Shape[i]), scale)
		if !known || result.Shape[i] > mostDiagonalRows {
			return sweep{}, false
		}
		s := sweep{units: 1, rows: result.Shape[i]}
		for _, n := range result.Shape[:i] {
			s.units *= n
		}
		s.row, s.unit = bytesOf(result)/(s.units*s.rows), bytesOf(operand)/s.units
		in := operand.Shape[i]
		below := int64(0)
		if op.Attrs.String("mode", "nearest") == "cubic" {
			below = 1
		}
		s.first = func(row int64) (int64, bool) {
			// A thousandth of a position makes up for roundings.
			low := int64(math.Floor(at(float64(row))-1e-3)) - below
			return min(max(low, 0), in-1) * (s.unit / in), true
		}
		return s, true
	}
	return sweep{}, false
}

// resizeScales are the factors of all axes, false when they are not known before a run, or when the op reads more than the
// neighbours of a coordinate.
func (g *Graph) resizeScales(op *Op, operand, result *Tensor) ([]float64, bool) {
	if op.Attrs.Int("antialias", 0) != 0 || op.Attrs.String("keep_aspect_ratio_policy", "stretch") != "stretch" || op.Attrs["axes"] != nil {
		return nil, false
	}
	scales := make([]float64, len(result.Shape))
	for i := range scales {
		scales[i] = float64(result.Shape[i]) / float64(operand.Shape[i])
	}
	if len(op.Inputs) < 3 || g.Tensor(op.Inputs[2]) == nil {
		return scales, true
	}
	t := g.Tensor(op.Inputs[2])
	if n, ok := t.Shape.Elements(); ok && n == 0 {
		return scales, true
	}
	if t.Role != Constant || t.Data == nil || t.DType != Float32 || t.Data.Size() != 4*int64(len(scales)) {
		return nil, false
	}
	data, err := t.Data.Read()
	if err != nil || len(data) != 4*len(scales) {
		return nil, false // whoever runs the op reports it
	}
	for i := range scales {
		scales[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		if !(scales[i] > 0) || math.IsInf(scales[i], 0) {
			return nil, false
		}
	}
	return scales, true
}

// resizeCoordinate maps positions of a result's axis to positions of the operand's, as the op's attribute says; false for
// those that read a region of their own, and for unknown ones.
func resizeCoordinate(op *Op, in, out, scale float64) (func(o float64) float64, bool) {
	switch op.Attrs.String("coordinate_transformation_mode", "half_pixel") {
	case "half_pixel":
		return func(o float64) float64 { return (o+0.5)/scale - 0.5 }, true
	case "pytorch_half_pixel":
		if out == 1 {
			return func(float64) float64 { return 0 }, true
		}
		return func(o float64) float64 { return (o+0.5)/scale - 0.5 }, true
	case "half_pixel_symmetric":
		return func(o float64) float64 { return in/2*(1-out/(scale*in)) + (o+0.5)/scale - 0.5 }, true
	case "tf_half_pixel_for_nn":
		return func(o float64) float64 { return (o + 0.5) / scale }, true
	case "asymmetric":
		return func(o float64) float64 { return o / scale }, true
	case "align_corners":
		if out == 1 {
			return func(float64) float64 { return 0 }, true
		}
		return func(o float64) float64 { return o * (in - 1) / (out - 1) }, true
	}
	return nil, false
}
