package scope

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// shelf is the pools of a device that one role, or one rule, may use, each kind in order of preference.
type shelf struct {
	// images take textures: pools of textures first, then flat ones with images over their bytes.
	images, flat []int
}

// shelve sorts pools by what they take. Those of other devices are left out.
func (d *decider) shelve(pools []int) shelf {
	var out shelf
	var overBuffers []int
	for _, k := range pools {
		pool := &d.r.Pools[k]
		switch {
		case pool.Device != d.r.Device.Name:
		case pool.Type != "flat":
			out.images = append(out.images, k)
		default:
			out.flat = append(out.flat, k)
			if pool.Images && d.limits != nil && d.limits.FromBuffer {
				overBuffers = append(overBuffers, k)
			}
		}
	}
	out.images = append(out.images, overBuffers...)
	return out
}

// shelves prepares the pools of each role and each rule.
func (d *decider) shelves() {
	d.byRole = make(map[graph.Role]shelf, len(graph.Roles))
	for _, role := range graph.Roles {
		var holding []int
		for k := range d.r.Pools {
			if slices.Contains(d.r.Pools[k].Holds, role) {
				holding = append(holding, k)
			}
		}
		d.byRole[role] = d.shelve(holding)
	}
	d.byRule = make([]shelf, len(d.r.Rules))
	for i := range d.r.Rules {
		d.byRule[i] = d.shelve(d.r.Rules[i].Pools)
	}
}

// defaults are the flat pools of the device that hold the role.
func (d *decider) defaults(role graph.Role) []int { return slices.Clone(d.byRole[role].flat) }

// noImagePool says why no pool can take a tensor as an image, "" when one can.
func (d *decider) noImagePool(s *subject) string {
	if s.rule >= 0 && d.r.Rules[s.rule].Pools != nil {
		if len(d.byRule[s.rule].images) > 0 {
			return ""
		}
		return fmt.Sprintf("%s names no pool for images on device %s", d.r.Rules[s.rule].Address, d.r.Device.Name)
	}
	if len(d.byRole[s.facts.Role].images) > 0 {
		return ""
	}
	return fmt.Sprintf("no pool for images on device %s holds %s", d.r.Device.Name, s.facts.Role)
}

// imageCandidates are the pools for a tensor as an image, and how many of them come before the flat ones that take what
// spills.
func (d *decider) imageCandidates(s *subject) ([]int, int) {
	shelf := d.byRole[s.facts.Role]
	spill := shelf.flat
	if s.rule >= 0 && d.r.Rules[s.rule].Pools != nil {
		shelf = d.byRule[s.rule]
		if len(shelf.flat) > 0 {
			spill = shelf.flat
		}
	}
	pools := slices.Clone(shelf.images)
	for _, k := range spill {
		if !slices.Contains(pools, k) {
			pools = append(pools, k)
		}
	}
	return pools, len(shelf.images)
}
