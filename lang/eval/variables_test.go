package eval_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

func variable(name string, t cty.Type, standard cty.Value) eval.Variable {
	return eval.Variable{Name: name, Type: t, Typed: t != cty.DynamicPseudoType, Default: standard, Nullable: true}
}

func variablesFile(t *testing.T, name, text string) *syntax.File {
	t.Helper()
	file, ds := syntax.Parse(name, []byte(text))
	require.Empty(t, ds)
	return file
}

func TestLaterSourcesWin(t *testing.T) {
	declared := []eval.Variable{variable("x", cty.String, cty.StringVal("default"))}
	env := []string{"MEMPLAN_VAR_x=environment", "MEMPLAN_VAR_other=ignored", "PATH=/bin"}
	first, second := variablesFile(t, "memplan.vars.hcl", `x = "first"`), variablesFile(t, "a.auto.memplanvars.hcl", `x = "second"`)
	reader := syntax.Memory{"cli.hcl": `x = "file"`}
	tests := []struct {
		name    string
		files   []*syntax.File
		sources eval.VariableSources
		want    string
	}{
		{"the default when nothing is given", nil, eval.VariableSources{}, "default"},
		{"the environment before the default", nil, eval.VariableSources{Environment: env}, "environment"},
		{"a variables file before the environment", []*syntax.File{first}, eval.VariableSources{Environment: env}, "first"},
		{"the later of two variables files", []*syntax.File{first, second}, eval.VariableSources{}, "second"},
		{"-var before variables files", []*syntax.File{first}, eval.VariableSources{Arguments: []eval.Argument{{Name: "x", Value: "argument"}}}, "argument"},
		{"-var-file after -var", nil, eval.VariableSources{Arguments: []eval.Argument{{Name: "x", Value: "argument"}, {File: "cli.hcl"}}}, "file"},
		{"-var after -var-file", nil, eval.VariableSources{Arguments: []eval.Argument{{File: "cli.hcl"}, {Name: "x", Value: "argument"}}}, "argument"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values, ds := eval.Resolve(declared, test.files, test.sources, reader)
			require.Empty(t, ds)
			assert.Equal(t, cty.StringVal(test.want), values["x"])
		})
	}
}

func TestArgumentsFollowTheDeclaredType(t *testing.T) {
	tests := []struct {
		name string
		typ  cty.Type
		text string
		want cty.Value
	}{
		{"a string is taken as it is", cty.String, "08e30503", cty.StringVal("08e30503")},
		{"even when it looks like an expression", cty.String, `"a" + [`, cty.StringVal(`"a" + [`)},
		{"so is a value without a type", cty.DynamicPseudoType, "08e30503", cty.StringVal("08e30503")},
		{"a number", cty.Number, "12", cty.NumberIntVal(12)},
		{"a bool", cty.Bool, "true", cty.True},
		{"a list is an expression", cty.List(cty.String), `["a", "b"]`, cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})},
		{"its elements become what the type has", cty.List(cty.String), `[1, 2]`, cty.ListVal([]cty.Value{cty.StringVal("1"), cty.StringVal("2")})},
		{"a set has each element once", cty.Set(cty.Number), `[2, 1, 2]`, cty.SetVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)})},
		{"a list of anything has elements of one type", cty.List(cty.DynamicPseudoType), `[1, "a"]`, cty.ListVal([]cty.Value{cty.StringVal("1"), cty.StringVal("a")})},
		{"an empty list", cty.List(cty.String), `[]`, cty.ListValEmpty(cty.String)},
		{"an object is an expression", cty.Object(map[string]cty.Type{"n": cty.Number}), `{ n = 1 }`, cty.ObjectVal(map[string]cty.Value{"n": cty.NumberIntVal(1)})},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			declared := []eval.Variable{variable("x", test.typ, cty.NilVal)}
			values, ds := eval.Resolve(declared, nil, eval.VariableSources{Arguments: []eval.Argument{{Name: "x", Value: test.text}}}, nil)
			require.Empty(t, ds)
			assert.True(t, test.want.RawEquals(values["x"]), "%#v", values["x"])
			values, ds = eval.Resolve(declared, nil, eval.VariableSources{Environment: []string{"MEMPLAN_VAR_x=" + test.text}}, nil)
			require.Empty(t, ds)
			assert.True(t, test.want.RawEquals(values["x"]), "%#v", values["x"])
		})
	}
}

