// Package native reads and writes the neutral graph as a JSON file, the format that docs/native-graph.md describes.
// Start from [Import] and [Write].
//
// Reading is strict: a field that is not known, a name that is not declared or a size that does not fit is an error with
// its place in the file. Writing is canonical: equal graphs give equal bytes, and what was written reads back equal,
// except for the content of constants above [InlineLimit] bytes, of which the sizes remain.
//
// The package knows nothing of the meaning of operators.
package native
