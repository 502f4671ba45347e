// Package graph holds the neutral graph: tensors, operators and their order, as every importer produces them and
// every later stage of the planner reads them. Start from [Graph].
//
// Operator names and attributes are ONNX's, in the form of opset 21 whatever the file's own version was: what newer
// opsets pass as an input (axes, pads, split, min, max, ...) is an input here, importers rewrite the older forms.
// Where another format has a layout of its own, attributes say so instead of inserted transposes; see [AttrDataLayout].
//
// The package knows nothing of pools, scopes, placements, configuration or files.
package graph
