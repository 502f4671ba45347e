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
}

// OpFacts is what a condition may ask of an op that touches the tensor.
type OpFacts struct {
	// Index is the op's step, -1 when the rule asks for no op.
	Index int
	Name  string
	Op    string
	// Operand is what the tensor is to the op, one of [Operands].
	Operand string
}

// Rule is a scope rule. Empty lists match everything. A rule that gives pools speaks only to graphs on the device of one
// of them.
type Rule struct {
	// Address names the rule in messages, as in "scope_rule.weights".
	Address string
	// Op and Operand must hold for the same op that touches the tensor; Op compares the op's type and those fused into it.
	Op, Operand []string
	DType, Role []string
	// Tensor are globs on the name, with ** for any number of path elements.
	Tensor []string
	// Condition is nil when there is none. It is asked once for a tensor, or once for each op that touches it when
	// ConditionReadsOp is set; the first true one matches.
	Condition        func(TensorFacts, OpFacts) (bool, error)
	ConditionReadsOp bool
	// Scope is "" when the rule gives pools only.
	Scope string
	// Pools are indexes into the request's, in order of preference; nil when the rule gives a scope only.
	Pools []int
	Range *hcl.Range
}

// Pool is a pool as far as scopes are concerned.
type Pool struct {
	Name, Device string
	// Type is "flat" or "texture".
	Type  string
	Holds []graph.Role
}

// Device is the device of the graph. Image2D says that it has textures.
type Device struct {
	Name    string
	Image2D bool
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
	Graph  *graph.Graph
	Device Device
	// Pools and Rules are in order of declaration.
	Pools []Pool
	Rules []Rule
	Pins  map[graph.TensorID]Pin
}

// Exclusion is a scope or pool that a rule asked for and that was not possible.
type Exclusion struct{ Scope, Because string }

// Decision is the outcome for one tensor.
type Decision struct {
	Scope string
	// Rule is the index of the rule that decided, -1 when none did; Policy then names the policy.
	Rule   int
	Policy string
	// Pinned is the address of the pin, "" when there is none.
	Pinned string
	// Pools are the candidates in order, as indexes into the request's. Empty for a tensor that nothing uses.
	Pools    []int
	Excluded []Exclusion
}

// Result is the outcome for a graph.
type Result struct {
	// Tensors is by tensor id.
	Tensors []Decision
	// OpScratch is by op and index into its scratch buffers.
	OpScratch [][]Decision
	// Scratch are the candidates of scratch memory that no rule decides.
	Scratch []int
	// Decided says for each rule whether it decided anything.
	Decided []bool
}
