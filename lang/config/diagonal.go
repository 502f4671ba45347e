package config

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
)

// diagonalView is the view that only kernels with a known order of visiting allow.
const diagonalView = "diagonal"

// KeepsOrder reports whether the device's kernels go through a result row by row in the order of memory, and write no row
// before they have read all that it needs. Those of the host device do; of those of the driver "none" the configuration says it;
// those of OpenCL devices run many rows at a time.
func (d *Device) KeepsOrder() bool { return d.Driver == "host" || d.Driver == "none" && d.Ordered }

// TakesRows reports whether the device has kernels that read and write tensors whose rows have other bytes between them, see
// graph.Graph.TakesRows. The host device has.
func (d *Device) TakesRows() bool { return d.Driver == "host" }

// checkViews says for which devices of graphs a view that the settings ask for has no effect, and when it has none for any.
func (l *loader) checkViews() {
	p := &l.cfg.Planner
	if !slices.Contains(p.Views, diagonalView) {
		return
	}
	if len(p.Concurrent) > 0 {
		l.diags = append(l.diags, diag.New(diag.DiagonalConcurrent,
			"While the graphs %s may run at the same time, no step of one is before or after a step of another, and results over operands from below are found by step: no result of any graph is written so. Remove the view, or concurrent.",
			diag.Quoted(graphNames(p.Concurrent))).At(p.Attributes["views"]))
		return
	}
	var seen []*Device
	for _, g := range l.cfg.Graphs {
		if g.Device == nil || g.Device.KeepsOrder() || slices.Contains(seen, g.Device) {
			continue
		}
		seen = append(seen, g.Device)
		l.diags = append(l.diags, diag.New(diag.DiagonalWithoutOrder,
			"The kernels of device %q, driver %q, are not known to go through a result in the order of memory, so that no result of its graphs is written over an operand from below. %s",
			g.Device.Name, g.Device.Driver, orderHint(g.Device)).At(p.Attributes["views"]))
	}
}

// orderHint is what can be done about a device that keeps no order.
func orderHint(d *Device) string {
	if d.Driver == "none" {
		return "If its kernels do, say keeps_order = true in the device block; else remove the view."
	}
	return "Only the driver \"host\" does, and \"none\" where keeps_order says so: remove the view, or plan for such a device."
}

func graphNames(graphs []*Graph) []string {
	out := make([]string, len(graphs))
	for i, g := range graphs {
		out[i] = g.Name
	}
	return out
}
