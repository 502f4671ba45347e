package main

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/plan"
)

const checkHelp = `check plans again and compares with the lock, byte for byte; the plan passes an independent verification first. It is
the command for a build pipeline: it fails when a change of the configuration, of a graph or of memplan itself would move
a tensor that was accepted, when the file of an export block is not what the plan exports, and when a check of the
configuration fails.

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
	j, result, ds, failed := a.openAndPlan(ctx, "check", path)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	planned := j.compare(result, ds)
	switch {
	case planned.Old == nil:
		return problems(append(ds, diag.New(diag.LockMissing, "There is no lock %q to compare with. Run \"memplan apply %s%s\" and keep the lock that it writes under version control.", j.lockPath, j.again, j.path)))
	case planned.Change.Identical:
	case planned.New.Interrupted:
		return problems(append(ds, interrupted()))
	default:
		planned.Diagnostics = append(planned.Diagnostics, j.unlike(planned, result)...)
	}
	files, more := j.exports(result)
	planned.Diagnostics = a.judgedAll(slices.Concat(planned.Diagnostics, more, staleExports(j, files)))
	v.Result(planned)
	return done(exitFor(planned.Diagnostics))
}

// unlike says why the lock is not what was planned. A lock of the same files and settings was altered: then the check of
// plans is asked what is wrong with it.
func (j *job) unlike(planned *view.Planned, result *planner.Result) diag.Diagnostics {
	if causes := plan.ChangedInputs(j.was, planned.New); len(causes) > 0 {
		return diag.Diagnostics{diag.New(diag.LockDiffers, "%q plans something else than the lock %q holds: %s. Review it with \"memplan plan %s%s\" and accept it with \"memplan apply %s%s\".",
			j.path, j.lockPath, strings.Join(causes, ", and "), j.again, j.path, j.again, j.path)}
	}
	altered := diag.New(diag.LockAltered, "The lock %q is not what this memplan makes of %q, though neither the files nor the settings have changed: it was altered after it was written. Restore it from version control.",
		j.lockPath, j.path)
	ds := append(diag.Diagnostics{altered}, check.Verify(planned.Old, result.Graphs)...)
	return ds.At(hcl.Range{Filename: j.lockPath, Start: hcl.InitialPos, End: hcl.InitialPos})
}
