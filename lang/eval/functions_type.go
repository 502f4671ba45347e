package eval

import (
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func typeFunctions() []Function {
	const category = "Types and errors"
	return []Function{
		{"can", category, "can(expression)", "Whether the expression can be evaluated.", `can(tonumber("x")) # false`, tryfunc.CanFunc},
		{"issensitive", category, "issensitive(value)", "Whether the value, or something in it, is sensitive.", "issensitive(sensitive(1)) # true", isSensitive},
		{"nonsensitive", category, "nonsensitive(value)", "The value, no longer sensitive: for what tells no secret any more.", "issensitive(nonsensitive(sensitive(1))) # false", makeNonsensitive},
		{"sensitive", category, "sensitive(value)", "The value, hidden in messages and listings.", "issensitive([sensitive(1)]) # true", makeSensitive},
		{"tobool", category, "tobool(value)", "As true or false.", `tobool("true") # true`, stdlib.MakeToFunc(cty.Bool)},
		{"tolist", category, "tolist(value)", "As a list.", `tolist(["a"]) # ["a"]`, stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType))},
		{"tomap", category, "tomap(value)", "As a map.", "tomap({ a = 1 }) # { a = 1 }", stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType))},
		{"tonumber", category, "tonumber(value)", "As a number.", `tonumber("7") # 7`, stdlib.MakeToFunc(cty.Number)},
		{"toset", category, "toset(value)", "As a set.", `length(toset(["a", "a"])) # 1`, stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType))},
		{"tostring", category, "tostring(value)", "As a text.", `tostring(7) # "7"`, stdlib.MakeToFunc(cty.String)},
		{"try", category, "try(expressions...)", "The first that can be evaluated.", `try(tonumber("x"), 0) # 0`, tryfunc.TryFunc},
	}
}
