package plan

// FormatVersion is the version of the artifact. Additions raise the minor number, anything else the major one; the page on the
// format says what each version added.
const FormatVersion = "1.1"

// Plan is a whole placement: devices, pools, storages and graphs.
type Plan struct {
	FormatVersion  string `json:"format_version"`
	MemplanVersion string `json:"memplan_version"`
	ConfigDigest   string `json:"config_digest"`
	// Interrupted says that the search was stopped before its end: the same input may give another plan. Such a plan is
	// never accepted.
	Interrupted bool               `json:"interrupted,omitempty"`
	Settings    map[string]Setting `json:"settings"`
	Devices     []Device           `json:"devices"`
	// Pools are in order of declaration.
	Pools []Pool `json:"pools"`
	// Storages are in order of id.
	Storages []Storage `json:"storages"`
	Graphs   []Graph   `json:"graphs"`
	// Concurrent names the graphs that may run at the same time; left out when all run one after the other, in the order of
	// Graphs.
	Concurrent []string `json:"concurrent,omitempty"`
}

// Setting is an effective setting and where it came from: "default", "config", "command line" or "builtin:...".
type Setting struct {
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

// Device is what the plan assumed of a device.
type Device struct {
	Name   string `json:"name"`
	Driver string `json:"driver"`
	// BaseAlignment in bytes, of every flat pool.
	BaseAlignment int64 `json:"base_alignment"`
	// MaxAlloc is the largest single allocation in bytes, nil when unlimited.
	MaxAlloc *int64 `json:"max_alloc"`
	// Image2D is nil for a device without textures.
	Image2D *Image2D `json:"image2d"`
}

// Image2D are the limits of a device's textures, in texels.
type Image2D struct {
	MaxWidth       int64 `json:"max_width"`
	MaxHeight      int64 `json:"max_height"`
	MaxLayers      int64 `json:"max_layers"`
	PitchAlignment int64 `json:"pitch_alignment"`
	FromBuffer     bool  `json:"from_buffer"`
}

// Pool is a pool with its outcome. All sizes are bytes.
type Pool struct {
	Name   string `json:"name"`
	Device string `json:"device"`
	// Type is "flat" or "texture".
	Type string `json:"type"`
	// Capacity is nil when unlimited.
	Capacity  *int64 `json:"capacity"`
	Alignment int64  `json:"alignment"`
	// Implicit marks the pool that the planner added for constants.
	Implicit bool `json:"implicit"`
	// Holds lists the roles the pool takes.
	Holds []string `json:"holds"`
	// Images marks a flat pool that also holds images over its bytes; left out when false.
	Images bool `json:"images,omitempty"`
	// Bound is the best proved lower bound of Peak.
	Bound int64 `json:"bound"`
	// Peak is max(offset+size).
	Peak int64 `json:"peak"`
	// Used is the sum of the sizes of the storages placed in the pool.
	Used int64 `json:"used"`
	// PeakGraph and PeakStep name a moment at which the most bytes are live; "" and nil for a pool without lifetimes.
	PeakGraph string `json:"peak_graph"`
	PeakStep  *int64 `json:"peak_step"`
	// Optimality is "optimal" or "best_found".
	Optimality string `json:"optimality"`
	// Gap is Peak - Bound.
	Gap int64 `json:"gap"`
}

// Storage is one allocation inside a pool, used by one or more tensors.
type Storage struct {
	ID   int64  `json:"id"`
	Pool string `json:"pool"`
	// Offset counts bytes from the pool's start; nil for an image object.
	Offset *int64 `json:"offset"`
	// Size in bytes, padding and pitch included.
	Size int64 `json:"size"`
	// Width and Height are texels, Texel the format and RowPitch bytes; left out for flat storages.
	Width    int64  `json:"width,omitempty"`
	Height   int64  `json:"height,omitempty"`
	Texel    string `json:"texel,omitempty"`
	RowPitch int64  `json:"row_pitch,omitempty"`
}

// Graph is one planned graph.
type Graph struct {
	Name string `json:"name"`
	// Source is relative to the configuration, with forward slashes.
	Source string `json:"source"`
	Digest string `json:"digest"`
	Format string `json:"format"`
	// Dims are the bound symbolic dimensions.
	Dims map[string]int64 `json:"dims,omitempty"`
	// Rewrites are the changes to the model's graph, in order.
	Rewrites []Rewrite `json:"rewrites"`
	Steps    []Step    `json:"steps"`
	Tensors  []Tensor  `json:"tensors"`
	Copies   []Copy    `json:"copies"`
	// Scopes sums up the choice of scopes; nil on a device without textures, where there is none.
	Scopes *Scopes `json:"scopes,omitempty"`
	// Order is what is known of the order of execution; nil where the settings ask for the model's own.
	Order *Order `json:"order,omitempty"`
}

// Order is what the choice of an execution order reached. Bytes are those of all tensors and scratch memory that are live at
// once, constants and state apart, without padding and alignment and whatever pools they are in.
type Order struct {
	// Changed says that the steps are not in the model's order.
	Changed bool `json:"changed"`
	// Live is the most at a step of the plan's order, Source that at a step of the model's order with no views but reshapes.
	Live   int64 `json:"live"`
	Source int64 `json:"source"`
	// Bound is the best proved lower bound of Live over all orders, with the views of the plan.
	Bound int64 `json:"bound"`
}

// Scopes is what the choice of scopes for a graph costs.
type Scopes struct {
	// Policy is the one that decided what no rule decided.
	Policy string `json:"policy"`
	// CopiedBytes is the sum over the copies, PenaltyBytes that of the penalties of rules whose scope was not given.
	CopiedBytes  int64 `json:"copied_bytes"`
	PenaltyBytes int64 `json:"penalty_bytes"`
	// Exact says that no choice of scopes under the same rules has a smaller sum of both.
	Exact bool `json:"exact"`
}

// Rewrite is one change to the graph before it was planned, or one that was considered and not made.
type Rewrite struct {
	// Rewrite is the name under which it is switched on, such as "fold".
	Rewrite string `json:"rewrite"`
	// Op is the name of the op that went, or that stayed when Kept is set.
	Op   string `json:"op"`
	Kept bool   `json:"kept"`
	// Tensors are the results that became constants, and of a fused op the tensor that is gone.
	Tensors []string `json:"tensors"`
	// HalfBytes are those of float16 constants that became float32, FloatBytes what they take now; left out when none did.
	HalfBytes  int64  `json:"half_bytes,omitempty"`
	FloatBytes int64  `json:"float_bytes,omitempty"`
	Because    string `json:"because"`
}

// Step is one op in execution order.
type Step struct {
	Step    int64    `json:"step"`
	Op      string   `json:"op"`
	Name    string   `json:"name"`
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
	Fused   []string `json:"fused"`
}

// Tensor is one tensor with its place and the reason for it.
type Tensor struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	DType string `json:"dtype"`
	// ComputeDType is the element type that ops compute with where memory holds a narrower one; left out where it is the same.
	ComputeDType string `json:"compute_dtype,omitempty"`
	// Shape is outermost axis first, in elements; Layout names the axes, "" when unknown.
	Shape   []int64 `json:"shape"`
	Layout  string  `json:"layout"`
	Scope   string  `json:"scope"`
	Pool    string  `json:"pool"`
	Storage int64   `json:"storage"`
	// Offset counts bytes from the pool's start; nil in an image object.
	Offset *int64 `json:"offset"`
	// Size is the bytes occupied, padding included; LogicalSize those of the elements.
	Size        int64 `json:"size"`
	LogicalSize int64 `json:"logical_size"`
	// Alignment in bytes that the offset was required to meet.
	Alignment  int64 `json:"alignment"`
	UpperBound bool  `json:"upper_bound"`
	// First and Last are the half-open lifetime [First, Last) in steps.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	// Producer is the name of the op that writes the tensor, "" for inputs and constants.
	Producer string `json:"producer"`
	// ViewOf is the tensor whose bytes this one shares, nil when it has its own; ViewOffset counts bytes from it.
	ViewOf     *string `json:"view_of"`
	ViewOffset int64   `json:"view_offset"`
	// Rows is set for a view with other bytes between its own; left out for one run of bytes. Size counts those between, from the
	// first byte to the last.
	Rows *Rows `json:"rows,omitempty"`
	// Shares is set when the bytes are those of another tensor, which has a row of its own: an input that comes from another
	// graph, or a constant of equal content. It says nothing of views.
	Shares *Share `json:"shares,omitempty"`
	// Diagonal is set when the op that writes the tensor reads an operand in some of the same bytes; left out otherwise.
	Diagonal *Diagonal `json:"diagonal,omitempty"`
	// Kept is the address of the attribute that keeps the tensor to the end of its graph's run, such as "graph.net.keep"; left out
	// when none does.
	Kept string `json:"kept,omitempty"`
	// Gaps say which of the bytes are free for others in which steps of the lifetime: those of views that are not written yet
	// or were read for the last time. In order of First, no two overlap; left out when there are none.
	Gaps   []Gap  `json:"gaps,omitempty"`
	Reason Reason `json:"reason"`
}

