// Package schedule finds an execution order of least peak memory. Start from [Solve].
//
// The problem is abstract: ops that touch buffers. A buffer is live from the first op that touches it to the last, and what
// is live after a set of ops was executed depends on the set alone, not on the order within it. So the search goes over
// sets. Let live(S) be the bytes that are live after the set S, and use(S, v) those that are live while v runs next.
//
// Both are submodular: what an op adds to a set, it adds no more of to a larger one. Three things follow, and keep the search
// small.
//
//   - An op that all others come before or after in every order cuts the problem into parts that share nothing but that op.
//     Each part is solved alone (decomposition at cut tensors).
//   - If from S some ops v1, v2, ..., each of which needs the one before, can run within the peak that is reached anyway, and
//     leave no more bytes live than S does, with more at every step between, then an optimal order exists that runs them now:
//     in any order from S they can be moved to the front without raising any step. Such a run is taken at once, without
//     alternatives. It contracts chains: a convolution whose activation overwrites it is one step to the search.
//   - The most bytes that some op must use whatever ran before is a bound: of the operands it has itself, those that
//     lie between its ancestors and its descendants are live beside them.
//
// The search is best first in the peak so far (Dijkstra's algorithm for the largest step of a path), so that the first path
// that arrives is an optimal one, and the least value that is still open is a proved bound when the effort ends. Before it,
// and beyond its effort, a beam of the best states by number of ops gives an order. The order is never worse than the given
// one, and the given one where that is as good.
//
// Related: B. H. Ahn et al., "Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge Devices"
// (MLSys 2020), does dynamic programming over the same sets.
//
// The package knows no tensors, no names and no graphs.
package schedule
