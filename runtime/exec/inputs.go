package exec

import (
	"maps"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/array"
)

// CheckInputs reports inputs that are missing, unknown or of another type than planned, in the model's order and then by
// name.
func (r *Runner) CheckInputs(inputs map[string]*array.Array) diag.Diagnostics {
	var diags diag.Diagnostics
	given := r.given()
	names := make([]string, len(given))
	for i, in := range given {
		t := in.info
		names[i] = t.Name
		a := inputs[t.Name]
		if a == nil {
			diags = append(diags, diag.New(diag.MissingInput, "Input %q, %v %v, has no value. Give it an array file or a random seed.", t.Name, t.DType, t.Shape))
			continue
		}
		if a.DType != t.DType || !a.Shape.Equal(t.Shape) {
			diags = append(diags, diag.New(diag.InputMismatch,
				"The array for input %q is %v %v, and the graph was planned for %v %v. Convert the array, or bind the dimensions and plan again.",
				t.Name, a.DType, a.Shape, t.DType, t.Shape))
			continue
		}
		if bytes, ok := a.Shape.Bytes(a.DType); !ok || bytes != int64(len(a.Data)) {
			diags = append(diags, diag.New(diag.InputMismatch,
				"The array for input %q has %d bytes of data, and %v %v takes %d. Make the array again.",
				t.Name, len(a.Data), a.DType, a.Shape, bytes))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.Contains(names, name) {
			diags = append(diags, diag.New(diag.UnknownInput, "The graph has no input %q; its inputs are %s.%s", name, diag.Quoted(names), suggest(name, names)))
		}
	}
	return diags
}
