// Package liveness turns a graph in execution order into buffers: which tensors share bytes as views of one another, and
// for which half-open range of steps each buffer must keep its content. Start from [Analyze].
//
// A view lies in its buffer as one run of bytes, or as rows at a stride: the channels that one operand brings to each pixel of a
// concatenation with the channels last, the results of a split of such a tensor, and what lies in those. So is kept:
//
//   - Rows are only what all ops can read or write so that touch them and have something to do; see [Options.Strided]. Inputs, outputs and
//     whatever else somebody outside of the graph's ops sees are one run.
//   - No result takes over rows, and no row is taken over, by an op in place or from below: they are free for others when the buffer is.
//   - A buffer with rows has no gaps between them: they count as all the bytes of the tensor that they are rows of, from the first
//     op that touches one of its rows to the last.
//   - Of rows that lie between one another when they are put there, all have one stride. So it is known without going through them which
//     have bytes in common.
//   - Rows of rows are rows of one length at one stride, else the op copies.
//
// The package knows the graph and nothing of pools, offsets, scopes or configuration.
package liveness
