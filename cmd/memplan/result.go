package main

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/planner"
)

// closing releases a result when its verb is done.
func closing(result *planner.Result, o *outcome) {
	if err := result.Close(); err != nil && o.err == nil {
		o.err = err
	}
}

// freeing closes the devices of runs when the verb ends.
func freeing(r *runner, o *outcome) {
	if err := r.close(); err != nil && o.err == nil {
		o.err = err
	}
}

// exitFor is the exit code of a verb that has shown its result with these diagnostics.
func exitFor(ds diag.Diagnostics) int {
	if ds.HasErrors() {
		return exitProblems
	}
	return exitOK
}

// remember keeps a text that diagnostics quote.
func (a *app) remember(name string, src []byte) {
	if a.files == nil {
		a.files = map[string]*hcl.File{}
	}
	a.files[name] = &hcl.File{Bytes: src}
}

func outputsOf(result *planner.Result) []view.Output {
	var out []view.Output
	for _, o := range result.Finished.Outputs {
		value := o.Value
		if o.Sensitive {
			value = value.Mark(eval.Sensitive)
		}
		out = append(out, view.Output{Name: o.Name, Description: o.Description, Value: value})
	}
	return out
}

func checksOf(result *planner.Result) []view.CheckResult {
	var out []view.CheckResult
	for _, check := range result.Finished.Checks {
		failed := slices.ContainsFunc(check.Asserts, func(a config.AssertResult) bool { return !a.Passed })
		out = append(out, view.CheckResult{Name: check.Name, Passed: !failed})
	}
	return out
}
