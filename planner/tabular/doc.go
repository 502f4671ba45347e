// Package tabular splits tables of comma-separated values into lines and fields that know where they stand, for readers
// that report every fault with its place, and finds columns by their names. Start from [Lines]. Fields may stand in double
// quotes, which may not span lines; spaces around a field do not belong to it.
//
// The package knows nothing of what a table means.
package tabular
