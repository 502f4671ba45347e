package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
)

// Input is what a module block gives to a variable of the module.
type Input struct {
	// Value may be unknown until planned, or [InvalidValue].
	Value cty.Value
	// NameRange is that of the attribute's name, Range that of its value.
	NameRange, Range hcl.Range
}

// ResolveInputs finds the value of every declared variable of a module from what the block that calls it gives, as
// [Resolve] does for the configuration itself. The name is the block's, and call is the range of its header.
func ResolveInputs(declared []Variable, inputs map[string]Input, name string, call hcl.Range) (map[string]cty.Value, diag.Diagnostics) {
	c := newCollector(declared)
	c.missing = func(v *Variable) diag.Diagnostic {
		d := diag.New(diag.MissingModuleInput, "The module %q needs a value for its variable %q, which has no default. Add %s = ... to the block.", name, v.Name, v.Name).At(call)
		d.Related = []diag.Related{{Message: "the variable is declared here", Range: v.Range}}
		return d
	}
	for _, input := range slices.Sorted(maps.Keys(inputs)) {
		given := inputs[input]
		if c.declared[input] == nil {
			c.report(unknownInput(input, name, c.names).At(given.NameRange))
			continue
		}
		c.values[input] = given.given(name)
	}
	return c.resolveAll(declared), c.diags
}

func (i Input) given(module string) given {
	at := i.Range
	return given{value: i.Value, source: fmt.Sprintf("the module block %q", module), at: &at}
}

func unknownInput(input, module string, names []string) diag.Diagnostic {
	next := diag.DidYouMean(input, names)
	if len(names) == 0 {
		next = next.Or(" It has no variables: remove the attribute.")
	}
	next = next.Or(" Use one of " + diag.Enumerate(names, "or") + ", or remove the attribute.")
	return diag.New(diag.UnknownModuleInput, "The module %q has no variable %q.%s", module, input, next)
}
