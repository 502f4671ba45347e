package array

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// Kernel computes an op: it reads the inputs (a nil entry is an absent optional one) and fills the outputs (a nil entry
// is a result nobody wants), whose types and shapes are already right and whose Data is allocated. It writes every byte
// of its outputs, allocates nothing that lives longer than the call and fails, with the values seen, on types it does
// not support and on content that has no meaning, such as an index out of range; it never panics.
//
// Outputs overlap nothing, except that the output of an element-wise kernel may share all its bytes with one input of
// the same type and shape.
type Kernel func(op *graph.Op, outputs, inputs []*Array) error

// Lookup returns the kernel of the op by its domain (ONNX's own or "tflite") and name, in O(1). The kernel checks its
// arrays and applies the fused activations. It finds nothing on a big-endian host.
func Lookup(op *graph.Op) (Kernel, bool) {
	kernels := table
	switch op.Domain {
	case "", "ai.onnx":
	case "tflite":
		kernels = tfliteKernels
	default:
		return nil, false
	}
	e, ok := kernels[op.Op]
	if !ok || !hostLittleEndian {
		return nil, false
	}
	return e.run, true
}

// Eval computes the op on new arrays of the given types, one for each output. It fails when no kernel serves the op,
// when a type cannot be allocated and when the kernel fails; the error names the op.
func Eval(op *graph.Op, inputs []*Array, types []Type) ([]*Array, error) {
	kernel, ok := Lookup(op)
	if !ok {
		return nil, fmt.Errorf("%s: no reference kernel computes %s", op.Name, op.Op)
	}
	outputs := make([]*Array, len(types))
	for i, t := range types {
		if outputs[i] = New(t); outputs[i] == nil {
			return nil, fmt.Errorf("%s: an array of %s cannot be allocated", op.Name, t)
		}
	}
	if err := kernel(op, outputs, inputs); err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	return outputs, nil
}

// entry is a row of the table: a kernel and what must be true of the number of its arrays.
type entry struct {
	// kernel is called with arrays that match their data; needed inputs and the outputs are present, except that an op
	// with any number of outputs may have absent ones.
	kernel Kernel
	// needed inputs come first and are present; at most most inputs are given, any number when it is negative.
	needed, most int
	// outputs is the number of outputs, any number when it is negative.
	outputs int
	// halves says that the kernel calculates: it is given float32 in place of float16 and bfloat16.
	halves bool
}

// run checks the arrays, calls the kernel and applies the fused activations to the first output.
func (e entry) run(op *graph.Op, outputs, inputs []*Array) error {
	if err := e.check(outputs, inputs); err != nil {
		return fmt.Errorf("%s: %w", op.Op, err)
	}
	kernel := e.kernel
	if len(op.Fused) > 1 {
		kernel = activated(kernel)
	}
	if e.halves {
		kernel = widened(kernel)
	}
	if err := kernel(op, outputs, inputs); err != nil {
		return fmt.Errorf("%s: %w", op.Op, err)
	}
	return nil
}

func (e entry) check(outputs, inputs []*Array) error {
	if len(inputs) < e.needed || (e.most >= 0 && len(inputs) > e.most) {
		return fmt.Errorf("%d inputs are given, %d are needed", len(inputs), e.needed)
	}
	if len(outputs) == 0 || (e.outputs >= 0 && len(outputs) != e.outputs) {
		return fmt.Errorf("%d outputs are given, there are %d", len(outputs), e.outputs)
	}
	for i, in := range inputs {
		if in == nil && i < e.needed {
			return fmt.Errorf("input %d is absent", i)
		}
		if err := in.check(); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	for i, out := range outputs {
		if out == nil && e.outputs >= 0 {
			return fmt.Errorf("output %d is absent", i)
		}
		if err := out.check(); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}
