// Package host is the embedded device: pure Go, always there, and the oracle for every other device. Start from [New].
//
// Each pool is one array of bytes of exactly the planned peak; the operands of a step are slices of these arrays at
// exactly the planned offsets. An image is a range of its planned bytes that holds the tensor's dense elements from its
// start: the sharing of the plan is executed, the texel packing of a GPU is not imitated.
//
// Results do not depend on the number of cores: work is split over independent results only, and each sum is taken in
// one fixed order, product and sum rounded separately. float16 and bfloat16 operands are widened, computed in float32
// and rounded once.
//
// Beside the pools the device keeps a workspace that the plan does not see: convolution and matrix weights repacked for
// the kernels (as large as those weights), the rows a kernel unfolds, staging for operands that overlap or are widened.
// It is allocated by Prepare and counted in device.Counters.
//
// The package knows nothing of plans, lifetimes or files.
package host
