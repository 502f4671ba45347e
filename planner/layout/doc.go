// Package layout places buffers: given sizes, alignments, lifetimes or conflicts, and pools, it finds a pool and an
// offset for each buffer so that no two that are live together overlap. Start from [Problem] and [Solve].
//
// Objectives, in order: fit the capacities; most bytes in first-choice pools; least peak per pool. The package knows
// no names, no tensors, no configuration and does no I/O; buffers and pools are known by index. Results depend on the
// problem and the effort alone: never on time, the number of cores or map order.
//
// A problem is taken apart first: pools that no buffer chooses between into scenes, and these into parts that overlap no
// other part in time. Explicit conflicts in one pool are taken apart into modules; see [Problem].
package layout
