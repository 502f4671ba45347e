package array

import "github.com/memplan/memplan/planner/graph"

// Array is a dense tensor: Data holds the elements of Shape in row-major order, little-endian.
type Array struct {
	DType graph.DType
	Shape graph.Shape
	Data  []byte
}

// Kernel computes an op: it reads the inputs (a nil entry is an absent optional one) and fills the outputs, whose
// types and shapes are already right and whose Data is allocated. Inputs and outputs do not overlap. It allocates
// nothing that lives longer than the call and fails on types it does not support.
type Kernel func(op *graph.Op, outputs, inputs []*Array) error
