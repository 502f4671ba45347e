// Package onnx reads ONNX models into the neutral graph. Start from [Import].
//
// The stages, one file or a few each: the wire format (decode*.go), local functions written out (function.go), names
// of ops (names.go), constants (constant.go, tensor*.go, sparse.go, external.go), types of the other values (value.go),
// execution order (order.go), ops and attributes (op.go, attribute.go, refuse.go), and older operator forms made new
// (normalize*.go). Operator sets 6 to 21 of ONNX are read; what comes out has the form of set 21.
//
// Weights are not copied where the file holds them as they are: the graph's constants alias the file's bytes, so the
// file must stay open as long as the graph is used. They may start at any address.
//
// The package knows nothing of configuration, planning or devices, and infers no shapes.
package onnx
