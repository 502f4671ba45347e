package config

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// TestSuffix ends the names of files with tests.
const TestSuffix = ".memplantest.hcl"

// TestFile is a file with tests of a configuration.
type TestFile struct {
	// Name is the path of the file; Config that of the configuration to test, "" when the file does not name one.
	Name, Config string
	Runs         []*TestRun
	File         *syntax.File
}

// TestRun is a "run" block of a test file: one plan, and what it must be like.
type TestRun struct {
	Name string
	// Variables are the values that the file and the run give, in an order in which later ones win.
	Variables []eval.Argument
	// Overrides are blocks that change or add attributes of the configuration's.
	Overrides []*hclsyntax.Block
	Asserts   []TestAssert
	// Expected are the failures without which the run fails: addresses such as "check.budget", or ids of diagnostics.
	Expected []ExpectedFailure
	Range    hcl.Range
}

// TestAssert is an "assert" block of a run.
type TestAssert struct{ Condition, ErrorMessage hclsyntax.Expression }

// ExpectedFailure is one entry of expect_failures.
type ExpectedFailure struct {
	What  string
	Range hcl.Range
}

// LoadTests reads a file with tests. The path has forward slashes; the result is never nil. It costs O(text).
func LoadTests(r syntax.Reader, name string) (*TestFile, diag.Diagnostics) {
	file, ds := syntax.ReadFile(r, name)
	t := &testLoader{file: &TestFile{Name: name, File: file}, functions: &hcl.EvalContext{Functions: eval.Table(eval.Functions(r, path.Dir(name)))}}
	if ds.HasErrors() {
		return t.file, ds
	}
	t.load()
	return t.file, append(ds, t.diags...)
}

type testLoader struct {
	structure
	file      *TestFile
	functions *hcl.EvalContext
}

func (t *testLoader) load() {
	overrides := map[hcl.Range][]*hclsyntax.Block{}
	body := *t.file.File.Body
	body.Blocks = slices.Clone(body.Blocks)
	for i, block := range body.Blocks {
		if block.Type == "run" {
			body.Blocks[i], overrides[block.DefRange()] = withoutOverrides(block)
		}
	}
	root := t.body(schema.TestFile(), &body, body.SrcRange)
	if a := root.attrs["config"]; a != nil {
		if v, ok := t.constant(a.expr); ok && v.Type() == cty.String && !v.IsNull() {
			t.file.Config = path.Join(path.Dir(t.file.Name), v.AsString())
		} else if ok {
			t.report(diag.New(diag.WrongType, "\"config\" takes the path of a configuration, as in config = \"net.hcl\".").At(a.expr.Range()))
		}
	}
	shared := t.variables(root)
	names := map[string]bool{}
	for _, b := range root.of("run") {
		if names[b.label] {
			t.report(diag.New(diag.DuplicateName, "There is already a run named %q. Rename one of the two.", b.label).At(b.labelRange))
		}
		names[b.label] = true
		t.file.Runs = append(t.file.Runs, t.run(b, shared, overrides[b.header]))
	}
}

// withoutOverrides takes the blocks apart that belong to the configuration's language.
func withoutOverrides(block *hclsyntax.Block) (*hclsyntax.Block, []*hclsyntax.Block) {
	rest, body := *block, *block.Body
	var overrides []*hclsyntax.Block
	body.Blocks = nil
	for _, inner := range block.Body.Blocks {
		if slices.Contains(schema.OverrideTypes, inner.Type) {
			overrides = append(overrides, inner)
		} else {
			body.Blocks = append(body.Blocks, inner)
		}
	}
	rest.Body = &body
	return &rest, overrides
}

func (t *testLoader) run(b *block, shared []eval.Argument, overrides []*hclsyntax.Block) *TestRun {
	run := &TestRun{Name: b.label, Range: b.header, Overrides: overrides, Variables: append(slices.Clone(shared), t.variables(b)...)}
	for _, inner := range b.of("assert") {
		if inner.attrs["condition"] != nil && inner.attrs["error_message"] != nil {
			run.Asserts = append(run.Asserts, TestAssert{inner.attrs["condition"].expr, inner.attrs["error_message"].expr})
		}
	}
	if a := b.attrs["expect_failures"]; a != nil {
		run.Expected = t.expected(a)
	}
	return run
}

