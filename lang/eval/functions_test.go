package eval_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

var files = syntax.Memory{
	"conf/sizes.json":  `{"a": 1}`,
	"conf/name.tmpl":   "n${n}%{ for x in [1, 2] }-${upper(\"x\")}${x}%{ endfor }",
	"conf/broken.tmpl": "${",
	"conf/call.tmpl":   `${templatefile("call.tmpl", {})}`,
	"secret.txt":       "s",
	"conf/latin1.txt":  "\xe9",
}

func evaluate(t *testing.T, text string) (cty.Value, hcl.Diagnostics) {
	t.Helper()
	expr, diags := hclsyntax.ParseExpression([]byte(text), "test.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s: %s", text, diags)
	return expr.Value(&hcl.EvalContext{Functions: eval.Table(eval.Functions(files, "conf"))})
}

// The documentation's examples are of the form "expression # result"; those without a result are shown for their form.
func TestFunctionExamplesGiveWhatTheySay(t *testing.T) {
	functions := eval.Functions(files, "conf")
	assert.GreaterOrEqual(t, len(functions), 70)
	for _, f := range functions {
		t.Run(f.Name, func(t *testing.T) {
			assert.True(t, strings.HasPrefix(f.Signature, f.Name+"("), f.Signature)
			assert.True(t, strings.HasSuffix(f.Doc, "."), f.Doc)
			expression, result, ok := strings.Cut(f.Example, " # ")
			got, diags := evaluate(t, expression)
			require.False(t, diags.HasErrors(), diags.Error())
			if !ok {
				return
			}
			want, diags := evaluate(t, result)
			require.False(t, diags.HasErrors(), diags.Error())
			if got.Type().IsSetType() {
				got, _ = convert.Convert(got, cty.List(got.Type().ElementType()))
			}
			converted, err := convert.Convert(want, got.Type())
			require.NoError(t, err)
			assert.True(t, converted.RawEquals(got), "%s gave %#v", expression, got)
		})
	}
}

func TestFunctionResults(t *testing.T) {
	tests := []struct {
		name, text string
		want       cty.Value
	}{
		{"mib takes fractions", "mib(1.5)", cty.NumberIntVal(1572864)},
		{"gib is exact beyond a float", "gib(8388607) + 1", cty.NumberIntVal(9007198180999169)},
		{"bytes takes a number", "bytes(64)", cty.NumberIntVal(64)},
		{"bytes takes units", `bytes("24MiB")`, cty.NumberIntVal(25165824)},
		{"format_bytes takes a negative difference", "format_bytes(kib(1) - kib(3))", cty.StringVal("-2 KiB")},
		{"align_up keeps a multiple", "align_up(128, 64)", cty.NumberIntVal(128)},
		{"replace takes a pattern", `replace("a1b22", "/[0-9]+/", "#")`, cty.StringVal("a#b#")},
		{"length of a text counts characters", `length("né")`, cty.NumberIntVal(2)},
		{"length of an object", `length({ a = 1, b = 2 })`, cty.NumberIntVal(2)},
		{"alltrue of nothing", "alltrue([])", cty.True},
		{"anytrue of nothing", "anytrue([])", cty.False},
		{"one of nothing", "one([])", cty.NullVal(cty.DynamicPseudoType)},
		{"powers are exact", "pow(2, 62) + 1", cty.MustParseNumberVal("4611686018427387905")},
		{"a power of minus one", "pow(-1, 1000001)", cty.NumberIntVal(-1)},
		{"an even power of minus one", "pow(-1, 1000000)", cty.NumberIntVal(1)},
		{"an even power of minus one beyond machine integers", "pow(-1, 18446744073709551616)", cty.NumberIntVal(1)},
		{"an odd power of minus one beyond machine integers", "pow(-1, 18446744073709551617)", cty.NumberIntVal(-1)},
		{"a power of minus one of many digits", "pow(-1, pow(10, 100))", cty.NumberIntVal(1)},
		{"a large power of nothing", "pow(0, 18446744073709551616)", cty.NumberIntVal(0)},
		{"no power of minus one", "pow(-1, 0)", cty.NumberIntVal(1)},
		{"a power of zero", "pow(0, 0)", cty.NumberIntVal(1)},
		{"a power of nothing", "pow(0, 5)", cty.NumberIntVal(0)},
		{"a negative power", "pow(2, -1)", cty.NumberFloatVal(0.5)},
		{"texts of numbers beyond 2^53", "tostring(9007199254740993)", cty.StringVal("9007199254740993")},
		{"numbers of texts beyond 2^53", `tonumber("9223372036854775807") - 1`, cty.MustParseNumberVal("9223372036854775806")},
		{"formatted numbers beyond 2^53", `format("%d", 9223372036854775807)`, cty.StringVal("9223372036854775807")},
		{"JSON of numbers beyond 2^53", `jsonencode([9007199254740993])`, cty.StringVal("[9007199254740993]")},
		{"numbers of JSON beyond 2^53", `jsondecode("9007199254740993") + 0`, cty.MustParseNumberVal("9007199254740993")},
		{"numbers of YAML beyond 2^53", `yamldecode("9007199254740993") + 0`, cty.MustParseNumberVal("9007199254740993")},
		{"division of whole numbers beyond 2^53", "floor(9007199254740993 / 1)", cty.MustParseNumberVal("9007199254740993")},
		{"the largest of numbers beyond 2^53", "max(9007199254740992, 9007199254740993)", cty.MustParseNumberVal("9007199254740993")},
		{"no files", `length(fileset("nowhere", "*"))`, cty.NumberIntVal(0)},
		{"files of a directory", `tolist(fileset("..", "conf/n*.tmpl"))[0]`, cty.StringVal("conf/name.tmpl")},
		{"sum of nothing", "sum([])", cty.NumberIntVal(0)},
		{"a file is relative to the configuration", `jsondecode(file("sizes.json")).a`, cty.NumberIntVal(1)},
		{"a file above the configuration", `file("../secret.txt")`, cty.StringVal("s")},
		{"a template sees its variables and the functions", `templatefile("name.tmpl", { n = 7 })`, cty.StringVal("n7-X1-X2")},
		{"a missing file does not exist", `fileexists("nope")`, cty.False},
		{"a file that is there exists", `fileexists("sizes.json")`, cty.True},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, diags := evaluate(t, test.text)
			require.False(t, diags.HasErrors(), diags.Error())
			assert.True(t, test.want.RawEquals(got), "%#v", got)
		})
	}
}

