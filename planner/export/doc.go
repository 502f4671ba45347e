// Package export writes plans in the formats of other systems; [TVM] writes the graph files of TVM's graph executor. It
// decides nothing: where a tensor lies was decided, and checked, before. It must not know how.
package export
