package picture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// frame is a plot: steps [from, to) across, bytes [0, whole] up.
type frame struct {
	d           *drawing
	top, height int64
	from, to    int64
	whole       int64
	// what says what the axis of steps counts.
	what string
}

func (f *frame) x(step int64) int64  { return plotLeft + scaled(step-f.from, f.to-f.from, plotWidth) }
func (f *frame) y(bytes int64) int64 { return f.top + f.height - scaled(bytes, f.whole, f.height) }

func (f *frame) bytesAxis(what string) {
	for _, at := range byteTicks(f.whole, max(2, f.height/4500)) {
		f.d.rule("grid", plotLeft, f.y(at), plotLeft+plotWidth, f.y(at))
		f.d.words("tick", plotLeft-600, f.y(at)+400, bytesText(at))
	}
	f.d.line(`<text class="axis" transform="translate(%s %s) rotate(-90)" text-anchor="middle">%s</text>`, pixels(1400), pixels(f.top+f.height/2), text(what))
	f.outline()
}

func (f *frame) outline() {
	f.d.line(`<rect class="frame" x="%s" y="%s" width="%s" height="%s"/>`, pixels(plotLeft), pixels(f.top), pixels(plotWidth), pixels(f.height))
}

func (f *frame) grid() {
	for _, at := range stepTicks(f.from, f.to) {
		f.d.rule("grid", f.x(at), f.top, f.x(at), f.top+f.height)
	}
}

func (f *frame) stepsAxis() {
	bottom := f.top + f.height
	for _, at := range stepTicks(f.from, f.to) {
		f.d.rule("frame", f.x(at), bottom, f.x(at), bottom+500)
		f.d.words("step", f.x(at), bottom+1800, strconv.FormatInt(at, 10))
	}
	f.d.words("axis", plotLeft, bottom+3400, f.what)
}

// tile draws a tensor, in as many pieces as its gaps leave of it.
func (f *frame) tile(t *tile) {
	for _, piece := range t.pieces() {
		x, y, width, height := f.piece(t, piece)
		f.box(t, x, y, width, height)
	}
}

// piece is where a piece of a tensor is drawn.
func (f *frame) piece(t *tile, piece plan.Piece) (x, y, width, height int64) {
	x, y = f.x(piece.First), f.y(*t.Offset+piece.To)
	return x, y, max(f.x(piece.Last)-x, 20), max(f.y(*t.Offset+piece.From)-y, 20)
}

// name writes a tensor's name into the largest of its pieces where there is room for it, over the lines of the views in it.
func (f *frame) name(t *tile) {
	var x, top, width, height int64
	for i, piece := range t.pieces() {
		if left, high, w, h := f.piece(t, piece); i == 0 || w*h > width*height {
			x, top, width, height = left, high, w, h
		}
	}
	if t.view || height < 1300 || width < 3500 {
		return
	}
	f.d.words("name", x+400, top+min(height/2+400, 1500), tail(t.Name, (width-800)/640))
}

func (f *frame) box(t *tile, x, y, width, height int64) {
	class := "tile " + knownColour(t.Role)
	switch {
	case t.view:
		class = "view"
	case height < 250 || width < 250:
		class += " thin"
	}
	place := fmt.Sprintf(`x="%s" y="%s" width="%s" height="%s"`, pixels(x), pixels(y), pixels(width), pixels(height))
	f.d.line(`<rect class="%s" %s><title>%s</title></rect>`, class, place, text(tileTitle(t)))
	if t.copied {
		f.d.line(`<rect class="hatch" %s/>`, place)
	}
	if t.Reason.Pinned != nil {
		f.d.line(`<rect class="pin" x="%s" y="%s" width="%s" height="%s"/>`, pixels(x), pixels(y), pixels(min(600, width)), pixels(min(600, height)))
	}
}

// tileTitle says of a tensor what a pointer that rests on it shall show.
func tileTitle(t *tile) string {
	parts := []string{fmt.Sprintf("%s: %s %s, %s", t.Name, t.Role, t.DType, bytesText(t.Size))}
	if t.Offset != nil {
		parts = append(parts, fmt.Sprintf("bytes [%d, %d)", *t.Offset, *t.Offset+t.Size))
	}
	if t.width > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d texels", t.width, t.height))
	}
	parts = append(parts, fmt.Sprintf("steps [%d, %d)", t.First, t.Last))
	switch {
	case t.ViewOf != nil:
		view := "view of " + *t.ViewOf
		if t.Rows != nil {
			view += " " + t.Rows.String()
		}
		parts = append(parts, view)
	case t.copied:
		parts = append(parts, "copy between scopes")
	}
	if t.Reason.Pinned != nil {
		parts = append(parts, "pinned")
	}
	return strings.Join(parts, ", ")
}

// peakStep is the step of the pool's peak if that is one of the panel's, else nil.
func (p *panel) peakStep() *int64 {
	if at := p.pool.PeakStep; at != nil && p.pool.PeakGraph == p.graph.Name && *at >= p.from && *at < p.to {
		return at
	}
	return nil
}

// marks draws the step of the peak, the bound and the capacity.
func (f *frame) marks(p *panel) {
	if at := p.peakStep(); at != nil {
		x := f.x(*at)
		name := fmt.Sprintf("peak at step %d", *at)
		if *at < int64(len(p.graph.Steps)) {
			name += ", " + p.graph.Steps[*at].Name
		}
		f.d.line(`<rect class="peak" x="%s" y="%s" width="%s" height="%s"/>`, pixels(x), pixels(f.top), pixels(max(f.x(*at+1)-x, 100)), pixels(f.height))
		f.label(x, f.top-500, shorten(name, 50))
	}
	f.level("bound", p.pool.Bound, "")
	if c := p.pool.Capacity; c != nil && *c <= f.whole {
		f.level("capacity", *c, "capacity "+bytesText(*c))
	}
}

// label writes a text over the plot, to the left of x where there is no room to its right.
func (f *frame) label(x, y int64, s string) {
	anchor := "start"
	if x > plotLeft+plotWidth*2/3 {
		anchor = "end"
	}
	f.d.line(`<text class="axis" x="%s" y="%s" text-anchor="%s">%s</text>`, pixels(x), pixels(y), anchor, text(s))
}

// level draws a line at an amount of bytes, with a note at its right end.
func (f *frame) level(class string, bytes int64, note string) {
	f.d.rule(class, plotLeft, f.y(bytes), plotLeft+plotWidth, f.y(bytes))
	if note != "" {
		f.d.line(`<text class="axis over" x="%s" y="%s" text-anchor="end">%s</text>`, pixels(plotLeft+plotWidth-400), pixels(f.y(bytes)+1300), text(note))
	}
}

// area draws an amount for each step.
func (f *frame) area(live []int64) {
	var path strings.Builder
	fmt.Fprintf(&path, "M%s %s", pixels(plotLeft), pixels(f.top+f.height))
	previous := int64(-1)
	for i, n := range live {
		if n != previous {
			fmt.Fprintf(&path, "H%sV%s", pixels(f.x(f.from+int64(i))), pixels(f.y(n)))
		}
		previous = n
	}
	fmt.Fprintf(&path, "H%sV%sZ", pixels(plotLeft+plotWidth), pixels(f.top+f.height))
	f.d.line(`<path class="area" d="%s"/>`, path.String())
}
