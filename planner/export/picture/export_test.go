package picture

import "github.com/memplan/memplan/planner/plan"

// Bands are the bytes of the pool that are drawn of the tensors of a graph.
func Bands(p *plan.Pool, g *plan.Graph) map[string][2]int64 {
	out := map[string][2]int64{}
	panel := newPanel(p, g)
	for i := range panel.tiles {
		t := &panel.tiles[i]
		for _, piece := range t.pieces() {
			out[t.Name] = [2]int64{*t.Offset + piece.From, *t.Offset + piece.To}
		}
	}
	return out
}
