// Package shape gives every tensor of a neutral graph its shape and its element type. Start from [Infer].
//
// Open dimensions are bound first, then the operators are visited once, in order: each has a rule, found by its name in
// one table, that computes the types of its outputs from those of its inputs. Shape arithmetic (Shape, Gather, Concat,
// Reshape and their like) is evaluated on the way, so that its results can steer later rules. What an operator without a
// rule writes, and what depends on data, keeps the shape stated in the file. Faults of the graph are diagnostics that
// name the operator, the tensor and the axis; all of them are collected, and what follows from a fault already reported
// stays silent.
//
// The package knows nothing of pools, scopes, configuration or files.
package shape
