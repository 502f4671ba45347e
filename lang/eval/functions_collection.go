package eval

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func collectionFunctions() []Function {
	const category = "Collections"
	return []Function{
		{"alltrue", category, "alltrue(list)", "Whether every element is true.", "alltrue([true, false]) # false", all(true)},
		{"anytrue", category, "anytrue(list)", "Whether some element is true.", "anytrue([true, false]) # true", all(false)},
		{"chunklist", category, "chunklist(list, size)", "The list cut into lists of the size.", "chunklist([1, 2, 3], 2) # [[1, 2], [3]]", guard(stdlib.ChunklistFunc, nil)},
		{"coalesce", category, "coalesce(values...)", "The first that is not null.", "coalesce(null, 2) # 2", stdlib.CoalesceFunc},
		{"coalescelist", category, "coalescelist(lists...)", "The first list that is not empty.", "coalescelist([], [1]) # [1]", stdlib.CoalesceListFunc},
		{"compact", category, "compact(list)", "Without empty texts and nulls.", `compact(["a", ""]) # ["a"]`, stdlib.CompactFunc},
		{"concat", category, "concat(lists...)", "One list after the other.", "concat([1], [2]) # [1, 2]", guard(stdlib.ConcatFunc, nil)},
		{"contains", category, "contains(list, value)", "Whether the value is an element.", `contains(["a"], "a") # true`, stdlib.ContainsFunc},
		{"distinct", category, "distinct(list)", "Without repeats.", `distinct(["a", "a"]) # ["a"]`, guard(stdlib.DistinctFunc, fewEnough)},
		{"element", category, "element(list, index)", "The element, counted around the list's end.", `element(["a", "b"], 3) # "b"`, stdlib.ElementFunc},
		{"flatten", category, "flatten(list)", "Lists within the list replaced by their elements.", "flatten([[1], [2, 3]]) # [1, 2, 3]", guard(stdlib.FlattenFunc, nil)},
		{"index", category, "index(list, value)", "The position of the value; an error when it is not there.", `index(["a", "b"], "b") # 1`, indexOf},
		{"keys", category, "keys(map)", "The keys in order.", "keys({ a = 1 }) # [\"a\"]", stdlib.KeysFunc},
		{"length", category, "length(value)", "The number of elements, or of characters of a text.", "length([1, 2]) # 2", length},
		{"lookup", category, "lookup(map, key, default)", "The element of the key, or the default.", `lookup({ a = 1 }, "b", 0) # 0`, stdlib.LookupFunc},
		{"matchkeys", category, "matchkeys(values, keys, wanted)", "The values whose keys, at the same positions, are wanted.", `matchkeys([1, 2, 3], ["a", "b", "a"], ["a"]) # [1, 3]`, matchKeys},
		{"merge", category, "merge(maps...)", "All elements; later maps win.", "merge({ a = 1 }, { b = 2 }) # { a = 1, b = 2 }", guard(stdlib.MergeFunc, nil)},
		{"one", category, "one(list)", "The only element, null for an empty list, an error for more.", "one([1]) # 1", one},
		{"range", category, "range(start, limit, step)", "Numbers from start (0 when left out) to before limit, 1024 at most.", "range(3) # [0, 1, 2]", guard(stdlib.RangeFunc, nil)},
		{"reverse", category, "reverse(list)", "The elements backwards.", "reverse([1, 2]) # [2, 1]", stdlib.ReverseListFunc},
		{"setintersection", category, "setintersection(sets...)", "What all sets hold.", `setintersection(["a", "b"], ["b"]) # ["b"]`, guard(stdlib.SetIntersectionFunc, nil)},
		{"setproduct", category, "setproduct(sets...)", "Every combination of elements.", `length(setproduct(["a", "b"], ["c"])) # 2`, guard(stdlib.SetProductFunc, combinations)},
		{"setsubtract", category, "setsubtract(set, other)", "What the first holds and the second does not.", `setsubtract(["a", "b"], ["b"]) # ["a"]`, guard(stdlib.SetSubtractFunc, nil)},
		{"setunion", category, "setunion(sets...)", "What any set holds.", `setunion(["a"], ["b"]) # ["a", "b"]`, guard(stdlib.SetUnionFunc, nil)},
		{"slice", category, "slice(list, start, end)", "The elements from start to before end.", "slice([1, 2, 3], 0, 2) # [1, 2]", stdlib.SliceFunc},
		{"sort", category, "sort(list)", "Texts in order of their bytes.", `sort(["b", "a"]) # ["a", "b"]`, stdlib.SortFunc},
		{"transpose", category, "transpose(map)", "A map of lists turned around: each text has the keys under which it stands.", `transpose({ a = ["x", "y"], b = ["y"] }).y # ["a", "b"]`, guard(transpose, nil)},
		{"values", category, "values(map)", "The values in order of their keys.", "values({ a = 1 }) # [1]", stdlib.ValuesFunc},
		{"zipmap", category, "zipmap(keys, values)", "A map of two lists.", `zipmap(["a"], [1]) # { a = 1 }`, guard(stdlib.ZipmapFunc, nil)},
	}
}

