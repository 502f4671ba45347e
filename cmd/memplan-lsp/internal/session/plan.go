package session

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
)

// Planned is what planning a configuration gave.
type Planned struct {
	// Plan is nil when the graphs cannot be placed.
	Plan  *plan.Plan
	Diags diag.Diagnostics
	// Loaded is the configuration that was planned.
	Loaded *Loaded
	// Finished holds the outputs and checks, empty without a plan.
	Finished config.Finished

	facts func() config.Planned
}

// Facts are the planned values that expressions may use, nil without a plan.
func (p *Planned) Facts() *config.Planned {
	if p == nil || p.Plan == nil {
		return nil
	}
	facts := p.facts()
	return &facts
}

// makePlan plans a configuration that loaded without errors. The error is for faults of memplan itself.
func makePlan(ctx context.Context, l *Loaded, version string) (p *Planned, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			p, err = nil, fmt.Errorf("planning %s: %v", l.reader.target.name, fault)
		}
	}()
	result, ds, err := planner.Plan(ctx, l.Config, planner.Options{Open: l.openGraph, Version: version, Previous: l.accepted()})
	if err != nil {
		return nil, err
	}
	p = &Planned{Diags: l.placed(ds), Loaded: l}
	if result != nil {
		p.Plan, p.Finished = result.Plan, result.Finished
		p.facts = sync.OnceValue(func() config.Planned { return planner.Facts(p.Plan) })
		if err := result.Close(); err != nil {
			return nil, fmt.Errorf("closing graph files: %w", err)
		}
	}
	return p, nil
}

// openGraph opens a graph file, unsaved text first.
func (l *Loaded) openGraph(name string) (*source.File, error) {
	text, err := l.reader.graphText(name)
	if err != nil {
		return nil, err
	}
	if text != nil {
		return source.FromBytes(path.Base(name), text), nil
	}
	dir, base := path.Split(l.reader.absolute(name))
	file, err := source.Open(source.Confined(dir, base), base)
	return file, source.Missing(err, dir)
}

// placed gives every finding about a graph a place in the configuration: the source of the graph's block.
func (l *Loaded) placed(ds diag.Diagnostics) diag.Diagnostics {
	ds = slices.Clone(ds)
	for i := range ds {
		if subject := ds[i].Subject; subject != nil && l.Config.Files[subject.Filename] != nil {
			continue
		}
		g := l.graphOf(ds[i].Subject)
		if g == nil {
			continue
		}
		if subject := ds[i].Subject; subject != nil && subject.Start.Line > 0 {
			ds[i].Detail = fmt.Sprintf("%s:%d: %s", subject.Filename, subject.Start.Line, ds[i].Detail)
		}
		at := g.SourceRange
		ds[i].Subject, ds[i].Context = &at, nil
	}
	return ds
}

// graphOf is the graph whose file a range is in; the first when that cannot be told.
func (l *Loaded) graphOf(r *hcl.Range) *config.Graph {
	for _, g := range l.Config.Graphs {
		if r == nil || r.Filename == g.Source || path.Base(r.Filename) == path.Base(strings.ReplaceAll(g.Source, `\`, "/")) {
			return g
		}
	}
	if len(l.Config.Graphs) > 0 {
		return l.Config.Graphs[0]
	}
	return nil
}
