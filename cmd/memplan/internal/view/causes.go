package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

// writeRenamed lists what has other names than in the lock:
//
//	Renamed:
//	  pool.arena → pool.sram
func writeRenamed(b *strings.Builder, paint palette, renamed []planner.Rename) {
	if len(renamed) == 0 {
		return
	}
	fmt.Fprintf(b, "%s\n", paint.bold("Renamed:"))
	for _, r := range renamed {
		fmt.Fprintf(b, "  %s → %s\n", visible(r.From), visible(r.To))
	}
	b.WriteByte('\n')
}

// writeCauses lists the settings, devices and pools that differ from the old plan, if there is one:
//
//	Changed:
//	  pool arena         capacity  1024 → 2048
//	  planner.algorithm            auto → exact
func writeCauses(b *strings.Builder, paint palette, old, now *plan.Plan, change plan.Change) {
	if old == nil || len(change.Settings)+len(change.Attributes) == 0 {
		return
	}
	out := grid{}
	for _, c := range change.Attributes {
		switch {
		case c.Attribute != "":
			out.add(c.Kind+" "+c.Name, c.Attribute, attributeText(c.Old)+" → "+attributeText(c.New))
		case c.Old == nil:
			out.add(c.Kind+" "+c.Name, "", "is new")
		default:
			out.add(c.Kind+" "+c.Name, "", "is gone")
		}
	}
	for _, name := range change.Settings {
		out.add(name, "", setting(old, name)+" → "+setting(now, name))
	}
	fmt.Fprintf(b, "%s\n%s\n", paint.bold("Changed:"), out.render(paint))
}

func setting(p *plan.Plan, name string) string {
	if s, ok := p.Settings[name]; ok {
		return settingValue(s.Value)
	}
	return "none"
}

// attributeText writes a value of an attribute; one that is nil limits nothing.
func attributeText(value any) string {
	if value == nil {
		return "none"
	}
	return settingValue(value)
}
