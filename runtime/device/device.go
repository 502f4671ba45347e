package device

import (
	"context"
	"time"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// Device executes prepared steps on memory that was allocated once. The order of calls is Open, then Write for the
// constants, Prepare for each step, and any number of runs; Close ends it. A device is used from one goroutine.
//
// Diagnostics report what a model or a configuration asks and the device cannot do; errors report faults of the device.
type Device interface {
	// Open allocates every pool and every image, filled with zeros. It is called once. What does not fit into the
	// machine is a diagnostic naming the pool.
	Open(Memory) (diag.Diagnostics, error)
	// Prepare readies a step and returns its handle. Everything that the step needs beside the planned memory is
	// allocated here. A constant operand has its content already. An operator, an element type or an attribute value
	// that the device cannot run is a diagnostic naming the op, the tensor and the step.
	Prepare(*Step) (Handle, diag.Diagnostics, error)
	// Run starts a prepared step after all those started before. It allocates nothing. It may return before the step
	// has ended. A step that fails on the content of its operands, such as an index out of range, is a *StepError.
	Run(context.Context, Handle) error
	// Finish waits for all steps that were started and reports the first failure among them.
	Finish() error
	// Write replaces the content of a tensor; data are its dense elements, row-major, little-endian.
	Write(t *Tensor, data []byte) error
	// Read fills data with the dense elements of a tensor.
	Read(t *Tensor, data []byte) error
	// Fill sets each byte of a region to value.
	Fill(r Region, value byte) error
	// Counters says what has been allocated so far.
	Counters() Counters
	// Close frees everything. No method may be called after it.
	Close() error
}

// Handle names a prepared step of one device.
type Handle int

// Memory is all that a device allocates for a plan.
type Memory struct {
	Pools []Pool
	// Images are the textures of the pools of type "texture" and the buffer-backed ones of flat pools.
	Images []Image
}

// Pool is one flat piece of memory, or the owner of images.
type Pool struct {
	Name string
	// Texture says that the pool has no bytes of its own: its images are objects.
	Texture bool
	// Bytes is the planned peak, not the capacity; 0 for the owner of images.
	Bytes int64
	// Alignment of the base in bytes, a power of two; each planned offset counts on it.
	Alignment int64
}

// Image is one planned image, 4 channels a texel.
type Image struct {
	// Pool is the index of its pool in Memory.Pools.
	Pool int
	// Offset is the place in a flat pool in bytes, -1 for an object of a texture pool.
	Offset int64
	// Bytes is height rows of RowPitch bytes.
	Bytes int64
	// Width and Height are texels, RowPitch bytes.
	Width, Height, RowPitch int64
	// Texel is the format, such as "rgba_float32".
	Texel string
}

// Tensor is a tensor and its place.
type Tensor struct {
	Name  string
	Role  graph.Role
	DType graph.DType
	// Shape is outermost axis first; Layout names the axes, "" when unknown.
	Shape  graph.Shape
	Layout string
	// Scope is "global" or one of the texture scopes.
	Scope string
	Place Region
	// LogicalBytes is the size of the dense elements; Place.Bytes may be larger by padding, pitch and what is between rows.
	LogicalBytes int64
	// Row and Stride are set where other bytes lie between those of the tensor: its elements are runs of Row bytes, each of which
	// starts Stride bytes after the one before. Both are 0 for one run of bytes.
	Row, Stride int64
}

// Strided reports whether other bytes lie between those of the tensor.
func (t *Tensor) Strided() bool { return t.Stride != 0 }

// Region is a half-open range of bytes [Offset, Offset+Bytes) of a pool or of an image.
type Region struct {
	// Pool is the index of the pool in Memory.Pools.
	Pool int
	// Image is the index in Memory.Images, -1 in flat memory.
	Image int
	// Offset counts bytes from the pool's start, or from the image's for a tensor in an image, where it is 0.
	Offset int64
	Bytes  int64
}

// Step is one op on placed tensors.
type Step struct {
	// Index is the number of the step in the plan.
	Index int64
	// Op holds the operator and its attributes; its tensor ids mean nothing here.
	Op *graph.Op
	// Inputs has nil for an absent optional input, Outputs for a result nobody asked for.
	Inputs, Outputs []*Tensor
	// Scratch is the planned workspace of the op.
	Scratch []*Tensor
	// Diagonal is set when the first output overlaps an input from below, nil otherwise.
	Diagonal *Diagonal
}

// Diagonal says that the first output of a step starts Distance bytes or more below an input and may overlap it: a row of it may
// be written as soon as everything that it needs was read, and not before all rows that lie before it in memory.
type Diagonal struct {
	// Input is the position of the input among the step's.
	Input int
	// Distance in bytes.
	Distance int64
}

// Orderly is a device with kernels that visit the result in the order of memory, row by row, and write no row before they have
// read all that it needs. Others refuse plans in which results overlap operands so.
type Orderly interface {
	// KeepsOrder reports whether the step may have a Diagonal.
	KeepsOrder(*Step) bool
}

// Strider is a device with kernels for tensors with other bytes between their rows. Others refuse plans with such tensors.
type Strider interface {
	// TakesRows reports whether the step may have the strided operands and results that it has.
	TakesRows(*Step) bool
}

// Counters count allocations since Open.
type Counters struct {
	// Pools is the number of allocations of pools and images; it does not change after Open.
	Pools int64
	// PoolBytes is the sum of their sizes in bytes.
	PoolBytes int64
	// Workspace is the number of allocations outside of the plan, such as repacked weights and the rows that a kernel
	// unfolds; it does not change after the last Prepare, or Join.
	Workspace int64
	// WorkspaceBytes is the sum of their sizes in bytes.
	WorkspaceBytes int64
}

// Timer is a device that measures the steps it runs by a clock of its own.
type Timer interface {
	// Times says when each step ran that was started since the last call, in their order. It is called after Finish. It
	// returns none when the device's clock cannot be used.
	Times() ([]Time, error)
}

// Time is when a step ran, on the device's clock: only differences mean something.
type Time struct {
	Handle     Handle
	Start, End time.Duration
}

// Joiner is a device on which the start of a step costs so much that it can start several at once.
type Joiner interface {
	// Join divides prepared steps that will run in this order, with nothing between them but other stretches, into stretches of
	// steps, each with a handle for all of them. The time of a stretch of several steps is bounded, since a run is interrupted
	// between stretches. What they need is allocated here. The handles of the steps stay what they are.
	Join(steps []Handle) ([]Stretch, error)
}

// Stretch is some steps that follow each other, and the handle that runs them all.
type Stretch struct {
	Handle Handle
	Steps  int
}

// Apart is each step as a stretch of its own.
func Apart(steps []Handle) []Stretch {
	out := make([]Stretch, len(steps))
	for i, h := range steps {
		out[i] = Stretch{h, 1}
	}
	return out
}

// StepError is the failure of a step on the content of its operands.
type StepError struct {
	Step *Step
	Err  error
}

// Error names the op, its kind and its step.
func (e *StepError) Error() string { return "step " + e.Step.Op.Name + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Err }