func TestResolveReports(t *testing.T) {
	number := []eval.Variable{variable("number", cty.Number, cty.NumberIntVal(1))}
	strict := []eval.Variable{{Name: "strict", Type: cty.String, Typed: true}}
	list := []eval.Variable{variable("list", cty.List(cty.Number), cty.ListValEmpty(cty.Number))}
	tests := []struct {
		name     string
		declared []eval.Variable
		file     string
		sources  eval.VariableSources
		id       diag.ID
		says     string
	}{
		{"a variable without a value", strict, "", eval.VariableSources{}, "MP0142", "-var strict=VALUE"},
		{"an undeclared -var with a suggestion", number, "", eval.VariableSources{Arguments: []eval.Argument{{Name: "numbr", Value: "1"}}}, "MP0143", `Did you mean "number"?`},
		{"an undeclared -var without one", number, "", eval.VariableSources{Arguments: []eval.Argument{{Name: "zzz", Value: "1"}}}, "MP0143", "Declare it"},
		{"an undeclared variable in a file", number, "numbre = 1", eval.VariableSources{}, "MP0144", `Did you mean "number"?`},
		{"a value of another type in a file", number, `number = "many"`, eval.VariableSources{}, "MP0145", "vars.hcl"},
		{"a value of another type by -var", number, "", eval.VariableSources{Arguments: []eval.Argument{{Name: "number", Value: "many"}}}, "MP0145", "from -var"},
		{"a value of another type in the environment", number, "", eval.VariableSources{Environment: []string{"MEMPLAN_VAR_number=many"}}, "MP0145", "MEMPLAN_VAR_number"},
		{"an element of another type", list, "", eval.VariableSources{Arguments: []eval.Argument{{Name: "list", Value: `["1", "x"]`}}}, "MP0145", "[1]: a number is required"},
		{"a broken expression", list, "", eval.VariableSources{Arguments: []eval.Argument{{Name: "list", Value: "[1,"}}}, "MP0145", "-var"},
		{"an expression that refers to something", list, "", eval.VariableSources{Arguments: []eval.Argument{{Name: "list", Value: "[var.x]"}}}, "MP0145", "Variables may not be used here"},
		{"null where it is not allowed", strict, "strict = null", eval.VariableSources{}, "MP0145", "not nullable"},
		{"a block in a variables file", number, "pool \"p\" {}", eval.VariableSources{}, "MP0147", `has no "pool" block`},
		{"a reference in a variables file", number, "number = var.x", eval.VariableSources{}, "MP0147", "constants only"},
		{"a function in a variables file", number, "number = max(1, 2)", eval.VariableSources{}, "MP0147", "constants only"},
		{"a variables file that is not there", number, "", eval.VariableSources{Arguments: []eval.Argument{{File: "nope.hcl"}}}, "MP0114", "nope.hcl"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values, ds := eval.Resolve(test.declared, []*syntax.File{variablesFile(t, "vars.hcl", test.file)}, test.sources, syntax.Memory{})
			require.Len(t, ds, 1, "%v", ds)
			assert.Equal(t, test.id, ds[0].ID)
			assert.Contains(t, ds[0].Detail, test.says)
			assert.Equal(t, test.id == "MP0144", ds[0].Severity == diag.Warning)
			for _, v := range test.declared {
				assert.Contains(t, values, v.Name)
			}
		})
	}
}

func TestSensitiveValuesAreMarkedAndNeverShown(t *testing.T) {
	declared := []eval.Variable{{Name: "s", Type: cty.Number, Typed: true, Default: cty.NumberIntVal(1), Sensitive: true}}
	values, ds := eval.Resolve(declared, nil, eval.VariableSources{}, nil)
	require.Empty(t, ds)
	assert.True(t, eval.IsSensitive(values["s"]))
	_, ds = eval.Resolve(declared, nil, eval.VariableSources{Arguments: []eval.Argument{{Name: "s", Value: "hunter2"}}}, nil)
	require.Len(t, ds, 1)
	assert.NotContains(t, ds[0].Detail, "hunter2")
}

func TestNullStandsForTheDefaultWhenNotNullable(t *testing.T) {
	declared := []eval.Variable{{Name: "x", Type: cty.Number, Typed: true, Default: cty.NumberIntVal(3)}}
	values, ds := eval.Resolve(declared, []*syntax.File{variablesFile(t, "v.hcl", "x = null")}, eval.VariableSources{}, nil)
	require.Empty(t, ds)
	assert.True(t, cty.NumberIntVal(3).RawEquals(values["x"]))
}
