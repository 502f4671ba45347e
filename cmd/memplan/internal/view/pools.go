package view

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memplan/memplan/planner/plan"
)

// writePools says of each pool what it needs and how good that is:
//
//	Pool arena on device gpu, flat
//	  peak      3538944 bytes (3.38 MiB) at step 12, conv5
//	  bound     3538944 bytes (3.38 MiB), gap 0: optimal, no placement needs less
//	  capacity  25165824 bytes (24 MiB), 14.1 % used  ███░░░░░░░░░░░░░░░░░
//
// What differs from the pool of an old plan, if there is one, is written with what it was: "64 → 96 bytes (+32)". The reports of pools
// follow their figures.
func writePools(b *strings.Builder, paint palette, columns int, planned *Planned) {
	p := planned.New
	for i := range p.Pools {
		pool := &p.Pools[i]
		was := poolNamed(planned.Old, pool)
		note := pool.Type
		if pool.Implicit {
			note += ", added for constants"
		}
		fmt.Fprintf(b, "%s %s on device %s, %s\n", paint.bold("Pool"), paint.bold(pool.Name), pool.Device, note)
		peak := fmt.Sprintf("  peak      %s", paint.bold(changeText(was.Peak, pool.Peak)))
		b.WriteString(peak + peakMoment(p, pool, columns-text.StringWidthWithoutEscSequences(peak)) + "\n")
		bound := fmt.Sprintf("  bound     %s, %s", changeText(was.Bound, pool.Bound), quality(paint, p, pool))
		b.WriteString(hanging(bound, columns, 12) + "\n")
		fmt.Fprintf(b, "  capacity  %s\n", capacityText(paint, was, pool))
		if why := emptyText(p, pool); why != "" {
			b.WriteString(hanging("  empty     "+why, columns, 12) + "\n")
		}
		if i < len(planned.Reports) {
			writeReport(b, paint, columns, &planned.Reports[i])
		}
		b.WriteByte('\n')
	}
}

// emptyText says why a texture pool that the configuration declares has nothing in it, where that is the policy's choice.
func emptyText(p *plan.Plan, pool *plan.Pool) string {
	if pool.Type != "texture" || pool.Peak > 0 || len(p.Graphs) == 0 {
		return ""
	}
	const next = "; a scope_rule with scope = \"global.texture\" puts tensors here"
	switch setting(p, "planner.scope_policy") {
	case "mincopy":
		return "the policy mincopy takes a texture only where that saves copies" + next
	case "flat":
		return "the policy flat takes no textures" + next
	}
	return ""
}

// poolNamed is the pool of that name in the plan, the pool itself when it has none.
func poolNamed(p *plan.Plan, pool *plan.Pool) *plan.Pool {
	if p != nil {
		for i := range p.Pools {
			if p.Pools[i].Name == pool.Name {
				return &p.Pools[i]
			}
		}
	}
	return pool
}

// peakMoment says when the peak is reached, in so many columns unless they are negative or too few for a name. An interval file has
// times and no ops.
func peakMoment(p *plan.Plan, pool *plan.Pool, room int) string {
	if pool.PeakStep == nil || pool.Peak == 0 {
		return ""
	}
	at, of := fmt.Sprintf(" at time %d", *pool.PeakStep), ""
	if len(p.Graphs) > 1 {
		of = " of graph " + pool.PeakGraph
	}
	for _, g := range p.Graphs {
		if g.Name == pool.PeakGraph && *pool.PeakStep >= 0 && *pool.PeakStep < int64(len(g.Steps)) {
			at = fmt.Sprintf(" at step %d, ", *pool.PeakStep)
			limit := longestPadded
			if room > 0 {
				limit = min(limit, max(room-len(at)-len(of), leastName))
			}
			at += shorten(visible(g.Steps[*pool.PeakStep].Name), limit)
		}
	}
	return at + of
}

func quality(paint palette, p *plan.Plan, pool *plan.Pool) string {
	name := "planner.algorithm"
	if pool.Type == "texture" {
		name = "planner.texture_algorithm"
	}
	algorithm := setting(p, name)
	switch {
	case pool.Optimality == "optimal":
		return fmt.Sprintf("gap %d: %s", pool.Gap, paint.green("optimal, no placement needs less"))
	case algorithm == "none":
		return fmt.Sprintf("gap %s: %s", bytesText(pool.Gap), paint.yellow("nothing shares bytes, as the algorithm none asks"))
	case algorithm != "auto" && algorithm != "exact" && algorithm != "greedy":
		return fmt.Sprintf("gap %s: %s", bytesText(pool.Gap), paint.yellow("as "+algorithm+" places it, one that needs less may exist"))
	}
	return fmt.Sprintf("gap %s: %s", bytesText(pool.Gap), paint.yellow("best found, one that needs less may exist"))
}

const gaugeCells = 20

func capacityText(paint palette, was, pool *plan.Pool) string {
	if pool.Capacity == nil {
		if was.Capacity != nil {
			return bytesText(*was.Capacity) + " → unlimited"
		}
		return "unlimited"
	}
	size := bytesText(*pool.Capacity)
	if was.Capacity == nil {
		size = "unlimited → " + size
	} else {
		size = changeText(*was.Capacity, *pool.Capacity)
	}
	return fmt.Sprintf("%s, %s used  %s", size, share(pool.Peak, *pool.Capacity), paint.faint(gauge(pool.Peak, *pool.Capacity, gaugeCells)))
}
