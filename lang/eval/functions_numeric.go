package eval

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func numericFunctions() []Function {
	const category = "Numbers"
	return []Function{
		{"abs", category, "abs(n)", "The absolute value.", "abs(-2) # 2", stdlib.AbsoluteFunc},
		{"ceil", category, "ceil(n)", "The next whole number up.", "ceil(1.2) # 2", stdlib.CeilFunc},
		{"floor", category, "floor(n)", "The next whole number down.", "floor(1.8) # 1", stdlib.FloorFunc},
		{"log", category, "log(n, base)", "The logarithm, as a machine float.", "log(8, 2) # 3", stdlib.LogFunc},
		{"max", category, "max(numbers...)", "The largest.", "max(1, 5, 3) # 5", stdlib.MaxFunc},
		{"min", category, "min(numbers...)", "The smallest.", "min(1, 5, 3) # 1", stdlib.MinFunc},
		{"parseint", category, "parseint(text, base)", "Reads a whole number in a base from 2 to 62.", `parseint("ff", 16) # 255`, guard(stdlib.ParseIntFunc, nil)},
		{"pow", category, "pow(n, exponent)", "A power, as a machine float.", "pow(2, 10) # 1024", guard(stdlib.PowFunc, nil)},
		{"signum", category, "signum(n)", "-1, 0 or 1.", "signum(-7) # -1", signum},
		{"sum", category, "sum(numbers)", "The sum of a list.", "sum([1, 2, 3]) # 6", sum},
	}
}

// signum is exact for any number, where the standard library's takes a machine integer.
var signum = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "n", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return cty.NumberIntVal(int64(args[0].AsBigFloat().Sign())), nil
	},
})

var sum = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "numbers", Type: cty.List(cty.Number)}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		total := cty.Zero
		for it := args[0].ElementIterator(); it.Next(); {
			_, n := it.Element()
			if n.IsNull() {
				return cty.DynamicVal, function.NewArgErrorf(0, "the list holds a null")
			}
			total = total.Add(n)
		}
		return total, nil
	},
})
