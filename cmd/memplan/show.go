package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

const showHelp = `show prints a plan in full: every tensor with its place, its size, its lifetime and the reason, and a map of each pool,
addresses upwards and steps to the right. FILE is a configuration or a graph, which is planned, a saved plan or a lock.
With -json it prints the plan in its documented format.`

func (a *app) showCommand() *cobra.Command {
	cmd := command("show [flags] [FILE or DIR or PLAN or LOCK]", "Show every tensor of a plan, with its place and the reason", showHelp,
		func(ctx context.Context, path string) {
			v := view.NewShow(a.flags.json, a.term, a.sources)
			a.finish(v, a.show(ctx, v, path))
		})
	a.configFlags(cmd.Flags())
	return cmd
}

func (a *app) show(ctx context.Context, v view.Show, path string) (o outcome) {
	in, ds := recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	if in.plan != nil {
		return a.showPlan(v, in)
	}
	j, ds := a.load("show", in)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, err := a.planJob(ctx, j)
	if err != nil || result == nil {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	defer closing(result, &o)
	ds = a.judged(ds)
	if err := v.Result(result.Plan, ds); err != nil {
		return fault(err)
	}
	return done(exitFor(ds))
}

// showPlan shows a saved plan or a lock as it is.
func (a *app) showPlan(v view.Show, in *input) outcome {
	name := filepath.ToSlash(in.path)
	var p *plan.Plan
	var ds diag.Diagnostics
	if in.kind == savedInput {
		var saved *plan.Saved
		if saved, ds = plan.DecodeSaved(name, in.plan); saved != nil {
			p = &saved.Plan
		}
	} else {
		p, ds = plan.DecodeFile(name, in.plan)
	}
	if ds.HasErrors() {
		a.remember(name, in.plan)
		return problems(ds)
	}
	if err := v.Result(p, ds); err != nil {
		return fault(err)
	}
	return done(exitOK)
}
