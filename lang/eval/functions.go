package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/syntax"
)

// Function is one function of the language.
type Function struct {
	Name string
	// Category groups functions in the documentation.
	Category string
	// Signature shows the parameters, as in "format(text, values...)".
	Signature string
	// Doc is one sentence, Example an expression with its result.
	Doc, Example string
	impl         function.Function
}

// Functions lists every function, by category in the order of the documentation, then by name. Those that read files
// do so through r, relative to dir.
func Functions(r syntax.Reader, dir string) []Function {
	var all []Function
	for _, group := range [][]Function{
		sizeFunctions(), numericFunctions(), stringFunctions(), collectionFunctions(), byName(encodingFunctions(), hashFunctions()), typeFunctions(),
	} {
		all = append(all, group...)
	}
	return append(all, fileFunctions(r, dir, all)...)
}

// byName merges two lists of one category.
func byName(a, b []Function) []Function {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Table returns the functions by name for an evaluation context.
func Table(functions []Function) map[string]function.Function {
	table := make(map[string]function.Function, len(functions))
	for _, f := range functions {
		table[f.Name] = f.impl
	}
	return table
}

// guard bounds what a function returns, so that a text repeated within itself cannot fill memory. The optional
// estimate looks at the arguments first, for functions whose result can be the product of theirs.
func guard(f function.Function, estimate func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Description: f.Description(),
		Params:      f.Params(),
		VarParam:    f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			// Some functions compute their result to tell its type, so the estimate comes before that too.
			if estimate != nil && !slices.ContainsFunc(args, func(v cty.Value) bool { return !v.IsWhollyKnown() }) {
				if err := estimate(args); err != nil {
					return cty.NilType, err
				}
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			result, err := f.Call(args)
			if err != nil {
				return cty.DynamicVal, err
			}
			return result, magnitude(result)
		},
	})
}

// repeats is the estimate of a function that may insert a text of one length for every byte of another.
func repeats(texts ...cty.Value) error {
	product := 1
	for _, text := range texts {
		if !text.IsKnown() || text.IsNull() || text.Type() != cty.String {
			return nil
		}
		product *= len(text.AsString()) + 1
		if product > maxText {
			return fmt.Errorf("the result could have more than %d bytes of text", maxText)
		}
	}
	return nil
}
