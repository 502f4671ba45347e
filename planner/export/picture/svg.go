package picture

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/memplan/memplan/planner/plan"
)

// The layout of the picture, in hundredths of a pixel.
const (
	svgWidth  = 120000
	marginX   = 3200
	axisWidth = 8400
	plotLeft  = marginX + axisWidth
	plotWidth = svgWidth - plotLeft - marginX
	mapHeight = 34000
	liveSize  = 9000
	lineStep  = 2000
)

// drawing is an SVG document that grows downwards; y is where the next thing goes.
type drawing struct {
	bytes.Buffer
	y int64
}

// SVG writes the picture as one SVG document. It loads nothing, follows the reader's light or dark setting, and has a
// title for every tensor. The cost is O(tensors + steps + bytes written).
func SVG(w io.Writer, s Subject) error {
	d := &drawing{y: 5200}
	d.head(s.Plan, s.graphs(s.Plan))
	panels := s.panels(s.Plan)
	for _, p := range panels {
		if p.pool.Type == "flat" {
			d.memoryMap(&p)
			d.liveBytes(&p)
		}
		if images := p.storages(s.Plan.Storages); len(images) > 0 {
			d.images(images, &p)
		}
	}
	d.legend(panels)
	height := d.y + 2400
	var out bytes.Buffer
	title := graphNames(s.graphs(s.Plan))
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-label="%s">`,
		pixels(svgWidth), pixels(height), pixels(svgWidth), pixels(height), text("Memory of "+title))
	out.WriteString("\n" + svgStyle)
	fmt.Fprintf(&out, `<rect class="paper" width="100%%" height="100%%"/>`+"\n")
	if _, err := out.WriteTo(w); err != nil {
		return err
	}
	d.WriteString("</svg>\n")
	_, err := d.WriteTo(w)
	return err
}

// text escapes a text for XML. Characters that XML 1.0 cannot hold in any form are replaced, and those
// that turn round others.
func text(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf) || r == 0xFFFE || r == 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

// shorten cuts a text to a number of characters.
func shorten(s string, most int64) string {
	runes := []rune(s)
	if int64(len(runes)) <= most {
		return s
	}
	return string(runes[:max(0, most-1)]) + "…"
}

// tail cuts a text to its last characters: what tells the names of a model apart stands behind.
func tail(s string, most int64) string {
	runes := []rune(s)
	if int64(len(runes)) <= most {
		return s
	}
	return "…" + string(runes[int64(len(runes))-max(0, most-1):])
}

func graphNames(graphs []*plan.Graph) string {
	names := make([]string, len(graphs))
	for i, g := range graphs {
		names[i] = g.Name
	}
	return strings.Join(names, ", ")
}

// line writes elements on a line of their own.
func (d *drawing) line(format string, args ...any) { fmt.Fprintf(&d.Buffer, format+"\n", args...) }

// words writes a text at a place.
func (d *drawing) words(class string, x, y int64, s string) {
	d.line(`<text class="%s" x="%s" y="%s">%s</text>`, class, pixels(x), pixels(y), text(s))
}

func (d *drawing) rule(class string, x1, y1, x2, y2 int64) {
	d.line(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, pixels(x1), pixels(y1), pixels(x2), pixels(y2))
}

func (d *drawing) head(p *plan.Plan, graphs []*plan.Graph) {
	d.words("title", marginX, d.y, "Memory of "+shorten(graphNames(graphs), 70))
	d.y += lineStep
	for _, g := range graphs {
		d.words("note", marginX, d.y, shorten(fmt.Sprintf("%s: %d steps, %d tensors, from %s", g.Name, len(g.Steps), len(g.Tensors), g.Source), 140))
		d.y += lineStep
	}
	if p.Interrupted {
		d.words("note", marginX, d.y, "The search was stopped before its end: the same input may give another plan.")
		d.y += lineStep
	}
}

func (d *drawing) memoryMap(p *panel) {
	d.y += 2600
	d.words("heading", marginX, d.y, shorten("Pool "+p.pool.Name+", graph "+p.graph.Name, 110))
	d.y += 1900
	d.words("note", marginX, d.y, poolFacts(p.pool))
	d.y += 2600
	f := frame{d: d, top: d.y, height: mapHeight, from: p.from, to: p.to, whole: p.ceiling(), what: p.axis()}
	f.grid()
	f.bytesAxis("bytes from the pool's start")
	tiles := sorted(p.tiles)
	for _, t := range tiles {
		f.tile(t)
	}
	for _, t := range tiles {
		f.name(t)
	}
	f.marks(p)
	d.y += mapHeight
	if p.steady() {
		f.stepsAxis()
		d.y += 4000
	}
}

// sorted puts views behind the tensors that they lie in, so that they are drawn over them.
func sorted(tiles []tile) []*tile {
	var out []*tile
	for _, views := range []bool{false, true} {
		for i := range tiles {
			if t := &tiles[i]; t.view == views && t.Offset != nil {
				out = append(out, t)
			}
		}
	}
	return out
}

// poolFacts is what there is to say of a pool in a line.
func poolFacts(pool *plan.Pool) string {
	out := fmt.Sprintf("peak %s, bound %s", bytesText(pool.Peak), bytesText(pool.Bound))
	if pool.Optimality == "optimal" {
		out += " (optimal: no placement needs less)"
	} else {
		out += fmt.Sprintf(" (best found, gap %s)", bytesText(pool.Gap))
	}
	if pool.Capacity == nil {
		return out + ", capacity unlimited"
	}
	return out + fmt.Sprintf(", capacity %s", bytesText(*pool.Capacity))
}

// ceiling is the bytes that a map shows: the peak and the bound, and the capacity unless it is more than twice as much.
func (p *panel) ceiling() int64 {
	whole := max(p.pool.Peak, p.pool.Bound, 1)
	if c := p.pool.Capacity; c != nil && *c > whole && *c/2 <= whole {
		whole = *c
	}
	if whole < math.MaxInt64/2 {
		whole += whole / 32 // room for the lines at the top
	}
	return whole
}

// axis says what the steps are: an interval file has times and no ops.
func (p *panel) axis() string {
	if len(p.graph.Steps) == 0 {
		return "time"
	}
	return "steps, in the order in which the ops run"
}

func (d *drawing) liveBytes(p *panel) {
	live := p.live()
	if p.steady() {
		return
	}
	d.y += 1400
	most := max(p.pool.Bound, slices.Max(append(live, 1)))
	f := frame{d: d, top: d.y, height: liveSize, from: p.from, to: p.to, whole: most + most/16, what: p.axis()}
	f.bytesAxis("live")
	if live != nil {
		f.area(live)
	}
	f.level("bound", p.pool.Bound, "")
	d.y += liveSize
	f.stepsAxis()
	d.y += 4000
}

const svgStyle = `<style>
svg{color-scheme:light dark;font-family:system-ui,sans-serif;font-size:12px;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--paper:#fff;--area:#0969da}
@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9da7b3;--line:#30363d;--paper:#0d1117;--area:#58a6ff}}
@media print{svg{--ink:#000;--soft:#333;--line:#bbb;--paper:#fff}}
.paper{fill:var(--paper)}text{fill:var(--ink)}.note,.axis{fill:var(--soft)}.title{font-size:20px;font-weight:600}.heading{font-size:15px;font-weight:600}
.tick{text-anchor:end;fill:var(--soft)}.step{text-anchor:middle;fill:var(--soft)}.axis{font-size:11px}.over{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}.grid{stroke:var(--line)}.frame{fill:none;stroke:var(--soft)}
.tile{stroke:#1b1f24;stroke-opacity:.55;stroke-width:.6}.thin{stroke:none}.view{fill:none;stroke:#1b1f24;stroke-dasharray:3 2}.name{fill:#111;font-size:11px;pointer-events:none}
.input{fill:#e69f00}.output{fill:#009e73}.activation{fill:#56b4e9}.constant{fill:#b7b7b7}.scratch{fill:#cc79a7}.state{fill:#f0e442}
.hatch{fill:url(#hatch);pointer-events:none}.pin{fill:#1b1f24;pointer-events:none}.peak{fill:#d55e00;fill-opacity:.14;stroke:#d55e00;stroke-opacity:.7;pointer-events:none}
.bound{stroke:var(--ink);stroke-dasharray:7 4;stroke-width:1.3}.capacity{stroke:#d55e00;stroke-width:2}.area{fill:var(--area);fill-opacity:.3;stroke:var(--area)}.image{fill:none;stroke:var(--ink)}
</style>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" stroke="#1b1f24" stroke-width="1.6" stroke-opacity=".5"/></pattern></defs>
`