// Diagonal says that an op writes its result over an operand from below, row by row: each byte of the operand is read before
// the result gets there, by kernels that visit the result in the order of memory.
type Diagonal struct {
	// Operand is the name of the tensor that is read.
	Operand string `json:"operand"`
	// Distance is the least number of bytes by which the operand must start above the result.
	Distance int64 `json:"distance"`
}

// The reasons why a tensor is in the bytes of another one that it is no view of.
const (
	SharesInput   = "input"
	SharesContent = "content"
)

// Share names the tensor whose bytes another one is in.
type Share struct {
	Graph  string `json:"graph"`
	Tensor string `json:"tensor"`
	// Because is "input" for an input that is the output of the other graph, "content" for a constant that is equal.
	Because string `json:"because"`
}

// Reason says why a tensor has its scope and its pool.
type Reason struct {
	// Rule is the address of the rule that decided, nil when none did.
	Rule *string `json:"rule"`
	// Policy is the name of the policy that decided, "source" where the graph's source asks for the scope, nil when a rule or
	// a pin did.
	Policy *string `json:"policy"`
	// Pinned is the address of the place block that decided, nil when none did.
	Pinned *string `json:"pinned"`
	// Excluded lists the alternatives that were better liked but impossible.
	Excluded []Exclusion `json:"excluded"`
	// Spill is set when an earlier candidate pool was full.
	Spill *Spill `json:"spill"`
}

// Exclusion is one alternative that was not possible: another scope, or in its own to be written over an operand that dies.
type Exclusion struct {
	Scope string `json:"scope"`
	// Over is the operand, "" where the scope was the alternative.
	Over    string `json:"over,omitempty"`
	Because string `json:"because"`
}

// Spill says which candidate pools were full before the one that took the tensor.
type Spill struct {
	From    []string `json:"from"`
	Because string   `json:"because"`
}

// Copy is a copy between scopes.
type Copy struct {
	Tensor string `json:"tensor"`
	To     string `json:"to"`
	Step   int64  `json:"step"`
	Bytes  int64  `json:"bytes"`
	// Because names the reader that needs the copy and what it reads.
	Because string `json:"because"`
}
