package host

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
)

// operands is how many inputs an op has of its own; those of the ops fused to it follow.
var operands = map[string]int{"Conv": 3, "ConvTranspose": 3, "Gemm": 3, "MatMul": 2}

// tail returns a wrapper that runs the ops fused to a kernel, in place on its first output. A clamp that comes first is
// offered to fuse, which may be nil and says whether the kernel does it itself.
func (b *site) tail(fuse func(low, high float32) bool) (func(kernel func()) func() error, error) {
	return b.tailOf(nil, fuse)
}

// tailOf is tail for a kernel that can also add an operand of the same shape as it stores its results: a sum that comes first
// is offered to add, and a clamp to fuse when the kernel does all that comes before it.
func (b *site) tailOf(add func(o *operand) (bool, error), fuse func(low, high float32) bool) (func(kernel func()) func() error, error) {
	var stages []func() error
	extra, clamped := operands[b.op.Op], false
	for i := 1; i < len(b.op.Fused); i++ {
		name := b.op.Fused[i]
		op := &graph.Op{Name: b.op.Name, Op: name, Domain: b.op.Domain, Attrs: form.OwnAttrs(b.op.Attrs, name+".")}
		if name == "Add" && i == 1 && add != nil {
			done, err := add(b.input(extra))
			if err != nil {
				return nil, err
			}
			if done {
				extra++
				continue
			}
		}
		if low, high, ok := clampOf(op); ok && len(stages) == 0 && !clamped && fuse != nil && fuse(low, high) {
			clamped = true
			continue
		}
		stage, used, err := b.stage(op, extra)
		if err != nil {
			return nil, err
		}
		extra += used
		clamped = true
		stages = append(stages, stage)
	}
	return func(kernel func()) func() error {
		return func() error {
			kernel()
			for _, s := range stages {
				if err := s(); err != nil {
					return err
				}
			}
			return nil
		}
	}, nil
}

// clampOf returns the limits of an op that only clamps by constants it carries as attributes.
func clampOf(op *graph.Op) (low, high float32, ok bool) {
	low, high = float32(math.Inf(-1)), float32(math.Inf(1))
	switch op.Op {
	case "Relu":
		return 0, high, true
	case "Clip":
		low, high = op.Attrs.Float("min", low), op.Attrs.Float("max", high)
		return low, high, low <= high
	}
	return 0, 0, false
}

// stage binds a fused element-wise op to the output. It returns how many operands of its own it takes, from first on.
func (b *site) stage(op *graph.Op, first int) (run func() error, used int, err error) {
	y := b.result(0)
	if strided := y != nil && y.strided(); strided && array.IsActivation(op.Op) {
		run, err := b.activationOfRows(op.Op, y)
		return run, 0, err
	}
	if b.y == nil {
		return nil, 0, form.Refuse("the fused operator %q needs a result of float elements", op.Op)
	}
	if array.IsActivation(op.Op) {
		run, err := b.activation(op.Op)
		return run, 0, err
	}
	kernel, ok := array.Lookup(op)
	if !ok {
		return nil, 0, &form.Refusal{ID: diag.NoKernel, Reason: fmt.Sprintf("the host device has no kernel for the fused operator %q", op.Op)}
	}
	inputs := []*array.Array{b.y}
	switch op.Op {
	case "Add", "Sub", "Mul", "Div", "PRelu":
		o, err := b.need(first)
		if err != nil {
			return nil, 0, err
		}
		values, err := b.floats(o)
		if err != nil {
			return nil, 0, err
		}
		inputs, used = append(inputs, floatArray(o.shape(), values)), 1
	}
	outputs := inputs[:1:1]
	return func() error { return kernel(op, outputs, inputs) }, used, nil
}

// activation binds an activation to the output, shared among the workers.
func (b *site) activation(name string) (func() error, error) {
	if err := array.ApplyFloat32(b.op, name, nil); err != nil {
		return nil, form.Refuse("%v", err)
	}
	data := array.View[float32](b.y)
	body := func(_, lo, hi int) {
		// It cannot fail: the attributes were good for no elements.
		_ = array.ApplyFloat32(b.op, name, data[lo:hi])
	}
	return func() error { b.d.crew.Split(len(data), 1<<14, body); return nil }, nil
}

// activationOfRows binds an activation to a strided output, row by row.
func (b *site) activationOfRows(name string, y *operand) (func() error, error) {
	if err := array.ApplyFloat32(b.op, name, nil); err != nil {
		return nil, form.Refuse("%v", err)
	}
	data, err := view[float32](y)
	if err != nil {
		return nil, err
	}
	row, stride := int(y.t.Row/y.t.DType.Size()), y.pitch(0)
	body := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			// It cannot fail: the attributes were good for no elements.
			_ = array.ApplyFloat32(b.op, name, data[i*stride:i*stride+row])
		}
	}
	return func() error { b.d.crew.Split(y.elements()/row, 1+1<<14/row, body); return nil }, nil
}
