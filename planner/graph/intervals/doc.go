// Package intervals imports interval files: CSV tables of buffers with a lifetime and a size, as layout benchmarks and
// other compilers write them. Start from [Import].
//
// The header names the columns, in any order: id, lower, upper and size, and optionally alignment and pool. Lifetimes
// are half-open, [lower, upper). As other tools spell it, "buffer" or "buffer_id" stands for id, "start" or "begin" for
// lower, and "end" for an inclusive upper. Numbers are decimal; spaces around a field do not belong to it; a field may
// stand in double quotes. An empty alignment or pool is none. Every row that is wrong is an error with its place, none
// is dropped.
//
// The package knows nothing of pools and devices: it passes on the names and wishes of the file.
package intervals
