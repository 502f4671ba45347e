package rewrite

import (
	"maps"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// withPadding are the attributes of a reader that pads what it reads itself; false when it cannot.
func (f *padder) withPadding(r, pad *graph.Op, p padding) (graph.Attrs, bool) {
	y := pad.Outputs[0]
	if !plainDomain(r) || len(r.Inputs) == 0 || r.Inputs[0] != y || slices.Contains(r.Inputs[1:], y) || len(r.Outputs) != 1 {
		return nil, false
	}
	from, axes, ok := f.windowAxes(r, p)
	own := r.Attrs.Ints("pads")
	if !ok || len(own) != 0 && len(own) != 2*axes {
		return nil, false
	}
	switch r.Attrs.String("auto_pad", "NOTSET") {
	case "NOTSET":
	case "VALID":
		own = nil
	default:
		return nil, false
	}
	pads := make([]int64, 2*axes)
	copy(pads, own)
	for i := range axes {
		pads[i] += p.before[from+i]
		pads[axes+i] += p.after[from+i]
	}
	out := maps.Clone(r.Attrs)
	if out == nil {
		out = graph.Attrs{}
	}
	delete(out, "auto_pad")
	out["pads"] = pads
	return out, f.same(r, pad, p, own, out)
}

// windowAxes are those along which the window of a reader goes; false when the padding goes beyond them or they are unknown.
func (f *padder) windowAxes(r *graph.Op, p padding) (from, axes int, ok bool) {
	rank := len(p.before)
	layout := r.Attrs.String(graph.AttrDataLayout, "NCHW")
	if rank < 3 || strings.ContainsAny(layout+f.Tensors[r.Inputs[0]].Layout, "0123456789") {
		return 0, 0, false
	}
	from, axes = 2, rank-2
	if layout != "" && layout[len(layout)-1] == 'C' {
		from = 1
	}
	for axis := range rank {
		if (axis < from || axis >= from+axes) && (p.before[axis] > 0 || p.after[axis] > 0) {
			return 0, 0, false
		}
	}
	return from, axes, true
}

// same reports whether the reader's output stays when it pads by itself, with its attributes as they are to be; own is the padding
// that it had.
func (f *padder) same(r, pad *graph.Op, p padding, own []int64, attrs graph.Attrs) bool {
	none := !slices.ContainsFunc(own, func(n int64) bool { return n != 0 })
	up := r.Attrs.Int("ceil_mode", 0) != 0
	switch r.Op {
	case "Conv":
		return p.zero
	case "LpPool":
		return p.zero && !up
	case "AveragePool":
		counted := none || r.Attrs.Int("count_include_pad", 0) != 0
		attrs["count_include_pad"] = int64(1)
		return p.zero && counted && !up
	case "MaxPool":
		return (p.least || p.zero && none && f.neverNegative(pad.Inputs[0])) && !up && shorter(attrs)
	}
	return false
}

// shorter reports whether the padding at either end is shorter than the window, whose elements lie side by side.
func shorter(attrs graph.Attrs) bool {
	kernel, pads := attrs.Ints("kernel_shape"), attrs.Ints("pads")
	if len(pads) != 2*len(kernel) || slices.ContainsFunc(attrs.Ints("dilations"), func(n int64) bool { return n != 1 }) {
		return false
	}
	for i, k := range kernel {
		if pads[i] >= k || pads[len(kernel)+i] >= k {
			return false
		}
	}
	return true
}

// neverNegative reports whether an activation leaves no negative value in a tensor.
func (f *padder) neverNegative(id graph.TensorID) bool {
	i, ok := f.writer[id]
	if !ok || f.Tensors[id].Role == graph.State || !plainDomain(&f.Ops[i]) {
		return false
	}
	op := &f.Ops[i]
	last, fused := op.Op, len(op.Fused) > 1
	if fused {
		last = op.Fused[len(op.Fused)-1]
	}
	switch {
	case last == "Relu" || last == "Sigmoid" || last == "HardSigmoid":
		return true
	case last == "Clip" && fused:
		return op.Attrs.Float("Clip.min", -1) >= 0 && op.Attrs.Float("Clip.max", 0) >= 0
	case last == "Clip":
		limits, ok := f.limits(op)
		return ok && limits.Float("min", -1) >= 0 && limits.Float("max", 0) >= 0
	}
	return false
}
