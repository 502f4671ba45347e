package config

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
)

// diagonalView is the view that only kernels with a known order of visiting allow.
const diagonalView = "diagonal"

// KeepsOrder reports whether the device's kernels go through a result row by row in the order of memory, and write no row
// before they have read all that it needs. Those of the host device do; of other drivers' it is not known.
func (d *Device) KeepsOrder() bool { return d.Driver == "host" }

// checkViews says for which devices of graphs a view that the settings ask for has no effect.
func (l *loader) checkViews() {
	p := &l.cfg.Planner
	if !slices.Contains(p.Views, diagonalView) {
		return
	}
	var seen []*Device
	for _, g := range l.cfg.Graphs {
		if g.Device == nil || g.Device.KeepsOrder() || slices.Contains(seen, g.Device) {
			continue
		}
		seen = append(seen, g.Device)
		l.diags = append(l.diags, diag.New(diag.DiagonalWithoutOrder,
			"The kernels of device %q, driver %q, are not known to go through a result in the order of memory, so that no result of its graphs is written over an operand from below. Only the driver \"host\" allows it: remove the view, or plan for such a device.",
			g.Device.Name, g.Device.Driver).At(p.Attributes["views"]))
	}
}
