package planner

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
)

// poolEntry is a pool of the plan: a declared one, or the implicit one for a device's constants.
type poolEntry struct {
	name      string
	device    *config.Device
	kind      string
	holds     []string
	size      int64
	alignment int64
	implicit  bool
	// uncapped lifts the limit of a flat pool, to see what would be chosen without.
	uncapped bool
	// images says that a flat pool also holds images over its bytes.
	images bool
	at     hcl.Range
}

// declarePools lists the declared pools in order.
func (p *pipeline) declarePools(context.Context) diag.Diagnostics {
	for _, pool := range p.cfg.Pools {
		p.pools = append(p.pools, poolEntry{
			name: pool.Name, device: pool.Device, kind: pool.Type, holds: pool.Holds, size: pool.Size, alignment: pool.Alignment, images: pool.Images,
			at: attribute(pool.Attributes, "size", pool.Range),
		})
	}
	return nil
}

// declareConstants adds a pool "<device>.constants" where constants would have no place.
func (p *pipeline) declareConstants(context.Context) diag.Diagnostics {
	for _, device := range p.cfg.Devices {
		if p.usesConstants(device) && !p.holdsConstants(device) {
			p.pools = append(p.pools, poolEntry{
				name: device.Name + ".constants", device: device, kind: "flat", holds: []string{string(graph.Constant)},
				size: layout.Unlimited, alignment: device.BaseAlignment, implicit: true, at: device.Range,
			})
		}
	}
	return nil
}

func (p *pipeline) usesConstants(device *config.Device) bool {
	for _, g := range p.graphs {
		if g.block.Device == device && slices.ContainsFunc(g.rewritten.Tensors, func(t graph.Tensor) bool { return t.Role == graph.Constant }) {
			return true
		}
	}
	return false
}

func (p *pipeline) holdsConstants(device *config.Device) bool {
	return slices.ContainsFunc(p.pools, func(e poolEntry) bool {
		return e.device == device && e.kind == "flat" && slices.Contains(e.holds, string(graph.Constant))
	})
}

// limit is what the solver may fill: the capacity, and no more than the device gives in one allocation.
func (e *poolEntry) limit() int64 {
	switch {
	case e.uncapped:
		return layout.Unlimited
	case e.device.MaxAlloc == 0:
		return e.size
	case e.size == layout.Unlimited:
		return e.device.MaxAlloc
	}
	return min(e.size, e.device.MaxAlloc)
}

func (p *pipeline) poolNamed(name string, device *config.Device) int {
	return slices.IndexFunc(p.pools, func(e poolEntry) bool { return e.name == name && e.device == device })
}

func (p *pipeline) poolNames(device *config.Device) []string {
	var names []string
	for i := range p.pools {
		if p.pools[i].device == device {
			names = append(names, p.pools[i].name)
		}
	}
	return names
}
