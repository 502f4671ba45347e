package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// imageTable lists the images of a texture pool with the tensors that use each in turn.
func imageTable(paint palette, columns int, p *plan.Plan, pool *plan.Pool) string {
	users := map[int64][]string{}
	ix := indexOf(p)
	for _, g := range p.Graphs {
		for _, t := range g.Tensors {
			if t.Pool == pool.Name && t.ViewOf == nil {
				users[t.Storage] = append(users[t.Storage], fmt.Sprintf("%s %s", ix.name(g.Name, t.Name), lifetime(&t)))
			}
		}
	}
	out := grid{header: []string{"image", "width", "height", "texel", "row pitch", "bytes", "used by"},
		numbers: []int{0, 1, 2, 4, 5}, wraps: true, width: columns}
	for _, s := range p.Storages {
		if s.Pool == pool.Name && s.Width > 0 {
			out.add(strconv.FormatInt(s.ID, 10), strconv.FormatInt(s.Width, 10), strconv.FormatInt(s.Height, 10), s.Texel,
				strconv.FormatInt(s.RowPitch, 10), strconv.FormatInt(s.Size, 10), strings.Join(users[s.ID], ", "))
		}
	}
	if len(out.rows) == 0 {
		return ""
	}
	return paint.bold("Images of pool "+pool.Name) + "\n" + out.render(paint)
}
