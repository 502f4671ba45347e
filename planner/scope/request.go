package scope

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/planner/graph"
)

// TensorFacts is what a condition may ask of a tensor.
type TensorFacts struct {
	// ID is graph.NoTensor for scratch memory.
	ID     graph.TensorID
	Name   string
	Role   graph.Role
	DType  graph.DType
	Shape  graph.Shape
	Layout string
	// Bytes of the dense elements.
	Bytes int64
	// Rank is the number of axes.
	Rank int
	// Consumers is the number of ops that read the tensor.
	Consumers int
	// Producer is the name of the op that writes it, "" for inputs and constants.
	Producer string
	// Images has the sides of the image that the tensor would be, by texture scope. A scope in which it cannot be one, for
	// its rank, layout or element type, is absent; limits of the device play no part.
	Images map[string]Sides
}

// Sides of an image in texels.
type Sides struct{ Width, Height int64 }

// OpFacts is what a condition may ask of an op that touches the tensor.
type OpFacts struct {
	// Index is the op's step, -1 when the rule asks for no op.
	Index int
	Name  string
	Op    string
	// Operand is what the tensor is to the op, one of [Operands].
	Operand string
	Attrs   graph.Attrs
}

// Rule is a scope rule. Empty lists match everything. A rule that gives pools speaks only to graphs on the device of one
// of them.
type Rule struct {
	// Address names the rule in messages, as in "scope_rule.weights".
	Address string
	// Op and Operand must hold for the same op that touches the tensor; Op compares the op's type and those fused into it.
	Op, Operand         []string
	DType, Role, Layout []string
	Rank                []int64
	// Tensor, Graph and Device are globs on the names, with ** for any number of path elements.
	Tensor, Graph, Device []string
	// Condition is nil when there is none. It is asked once for a tensor, or once for each op that touches it when
	// ConditionReadsOp is set; the first true one matches.
	Condition        func(TensorFacts, OpFacts) (bool, error)
	ConditionReadsOp bool
	// Scope is "" when the rule gives pools only.
	Scope string
	// Penalty makes the scope a wish: the bytes that a tensor costs which does not get it. Nil makes it an order. Less than
	// 0 counts as 0.
	Penalty *int64
	// Store is the element type that memory holds of float32 tensors, InvalidDType for their own.
	Store graph.DType
	// Pools are indexes into the request's, in order of preference; nil when the rule gives a scope only.
	Pools []int
	Range *hcl.Range
	// ConditionRange is that of the condition, nil for a rule without one.
	ConditionRange *hcl.Range
}

// Pool is a pool as far as scopes are concerned.
type Pool struct {
	Name, Device string
	// Type is "flat" or "texture".
	Type  string
	Holds []graph.Role
	// Images says that a flat pool also holds images over its bytes, on a device with FromBuffer.
	Images bool
}

// Device is the device of the graph.
type Device struct {
	Name string
	// Image2D is nil when the device has no textures.
	Image2D *Limits
}

// Limits are those of a device's images, in texels.
type Limits struct {
	MaxWidth, MaxHeight int64
	// MaxLayers of an image array, 0 when not given; only tvm-relax asks.
	MaxLayers int64
	// PitchAlignment is what the rows of an image over a buffer are rounded up to.
	PitchAlignment int64
	// FromBuffer says that images can be made over buffers.
	FromBuffer bool
}

// Pin fixes the pool of a tensor.
type Pin struct {
	// Address names the place block in messages.
	Address string
	// Pool is an index into the request's.
	Pool int
}

// Request is what to decide.
type Request struct {
	Graph *graph.Graph
	// GraphName is what rules match graphs by: the name of the graph's block.
	GraphName string
	Device    Device
	// Pools and Rules are in order of declaration.
	Pools []Pool
	Rules []Rule
	Pins  map[graph.TensorID]Pin
	// Policy is one of [Policies], or "" for mincopy on a device with images and flat on others.
	Policy string
	// Variants are the kernels that use images; nil means [DefaultVariants].
	Variants []Variant
	// Forbidden has tensors that must not be images, nor be copied into one, and why, as in "the image pools are full".
	Forbidden map[graph.TensorID]string
	// Full has those of them that found no room as images, with the pools that have none, as in "pool textures".
	Full map[graph.TensorID]string
}
