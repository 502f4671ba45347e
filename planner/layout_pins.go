package planner

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// pinOf returns the offset that a pin gives to the buffer's base, nil when none does. Pins of several members must
// agree.
func (g *planned) pinOf(b *liveness.Buffer) (*int64, diag.Diagnostics) {
	if b.Tensor == graph.NoTensor {
		return nil, nil
	}
	var found *int64
	var from pin
	var name string
	offsets := map[graph.TensorID]int64{b.Tensor: 0}
	for _, view := range b.Views {
		offsets[view.Tensor] = view.Offset
	}
	for _, id := range g.members(b) {
		wish, ok := g.pins[id]
		if !ok {
			continue
		}
		if from.pool != "" && from.pool != wish.pool {
			return nil, diag.Diagnostics{at(g.pinsDisagree(name, from, g.graph.Tensors[id].Name, wish), g.block.Name, wish.at)}
		}
		if from.pool == "" {
			from, name = wish, g.graph.Tensors[id].Name
		}
		if wish.offset < 0 {
			continue
		}
		base := wish.offset - offsets[id]
		if found != nil && *found != base {
			return nil, diag.Diagnostics{at(g.pinsDisagree(name, from, g.graph.Tensors[id].Name, wish), g.block.Name, wish.at)}
		}
		from, name, found = wish, g.graph.Tensors[id].Name, &base
	}
	return found, nil
}

func (g *planned) pinsDisagree(name string, a pin, other string, b pin) diag.Diagnostic {
	return diag.New(diag.ConflictingPins, "The tensors %q and %q share their bytes as views, but %s asks for %s, and %s for %s. Keep one of the two pins.",
		name, other, a.address, a.wish(), b.address, b.wish())
}

func (p pin) wish() string {
	if p.offset < 0 {
		return fmt.Sprintf("pool %q", p.pool)
	}
	return fmt.Sprintf("pool %q and offset %d", p.pool, p.offset)
}
