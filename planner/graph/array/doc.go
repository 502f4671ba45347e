// Package array holds dense arrays and the reference meaning of the simple operators on them: casts, element-wise
// arithmetic, reductions and everything that only moves elements. Constant folding and the host device share it.
// Start from [Array] and [Lookup].
//
// Arrays are row-major, little-endian bytes. Kernels write into outputs that the caller has allocated, so that folding
// can allocate them and the host device can point them into its arenas. Heavy operators (convolution, pooling, matrix
// products, resize) are the host device's own.
package array
