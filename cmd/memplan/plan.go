package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

const planHelp = `plan shows where every tensor would live, how many bytes each pool needs, and what would change against the lock.
It writes nothing, unless -out names a file for "memplan apply". That file holds the variables that were given, but no values of
sensitive ones: "memplan apply" needs those again.

Marks: + is placed, ~ moves, - goes, = stays. Tensors stay where the lock has them as far as no pool needs more for it than when
all are placed anew; of image objects, few get other sides. Without a lock, everything is placed anew.

-sweep plans once for each value of a variable, of a dimension, or of the size of a pool, without the lock, and shows what each
pool needs: batch=1..16, batch=1,2,4,8, pool.arena=64KiB..1MiB, which doubles from one to the next. The word size alone takes every
pool that has a size through sizes up to what it would need without one. With "spilled" come the bytes of tensors that are not in
the pool they would like best.

Exit status: 0 planned; 1 problems; 2 wrong use of the command line. With -detailed-exitcode: 0 no changes, 1 problems,
2 changes.`

// planFlags are the flags of plan alone.
type planFlags struct {
	out              string
	detailed, report bool
	sweep            sweepFlag
}

func (a *app) planCommand() *cobra.Command {
	var flags planFlags
	cmd := command("plan [flags] [FILE or DIR]", "Show where every tensor would live and what would change", planHelp,
		func(ctx context.Context, path string) {
			if flags.sweep.given() {
				v := view.NewSweep(a.flags.json, a.term, a.sources, version())
				a.finish(v, a.sweep(ctx, v, path, flags))
				return
			}
			v := view.NewPlan(a.flags.json, a.term, a.sources, version())
			a.finish(v, a.plan(ctx, v, path, flags))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().StringVar(&flags.out, "out", "", "save the plan to `FILE` for apply")
	cmd.Flags().Var(&flags.sweep, "sweep", "plan for each of several values and show the peaks as a table: `NAME=VALUES` or size")
	cmd.Flags().BoolVar(&flags.report, "report", true, "do not say of each pool what sharing saves, what is live at its peak and what would lower it")
	cmd.Flags().BoolVar(&flags.detailed, "detailed-exitcode", false, "exit with status 2 when there are changes")
	return cmd
}

func (a *app) plan(ctx context.Context, v view.Plan, path string, flags planFlags) (o outcome) {
	a.outputs = append(a.outputs, outputFile{"-out", flags.out})
	j, result, ds, failed := a.openAndPlan(ctx, "plan", path)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	planned := j.compare(result, ds)
	planned.Diagnostics = append(planned.Diagnostics, (&runner{job: j, result: result}).faults()...)
	if flags.out != "" && planned.New.Interrupted {
		planned.Diagnostics = append(planned.Diagnostics, interrupted())
	}
	if flags.out != "" && !planned.Diagnostics.HasErrors() {
		planned.Diagnostics = append(planned.Diagnostics, spared(flags.out)...)
	}
	planned.Diagnostics = a.judgedAll(planned.Diagnostics)
	if flags.out != "" && !planned.Diagnostics.HasErrors() {
		if err := a.save(j, planned, flags.out); err != nil {
			return problems(diag.Diagnostics{notWritten(flags.out, err)})
		}
		planned.SavedTo = flags.out
	}
	if flags.report && !planned.New.Interrupted {
		reports, err := a.reports(ctx, result)
		if err != nil {
			return fault(err)
		}
		planned.Reports = reports
	}
	v.Result(planned)
	switch {
	case planned.Diagnostics.HasErrors():
		return done(exitProblems)
	case flags.detailed && !planned.Change.Identical:
		return done(exitChanges)
	}
	return done(exitOK)
}

// reports explains the peaks of a plan; somebody who interrupts it sees the plan without.
func (a *app) reports(ctx context.Context, result *planner.Result) ([]planner.Report, error) {
	defer a.term.Progress("Explaining the peaks")()
	reports, err := result.Reports(ctx)
	if ctx.Err() != nil {
		return nil, nil
	}
	return reports, err
}

// spared refuses to overwrite a file that is no saved plan: it may be another model, named by mistake.
func spared(out string) diag.Diagnostics {
	info, err := os.Stat(out)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || strings.HasSuffix(out, savedSuffix) {
		return nil // what else is wrong with the path is found by writing
	}
	data, err := os.ReadFile(out)
	if err == nil && plan.Sniff(data) == plan.SavedKind {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.FileNotWritten, "%q exists and is not a saved plan. It was left alone: give -out another name, or remove the file first.", filepath.ToSlash(out))}
}

// save writes the plan with what it was made of.
func (a *app) save(j *job, planned *view.Planned, out string) error {
	provenance, err := a.provenance(j, planned.Old, out)
	if err != nil {
		return err
	}
	data, err := plan.EncodeSaved(&plan.Saved{Plan: *planned.New, Saved: *provenance})
	if err != nil {
		return err
	}
	return plan.WriteFile(out, data)
}

// interrupted refuses to accept a plan whose search did not end.
func interrupted() diag.Diagnostic {
	return diag.New(diag.InterruptedPlan, "The search was stopped before its end, and the same input may give another placement. Run the command again and let it end.")
}
