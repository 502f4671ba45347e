package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/planner"
)

// sweeper plans one configuration again and again, each time with another value of something.
type sweeper struct {
	app  *app
	in   *input
	flag *sweepFlag
	// first is the job as it is without the sweep.
	first *job
	table *view.Sweep
}

// sweepPoint is one plan of a sweep: what is swept, its value as it is shown, and how the job gets it.
type sweepPoint struct {
	name, value string
	variable    *eval.Argument
	change      func(*config.Config)
}

// sweep plans once for each value and shows the peaks of all pools. Locks play no part: every plan is made anew.
func (a *app) sweep(ctx context.Context, v view.SweepView, path string, flags planFlags) outcome {
	if flags.out != "" || flags.detailed {
		return problem(diag.WrongArguments, "A sweep makes several plans: -out and -detailed-exitcode do not go with -sweep. Leave them out.")
	}
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	s := &sweeper{app: a, in: in, flag: &flags.sweep, table: &view.Sweep{Name: flags.sweep.name}}
	given := a.flags.variables
	points, ds := s.points(ctx)
	if ds.HasErrors() {
		return problems(ds)
	}
	var faults diag.Diagnostics
	for _, point := range points {
		row, ds, err := s.plan(ctx, point)
		a.flags.variables = given
		if err != nil || ctx.Err() != nil {
			return outcome{exit: exitProblems, err: err, diags: interruptedSweep(err)}
		}
		if faults == nil {
			faults = ds
		}
		s.table.Points = append(s.table.Points, row)
		v.Point(s.table, row)
	}
	if !slices.ContainsFunc(s.table.Points, func(p view.SweepPoint) bool { return p.Fits }) {
		return problems(faults)
	}
	v.Result(s.table)
	return done(exitOK)
}

func interruptedSweep(err error) diag.Diagnostics {
	if err != nil {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.SearchInterrupted, "The sweep was stopped before its end, and makes no table. Run the command to its end, or sweep fewer values.")}
}

func diagnosticOf(err error) diag.Diagnostics {
	if err == nil {
		return nil
	}
	return diag.Diagnostics{failure(err)}
}

func peakOf(result *planner.Result, pool string) int64 {
	for i := range result.Plan.Pools {
		if result.Plan.Pools[i].Name == pool {
			return result.Plan.Pools[i].Peak
		}
	}
	return 0
}

// planned makes the plan of a point, nil with errors when it cannot be made.
func (s *sweeper) planned(ctx context.Context, point sweepPoint) (*planner.Result, diag.Diagnostics, error) {
	if point.variable != nil {
		s.app.flags.variables = append(slices.Clone(s.app.flags.variables), *point.variable)
	}
	j, ds := s.app.load("plan", s.in)
	if ds.HasErrors() {
		return nil, ds, nil
	}
	if point.change != nil {
		point.change(j.cfg)
	}
	defer s.app.term.Progress(fmt.Sprintf("Planning %s with %s = %s", j.path, point.name, point.value))()
	return planner.Plan(ctx, j.cfg, planner.Options{Open: j.openSource, Version: version()})
}

// plan makes the plan of a point and sums it up.
func (s *sweeper) plan(ctx context.Context, point sweepPoint) (view.SweepPoint, diag.Diagnostics, error) {
	row := view.SweepPoint{Name: point.name, Value: point.value}
	result, ds, err := s.planned(ctx, point)
	if err != nil {
		return row, nil, err
	}
	if result == nil {
		at := slices.IndexFunc(ds, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		if at < 0 {
			return row, ds, fmt.Errorf("there is no plan for %s = %s, and no diagnostic says why", point.name, point.value)
		}
		row.Fault = &ds[at]
		return row, ds, nil
	}
	row.Fits, row.Pools = true, result.Plan.Pools
	for i := range result.Plan.Graphs {
		for _, t := range result.Plan.Graphs[i].Tensors {
			if t.Reason.Spill != nil && t.ViewOf == nil && t.Shares == nil {
				row.Spilled += t.Size
			}
		}
	}
	return row, nil, result.Close()
}
