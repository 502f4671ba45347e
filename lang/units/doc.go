// Package units reads and writes amounts of memory: "24MiB" to bytes and back. Start from [ParseBytes] and
// [FormatBytes]. Everything is exact integer or rational arithmetic; no amount ever passes through a float. The
// package knows nothing of files, blocks or diagnostics: its [Error] carries the pieces a diagnostic is made of.
package units
