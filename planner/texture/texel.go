package texture

import (
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// texels are the element types that have a texel format, in the order of the documentation.
var texels = [...]graph.DType{graph.Float32, graph.Float16, graph.Int8, graph.Int16, graph.Int32, graph.Uint8, graph.Uint16, graph.Uint32}

// texelOf names the format of four elements.
func texelOf(dtype graph.DType) (string, bool) {
	for _, d := range texels {
		if d == dtype {
			return "rgba_" + d.String(), true
		}
	}
	return "", false
}

func texelTypes() string {
	names := make([]string, len(texels))
	for i, d := range texels {
		names[i] = d.String()
	}
	return strings.Join(names, ", ")
}
