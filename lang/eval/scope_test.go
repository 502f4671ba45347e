package eval_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

var (
	arena  = addr.Address{Kind: addr.Pool, Name: "arena"}
	batch  = addr.Address{Kind: addr.Variable, Name: "batch"}
	secret = addr.Address{Kind: addr.Variable, Name: "secret"}
	broken = addr.Address{Kind: addr.Local, Name: "broken"}
)

func testScope() (*eval.Scope, *eval.Inspector) {
	functions := eval.Table(eval.Functions(syntax.Memory{}, "."))
	scope := eval.NewScope(functions)
	scope.Set(arena, cty.ObjectVal(map[string]cty.Value{"size": cty.NumberIntVal(64), "peak": eval.PlannedValue(cty.Number, "pool.arena.peak")}))
	scope.Set(batch, cty.NumberIntVal(8))
	scope.Set(secret, cty.StringVal("s").Mark(eval.Sensitive))
	return scope, eval.NewInspector(declared{arena, batch, secret, broken}, functions, nil)
}

// declared lists names, none of them repeated.
type declared []addr.Address

func (d declared) Declared(a addr.Address) (eval.Repetition, bool) {
	return eval.Once, slices.Contains(d, a)
}

func (d declared) Names(kind addr.Kind) (names []string) {
	for _, a := range d {
		if a.Kind == kind {
			names = append(names, a.Name)
		}
	}
	return names
}

func run(t *testing.T, text string) (cty.Value, diag.Diagnostics) {
	t.Helper()
	scope, inspector := testScope()
	expr, ds := syntax.ParseExpression("test.hcl", []byte(text))
	require.Empty(t, ds)
	refs, ds := inspector.Inspect(expr, nil)
	if len(ds) > 0 {
		return eval.InvalidValue(), ds
	}
	return scope.Evaluate(expr, refs, nil)
}

func TestEvaluate(t *testing.T) {
	v, ds := run(t, `"${pool.arena.size * var.batch}${path.module}"`)
	require.Empty(t, ds)
	assert.Equal(t, cty.StringVal("512."), v)
}

func TestPlannedValuesTellWhereTheyComeFrom(t *testing.T) {
	for _, text := range []string{"pool.arena.peak", "1 + pool.arena.peak * 2", `"x${pool.arena.peak}"`, "[pool.arena.peak]", "max(pool.arena.peak, 1)", "pool.arena.peak > 1 ? 1 : 2", "{ for k in [pool.arena.peak] : tostring(k) => k }"} {
		t.Run(text, func(t *testing.T) {
			v, ds := run(t, text)
			require.Empty(t, ds)
			assert.False(t, v.IsWhollyKnown())
			assert.Equal(t, "pool.arena.peak", eval.PlannedSource(v))
			assert.False(t, eval.IsInvalid(v))
		})
	}
}

func TestMarksSpread(t *testing.T) {
	v, ds := run(t, `"${var.secret}!"`)
	require.Empty(t, ds)
	assert.True(t, eval.IsSensitive(v))
	assert.Equal(t, cty.StringVal("s!"), eval.Plain(v))
	v, ds = run(t, "local.broken + 1")
	require.Empty(t, ds, "the fault was reported where it is")
	assert.True(t, eval.IsInvalid(v))
	assert.False(t, eval.IsInvalid(cty.NilVal))
	assert.Equal(t, cty.NilVal, eval.Plain(cty.NilVal))
}

func TestInspectReports(t *testing.T) {
	tests := []struct {
		text string
		id   diag.ID
		says string
		at   string
	}{
		{"pool.arenaa.peak", "MP0124", `Did you mean "arena"?`, "pool.arenaa"},
		{"pool.arena.peek", "MP0126", `Did you mean "peak"?`, ".peek"},
		{"frmat(1)", "MP0129", `Did you mean "format"?`, "frmat"},
		{"[for x in [1] : x + var.nope]", "MP0124", `no variable named "nope"`, "var.nope"},
		{"pool[var.batch]", "MP0125", "alone is not a value", "pool"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			_, ds := run(t, test.text)
			require.Len(t, ds, 1, "%v", ds)
			assert.Equal(t, test.id, ds[0].ID)
			assert.Contains(t, ds[0].Detail, test.says)
			assert.Equal(t, test.at, test.text[ds[0].Subject.Start.Byte:ds[0].Subject.End.Byte])
		})
	}
}

func TestInspectSeesFurtherObjects(t *testing.T) {
	_, inspector := testScope()
	expr, ds := syntax.ParseExpression("test.hcl", []byte(`tensor.bytes > 1 && op.type == "Conv" && [for tensor in [1] : tensor] != []`))
	require.Empty(t, ds)
	refs, ds := inspector.Inspect(expr, schema.ConditionObjects())
	assert.Empty(t, ds)
	assert.Empty(t, refs)
	_, ds = inspector.Inspect(expr, nil)
	assert.Len(t, ds, 2, "elsewhere there is neither tensor nor op")
}

func TestValuesBeyondTheLimits(t *testing.T) {
	for _, text := range []string{"[for i in range(1000) : range(200)]", "1 / 0", `[for i in range(1000) : format("%10000d%10000d", i, i)]`} {
		t.Run(text, func(t *testing.T) {
			v, ds := run(t, text)
			require.Len(t, ds, 1)
			assert.Equal(t, diag.ID("MP0131"), ds[0].ID)
			assert.True(t, eval.IsInvalid(v))
		})
	}
}

func TestTheWholeScopeHasNoMarksButSensitive(t *testing.T) {
	scope, _ := testScope()
	ctx := scope.All()
	assert.True(t, eval.IsSensitive(ctx.Variables["var"].GetAttr("secret")))
	assert.Empty(t, eval.PlannedSource(ctx.Variables["pool"]))
	assert.NotEmpty(t, ctx.Functions)
}
