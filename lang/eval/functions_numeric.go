package eval

import (
	"fmt"
	"math/big"

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
		{"pow", category, "pow(n, exponent)", "A power: exact for whole numbers and exponents from 0, else as a machine float.", "pow(3, 40) # 12157665459056928801", guard(power, nil)},
		{"signum", category, "signum(n)", "-1, 0 or 1.", "signum(-7) # -1", signum},
		{"sum", category, "sum(numbers)", "The sum of a list.", "sum([1, 2, 3]) # 6", sum},
	}
}

// power is exact where the result is a whole number for sure.
var power = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "n", Type: cty.Number}, {Name: "exponent", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		base, exponent := args[0].AsBigFloat(), args[1].AsBigFloat()
		if !base.IsInt() || !exponent.IsInt() || exponent.Sign() < 0 {
			return stdlib.Pow(args[0], args[1])
		}
		times, _ := exponent.Int64()
		whole, _ := base.Int(nil)
		if bits := int64(whole.BitLen()); bits > 1 && (times > maxExponent || bits*times > maxExponent) {
			return cty.DynamicVal, fmt.Errorf("the number has more than %d binary digits before or after the point", maxExponent)
		}
		if whole.BitLen() <= 1 {
			times = evenness(exponent) // of 0, 1 and -1 only the sign can change
		}
		return cty.NumberVal(new(big.Float).SetInt(whole.Exp(whole, big.NewInt(times), nil))), nil
	},
})

// evenness is 0 for an exponent of 0, 1 for odd ones and 2 for other even ones. The exponent may be larger than machine
// integers: it is odd where its last significant binary digit has the value 1.
func evenness(exponent *big.Float) int64 {
	switch {
	case exponent.Sign() == 0:
		return 0
	case exponent.MantExp(nil) == int(exponent.MinPrec()):
		return 1
	}
	return 2
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
