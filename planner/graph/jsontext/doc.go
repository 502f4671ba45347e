// Package jsontext walks over the values of a JSON file and notes where each stands, for importers that report every
// fault with its place. Start from [New]. It is strict: names of fields are compared as they are written, a field given
// twice is a fault, numbers stay text until they are asked for, and nesting is limited.
//
// The package knows no format: what the fields of a file are, and by which ids its faults are reported, its importer says.
package jsontext
