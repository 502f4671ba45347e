package eval_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/eval"
)

func TestAWrongNameIsAnsweredWithTheNamesThereAre(t *testing.T) {
	number := cty.NumberIntVal(1)
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{
		"graph":  cty.ObjectVal(map[string]cty.Value{"hand": number, "face": number}),
		"var":    cty.ObjectVal(map[string]cty.Value{"sizes": cty.MapVal(map[string]cty.Value{"fast": number}), "list": cty.ListVal([]cty.Value{number})}),
		"secret": cty.ObjectVal(map[string]cty.Value{"key": number}).Mark(eval.Sensitive),
		"many":   cty.ObjectVal(numbered(12)),
	}}
	inner := ctx.NewChild()
	inner.Variables = map[string]cty.Value{"each": number}
	tests := []struct{ name, source, want string }{
		{"a near word", "grahp.hand", `There is nothing called "grahp" here. Did you mean "graph"?`},
		{"a word of no block that is declared", "pool.arena", `There is nothing called "pool" here. An expression here starts with "each", "graph", "many", "secret" or "var".`},
		{"a near attribute", "graph.hnd", `The value has no attribute "hnd". Did you mean "hand"?`},
		{"an attribute near none", "graph.pose", `The value has no attribute "pose". It has "face" and "hand".`},
		{"a near key", `graph["hnd"]`, `The value has no element with this key or index. Did you mean "hand"?`},
		{"a key of a map", `var.sizes["slow"]`, `The value has no element with this key or index. It has "fast".`},
		{"an index beyond the end", "var.list[3]", `The value has no element with this key or index. Its length is 1, and indexes start at 0.`},
		{"names of a sensitive value are not told", "secret.kay", `The value has no attribute "kay". Compare the name with those that the value has.`},
		{"many names are cut", "many.other", `The value has no attribute "other". It has "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" and 2 more.`},
		{"an index that is computed", "graph[each]", `The value has no element with this key or index. Compare the key with those that the value has.`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expr, faults := hclsyntax.ParseExpression([]byte(test.source), "x.hcl", hcl.InitialPos)
			require.False(t, faults.HasErrors())
			_, ds := eval.Value(expr, inner)
			require.Len(t, ds, 1)
			assert.Equal(t, test.want, ds[0].Detail)
		})
	}
}

func numbered(n int) map[string]cty.Value {
	values := map[string]cty.Value{}
	for i := range n {
		values[string(rune('a'+i))] = cty.NumberIntVal(int64(i))
	}
	return values
}
