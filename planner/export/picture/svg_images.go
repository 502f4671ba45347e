package picture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/plan"
)

// images draws the image storages of a pool to one scale, in rows in order of id, each with the rectangles that its tensors
// use from its corner.
func (d *drawing) images(storages []*plan.Storage, p *panel) {
	d.y += 2600
	d.words("heading", marginX, d.y, shorten("Images of pool "+p.pool.Name+", graph "+p.graph.Name, 110))
	d.y += 1900
	largest := int64(1)
	for _, s := range storages {
		largest = max(largest, s.Width, s.Height)
	}
	d.words("note", marginX, d.y, fmt.Sprintf("%s; drawn to one scale, the longest side is %d texels", poolFacts(p.pool), largest))
	d.y += 1400
	const room, gap, caption = 30000, 1600, 1800
	x, row := int64(marginX), int64(0)
	for _, s := range storages {
		width, height := max(scaled(s.Width, largest, room), 40), max(scaled(s.Height, largest, room), 40)
		label := fmt.Sprintf("%d: %d × %d", s.ID, s.Width, s.Height)
		box := max(width, int64(len(label))*600)
		if x > marginX && x+box > svgWidth-marginX {
			x, d.y, row = marginX, d.y+row+gap+caption, 0
		}
		d.image(s, p, x, d.y+caption, width, height)
		d.words("axis", x, d.y+1300, label)
		x, row = x+box+gap, max(row, height)
	}
	d.y += row + caption + 1000
	if p.pool.Type != "flat" {
		d.liveBytes(p)
	}
}

func (d *drawing) image(s *plan.Storage, p *panel, x, y, width, height int64) {
	f := frame{d: d}
	var users []*tile
	for i := range p.tiles {
		if t := &p.tiles[i]; t.Storage == s.ID && t.width > 0 && !t.view {
			users = append(users, t)
		}
	}
	// The large ones first, so that none hides another.
	slices.SortStableFunc(users, func(a, b *tile) int { return cmp.Compare(b.LogicalSize, a.LogicalSize) })
	for _, t := range users {
		f.box(t, x, y, max(scaled(t.width, s.Width, width), 20), max(scaled(t.height, s.Height, height), 20))
	}
	d.line(`<rect class="image" x="%s" y="%s" width="%s" height="%s"><title>%s</title></rect>`, pixels(x), pixels(y), pixels(width), pixels(height),
		text(fmt.Sprintf("storage %d: %d × %d texels %s, rows of %d bytes, %s, used by %d tensors", s.ID, s.Width, s.Height, s.Texel, s.RowPitch, bytesText(s.Size), len(users))))
}
