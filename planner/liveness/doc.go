// Package liveness turns a graph in execution order into buffers: which tensors share bytes as views of one another, and
// for which half-open range of steps each buffer must keep its content. Start from [Analyze].
//
// The package knows the graph and nothing of pools, offsets, scopes or configuration.
package liveness
