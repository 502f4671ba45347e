package eval

import (
	"errors"
	"math"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/units"
)

func sizeFunctions() []Function {
	const category = "Sizes"
	return []Function{
		{"align_up", category, "align_up(bytes, alignment)", "Rounds up to a multiple of the alignment.", "align_up(100, 64) # 128", alignUp},
		{"bytes", category, "bytes(size)", "Reads a size as an attribute would.", `bytes("1.5KiB") # 1536`, bytesOf},
		{"format_bytes", category, "format_bytes(bytes)", "Writes bytes for people, rounded to hundredths.", `format_bytes(1376256) # "1.31 MiB"`, formatBytes},
		{"gib", category, "gib(n)", "n times 2^30 bytes.", "gib(1) # 1073741824", times(1 << 30)},
		{"kib", category, "kib(n)", "n times 1024 bytes.", "kib(1.5) # 1536", times(1 << 10)},
		{"mib", category, "mib(n)", "n times 2^20 bytes.", "mib(16) # 16777216", times(1 << 20)},
	}
}

// sizeOf reads a size: a number, or a string with a unit.
func sizeOf(v cty.Value) (int64, error) {
	if v.Type() == cty.String {
		return units.ParseBytes(v.AsString())
	}
	return units.FromNumber(v.AsBigFloat())
}

func times(factor int64) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "n", Type: cty.Number}},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			n, err := units.FromNumber(args[0].Multiply(cty.NumberIntVal(factor)).AsBigFloat())
			if err != nil {
				return cty.DynamicVal, function.NewArgError(0, err)
			}
			return cty.NumberIntVal(n), nil
		},
	})
}

var bytesOf = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "size", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if t := args[0].Type(); t != cty.String && t != cty.Number {
			return cty.DynamicVal, function.NewArgErrorf(0, "a size is a number or a string, not %s", t.FriendlyName())
		}
		n, err := sizeOf(args[0])
		if err != nil {
			return cty.DynamicVal, function.NewArgError(0, err)
		}
		return cty.NumberIntVal(n), nil
	},
})

var formatBytes = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "bytes", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		n, err := units.FromNumber(args[0].Absolute().AsBigFloat())
		if err != nil {
			return cty.DynamicVal, function.NewArgError(0, err)
		}
		if args[0].AsBigFloat().Sign() < 0 {
			n = -n
		}
		return cty.StringVal(units.FormatBytes(n)), nil
	},
})

var alignUp = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "bytes", Type: cty.Number}, {Name: "alignment", Type: cty.Number}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		n, err := units.FromNumber(args[0].AsBigFloat())
		if err != nil {
			return cty.DynamicVal, function.NewArgError(0, err)
		}
		alignment, err := units.FromNumber(args[1].AsBigFloat())
		if err != nil {
			return cty.DynamicVal, function.NewArgError(1, err)
		}
		if alignment == 0 {
			return cty.DynamicVal, function.NewArgErrorf(1, "the alignment must be 1 or more")
		}
		missing := (alignment - n%alignment) % alignment
		if n > math.MaxInt64-missing {
			return cty.DynamicVal, errors.New("the result is more than the largest size")
		}
		return cty.NumberIntVal(n + missing), nil
	},
})
