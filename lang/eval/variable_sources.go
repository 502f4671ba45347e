package eval

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

// EnvironmentPrefix begins the names of environment variables that give values to variables.
const EnvironmentPrefix = "MEMPLAN_VAR_"

// VariableSources is where values of variables come from besides variables files.
type VariableSources struct {
	// Environment is the process's, as "NAME=value". Names that do not begin with EnvironmentPrefix, and variables
	// that are not declared, are ignored.
	Environment []string
	// Arguments are the -var and -var-file options in the order of the command line; later ones win.
	Arguments []Argument
}

// Argument is one -var or -var-file option, File being set for the latter only; or, with Constant, a value that a test gives
// at the range At.
type Argument struct {
	Name, Value string
	File        string
	Constant    cty.Value
	At          *hcl.Range
}

// collector gathers values, each replacing those of lower precedence.
type collector struct {
	declared map[string]*Variable
	names    []string
	values   map[string]given
	// missing is the diagnostic for a required variable without a value.
	missing func(*Variable) diag.Diagnostic
	diags   diag.Diagnostics
}

func (c *collector) report(d diag.Diagnostic) { c.diags = append(c.diags, d) }

func (c *collector) environment(environment []string) {
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		name, ok := strings.CutPrefix(name, EnvironmentPrefix)
		if ok && c.declared[name] != nil {
			c.values[name] = given{raw: value, isRaw: true, source: "the environment variable " + EnvironmentPrefix + name}
		}
	}
}

// file takes the values of a variables file.
func (c *collector) file(file *syntax.File) {
	if file.JSON != nil {
		c.json(file)
		return
	}
	for _, block := range file.Body.Blocks {
		c.report(diag.New(diag.InvalidVariablesFile, "A variables file gives values, as in name = value, and has no %q block. Move the block to a configuration file.", block.Type).At(block.TypeRange))
	}
	for _, attr := range file.Attributes() {
		if c.declared[attr.Name] == nil {
			c.report(diag.New(diag.UndeclaredVariableInFile, "No file declares a variable %q, so its value is ignored.%s", attr.Name, c.hint(attr.Name)).At(attr.NameRange))
			continue
		}
		value, hclDiags := attr.Expr.Value(nil)
		if hclDiags.HasErrors() {
			d := diag.New(diag.InvalidVariablesFile, "%s Variables files hold constants only.", inWords(hclDiags[0]))
			c.report(d.At(attr.Expr.Range()))
			continue
		}
		at := attr.Expr.Range()
		c.values[attr.Name] = given{value: value, source: file.Name, at: &at}
	}
}

// json takes the values of a variables file in JSON syntax.
func (c *collector) json(file *syntax.File) {
	found, hclDiags := file.JSON.JustAttributes()
	c.diags = append(c.diags, syntax.FromJSON(hclDiags)...)
	attrs := slices.SortedFunc(maps.Values(found), func(a, b *hcl.Attribute) int { return cmp.Compare(a.NameRange.Start.Byte, b.NameRange.Start.Byte) })
	for _, attr := range attrs {
		at := attr.Expr.Range()
		if c.declared[attr.Name] == nil {
			c.report(diag.New(diag.UndeclaredVariableInFile, "No file declares a variable %q, so its value is ignored.%s", attr.Name, c.hint(attr.Name)).At(attr.NameRange))
			continue
		}
		value, hclDiags := attr.Expr.Value(nil)
		if hclDiags.HasErrors() {
			c.report(diag.New(diag.InvalidVariablesFile, "%s Variables files hold constants only.", inWords(hclDiags[0])).At(at))
			continue
		}
		c.values[attr.Name] = given{value: value, source: file.Name, at: &at}
	}
}

func (c *collector) arguments(arguments []Argument, r syntax.Reader) {
	for _, argument := range arguments {
		if argument.File != "" {
			file, ds := syntax.ReadFile(r, argument.File)
			c.diags = append(c.diags, ds...)
			c.file(file)
			continue
		}
		if argument.Constant != cty.NilVal {
			c.constant(argument)
			continue
		}
		if c.declared[argument.Name] == nil {
			c.report(diag.New(diag.UndeclaredVariable, "-var gives a value to %q, which no file declares.%s", argument.Name, c.hint(argument.Name)))
			continue
		}
		c.values[argument.Name] = given{raw: argument.Value, isRaw: true, source: "-var"}
	}
}

func (c *collector) constant(argument Argument) {
	if c.declared[argument.Name] == nil {
		c.report(diag.New(diag.UndeclaredVariable, "The test gives a value to %q, which no file declares.%s", argument.Name, c.hint(argument.Name)).At(*argument.At))
		return
	}
	c.values[argument.Name] = given{value: argument.Constant, source: "the test", at: argument.At}
}

// hint suggests the nearest declared name, or the next step.
func (c *collector) hint(name string) diag.Hint {
	return diag.DidYouMean(name, c.names).Or(` Declare it with a "variable" block, or remove the value.`)
}
