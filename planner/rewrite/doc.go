// Package rewrite changes graphs without changing what they compute, and records what it did. Each rewrite is named,
// optional and a function from graph to graph. Start from [Fold].
//
// The package knows nothing of pools, scopes, placements or configuration, and reads no weights: what has to be
// computed from them is computed when the new constant is read.
package rewrite
