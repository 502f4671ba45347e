package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// Config is a configuration with the modules that it calls, decoded and checked. What modules declare is in the same lists
// as what the configuration itself does, after it, under names such as "module.adreno.arena".
type Config struct {
	// Dir is the directory that relative paths start from, as given by the user, with forward slashes.
	Dir string
	// Files holds the text of every file read, by name as it appears in ranges, for snippets.
	Files   map[string]*hcl.File
	Devices []*Device
	// Pools and Rules are in order of declaration: files by name, then position; then those of modules.
	Pools   []*Pool
	Rules   []*ScopeRule
	Graphs  []*Graph
	Planner Planner
	Runs    []*Run
	// Exports are files of other systems that apply writes.
	Exports []*Export
	Checks  []*Check
	// Postconditions are in order of declaration, those of modules last.
	Postconditions []*Postcondition
	Outputs        []*Output
	// Moves are the "moved" blocks in order of declaration, those of modules last.
	Moves []*Move
	// Modules are the calls of this configuration, in order of name.
	Modules []*Module
	// Variables and Locals hold the values in effect, without marks. Locals that depend on the plan are unknown.
	Variables map[string]cty.Value
	Locals    map[string]cty.Value

	// Declarations are the declared variables, in order of declaration.
	Declarations []eval.Variable
	digest       func() string
	evaluation   evaluation
}

// Module is a "module" block, or one instance of it.
type Module struct {
	Name string
	// Key is that of the instance, as in `["a"]`, "" when there is one alone.
	Key string
	// Source is what was opened: a path, or "builtin:NAME".
	Source string
	// Config is the module's own configuration.
	Config *Config
	// Range is the block header's.
	Range hcl.Range

	block *block
}

// Device is a "device" block. Its name, as that of every block, is the full one of its address.
type Device struct {
	Address addr.Address
	Name    string
	Driver  string // "host", "opencl" or "none"
	// BaseAlignment in bytes, a power of two.
	BaseAlignment int64
	// MaxAlloc in bytes, 0 when unlimited.
	MaxAlloc int64
	// Ordered is what the configuration says of kernels that memplan does not know, see [Device.KeepsOrder].
	Ordered bool
	Image2D *Image2D
	// Capabilities are in order of declaration; nil means those of memplan's own kernels.
	Capabilities []Capability
	// Range is the block header's.
	Range hcl.Range
	// Attributes holds the range of each attribute given, by name.
	Attributes map[string]hcl.Range

	like *likeness
}

// Image2D is the "image2d" block of a device: limits in texels.
type Image2D struct {
	MaxWidth, MaxHeight, MaxLayers, PitchAlignment int64
	FromBuffer                                     bool
	Range                                          hcl.Range
	// Attributes holds the range of each attribute given, by name.
	Attributes map[string]hcl.Range
}

// Capability is a "capability" block of a device: one form of the kernels of some ops.
type Capability struct {
	// Op lists the ONNX names of the ops; "*" is all of them.
	Op []string
	// Scopes lists the scopes that each operand may have, by operand. An operand that is absent is "global".
	Scopes map[string][]string
	Range  hcl.Range
}

// Pool is a "pool" block.
type Pool struct {
	Address addr.Address
	Name    string
	Device  *Device
	// Type is "flat" or "texture".
	Type string
	// Holds lists the roles the pool takes; the default is every role but "constant".
	Holds []string
	// Size is the capacity in bytes, layout.Unlimited (-1) when left out.
	Size int64
	// Alignment in bytes, a power of two.
	Alignment  int64
	Images     bool
	Range      hcl.Range
	Attributes map[string]hcl.Range

	like *likeness
}

// ScopeRule is a "scope_rule" block. Empty match lists match everything.
type ScopeRule struct {
	Address                          addr.Address
	Name                             string
	Op, Operand, DType, Role, Tensor []string
	Rank                             []int64
	Layout                           []string
	// Graph and Device are globs for names, in which references have become the names of what they refer to.
	Graph, Device []string
	// Condition is nil when left out; it may refer to tensor and op.
	Condition hcl.Expression
	// Scope is "" when the rule gives pools only.
	Scope string
	// Penalty makes the scope a wish: the bytes that a tensor costs which does not get it. Nil makes it an order.
	Penalty *int64
	// Store is the element type that memory holds, "" for the tensor's own.
	Store string
	// Pools is nil when the rule gives a scope only.
	Pools      []*Pool
	Range      hcl.Range
	Attributes map[string]hcl.Range
	// Eval evaluates Condition for values of tensor and op, nil when there is none. The objects are those of
	// schema.ConditionObjects.
	Eval func(tensor, op cty.Value) (bool, diag.Diagnostics)

	// values are those that the condition refers to, by the text of the reference.
	values map[string]cty.Value
	// selected are the names in Graph and Device that must be declared.
	selected []selected
}

// IsBuiltin reports whether the rule is one of a builtin module.
func (r *ScopeRule) IsBuiltin() bool { return strings.HasPrefix(r.Range.Filename, builtin.Prefix) }

// Dim is the binding of a symbolic dimension.
type Dim struct {
	Value int64
	// Max marks a bound ({ max = 8 }) instead of a value.
	Max bool
}

// Graph is a "graph" block.
type Graph struct {
	Address addr.Address
	Name    string
	// Source is the path as written, relative to Config.Dir; in a module, relative to that of the root.
	Source string
	Device *Device
	Dims   map[string]Dim
	// KeepInputs says that all inputs live to the end of the run, as the tensors of Keep do.
	KeepInputs bool
	Keep       []string
	// KeepRanges are those of the elements of Keep.
	KeepRanges []hcl.Range
	Places     []*Place
	// Inputs are the inputs that come from other graphs, by name.
	Inputs []*GraphInput
	// Faulty says that something of the block could not be made out: what is then found of the graph may follow from that.
	Faulty bool
	Range  hcl.Range
	// SourceRange is the range of the source expression.
	SourceRange hcl.Range
	Attributes  map[string]hcl.Range
}

// Place is a "place" block: the pin of one tensor.
type Place struct {
	Tensor string
	Pool   *Pool
	// Offset in bytes, -1 when only the pool is pinned.
	Offset     int64
	Range      hcl.Range
	Attributes map[string]hcl.Range
}

// Planner is the "planner" block, with defaults filled in.
type Planner struct {
	Algorithm string
	// Order is "", and Rewrite and Views are nil, when left out: the default depends on the device.
	Order       string
	Rewrite     []string
	Views       []string
	ScopePolicy string
	// TextureAlgorithm is how images share storage in texture pools.
	TextureAlgorithm string
	IO               string
	// Concurrent are the graphs that may run at the same time, by name; nil, or two and more.
	Concurrent []*Graph
	Range      hcl.Range
	// Origins says for each setting where its value came from: "default" or "config".
	Origins    map[string]string
	Attributes map[string]hcl.Range
}
