package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/shape"
)

// checkCapabilities warns of operators in capabilities that no graph has and that are spelt nearly as one that memplan knows. Any
// name may be that of somebody's own operator.
func (p *pipeline) checkCapabilities(context.Context) diag.Diagnostics {
	known := shape.Operators()
	for _, g := range p.graphs {
		for i := range g.rewritten.Ops {
			known = append(known, g.rewritten.Ops[i].Op)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	var diags diag.Diagnostics
	for _, device := range p.cfg.Devices {
		for _, c := range device.Capabilities {
			if strings.HasPrefix(c.Range.Filename, builtin.Prefix) {
				continue
			}
			for _, op := range c.Op {
				if _, found := slices.BinarySearch(known, op); found || op == "*" {
					continue
				}
				if near := diag.DidYouMean(op, known); near.Text != "" {
					diags = append(diags, diag.New(diag.UnknownCapabilityOp, "A capability of device %q is for the operator %q, which no graph has.%s Correct the name, or keep it if it is that of an operator of your own.", device.Name, op, near).At(c.Range))
				}
			}
		}
	}
	return diags
}
