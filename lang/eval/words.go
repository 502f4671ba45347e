package eval

import (
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
