package graph

// The ops that the planner adds to copy a tensor into another scope are of the type CopyOp in the domain CopyDomain. Each reads one
// tensor and writes one of the same shape and element type.
const (
	CopyOp     = "Copy"
	CopyDomain = "memplan"
)
