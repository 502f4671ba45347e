package eval

import (
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
)

// Value evaluates an expression that stands alone, such as a line typed at a console or the condition of a test, under the same
// limits as those of a configuration.
func Value(expr hcl.Expression, ctx *hcl.EvalContext) (cty.Value, diag.Diagnostics) {
	v, hclDiags := expr.Value(ctx)
	if ds := FromHCL(hclDiags, expr.Range()); ds.HasErrors() {
		return InvalidValue(), ds
	}
	if ds := checkMagnitude(v, expr.Range()); len(ds) > 0 {
		return InvalidValue(), ds
	}
	return v, nil
}

var named = regexp.MustCompile(`named "([^"]*)"`)

// inWords says what an evaluation found in the words of this project, where its own are about the inside of the evaluator.
func inWords(d *hcl.Diagnostic) string {
	name := ""
	if found := named.FindStringSubmatch(d.Detail); found != nil {
		name = found[1]
	}
	switch {
	case d.Summary == "Invalid index":
		return "The value has no element with this key or index. Compare the key with those that the value has."
	case d.Summary == "Unsupported attribute" && name != "":
		return "The value has no attribute " + diag.Quoted([]string{name}) + ". Compare the name with those that the value has."
	case d.Summary == "Unknown variable" && name != "":
		return "There is nothing called " + diag.Quoted([]string{name}) + " here. An expression starts with the word of a block, such as pool or graph, or with var, local, module, path, each, count or self."
	case d.Summary == "Call to unknown function" && name != "":
		return "There is no function " + diag.Quoted([]string{name}) + ". The page on the language lists all of them."
	}
	return d.Summary + ": " + d.Detail
}