func TestFunctionsRefuse(t *testing.T) {
	tests := []struct {
		name, text, says string
	}{
		{"a fraction of a byte", "kib(1.3)", "not a whole number of bytes"},
		{"a negative size", "mib(-1)", "negative"},
		{"an overflow", "gib(8589934592)", "largest size"},
		{"an ambiguous unit", `bytes("64KB")`, `Write "64KiB"`},
		{"a size of the wrong type", "bytes(true)", "a number or a string"},
		{"an alignment of zero", "align_up(1, 0)", "1 or more"},
		{"an overflow by alignment", "align_up(9223372036854775807, 64)", "largest size"},
		{"an absolute path", `file("/etc/passwd")`, "relative"},
		{"a missing file", `file("nope.txt")`, "there is no file"},
		{"a file that is not UTF-8", `file("latin1.txt")`, "not UTF-8"},
		{"a broken template", `templatefile("broken.tmpl", {})`, "broken.tmpl:1"},
		{"a template that calls itself", `templatefile("call.tmpl", {})`, "templatefile"},
		{"a template's variables that are none", `templatefile("name.tmpl", 1)`, "an object is needed"},
		{"a text repeated within itself", "replace(" + strings.Repeat("replace(", 12) + `"aa"` + strings.Repeat(`, "a", "aaaaaaaa")`, 12) + `, "a", "aaaaaaaa")`, "bytes of text"},
		{"a format with an enormous width", `format("%99999999d", 1)`, "above 10000"},
		{"an enormous indentation", `indent(1000000000, "a\nb")`, "above 1023"},
		{"an enormous product", "setproduct(range(1000), range(1000))", "elements"},
		{"a long join", `join(join("", range(1000)), concat(range(1000), range(1000), range(1000), range(1000), range(1000), range(1000)))`, "bytes of text"},
		{"a power beyond all bounds", "pow(10, 100000)", "binary digits"},
		{"an element that is not there", `index(["a"], "b")`, "not in the list"},
		{"more than one", "one([1, 2])", "one at most"},
		{"deep JSON", `jsondecode("` + strings.Repeat("[", 300) + `")`, "nested too deep"},
		{"deep YAML in one line", `yamldecode("` + strings.Repeat("- ", 300_000) + `")`, "nested too deep"},
		{"deep YAML in brackets", `yamldecode("` + strings.Repeat("[", 300) + `")`, "nested too deep"},
		{"a power of a power", "pow(3, 1000000000000)", "binary digits"},
		{"keys without values", `matchkeys([1], ["a", "b"], [])`, "2 keys for 1 values"},
		{"a pattern for many directories", `fileset(".", "**/*.json")`, "files of one directory"},
		{"a set of files that is absolute", `fileset("/etc", "*")`, "relative"},
		{"a template that is broken", `templatestring("$${", {})`, "the template:1"},
		{"bad Base64", `base64decode("?")`, "not valid Base64"},
		{"bytes that are no text", `base64decode("/w==")`, "not UTF-8"},
		{"a broken pattern", `replace("a", "/(/", "b")`, "missing closing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := evaluate(t, test.text)
			require.True(t, diags.HasErrors())
			assert.Contains(t, diags.Error(), test.says)
		})
	}
}
