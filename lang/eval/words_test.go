package eval_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

func TestFaultsOfEvaluationAreSaidInTheWordsOfTheProject(t *testing.T) {
	none := cty.NullVal(cty.DynamicPseudoType)
	ctx := &hcl.EvalContext{Functions: eval.Table(eval.Functions(syntax.Memory{}, ".")), Variables: map[string]cty.Value{
		"none": cty.NullVal(cty.Object(map[string]cty.Type{"a": cty.String})), "nothing": none, "nonumber": cty.NullVal(cty.Number), "nolist": cty.NullVal(cty.List(cty.String)),
		"m":    cty.MapVal(map[string]cty.Value{"a": cty.NumberIntVal(1)}),
		"objs": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a": cty.True})}),
		"set":  cty.SetVal([]cty.Value{cty.True}),
		"list": cty.ListVal([]cty.Value{cty.NumberIntVal(1)}), "empty": cty.ListValEmpty(cty.Number),
		"l2": cty.ListVal([]cty.Value{cty.StringVal("x"), cty.StringVal("x")}),
	}}
	for text, want := range map[string]string{
		`m[nonumber]`:                      "The key is null.",
		`list[0.5]`:                        "the index has a fraction",
		`list[-1]`:                         "the index is negative",
		`empty[0]`:                         "The value has no elements",
		`list[7]`:                          "The value has no element with this key or index.",
		`set[0]`:                           "Make it a list with tolist.",
		`true[0]`:                          "The value is no list, map or object",
		`m["b"]`:                           "The value has no element with this key or index.",
		`none["a"]`:                        "The value is null and has no elements",
		`none.a`:                           "The value is null and has no attributes",
		`m.b`:                              `The map has no element with the key "b".`,
		`objs.a`:                           "The value is a list of objects",
		`true.a`:                           "The value is a bool and has no attributes.",
		`{ a = 1 }.b`:                      `The value has no attribute "b".`,
		`list.b`:                           "The value has no attributes.",
		`missing.x`:                        `There is nothing called "missing" here.`,
		`frob(1)`:                          `There is no function "frob".`,
		`a::frob(1)`:                       "There are no functions with :: in their names.",
		`max(true...)`:                     "What stands before ... in a call",
		`join()`:                           `The call of "join" has too few values: it takes at least 1. Add the one for "separator".`,
		`abs(1, 2)`:                        `The call of "abs" has too many values: it takes 1.`,
		`abs("x")`:                         `The function cannot take this value for "num": a number is required.`,
		`jsondecode("{")`:                  `The function "jsondecode" failed:`,
		`parseint("x", 10)`:                `The function cannot take this value for "number":`,
		`true ? [1] : { a = 1 }`:           "What a condition chooses from must be of one type. The 'true' value is",
		`nothing ? 1 : 2`:                  "The condition is null",
		`"x" ? 1 : 2`:                      "The condition is neither true nor false.",
		`{ (nothing) = 1 }`:                "A key of the object is null.",
		`{ ([1]) = 1 }`:                    "A key of an object is a text, and this is none:",
		`{ a.b = 1 }`:                      "A key with dots may be",
		`[for x in nolist : x]`:            "What the for expression goes through is null.",
		`[for x in 5 : x]`:                 "and this value is a number.",
		`[for x in list : x if nothing]`:   "The condition after if is null",
		`[for x in list : x if "x"]`:       "The condition after if is neither true nor false:",
		`{ for x in list : nothing => x }`: "A key of the for expression is null.",
		`{ for x in list : [x] => x }`:     "A key of the for expression is no text:",
		`{ for x in l2 : x => x }`:         `Two elements of the for expression have the key "x".`,
		`[7][1]`:                           "beyond the end of the list",
		`"a${nothing}"`:                    "A value within ${ } is null",
		`"a${list}"`:                       "A value within ${ } cannot be part of a text:",
		`"x" + 1`:                          "The operator cannot take what stands to its left: a number is required.",
		`1 + "x"`:                          `stands to its right: a number is required. Write a size as kib(4) or bytes("4KiB")`,
		`-"x"`:                             "The operator cannot take what stands after it: a number is required.",
		`nonumber + 1`:                     "The operation has no result: argument must not be null.",
		`0 / 0`:                            "The operation has no result:",
	} {
		t.Run(text, func(t *testing.T) {
			expr, hclDiags := hclsyntax.ParseExpression([]byte(text), "x.hcl", hcl.InitialPos)
			require.False(t, hclDiags.HasErrors(), "%v", hclDiags)
			_, ds := eval.Value(expr, ctx)
			require.NotEmpty(t, ds)
			require.Equal(t, diag.InvalidExpression, ds[0].ID)
			require.Contains(t, ds[0].Detail, want)
			require.NotRegexp(t, `\.\.$|\$\d`, ds[0].Detail)
		})
	}
}
