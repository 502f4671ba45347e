package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/texture"
	"github.com/memplan/memplan/planner/plan"
)

// Options says where files come from and what the plan records of its maker.
type Options struct {
	// Open opens a graph source by its path as written in the configuration, relative to the configuration's directory.
	Open func(path string) (*source.File, error)
	// Version is recorded as the plan's memplan_version.
	Version string
	// Reading, when not nil, is told of each graph source that is about to be read: of its number, from 0, of how many there are.
	Reading func(path string, number, of int)
	// Effort bounds the layout search; the zero value is the default.
	Effort layout.Effort
	// Previous is the plan that was accepted before, under the names that the configuration has now (see [Moved]), nil when
	// there is none. Tensors stay where it has them, those in image objects in storages of the same sides, as far as that raises no pool's peak. Planning again with
	// what came of it as Previous gives the same plan.
	Previous *plan.Plan
}

// Result is a checked plan with what was planned.
type Result struct {
	Plan *plan.Plan
	// Graphs are the graphs after rewriting, in the order of Plan.Graphs. Their constants read the source files: keep
	// Close for when they are no longer needed.
	Graphs []*graph.Graph
	// Plannable are the same graphs, in the same order of ops, before scopes were decided: without copies between scopes, and
	// with tensors of the element types that ops compute with. They can be planned again, where Graphs hold what planning made.
	Plannable []*graph.Graph
	// Finished holds the outputs and checks of the configuration, evaluated on the plan.
	Finished config.Finished
	close    func() error
	made     *pipeline
}

// Close releases the source files that the graphs' constants read.
func (r *Result) Close() error {
	if r == nil || r.close == nil {
		return nil
	}
	return r.close()
}

// Plan plans every graph of the configuration. The result is nil when the diagnostics hold an error that leaves no
// placement; it is complete when only a check of the configuration failed. The error is for faults of memplan itself,
// such as a placement that does not pass the independent check. When ctx ends during a search, the result is the best
// found by then, marked as interrupted, with a warning.
func Plan(ctx context.Context, cfg *config.Config, opts Options) (*Result, diag.Diagnostics, error) {
	result, diags, err := plans(ctx, cfg, opts)
	return result, cfg.WithValues(diags), err
}

func plans(ctx context.Context, cfg *config.Config, opts Options) (*Result, diag.Diagnostics, error) {
	imported, diags := importGraphs(cfg, opts.Open, opts.Reading)
	result := &Result{close: imported.close}
	p := &pipeline{cfg: cfg, opts: opts, graphs: imported.graphs}
	if diags.HasErrors() {
		return nil, append(diags, p.survey()...), result.Close()
	}
	diags = append(diags, p.run(ctx)...)
	if p.err != nil || diags.HasErrors() {
		if err := result.Close(); err != nil && p.err == nil {
			p.err = err
		}
		return nil, diags, p.err
	}
	result.Plan, result.made = p.artifact(), p
	for _, g := range p.graphs {
		result.Graphs, result.Plannable = append(result.Graphs, g.graph), append(result.Plannable, g.plannable())
	}
	if p.err == nil {
		p.err = selfCheck(result)
	}
	if p.err != nil {
		return nil, diags, errors.Join(p.err, result.Close())
	}
	diags = append(diags, p.overriddenHolds(result.Plan)...)
	if ctx.Err() != nil {
		result.Plan.Interrupted = true
		diags = append(diags, diag.New(diag.SearchInterrupted,
			"The search for a placement was stopped before its end. What it had found is shown; it is valid, but another run may find another. Run the command to its end to accept a placement."))
	}
	finished, more := cfg.Finish(plannedFacts(result.Plan))
	result.Finished = finished
	return result, append(diags, more...), nil
}

// selfCheck has the finished plan verified by code that shares nothing with the stages.
func selfCheck(result *Result) error {
	faults := check.Verify(result.Plan, result.Graphs)
	var errs []error
	for i := range faults {
		if faults[i].Severity == diag.Error {
			errs = append(errs, &faults[i])
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("the plan failed its own check, nothing was written: %w", errors.Join(errs...))
}

// pipeline carries the values from stage to stage.
type pipeline struct {
	cfg    *config.Config
	opts   Options
	graphs []*planned
	pools  []poolEntry
	links  []*link
	// stages are the graphs in the order of time; aliases the buffers in the bytes of others, by number, readers the numbers
	// of inputs in the bytes of an output, and narrowed the candidate pools of bytes that several graphs use.
	stages   []*stage
	aliases  map[int]alias
	readers  map[int][]int
	narrowed map[int][]int

	// problem and placed are flat memory, images and stored the image objects; slots says for each buffer which of them it
	// is in, and owners for each buffer of the flat problem which slot it is.
	problem *layout.Problem
	placed  *layout.Result
	images  *texture.Problem
	stored  *texture.Result
	slots   []slot
	// storageIDs are those of the plan by number in the flat problem.
	storageIDs map[int]int64
	owners     []int
	// denied says that a stage found no room for an image and that scopes must be decided again without it.
	denied bool
	// overfull says that buffers found no place in the layout; explainMisfits says why.
	overfull bool
	// enough are sizes of pools with which what was overfull fits, by pool; advised says that no other settings are tried for it.
	enough  map[int]int64
	advised bool
	err     error
	// solved are the variants that reports have measured.
	solved []solvedVariant
	// passed is the plan that was passed over for this one, with the graphs rewritten otherwise; nil where there was no choice or it
	// did not fit. See choose.
	passed *pipeline
}

// run goes through the stages and stops after one that reports errors.
func (p *pipeline) run(ctx context.Context) diag.Diagnostics {
	diags := p.through(ctx, p.checkCapabilities, p.declarePools, p.resolveShapes)
	if p.err != nil || diags.HasErrors() {
		return diags
	}
	diags = append(diags, p.choose(ctx)...)
	p.adviseSettings(ctx, diags)
	return diags
}

// placeOnce decides scopes and lays everything out in the present order and with the present views.
func (p *pipeline) placeOnce(ctx context.Context) diag.Diagnostics {
	var diags diag.Diagnostics
	for p.err == nil && !diags.HasErrors() {
		// What a denied image leads to is decided anew: its consumers may need copies, or no longer need them.
		p.denied, p.overfull = false, false
		placing := p.through(ctx, p.decideScopes, p.analyzeLiveness, p.buildProblems, p.storeImages, p.layOut)
		if !p.denied {
			return placing
		}
	}
	return diags
}

func (p *pipeline) through(ctx context.Context, stages ...func(context.Context) diag.Diagnostics) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, stage := range stages {
		diags = append(diags, stage(ctx)...)
		if p.err != nil || p.denied || diags.HasErrors() {
			return diags
		}
	}
	return diags
}
