// Package scope decides for each tensor its memory scope and the pools it may stand in, and records which rule said so.
// Start from [Decide].
//
// Rules come as plain values with a function for their condition: the package knows nothing of the configuration's
// syntax, and nothing of offsets or lifetimes.
package scope