// all returns alltrue, or for want = false anytrue: a search for the first element that decides.
func all(want bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			unknown := false
			for it := args[0].ElementIterator(); it.Next(); {
				_, v := it.Element()
				switch {
				case !v.IsKnown():
					unknown = true
				case v.IsNull() && want, !v.IsNull() && v.True() != want:
					return cty.BoolVal(!want), nil
				}
			}
			if unknown {
				return cty.UnknownVal(cty.Bool), nil
			}
			return cty.BoolVal(want), nil
		},
	})
}

var length = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v := args[0]
		t := v.Type()
		switch {
		case t.IsTupleType():
			return cty.NumberIntVal(int64(t.Length())), nil
		case t.IsObjectType():
			return cty.NumberIntVal(int64(len(t.AttributeTypes()))), nil
		case !v.IsKnown():
			return cty.UnknownVal(cty.Number), nil
		case t == cty.String:
			return cty.NumberIntVal(int64(utf8.RuneCountInString(v.AsString()))), nil
		case t.IsCollectionType():
			return v.Length(), nil
		}
		return cty.DynamicVal, function.NewArgErrorf(0, "a collection or a text is needed, not %s", t.FriendlyName())
	},
})

var indexOf = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "value", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if t := args[0].Type(); !t.IsListType() && !t.IsTupleType() {
			return cty.DynamicVal, function.NewArgErrorf(0, "a list is needed, not %s", t.FriendlyName())
		}
		for it := args[0].ElementIterator(); it.Next(); {
			i, v := it.Element()
			if equal, err := stdlib.Equal(v, args[1]); err == nil && equal.IsKnown() && equal.True() {
				return i, nil
			}
		}
		return cty.DynamicVal, errors.New("the value is not in the list")
	},
})

var one = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		switch t := args[0].Type(); {
		case t.IsTupleType() && t.Length() == 1:
			return t.TupleElementType(0), nil
		case t.IsTupleType() && t.Length() > 1:
			return cty.NilType, function.NewArgErrorf(0, "the list has %d elements, one at most is needed", t.Length())
		case t.IsListType(), t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType(), t == cty.DynamicPseudoType:
			return cty.DynamicPseudoType, nil
		default:
			return cty.NilType, function.NewArgErrorf(0, "a list or set is needed, not %s", t.FriendlyName())
		}
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		switch n := args[0].LengthInt(); n {
		case 0:
			return cty.NullVal(t), nil
		case 1:
			it := args[0].ElementIterator()
			it.Next()
			_, v := it.Element()
			return v, nil
		default:
			return cty.DynamicVal, function.NewArgErrorf(0, "the list has %d elements, one at most is needed", n)
		}
	},
})

// fewEnough bounds what is compared pair by pair.
func fewEnough(args []cty.Value) error {
	if args[0].IsKnown() && args[0].LengthInt() > 10_000 {
		return errors.New("the list has more than 10000 elements")
	}
	return nil
}

func combinations(args []cty.Value) error {
	product := 1
	for _, set := range args {
		if !set.IsKnown() || set.IsNull() || !set.CanIterateElements() {
			return nil
		}
		product *= max(1, set.LengthInt())
		if product*len(args) > maxElements {
			return fmt.Errorf("the result would have more than %d elements", maxElements)
		}
	}
	return nil
}
