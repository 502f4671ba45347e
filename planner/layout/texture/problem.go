package texture

import "github.com/memplan/memplan/planner/layout"

// Unlimited is the capacity of a pool without a cap.
const Unlimited = layout.Unlimited

// NoStorage is the storage of an image that found no place.
const NoStorage = -1

// Pool is a piece of memory that holds images.
type Pool struct {
	// Capacity in bytes, or Unlimited.
	Capacity int64
	// PitchAlignment in texels, 1 or more: a row takes the width rounded up to a multiple of it.
	PitchAlignment int64
	// MaxWidth and MaxHeight in texels bound the sides of a storage; equal is allowed.
	MaxWidth, MaxHeight int64
	// MaxImages bounds the number of storages, 0 when nothing does.
	MaxImages int64
	// MaxImageBytes bounds one storage, as a device's largest allocation does; 0 when nothing does.
	MaxImageBytes int64
}

// Image is something to store.
type Image struct {
	// Width and Height in texels, 1 or more.
	Width, Height int64
	// Texel is the kind of texel, any number; images of different kinds never share. TexelBytes is the size of one, the
	// same for all images of a kind.
	Texel      int
	TexelBytes int64
	// Scope is the kind of layout inside the image, any number. Only tvm_texture looks at it.
	Scope int
	// Live is the half-open lifetime in steps, not empty.
	Live layout.Span
	// Pools are the candidates in order of preference, as indexes into the problem's pools, at least one.
	Pools []int
	// Always says that the image is live at all times and shares with none; Live is ignored.
	Always bool
}

// Problem is what to store and where it may go.
type Problem struct {
	Pools  []Pool
	Images []Image
}

// Storage is one image object that serves one or more images in turn.
type Storage struct {
	// Pool is an index into the problem's pools.
	Pool int
	// Width and Height in texels are the largest of the images.
	Width, Height int64
	Texel         int
	TexelBytes    int64
	// RowPitch is the bytes from one row to the next, and Bytes the size: Height rows.
	RowPitch, Bytes int64
}

// PoolResult is the outcome for one pool.
type PoolResult struct {
	// Bytes is the sum of the storages, and Images their number.
	Bytes, Images int64
	// Bound is the best proved lower bound of Bytes for the images stored in this pool; Gap is Bytes - Bound.
	Bound, Gap int64
	// Proved says that no storages of the same images in this pool take fewer bytes: the gap is 0.
	Proved bool
}

// Result is the outcome of an algorithm.
type Result struct {
	// Status is Optimal when it is proved that no solution is better by the objectives, Infeasible when it is proved that
	// not all images can be stored, Unknown when some are not but might be, else Feasible.
	Status layout.Status
	// Storages are sorted by pool, then by their first image.
	Storages []Storage
	// Of is the storage of each image, or NoStorage.
	Of    []int
	Pools []PoolResult
	// Nodes counts search effort.
	Nodes int64
	// Unplaced lists the images without a storage, ascending.
	Unplaced []int
}
