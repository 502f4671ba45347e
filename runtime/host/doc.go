// Package host is the embedded device: pure Go, always there, and the oracle for every other device. Start from [New].
//
// Each pool is one array of bytes of exactly the planned peak; the operands of a step are slices of these arrays at
// exactly the planned offsets. An image is Height rows of RowPitch bytes, and a tensor in it takes the rectangle of its
// own packed width and height from the first texel, channels that are missing to four filled with zeros. Kernels read
// and write dense elements: around a step, operands in images are unpacked into staging and packed from it. Operands of
// packed layouts such as "NCHW4c" become plain in the same way where a kernel tells channels from other axes.
//
// Results do not depend on the number of cores: work is split over independent results only, and each sum is taken in
// one fixed order, product and sum rounded separately. float16 and bfloat16 operands are widened, computed in float32
// and rounded once.
//
// Beside the pools the device keeps a workspace that the plan does not see: convolution and matrix weights repacked for
// the kernels (as large as those weights), the rows a kernel unfolds, for each worker a line of pixels with all channels between
// two convolutions that are one op, staging for operands that overlap, are widened or
// are stored as texels.
// It is allocated by Prepare and counted in device.Counters.
//
// The package knows nothing of plans, lifetimes or files.
package host
