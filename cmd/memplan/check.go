package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
)

const checkHelp = `check plans again and compares with the lock, byte for byte; the plan passes an independent verification first. It is
the command for a build pipeline: it fails when a change of the configuration, of a graph or of memplan itself would move
a tensor that was accepted, and when a check of the configuration fails.

Exit status: 0 the lock is what the configuration plans; 1 it is not, or there are problems; 2 wrong use of the command line.`

func (a *app) checkCommand() *cobra.Command {
	cmd := command("check [flags] [FILE or DIR]", "Compare the plan with the lock, for build pipelines", checkHelp,
		func(ctx context.Context, path string) {
			v := view.NewCheck(a.flags.json, a.term, a.sources)
			a.finish(v, a.check(ctx, v, path))
		})
	a.configFlags(cmd.Flags())
	return cmd
}

func (a *app) check(ctx context.Context, v view.Check, path string) (o outcome) {
	j, ds := a.open("check", path)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, err := a.planJob(ctx, j)
	if err != nil || result == nil {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	defer closing(result, &o)
	planned, more, err := j.compare(result, ds)
	if err != nil || planned == nil {
		return outcome{exit: exitProblems, diags: append(ds, more...), err: err}
	}
	switch {
	case planned.Old == nil:
		return problems(append(ds, diag.New(diag.LockMissing, "There is no lock %q to compare with. Run \"memplan apply %s\" and keep the lock that it writes under version control.", j.lockPath, j.path)))
	case !planned.Change.Identical:
		planned.Diagnostics = append(planned.Diagnostics, diag.New(diag.LockDiffers,
			"%q plans something else than the lock %q holds. Review it with \"memplan plan %s\" and accept it with \"memplan apply %s\".", j.path, j.lockPath, j.path, j.path))
	}
	planned.Diagnostics = a.judged(planned.Diagnostics)
	v.Result(planned)
	return done(exitFor(planned.Diagnostics))
}
