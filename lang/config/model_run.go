package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Run is a "run" block.
type Run struct {
	Name    string
	Graph   *Graph
	Inputs  []*RunInput
	Expects []*Expect
	Range   hcl.Range
}

// RunInput says what an input is filled with: a file or a random seed. Exactly one of NPY and RandomSeed is set.
type RunInput struct {
	Tensor string
	// Graph has the input: that of the run, or one that runs before it.
	Graph      *Graph
	NPY        string
	RandomSeed *int64
	Range      hcl.Range
}

// Expect compares an output with a file.
type Expect struct {
	Tensor     string
	NPY        string
	ATol, RTol float64
	Range      hcl.Range
}

// Export is an "export" block: a file of another system, or a picture, with the placement.
type Export struct {
	Name string
	// Graph is the graph that is meant, nil for all of them.
	Graph *Graph
	// Format is one of the schema's values.
	Format string
	// Path is the file, relative to Config.Dir unless it is absolute.
	Path string
	// Offset says whether a TVM graph has the list of offsets.
	Offset bool
	// Prefix begins the identifiers of C, "" for the default.
	Prefix string
	// Arena lists the pools of a TensorFlow Lite Micro arena, nil for the default.
	Arena []*Pool
	// Target is the one of tvmc, "" for the default.
	Target string
	Range  hcl.Range
}

// Check is a "check" block.
type Check struct {
	Name    string
	Asserts []*Assert
	Range   hcl.Range

	owner *Config
}

// Assert is an "assert" block: a condition over planned values.
type Assert struct {
	Condition    hcl.Expression
	ErrorMessage hcl.Expression
	Range        hcl.Range

	condition, message *attribute
	extra              map[string]cty.Value
}

// Output is an "output" block.
type Output struct {
	Name        string
	Description string
	// Sensitive says that the configuration asks for the value to be hidden.
	Sensitive bool
	Value     hcl.Expression
	// Range is the block header's, NameRange that of the label.
	Range, NameRange hcl.Range

	value *attribute
}
