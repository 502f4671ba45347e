package tvmjson

import (
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// dtypes are TVM's names of the element types that can be planned. Without a number of bits it takes 32.
var dtypes = map[string]graph.DType{
	"float16": graph.Float16, "float32": graph.Float32, "float64": graph.Float64, "bfloat16": graph.BFloat16,
	"int8": graph.Int8, "int16": graph.Int16, "int32": graph.Int32, "int64": graph.Int64,
	"uint8": graph.Uint8, "uint16": graph.Uint16, "uint32": graph.Uint32, "uint64": graph.Uint64,
	"bool": graph.Bool, "uint1": graph.Bool, "float": graph.Float32, "int": graph.Int32, "uint": graph.Uint32,
}

// dtypeNames are the names for messages.
var dtypeNames = []string{"float32", "float16", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"}

// parseDType returns the element type, or the rest of the sentence that says why there is none.
func parseDType(name string) (graph.DType, string) {
	element, lanes, vector := strings.Cut(name, "x")
	if vector && lanes == "1" {
		name = element
	}
	if d, ok := dtypes[name]; ok {
		return d, ""
	}
	if _, ok := dtypes[element]; ok && vector {
		return 0, "a vector. Compile the model with scalar elements and the lanes as an axis."
	}
	return 0, "which is not planned; the element types are " + strings.Join(dtypeNames, ", ") + "." + diag.DidYouMean(name, dtypeNames).Text + " Correct it or compile the model with one of them."
}
