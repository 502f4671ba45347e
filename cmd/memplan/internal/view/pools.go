package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// writePools says of each pool what it needs and how good that is:
//
//	Pool arena on device gpu, flat
//	  peak      3538944 bytes (3.38 MiB) at step 12, conv5
//	  bound     3538944 bytes (3.38 MiB), gap 0: optimal, no placement needs less
//	  capacity  25165824 bytes (24 MiB), 14.1 % used  ███░░░░░░░░░░░░░░░░░
func writePools(b *strings.Builder, paint palette, p *plan.Plan) {
	for i := range p.Pools {
		pool := &p.Pools[i]
		note := pool.Type
		if pool.Implicit {
			note += ", added for constants"
		}
		fmt.Fprintf(b, "%s %s on device %s, %s\n", paint.bold("Pool"), paint.bold(pool.Name), pool.Device, note)
		fmt.Fprintf(b, "  peak      %s%s\n", paint.bold(bytesText(pool.Peak)), peakMoment(p, pool))
		fmt.Fprintf(b, "  bound     %s, %s\n", bytesText(pool.Bound), quality(paint, pool))
		fmt.Fprintf(b, "  capacity  %s\n\n", capacityText(paint, pool))
	}
}

// peakMoment says when the peak is reached. An interval file has times and no ops.
func peakMoment(p *plan.Plan, pool *plan.Pool) string {
	if pool.PeakStep == nil || pool.Peak == 0 {
		return ""
	}
	at, of := fmt.Sprintf(" at time %d", *pool.PeakStep), ""
	if len(p.Graphs) > 1 {
		of = " of graph " + pool.PeakGraph
	}
	for _, g := range p.Graphs {
		if g.Name == pool.PeakGraph && *pool.PeakStep >= 0 && *pool.PeakStep < int64(len(g.Steps)) {
			at = fmt.Sprintf(" at step %d, %s", *pool.PeakStep, visible(g.Steps[*pool.PeakStep].Name))
		}
	}
	return at + of
}

func quality(paint palette, pool *plan.Pool) string {
	if pool.Optimality == "optimal" {
		return fmt.Sprintf("gap %d: %s", pool.Gap, paint.green("optimal, no placement needs less"))
	}
	return fmt.Sprintf("gap %s: %s", bytesText(pool.Gap), paint.yellow("best found, one that needs less may exist"))
}

const gaugeCells = 20

func capacityText(paint palette, pool *plan.Pool) string {
	if pool.Capacity == nil {
		return "unlimited"
	}
	return fmt.Sprintf("%s, %s used  %s", bytesText(*pool.Capacity), share(pool.Peak, *pool.Capacity), paint.faint(gauge(pool.Peak, *pool.Capacity, gaugeCells)))
}