// variables reads the values of a variables block.
func (t *testLoader) variables(b *block) (values []eval.Argument) {
	block := b.first("variables")
	if block == nil {
		return nil
	}
	for _, a := range block.order {
		if v, ok := t.constant(a.expr); ok {
			at := a.expr.Range()
			values = append(values, eval.Argument{Name: a.name, Constant: v, At: &at})
		}
	}
	return values
}

// constant evaluates an expression that may call functions and refer to nothing.
func (t *testLoader) constant(expr hclsyntax.Expression) (cty.Value, bool) {
	v, hclDiags := expr.Value(t.functions)
	ds := eval.FromHCL(hclDiags, expr.Range())
	t.diags = append(t.diags, ds...)
	return v, !ds.HasErrors()
}

// expected reads the list of what must fail. Its references are names: they are not evaluated.
func (t *testLoader) expected(a *attribute) (out []ExpectedFailure) {
	const form = "\"expect_failures\" lists blocks of the configuration and ids of diagnostics, as in [check.budget, \"MP0575\"]."
	entries, hclDiags := hcl.ExprList(a.expr)
	if hclDiags.HasErrors() {
		t.report(diag.New(diag.WrongType, form).At(a.expr.Range()))
	}
	for _, entry := range entries {
		at := entry.Range()
		if traversal, hclDiags := hcl.AbsTraversalForExpr(entry); !hclDiags.HasErrors() {
			what := syntax.Text(map[string]*hcl.File{at.Filename: t.file.File.HCL}, at)
			if kind := traversal.RootName(); len(traversal) < 2 || kind == "local" {
				t.report(diag.New(diag.InvalidReference, form).At(at))
				continue
			}
			out = append(out, ExpectedFailure{string(what), at})
			continue
		}
		v, hclDiags := entry.Value(nil)
		if hclDiags.HasErrors() || v.Type() != cty.String || v.IsNull() {
			t.report(diag.New(diag.WrongType, form).At(at))
			continue
		}
		if _, known := diag.Lookup(diag.ID(v.AsString())); !known {
			t.report(diag.New(diag.WrongType, "There is no diagnostic %q. %s", v.AsString(), form).At(at))
			continue
		}
		out = append(out, ExpectedFailure{v.AsString(), at})
	}
	return out
}

// BlocksAt lists the blocks at the top of the configuration's files that hold a range, and the blocks of overrides that do, as
// references: "check.budget", "var.batch".
func (c *Config) BlocksAt(at *hcl.Range, overrides []*hclsyntax.Block) (names []string) {
	if at == nil {
		return nil
	}
	blocks := overrides
	if file := c.Files[at.Filename]; file != nil {
		if body, ok := file.Body.(*hclsyntax.Body); ok {
			blocks = slices.Concat(blocks, body.Blocks)
		}
	}
	for _, b := range blocks {
		whole := hcl.RangeBetween(b.TypeRange, b.CloseBraceRange)
		if len(b.Labels) == 0 || b.TypeRange.Filename != at.Filename || at.Start.Byte < whole.Start.Byte || at.Start.Byte >= whole.End.Byte {
			continue
		}
		names = append(names, blockName(b))
	}
	return names
}

// blockName is the address of a block, as a list of expected failures names it.
func blockName(b *hclsyntax.Block) string {
	kind := b.Type
	if kind == "variable" {
		kind = "var"
	}
	if len(b.Labels) == 1 {
		if a, ok := addr.ParseFullName(addr.Kind(kind), b.Labels[0]); ok && a.Module != "" {
			return a.String()
		}
	}
	return strings.Join(append([]string{kind}, b.Labels...), ".")
}

// BlockNames lists the blocks at the top of the configuration's files and those of overrides, sorted, as [Config.BlocksAt] names
// them; nil when a file is in JSON, which is not read for this.
func (c *Config) BlockNames(overrides []*hclsyntax.Block) []string {
	blocks := overrides
	for _, file := range c.Files {
		body, ok := file.Body.(*hclsyntax.Body)
		if !ok {
			return nil
		}
		blocks = slices.Concat(blocks, body.Blocks)
	}
	var names []string
	for _, b := range blocks {
		if len(b.Labels) > 0 {
			names = append(names, blockName(b))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
