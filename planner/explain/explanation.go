package explain

import "github.com/memplan/memplan/planner/plan"

// Explanation is what a plan says of one tensor. It is written as JSON by "memplan show -tensor -json".
type Explanation struct {
	Graph  string `json:"graph"`
	Tensor string `json:"tensor"`
	Role   string `json:"role"`
	DType  string `json:"dtype"`
	// ComputeDType is the element type that ops compute with where memory holds a narrower one; left out where it is the same.
	ComputeDType string `json:"compute_dtype,omitempty"`
	// Shape is outermost axis first, in elements; Layout names the axes, "" when unknown.
	Shape  []int64 `json:"shape"`
	Layout string  `json:"layout"`
	Scope  string  `json:"scope"`
	// Pool is "" for memory that the caller owns; the place is then the caller's business too.
	Pool string `json:"pool"`
	// Device is the pool's, "" without a pool.
	Device string `json:"device"`
	// Storage is the id of the storage in the plan.
	Storage int64 `json:"storage"`
	// Offset counts bytes from the pool's start, nil in an image object and in the caller's memory.
	Offset *int64 `json:"offset"`
	// Size is the bytes occupied, LogicalSize those of the elements, Alignment that of Offset.
	Size        int64 `json:"size"`
	LogicalSize int64 `json:"logical_size"`
	Alignment   int64 `json:"alignment"`
	// UpperBound says that the sizes are for the maximum of a dimension.
	UpperBound bool `json:"upper_bound"`
	// Image is nil in flat memory.
	Image    *Image   `json:"image"`
	Lifetime Lifetime `json:"lifetime"`
	// Kept is the address of the attribute that keeps the tensor to the end; left out when none does.
	Kept string `json:"kept,omitempty"`
	// Gaps say which bytes are free for others in which steps; left out when there are none.
	Gaps []plan.Gap `json:"gaps,omitempty"`
	// Producer is nil for what no op writes.
	Producer *Step `json:"producer"`
	// Consumers are in order of execution, one for each op that reads the tensor.
	Consumers []Step      `json:"consumers"`
	Reason    plan.Reason `json:"reason"`
	// CopyOf is the copy that makes the tensor, nil when none does; Copies are those made of it.
	CopyOf *plan.Copy  `json:"copy_of"`
	Copies []plan.Copy `json:"copies"`
	// ViewOf is the tensor whose bytes this one is, nil when it has its own; ViewOffset counts bytes from it.
	ViewOf     *string `json:"view_of"`
	ViewOffset int64   `json:"view_offset"`
	// Rows says how a view lies that is not one run of bytes; left out for one that is.
	Rows *plan.Rows `json:"rows,omitempty"`
	// Shares is the tensor of another graph, or the equal constant, whose bytes these are; left out where there is none.
	Shares *plan.Share `json:"shares,omitempty"`
	// Diagonal is the operand that the tensor is written over from below; left out when there is none.
	Diagonal *plan.Diagonal `json:"diagonal,omitempty"`
	// Apart are the operands that a concatenation copies into the tensor; left out when there are none.
	Apart *Apart `json:"apart,omitempty"`
	// Views are the tensors that are bytes of this one, or of the same tensor as this one.
	Views []View `json:"views"`
	// Sharers are the tensors that have some of the same bytes at another time, or as the result that is written over an operand.
	Sharers []Sharer `json:"sharers"`
	// moreSharers counts those that are not listed.
	moreSharers int
}

// Image is the part of an image storage that the tensor takes, from the storage's origin.
type Image struct {
	// Width and Height are the tensor's in texels, 0 when its shape makes no image of that scope.
	Width  int64 `json:"width"`
	Height int64 `json:"height"`
	// StorageWidth, StorageHeight and StorageSize are those of the whole storage, in texels and bytes.
	StorageWidth  int64 `json:"storage_width"`
	StorageHeight int64 `json:"storage_height"`
	StorageSize   int64 `json:"storage_size"`
	// Texel is the format and RowPitch the bytes from row to row.
	Texel    string `json:"texel"`
	RowPitch int64  `json:"row_pitch"`
}

// Lifetime is the half-open span [First, Last) in steps.
type Lifetime struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	// Start and End are the steps First and Last-1, nil when no op runs then.
	Start *Step `json:"start"`
	End   *Step `json:"end"`
	// Always says that the bytes are never free for another tensor.
	Always bool `json:"always"`
}

// Step names an op in the order of execution.
type Step struct {
	Step int64  `json:"step"`
	Op   string `json:"op"`
	Name string `json:"name"`
}

// View is a tensor that is bytes of another.
type View struct {
	Tensor string `json:"tensor"`
	// Offset counts bytes from the tensor whose bytes they are.
	Offset int64 `json:"offset"`
	Size   int64 `json:"size"`
	// Rows says how it lies there where it is not one run of bytes; left out where it is.
	Rows  *plan.Rows `json:"rows,omitempty"`
	First int64      `json:"first"`
	Last  int64      `json:"last"`
}

// Sharer is a tensor that has some of the same bytes.
type Sharer struct {
	Graph  string `json:"graph"`
	Tensor string `json:"tensor"`
	First  int64  `json:"first"`
	Last   int64  `json:"last"`
	// From and To are the shared bytes, half-open and counted from the pool's start; nil in an image object, of which both
	// tensors use the same corner.
	From *int64 `json:"from"`
	To   *int64 `json:"to"`
}
