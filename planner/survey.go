package planner

import (
	"context"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/source"
)

// Survey says of a configuration with faults what is wrong with its graphs, so that everything can be mended in one round: with their
// files, their shapes, and the names that the configuration has for their tensors. What could follow from a fault that is known
// is left out: blocks that are at fault themselves, and all that depends on pools, rules and devices.
func Survey(cfg *config.Config, open func(path string) (*source.File, error)) (diag.Diagnostics, error) {
	sound := *cfg
	sound.Graphs = slices.DeleteFunc(slices.Clone(cfg.Graphs), func(g *config.Graph) bool { return g.Faulty })
	imported, diags := importGraphs(&sound, open, nil)
	p := &pipeline{cfg: &sound, graphs: imported.graphs}
	return append(diags, p.survey()...), imported.close()
}

// survey looks at the graphs that could be read when others could not.
func (p *pipeline) survey() diag.Diagnostics {
	ctx := context.Background()
	diags := p.resolveShapes(ctx)
	p.graphs = slices.DeleteFunc(p.graphs, func(g *planned) bool { return g.pins == nil })
	return append(diags, p.connect(ctx)...)
}
