package export

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/memplan/memplan/planner/plan"
)

// scopeColours are the fill colours of diagrams, by memory scope. They are light enough for black text, and differ in
// brightness for those who see no hues.
var scopeColours = []struct{ scope, colour string }{
	{"global", "#eef3f8"},
	{"global.texture", "#f6c667"},
	{"global.texture-weight", "#c3aed6"},
	{"global.texture-nhwc", "#8fc9a3"},
}

func colourOf(scope string) string {
	for _, c := range scopeColours {
		if c.scope == scope {
			return c.colour
		}
	}
	return scopeColours[0].colour
}

// diagram is a graph of a plan as boxes and arrows.
type diagram struct {
	graph *plan.Graph
	boxes []box
	// arrows are in the order of steps and operands.
	arrows []arrow
	// scopes are those that occur, in the order of scopeColours.
	scopes []string
}

// box is an op, or an input or output of the graph, which is round.
type box struct {
	id, title, name, scope string
	round                  bool
}

// arrow is a tensor on its way from one box to another.
type arrow struct {
	from, to string
	tensor   *plan.Tensor
}

// diagramOf draws the steps of a graph, with the inputs and outputs at its ends; constants are left out. An op has the
// scope of its first output. It costs O(steps + tensors).
func diagramOf(g *plan.Graph) *diagram {
	d := &diagram{graph: g}
	tensors := make(map[string]*plan.Tensor, len(g.Tensors))
	makers := map[string]string{}
	seen := map[string]bool{}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		tensors[t.Name] = t
		if t.Role == "input" {
			id := "in" + strconv.Itoa(i)
			makers[t.Name] = id
			d.add(box{id: id, title: "input", name: t.Name, scope: t.Scope, round: true}, seen)
		}
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		id := "op" + strconv.FormatInt(s.Step, 10)
		b := box{id: id, title: s.Op, name: s.Name, scope: "global"}
		for _, name := range s.Inputs {
			if t, from := tensors[name], makers[name]; t != nil && from != "" {
				d.arrows = append(d.arrows, arrow{from, id, t})
			}
		}
		for k, name := range s.Outputs {
			makers[name] = id
			if t := tensors[name]; t != nil && k == 0 {
				b.scope = t.Scope
			}
		}
		d.add(b, seen)
	}
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Role == "output" {
			id := "out" + strconv.Itoa(i)
			d.add(box{id: id, title: "output", name: t.Name, scope: t.Scope, round: true}, seen)
			if from := makers[t.Name]; from != "" {
				d.arrows = append(d.arrows, arrow{from, id, t})
			}
		}
	}
	for _, c := range scopeColours {
		if seen[c.scope] {
			d.scopes = append(d.scopes, c.scope)
		}
	}
	return d
}

func (d *diagram) add(b box, seen map[string]bool) {
	d.boxes = append(d.boxes, b)
	seen[b.scope] = true
}

// span is a tensor with bytes of its own, as a bar from its first step to its last.
type span struct {
	tensor *plan.Tensor
	pool   string
}

// spansOf lists the tensors of a graph that come and go, by pool in the order of the plan and then in the order of the
// graph. Views, constants and what has no bytes are left out.
func spansOf(p *plan.Plan, g *plan.Graph) []span {
	var spans []span
	for i := range p.Pools {
		for j := range g.Tensors {
			if t := &g.Tensors[j]; t.Pool == p.Pools[i].Name && t.ViewOf == nil && t.Size > 0 && t.Role != "constant" && t.Last > t.First {
				spans = append(spans, span{t, t.Pool})
			}
		}
	}
	return spans
}

// graphNamed is the graph of a name in a plan.
func graphNamed(p *plan.Plan, name string) (*plan.Graph, error) {
	for i := range p.Graphs {
		if p.Graphs[i].Name == name {
			return &p.Graphs[i], nil
		}
	}
	return nil, fmt.Errorf("the plan has no graph %q", name)
}

// drawn is a name as a diagram has it: what is no character to be seen, but moves, colours or turns round others, is replaced.
func drawn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, name)
}
