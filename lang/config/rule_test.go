package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
)

func TestConditions(t *testing.T) {
	cfg := mustLoad(t, `
variable "min" { default = 10 }
scope_rule "big" {
  scope     = "global"
  condition = tensor.bytes >= var.min && tensor.shape[1] % 4 == 0 && op.type == "Conv"
}
scope_rule "plain" { scope = "" }
`)
	assert.Nil(t, cfg.Rules[1].Eval)
	assert.Equal(t, "global", cfg.Rules[1].Scope)
	tensor := func(bytes int64, shape ...int64) cty.Value {
		axes := make([]cty.Value, len(shape))
		for i, n := range shape {
			axes[i] = cty.NumberIntVal(n)
		}
		return cty.ObjectVal(map[string]cty.Value{"bytes": cty.NumberIntVal(bytes), "shape": cty.ListVal(axes)})
	}
	op := cty.ObjectVal(map[string]cty.Value{"type": cty.StringVal("Conv")})
	holds, ds := cfg.Rules[0].Eval(tensor(10, 1, 8), op)
	assert.Empty(t, ds)
	assert.True(t, holds)
	holds, ds = cfg.Rules[0].Eval(tensor(9, 1, 8), op)
	assert.Empty(t, ds)
	assert.False(t, holds)
	holds, ds = cfg.Rules[0].Eval(tensor(10, 1), op)
	require.Len(t, ds, 1, "a tensor of rank 1 has no axis 1")
	assert.Equal(t, diag.ID("MP0123"), ds[0].ID)
	assert.False(t, holds)
	_, ds = cfg.Rules[0].Eval(cty.DynamicVal, op)
	require.Len(t, ds, 1)
	assert.Equal(t, diag.ID("MP0128"), ds[0].ID)
}
