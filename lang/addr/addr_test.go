package addr_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
)

func traversal(t *testing.T, text string) hcl.Traversal {
	t.Helper()
	expr, diags := hclsyntax.ParseExpression([]byte(text), "test.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags.Error())
	require.NotEmpty(t, expr.Variables())
	return expr.Variables()[0]
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, text, address, field string
	}{
		{"a pool", "pool.arena", "pool.arena", ""},
		{"a planned value", "pool.arena.peak", "pool.arena", "peak"},
		{"a tensor of a graph", `graph.g.tensor["a/b"].offset`, "graph.g", "tensor"},
		{"a name with a hyphen", "device.my-gpu", "device.my-gpu", ""},
		{"an index after the name has no field", "local.sizes[0]", "local.sizes", ""},
		{"the path of the module", "path.module", "path.module", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ref, ds := addr.Parse(traversal(t, test.text))
			require.Empty(t, ds)
			assert.Equal(t, test.address, ref.Address.String())
			assert.Equal(t, test.field, ref.Field())
			assert.Equal(t, len(test.address), ref.Range.End.Byte)
			assert.Equal(t, len(test.text), ref.Whole.End.Byte)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name, text, says string
	}{
		{"a kind alone", "pool", "Write the name after it, as in pool.NAME."},
		{"a name in brackets", `pool["arena"]`, "Write pool.arena."},
		{"a number in brackets", "pool[0]", "Write pool.NAME."},
		{"a misspelt kind", "pol.arena", `Did you mean "pool"?`},
		{"a bare word", "global", "put it in double quotes"},
		{"a text without quotes", "weights.bin", "or put a text in double quotes"},
		{"a path without quotes", "model.onnx", "If the path of a file is meant, put it in double quotes."},
		{"an unknown kind", "resource.x.y", "Begin the reference with var, local"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, ds := addr.Parse(traversal(t, test.text))
			require.Len(t, ds, 1)
			assert.Equal(t, diag.InvalidReference, ds[0].ID)
			assert.Equal(t, diag.ID("MP0125"), ds[0].ID)
			assert.Contains(t, ds[0].Detail, test.says)
		})
	}
}

func TestParseString(t *testing.T) {
	a, ok := addr.ParseString("pool.arena")
	assert.True(t, ok)
	assert.Equal(t, addr.Address{Kind: addr.Pool, Name: "arena"}, a)
	_, ok = addr.ParseString("run.smoke")
	assert.True(t, ok)
	a, ok = addr.ParseString("module.outer.module.inner.pool.arena")
	assert.True(t, ok)
	assert.Equal(t, addr.Address{Module: "module.outer.module.inner", Kind: addr.Pool, Name: "arena"}, a)
	assert.Equal(t, "module.outer.module.inner.pool.arena", a.String())
	assert.Equal(t, "module.outer.module.inner.arena", a.FullName())
	a, ok = addr.ParseString("module.outer")
	assert.True(t, ok)
	assert.Equal(t, addr.Address{Kind: addr.Module, Name: "outer"}, a)
	for _, text := range []string{"", "pool", "module.a.pool", "module.a b.pool.c", "module.a.module.b.c", "pool.", "pool.a b", "pol.a", "pool.a.b"} {
		_, ok := addr.ParseString(text)
		assert.False(t, ok, text)
	}
}

func TestCompare(t *testing.T) {
	assert.Negative(t, addr.Compare(addr.Address{Kind: addr.Device, Name: "z"}, addr.Address{Kind: addr.Pool, Name: "a"}))
	assert.Negative(t, addr.Compare(addr.Address{Kind: addr.Pool, Name: "z"}, addr.Address{Module: "module.m", Kind: addr.Device, Name: "a"}))
	assert.Positive(t, addr.Compare(addr.Address{Kind: addr.Pool, Name: "b"}, addr.Address{Kind: addr.Pool, Name: "a"}))
}
