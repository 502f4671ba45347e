// Package syntax turns files into HCL trees: which files belong to a path, limits on hostile text, syntax errors
// without cascades, and the canonical format. Start from [Open] and [Parse]. Files are read through a [Reader], so that
// an editor's unsaved text counts. The package knows no block types and evaluates nothing.
package syntax
