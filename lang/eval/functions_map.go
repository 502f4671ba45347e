package eval

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// matchKeys picks the values whose keys are looked for.
var matchKeys = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "values", Type: cty.List(cty.DynamicPseudoType)}, {Name: "keys", Type: cty.List(cty.DynamicPseudoType)}, {Name: "wanted", Type: cty.List(cty.DynamicPseudoType)},
	},
	Type: func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		values, keys, wanted := args[0].AsValueSlice(), args[1].AsValueSlice(), args[2].AsValueSlice()
		if len(values) != len(keys) {
			return cty.DynamicVal, function.NewArgErrorf(1, "there are %d keys for %d values", len(keys), len(values))
		}
		if len(keys)*len(wanted) > 100*maxElements {
			return cty.DynamicVal, function.NewArgErrorf(2, "the lists are too long to compare")
		}
		var found []cty.Value
		for i, key := range keys {
			if slices.ContainsFunc(wanted, func(w cty.Value) bool { return isEqual(key, w) }) {
				found = append(found, values[i])
			}
		}
		if len(found) == 0 {
			return cty.ListValEmpty(t.ElementType()), nil
		}
		return cty.ListVal(found), nil
	},
})

func isEqual(a, b cty.Value) bool {
	equal, err := stdlib.Equal(a, b)
	return err == nil && equal.IsKnown() && equal.True()
}

// transpose turns a map of lists of strings around: each string gets the keys under which it stands.
var transpose = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "map", Type: cty.Map(cty.List(cty.String))}},
	Type:   function.StaticReturnType(cty.Map(cty.List(cty.String))),
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if !args[0].IsWhollyKnown() {
			return cty.UnknownVal(t), nil
		}
		around := map[string][]cty.Value{}
		for it := args[0].ElementIterator(); it.Next(); {
			key, list := it.Element()
			if list.IsNull() {
				continue
			}
			for _, text := range list.AsValueSlice() {
				if text.IsNull() {
					return cty.DynamicVal, function.NewArgErrorf(0, "a list in the map holds a null")
				}
				around[text.AsString()] = append(around[text.AsString()], key)
			}
		}
		if len(around) == 0 {
			return cty.MapValEmpty(t.ElementType()), nil
		}
		out := make(map[string]cty.Value, len(around))
		for text, keys := range around {
			out[text] = cty.ListVal(keys)
		}
		return cty.MapVal(out), nil
	},
})
