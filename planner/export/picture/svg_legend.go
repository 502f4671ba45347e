package picture

import "strings"

// legendKeys is what a legend may explain besides colours.
type legendKeys struct{ copied, view, pinned, capacity, peak bool }

// keysOf finds what the panels show of it, and their roles.
func keysOf(panels []panel) (keys legendKeys, roles map[string]bool) {
	roles = map[string]bool{}
	for i := range panels {
		p := &panels[i]
		for j := range p.tiles {
			t := &p.tiles[j]
			roles[knownColour(t.Role)] = true
			keys.copied, keys.view, keys.pinned = keys.copied || t.copied, keys.view || t.view, keys.pinned || t.Reason.Pinned != nil
		}
		if p.pool.Type == "flat" {
			keys.capacity = keys.capacity || p.pool.Capacity != nil && *p.pool.Capacity <= p.ceiling()
			keys.peak = keys.peak || p.peakStep() != nil
		}
	}
	return keys, roles
}

// legend explains what the panels show, and nothing that they do not.
func (d *drawing) legend(panels []panel) {
	keys, roles := keysOf(panels)
	d.y += 3200
	x := int64(marginX)
	label := func(s string) {
		d.words("label", x+2200, d.y, s)
		x += 3600 + int64(len(s))*660
	}
	box := func(shown bool, class, name, extra string) {
		if shown {
			at := strings.NewReplacer("X", pixels(x), "Y", pixels(d.y-1050))
			d.line("%s", at.Replace(`<rect class="`+class+`" x="X" y="Y" width="16" height="12"/>`+extra))
			label(name)
		}
	}
	rule := func(shown bool, class string) {
		if shown {
			d.rule(class, x, d.y-450, x+1600, d.y-450)
			label(class)
		}
	}
	for _, s := range roleSwatches {
		box(roles[s.Name], "tile "+s.Name, s.Label, "")
	}
	x, d.y = marginX, d.y+2200
	box(keys.copied, "tile activation", "copy between scopes", `<rect class="hatch" x="X" y="Y" width="16" height="12"/>`)
	box(keys.view, "view", "view of another tensor's bytes", "")
	box(keys.pinned, "tile activation", "pinned", `<rect class="pin" x="X" y="Y" width="6" height="6"/>`)
	rule(len(panels) > 0, "bound")
	rule(keys.capacity, "capacity")
	box(keys.peak, "peak", "step of the peak", "")
}
