package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Unlimited is the size of a pool without a cap, and the capacity of a planned one.
const Unlimited int64 = -1

// NoOffset is the offset of a pin that fixes the pool alone, and of a tensor in an image.
const NoOffset int64 = -1

// Planned is what a finished plan says of the pools and graphs of a configuration, by name.
type Planned struct {
	Pools  map[string]PoolFacts
	Graphs map[string]GraphFacts
}

// PoolFacts are the planned values of a pool. Sizes are bytes.
type PoolFacts struct {
	// Peak is max(offset+size), Bound what no placement can do without.
	Peak, Bound int64
	// Capacity is Unlimited for a pool without a cap.
	Capacity int64
	// Used is the sum of the sizes of everything placed.
	Used int64
	// Optimality is "optimal" or "best_found".
	Optimality string
}

// GraphFacts are the planned values of a graph.
type GraphFacts struct {
	// Tensors is by the tensor's name in the model.
	Tensors map[string]TensorFacts
	// Gone says of tensors that rewrites left without a place where they went, as the rest of a sentence.
	Gone map[string]string
}

// TensorFacts is where a tensor was placed.
type TensorFacts struct {
	Scope, Pool string
	// Offset in bytes from the pool's start, NoOffset in an image.
	Offset int64
	// Size in bytes, padding included.
	Size int64
	// First and Last are the half-open lifetime [First, Last) in steps.
	First, Last int64
	// Producer is the name of the op that writes the tensor, "" for inputs and constants.
	Producer string
}

// Finished holds what depends on the plan: outputs and checks, each in order of name.
type Finished struct {
	Outputs []OutputValue
	Checks  []CheckResult
}

// OutputValue is the value of an output.
type OutputValue struct {
	Name, Description string
	// Value has no marks. It is cty.DynamicVal when it could not be evaluated.
	Value cty.Value
	// Sensitive says that the value is to be hidden in listings.
	Sensitive bool
	Range     hcl.Range
}

// CheckResult is the outcome of a check.
type CheckResult struct {
	Name    string
	Asserts []AssertResult
}

// AssertResult is the outcome of one assertion.
type AssertResult struct {
	Passed bool
	// Message is the error message, "" when passed.
	Message string
	// Range is the condition's.
	Range hcl.Range
}
