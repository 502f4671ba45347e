package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// csvColumns are named as in the plan; a shape is written "1x32x64".
var csvColumns = []string{
	"graph", "tensor", "role", "dtype", "shape", "layout", "scope", "pool", "storage", "offset", "size", "logical_size", "alignment",
	"first", "last", "producer", "view_of", "view_offset", "row_bytes", "row_stride",
}

// writeCSV writes a line for each tensor, in the order of the plan. An offset is empty for an image object and for memory
// of the caller.
func writeCSV(w io.Writer, s *Subject, _ *Options) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	for _, g := range s.graphs() {
		for i := range g.Tensors {
			if err := out.Write(csvRow(g.Name, &g.Tensors[i])); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvRow(graph string, t *plan.Tensor) []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	shape := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		shape[i] = number(n)
	}
	offset, base := "", ""
	if t.Offset != nil {
		offset = number(*t.Offset)
	}
	if t.ViewOf != nil {
		base = *t.ViewOf
	}
	row, stride := "", ""
	if t.Rows != nil {
		row, stride = number(t.Rows.Bytes), number(t.Rows.Stride)
	}
	return []string{
		csvName(graph), csvName(t.Name), t.Role, t.DType, strings.Join(shape, "x"), t.Layout, t.Scope, csvName(t.Pool), number(t.Storage), offset, number(t.Size),
		number(t.LogicalSize), number(t.Alignment), number(t.First), number(t.Last), csvName(t.Producer), csvName(base), number(t.ViewOffset), row, stride,
	}
}

// csvName puts an apostrophe before a name that a spreadsheet would take for a formula and compute, and before one that begins
// with an apostrophe itself, so that a reader gets every name back by leaving out a first apostrophe.
func csvName(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r\n'", rune(name[0])) {
		return "'" + name
	}
	return name
}
