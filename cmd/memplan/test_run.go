package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
)

// testRun plans the configuration for a run and judges what comes of it.
func (a *app) testRun(ctx context.Context, file *config.TestFile, run *config.TestRun) (result *view.TestResult, err error) {
	start := time.Now()
	result = &view.TestResult{File: file.Name, Run: run.Name}
	t := &tester{app: a, file: file, run: run}
	defer func() { err = errors.Join(err, t.result.Close()) }() // a plan that came too late is closed as well
	if err := t.plan(ctx); err != nil {
		return nil, err
	}
	ds := t.judge()
	maps.Copy(a.files, t.cfg.Files)
	result.Took = time.Since(start)
	result.Diagnostics = a.judged(ds)
	return result, nil
}

// tester is one run of a test file at work.
type tester struct {
	app  *app
	file *config.TestFile
	run  *config.TestRun

	cfg *config.Config
	// result is nil when there is no plan; diags are what loading and planning found.
	result *planner.Result
	diags  diag.Diagnostics
}

func (t *tester) plan(ctx context.Context) error {
	target := tested(t.file)
	t.cfg, t.diags = config.LoadFor(t.run, t.file.File, t.app.disk(), target, t.app.variablesFor(t.run))
	t.app.ignores = syntax.FindIgnores(t.cfg.Files)
	t.diags = t.app.ignores.Kept(t.diags)
	if t.diags.HasErrors() {
		return nil
	}
	if t.app.flags.algorithm != "" {
		t.cfg.Planner.Algorithm = t.app.flags.algorithm
	}
	j := &job{path: target, cfg: t.cfg, inputs: &t.app.inputs}
	result, ds, err := planner.Plan(ctx, t.cfg, planner.Options{Open: j.openSource, Version: version()})
	t.result = result
	t.diags = append(t.diags, ds...)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// judge returns what is wrong with the run: errors that were not expected, failures that were and did not come, and
// assertions that do not hold. Warnings are those of the configuration.
func (t *tester) judge() diag.Diagnostics {
	met := make([]bool, len(t.run.Expected))
	var ds diag.Diagnostics
	for _, d := range t.diags {
		if !t.isExpected(&d, met) {
			ds = append(ds, d)
		}
	}
	for i, expected := range t.run.Expected {
		switch known := t.cfg.BlockNames(t.run.Overrides); {
		case met[i]:
		case isAddress(expected.What) && known != nil && !slices.Contains(known, expected.What):
			ds = append(ds, diag.New(diag.ExpectedFailureMissing, "The run %q expects %s to fail, and the configuration has no such block.%s Correct the name.", t.run.Name, expected.What, diag.DidYouMean(expected.What, known)).At(expected.Range))
		default:
			ds = append(ds, diag.New(diag.ExpectedFailureMissing, "The run %q expects %s to fail, and it did not. Correct the expectation, or what it is about.", t.run.Name, expected.What).At(expected.Range))
		}
	}
	if ds.HasErrors() || len(t.run.Asserts) == 0 {
		return ds
	}
	if t.result == nil {
		at := t.run.Asserts[0].Condition.Range()
		return append(ds, diag.New(diag.TestUndecided, "The run %q makes no plan, as is expected of it, and so there is nothing to assert. Remove the assert blocks.", t.run.Name).At(at))
	}
	facts := planner.Facts(t.result.Plan)
	scope := t.cfg.EvalContext(&facts)
	scope.Variables["output"] = t.outputs()
	for _, assert := range t.run.Asserts {
		ds = append(ds, t.assert(scope, assert)...)
	}
	return ds
}

// isAddress reports whether an expected failure is named by a block of the configuration itself, not by the id of a diagnostic.
func isAddress(what string) bool {
	return strings.Contains(what, ".") && !strings.HasPrefix(what, "module.")
}

// isExpected reports whether a diagnostic is one that the run expects: by its id, or as an error about a block.
func (t *tester) isExpected(d *diag.Diagnostic, met []bool) bool {
	var about []string
	if d.Severity == diag.Error {
		about = append(t.cfg.BlocksAt(d.Subject, t.run.Overrides), t.variableAt(d.Subject)...)
	}
	found := false
	for i, expected := range t.run.Expected {
		if string(d.ID) == expected.What || slices.Contains(about, expected.What) {
			met[i], found = true, true
		}
	}
	return found
}

// variableAt is the variable that the test gives its value at a range.
func (t *tester) variableAt(at *hcl.Range) []string {
	for _, v := range t.run.Variables {
		if at != nil && v.At != nil && *v.At == *at {
			return []string{"var." + v.Name}
		}
	}
	return nil
}

func (t *tester) outputs() cty.Value {
	values := map[string]cty.Value{}
	for _, o := range t.result.Finished.Outputs {
		values[o.Name] = o.Value
		if o.Sensitive {
			values[o.Name] = o.Value.Mark(eval.Sensitive)
		}
	}
	return cty.ObjectVal(values)
}

// assert evaluates an assertion on the plan.
func (t *tester) assert(scope *hcl.EvalContext, assert config.TestAssert) diag.Diagnostics {
	at := assert.Condition.Range()
	value, ds := evaluated(scope, assert.Condition, cty.Bool)
	if ds.HasErrors() {
		return ds
	}
	if !value.IsKnown() || value.IsNull() {
		return diag.Diagnostics{diag.New(diag.TestUndecided, "The condition is neither true nor false. Compare with a value that the plan has.").At(at)}
	}
	if value.True() {
		return nil
	}
	message, ds := evaluated(scope, assert.ErrorMessage, cty.String)
	if ds.HasErrors() {
		return ds
	}
	text := "its condition is false."
	if message.IsKnown() && !message.IsNull() {
		text = strings.TrimSpace(message.AsString())
	}
	d := diag.New(diag.TestFailed, "The run %q failed: %s", t.run.Name, text).At(at)
	d.Expression, d.EvalContext = assert.Condition, scope
	return diag.Diagnostics{d}
}

// evaluated is the value of an expression without marks, converted to a type.
func evaluated(scope *hcl.EvalContext, expr hclsyntax.Expression, want cty.Type) (cty.Value, diag.Diagnostics) {
	value, ds := eval.Value(expr, scope)
	if ds.HasErrors() {
		return cty.NilVal, ds
	}
	if eval.IsSensitive(value) && want == cty.String {
		return cty.NullVal(want), nil // the message would tell it
	}
	converted, err := convert.Convert(eval.Plain(value), want)
	if err != nil {
		return cty.NilVal, diag.Diagnostics{diag.New(diag.WrongType, "The expression gives %s, and %s is needed: %v.", eval.Plain(value).Type().FriendlyName(), want.FriendlyName(), err).At(expr.Range())}
	}
	return converted, nil
}
