// Package schema is the configuration language as data: one table of every block, attribute, value and object. Start
// from [Root]. Decoding, suggestions, completion, hover and docs/language.md all read it, so that none of them can
// disagree. The package reads no files and evaluates nothing.
package schema
