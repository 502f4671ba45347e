// Package diag holds diagnostics: what the user's files got wrong, each with a stable id, the values seen, the limit
// and one next step. Start from [Diagnostic] and [Diagnostics]; every id stands in [All].
//
// User faults are diagnostics, faults of memplan itself are Go errors. Diagnostics are collected, never dropped, and
// sorted once, just before they are rendered. The package renders nothing and reads no files.
package diag
