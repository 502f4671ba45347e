package scope

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
)

// Exclusion is a scope or pool that was possible or asked for and not taken.
type Exclusion struct{ Scope, Because string }

// Decision is the outcome for one tensor.
type Decision struct {
	Scope string
	// Rule is the index of the rule that decided, -1 when none did; Policy then names the policy, or is SourcePolicy. A rule
	// with a penalty decides together with the policy, and one that gives pools only with the source: both are given.
	Rule   int
	Policy string
	// Pinned is the address of the pin, "" when there is none.
	Pinned string
	// Pools are the candidates in order, as indexes into the request's. Empty for a tensor that nothing uses.
	Pools []int
	// Images is how many of the first candidates take the tensor as an image; the others take it flat, as a spill. It is 0
	// in flat memory.
	Images int
	// Geometry is the image, nil in flat memory.
	Geometry *texture.Geometry
	Excluded []Exclusion
}

// Use is one operand of one op.
type Use struct {
	// Op is the index of the op in the graph that was decided, Input the position among its inputs.
	Op, Input int
}

// Copy is a tensor copied into another scope for the consumers that need it there.
type Copy struct {
	Tensor   graph.TensorID
	From, To string
	// Name is that of the copied tensor and of the op that makes it, "<tensor>@<scope>".
	Name string
	// Bytes are those of the dense elements.
	Bytes int64
	// Uses are the operands that read the copy, in order of execution.
	Uses []Use
	// Because says which consumer needs the copy and what it reads.
	Because string
	// Decision has the copy's pools and geometry.
	Decision Decision
	// Result and Step are the copied tensor and the op that makes it in the graph of [InsertCopies]; NoTensor and -1
	// before.
	Result graph.TensorID
	Step   int
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
	// passed is for each rule that did not how many of its lists some tensor met, and ops are the operators of the graph in
	// order: what Unused says.
	passed []int
	ops    []string
	// Policy is the one in effect: flat on a device without images.
	Policy string
	// Copies are in order of their first use, then by tensor and scope.
	Copies []Copy
	// CopiedBytes is the sum over Copies, and PenaltyBytes that of the wishes that were not granted. Both stop at 2^63-1.
	CopiedBytes, PenaltyBytes int64
	// Exact says that no choice of scopes and kernels that keeps to the rules has a smaller sum of CopiedBytes and
	// PenaltyBytes. Only mincopy claims it.
	Exact bool
}
