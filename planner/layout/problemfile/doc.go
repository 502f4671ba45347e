// Package problemfile reads bare layout problems from files and writes them back with the places that were found. Start
// from [Read].
//
// A CSV problem has a line for each buffer; the first line names the columns, in any order: id, lower, upper and size, and
// optionally alignment, hint, offset, gaps and pool. "buffer" and "buffer_id" stand for id, "start" and "begin" for lower,
// and "end" for an upper that is the last time of the lifetime, not the one after it; gaps then end alike. An offset or a
// hint that is empty or -1 is none. A JSON problem has pools and buffers, which are live from lower to upper or conflict
// with others by name. Either may be compressed by gzip. Every fault is reported with its place, nothing is dropped.
//
// The package solves nothing, and knows nothing of graphs and devices.
package problemfile
