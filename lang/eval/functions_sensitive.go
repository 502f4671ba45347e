package eval

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// marked is the parameter of functions that see the marks of their argument.
var marked = []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowNull: true, AllowMarked: true, AllowDynamicType: true}}

var makeSensitive = function.New(&function.Spec{
	Params: marked,
	Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0].Mark(Sensitive), nil },
})

// makeNonsensitive drops the mark of the value itself; marks of what is inside stay.
var makeNonsensitive = function.New(&function.Spec{
	Params: marked,
	Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := args[0].Unmark()
		delete(marks, Sensitive)
		return v.WithMarks(marks), nil
	},
})

var isSensitive = function.New(&function.Spec{
	Params: marked,
	Type:   function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return cty.BoolVal(IsSensitive(args[0])), nil
	},
})
