package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// ApplyFloat32 applies one activation that is fused into the op, one of op.Fused[1:], to data in place: any op on one
// number, with its attributes under "<name>." as in "Clip.min". It fails for an op that is no such function, with data
// unchanged. It costs O(len(data)).
func ApplyFloat32(op *graph.Op, name string, data []float32) error {
	run, err := unaryRun[float32](name, params{op.Attrs, name + "."})
	if err != nil {
		return fmt.Errorf("%s is fused into %s: %w", name, op.Op, err)
	}
	run(data, data)
	return nil
}

// IsActivation reports whether [ApplyFloat32] knows the op.
func IsActivation(name string) bool {
	_, err := unaryRun[float32](name, params{})
	return err == nil
}

// activated returns the kernel followed by the activations that are fused into the op, on its first output.
func activated(kernel Kernel) Kernel {
	return func(op *graph.Op, outputs, inputs []*Array) error {
		if err := kernel(op, outputs, inputs); err != nil || outputs[0] == nil {
			return err
		}
		if isHalf(outputs[0]) {
			return widened(activate)(op, outputs[:1], outputs[:1])
		}
		return activate(op, outputs, outputs)
	}
}

// activate applies the fused activations to an array, which may be the result itself.
func activate(op *graph.Op, outputs, inputs []*Array) error {
	out, in := outputs[0], inputs[0]
	n, err := numericOf(out.DType)
	if err != nil {
		return err
	}
	for _, name := range op.Fused[1:] {
		if err := n.unary(name, params{op.Attrs, name + "."}, out, in); err != nil {
			return fmt.Errorf("%s is fused into %s: %w", name, op.Op, err)
		}
		in = out
	}
	return nil
}
