package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

// index finds tensors and storages of a plan by name and id.
type index struct {
	tensors  map[[2]string]*plan.Tensor
	storages map[int64]*plan.Storage
	// several says that the plan has more than one graph, so that a tensor's name alone does not tell it.
	several bool
}

func indexOf(p *plan.Plan) *index {
	ix := &index{tensors: map[[2]string]*plan.Tensor{}, storages: map[int64]*plan.Storage{}}
	if p == nil {
		return ix
	}
	ix.several = len(p.Graphs) > 1
	for i := range p.Storages {
		ix.storages[p.Storages[i].ID] = &p.Storages[i]
	}
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			ix.tensors[[2]string{p.Graphs[i].Name, p.Graphs[i].Tensors[j].Name}] = &p.Graphs[i].Tensors[j]
		}
	}
	return ix
}

// name is the tensor's name, after its graph's where there are several.
func (ix *index) name(graph, tensor string) string {
	if ix.several {
		return visible(graph + ": " + tensor)
	}
	return visible(tensor)
}

// kind is what a tensor holds: "float32 [1, 8, 14, 14]".
func kind(t *plan.Tensor) string {
	if t.DType == "" {
		return ""
	}
	return strings.TrimSpace(t.DType + " " + shapeText(t.Shape))
}

// placeText is where a tensor is: its offset, or the size of its image in texels.
func placeText(place *plan.Place) string {
	switch {
	case place.Width > 0 && place.Offset != nil:
		return fmt.Sprintf("%d, image %d×%d", *place.Offset, place.Width, place.Height)
	case place.Width > 0:
		return fmt.Sprintf("image %d×%d", place.Width, place.Height)
	case place.Offset != nil:
		return strconv.FormatInt(*place.Offset, 10)
	}
	return ""
}

// imageText is where a tensor in an image is: its own sides in texels, which other users of the storage may exceed, and
// the number of the storage: "400×22 in image 3". What has no packed form shows the storage's sides.
func imageText(place *plan.Place, t *plan.Tensor, s *plan.Storage) string {
	width, height := s.Width, s.Height
	if dtype, ok := graph.ParseDType(t.DType); ok {
		if own, reason := texture.Pack(texture.Scope(t.Scope), graph.Shape(t.Shape), t.Layout, dtype); reason == "" {
			width, height = own.Width, own.Height
		}
	}
	text := fmt.Sprintf("%d×%d in image %d", width, height, s.ID)
	if place.Offset != nil {
		text = fmt.Sprintf("%d, %s", *place.Offset, text)
	}
	return text
}

// why is the reason for a tensor's place in a few words, "" when there is nothing to tell.
func why(t *plan.Tensor) string {
	spill := ""
	if s := t.Reason.Spill; s != nil {
		spill = spilled(s) + ": " + s.Because
	}
	return whyWith(t, spill)
}

// spilled says in which pools there was no room.
func spilled(s *plan.Spill) string { return "spilled from " + strings.Join(s.From, ", ") }

// whyWith is why with a text on the spill, if there was one.
func whyWith(t *plan.Tensor, spill string) string {
	var parts []string
	if t.ViewOf != nil {
		parts = append(parts, viewText(t))
	}
	if t.Diagonal != nil {
		parts = append(parts, "over "+visible(t.Diagonal.Operand)+" from below")
	}
	r := &t.Reason
	switch {
	case r.Pinned != nil:
		parts = append(parts, "pinned by "+*r.Pinned)
	case r.Rule != nil:
		parts = append(parts, "by "+*r.Rule)
	}
	if spill != "" {
		parts = append(parts, spill)
	}
	for _, x := range r.Against() {
		parts = append(parts, fmt.Sprintf("not %s: %s", diag.Enumerate(x.Alternatives, "or"), x.Because))
	}
	if t.UpperBound {
		parts = append(parts, "sized for the maximum")
	}
	return strings.Join(parts, "; ")
}

func viewText(t *plan.Tensor) string {
	if t.Rows != nil {
		return fmt.Sprintf("in %s at byte %d, %s", visible(*t.ViewOf), t.ViewOffset, t.Rows)
	}
	if t.ViewOffset > 0 {
		return fmt.Sprintf("in %s at byte %d", visible(*t.ViewOf), t.ViewOffset)
	}
	return "shares " + visible(*t.ViewOf)
}

// lifetime is the half-open span of steps.
func lifetime(t *plan.Tensor) string { return fmt.Sprintf("[%d, %d)", t.First, t.Last) }

// tensorTable lists every tensor of a graph. On a terminal too narrow for the reasons these follow in a table of their
// own.
func tensorTable(paint palette, columns int, p *plan.Plan, g *plan.Graph) string {
	ix := indexOf(p)
	out := grid{header: []string{"tensor", "role", "type", "scope", "pool", "offset", "bytes", "live", "made by", "why"},
		numbers: []int{5, 6}, names: []int{0, 8}, details: []int{2}, spare: []int{8, 1}, wraps: true, width: columns}
	reasons := grid{header: []string{"tensor", "why"}, names: []int{0}, wraps: true, width: columns}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		place := plan.Place{Offset: t.Offset}
		where := placeText(&place)
		if s := ix.storages[t.Storage]; s != nil && s.Width > 0 {
			where = imageText(&place, t, s)
		}
		scope := ""
		if t.Scope != "global" {
			scope = t.Scope
		}
		name := visible(t.Name)
		out.add(name, t.Role, kind(t), scope, t.Pool, where, strconv.FormatInt(t.Size, 10), lifetime(t), visible(t.Producer), paint.faint(why(t)))
		if reason := why(t); reason != "" {
			reasons.add(name, paint.faint(reason))
		}
	}
	if columns == 0 || len(out.rows) == 0 || out.room(easyName) >= leastReason {
		return out.render(paint)
	}
	for i := range out.rows {
		out.rows[i][len(out.header)-1] = ""
	}
	return out.render(paint) + "\n" + reasons.render(paint)
}
