package main

import (
	"context"
	"errors"
	"os"
	"os/user"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

const applyHelp = `apply plans, shows the plan, and asks for it to be accepted: only the word "yes" accepts it. It then writes the lock and
the files of export blocks, and executes the configuration's runs, each output to NAME.out/RUN/OUTPUT.npy beside the
configuration NAME.hcl. What the lock held before is kept in a backup beside it, NAME.lock.json.backup.

Runs execute on the drivers of their devices, or all on the host with "-device host". A run that cannot be executed here
keeps the plan from being accepted.

A plan saved by "memplan plan -out" is applied without a question, unless what it was made of has changed since.

Exit status: 0 applied, and every run gave what it expects; 1 problems; 2 wrong use of the command line.`

// applyFlags are the flags of apply alone.
type applyFlags struct {
	autoApprove bool
	outputs     string
	device      deviceFlag
	// lockTimeout is how long to wait for another writer of the lock.
	lockTimeout time.Duration
}

func (a *app) applyCommand() *cobra.Command {
	var flags applyFlags
	cmd := command("apply [flags] [FILE or DIR or PLAN]", "Accept a plan: write the lock, execute the runs", applyHelp,
		func(ctx context.Context, path string) {
			v := view.NewApply(a.flags.json, a.term, a.sources, version())
			a.finish(v, a.apply(ctx, v, path, flags))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().BoolVar(&flags.autoApprove, "auto-approve", false, "accept the plan without asking")
	cmd.Flags().Var(&flags.device, "device", deviceHelp())
	cmd.Flags().DurationVar(&flags.lockTimeout, "lock-timeout", 0, "wait up to `TIME`, such as 30s, for another writer of the lock")
	cmd.Flags().StringVar(&flags.outputs, "output-dir", "", "write the outputs of runs to `DIR`/RUN/OUTPUT.npy")
	return cmd
}

func (a *app) apply(ctx context.Context, v view.Apply, path string, flags applyFlags) outcome {
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	var saved *plan.Saved
	var j *job
	if in.kind == savedInput {
		saved, j, ds = a.reopen(in)
	} else {
		j, ds = a.load("apply", in)
	}
	if ds.HasErrors() {
		return problems(ds)
	}
	guard, ds, err := plan.AcquireWithin(ctx, j.lockPath, holder("apply"), flags.lockTimeout)
	switch {
	case errors.Is(err, context.Canceled):
		return fault(err)
	case err != nil:
		return problems(diag.Diagnostics{notWritten(j.lockPath, err)})
	case ds.HasErrors():
		return problems(ds)
	}
	j.guard = guard
	o := a.applyGuarded(ctx, v, j, saved, flags)
	if err := guard.Release(); err != nil && o.err == nil {
		o.err = err
	}
	return o
}

// applyGuarded does the work while no other memplan writes the same lock.
func (a *app) applyGuarded(ctx context.Context, v view.Apply, j *job, saved *plan.Saved, flags applyFlags) (o outcome) {
	result, ds, failed := a.planOrSay(ctx, j)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	planned := j.compare(result, a.judged(ds))
	if old := planned.Old; old != nil && old.IsNewer() {
		return problem(diag.PlanVersion, "The lock %q has format version %s, and this memplan writes %s, in which some of it would be lost. Use the memplan that wrote the lock, or a later one.", j.lockPath, old.FormatVersion, plan.FormatVersion)
	}
	if saved != nil {
		if stale, err := plan.Stale(saved, planned.New, planned.Old); err != nil || len(stale) > 0 {
			return outcome{exit: exitProblems, diags: stale, err: err}
		}
	}
	if planned.Diagnostics.HasErrors() {
		return problems(planned.Diagnostics)
	}
	dir := flags.outputs
	if dir == "" {
		dir = j.outputDirectory()
	}
	runner := &runner{job: j, result: result, options: runOptions{outputs: dir, perRun: true, iterations: 1, device: flags.device}, term: a.term, log: a.logger()}
	defer freeing(runner, &o)
	if o := a.ready(ctx, planned, runner); o.exit != exitOK {
		return o
	}
	files, ds := j.exports(result)
	if ds.HasErrors() {
		return problems(append(planned.Diagnostics, ds...))
	}
	asks := saved == nil && !flags.autoApprove && !planned.Change.Identical && !planned.New.Interrupted
	if asks && (a.flags.json || !a.interactive) {
		return problems(append(planned.Diagnostics, diag.New(diag.NobodyToAsk, "apply asks before it changes a lock, and there is no terminal to answer on. Give -auto-approve, or save a plan with \"memplan plan -out\" and apply that.")))
	}
	v.Preview(planned)
	if planned.New.Interrupted {
		return problems(diag.Diagnostics{interrupted()})
	}
	if asks {
		if o := a.ask(ctx, v); o.exit != exitOK {
			return o
		}
	}
	return a.accept(ctx, v, planned, files, runner)
}

// ready finds out whether the runs can be executed, and adds what there is to say of them.
func (a *app) ready(ctx context.Context, planned *view.Planned, runner *runner) outcome {
	if refused := slices.Concat(runner.refusals(), runner.faults(), runner.overwrites(runner.job.cfg.Runs)); refused.HasErrors() {
		return problems(append(planned.Diagnostics, refused...))
	}
	if planned.New.Interrupted {
		return done(exitOK) // it will not be accepted
	}
	unready, err := runner.prepare(ctx)
	if unready = a.judged(unready); err != nil || unready.HasErrors() {
		return outcome{exit: exitProblems, diags: append(planned.Diagnostics, unready...), err: err}
	}
	planned.Diagnostics = append(planned.Diagnostics, unready...)
	return done(exitOK)
}

// accept writes the lock and the exports, and executes the runs.
func (a *app) accept(ctx context.Context, v view.Apply, planned *view.Planned, files []exported, runner *runner) outcome {
	// While somebody thought about the answer, somebody else may have taken the guard and accepted another plan.
	if broken := runner.job.guard.Held(planned.LockPath); broken.HasErrors() {
		return problems(broken)
	}
	written, err := plan.WriteLock(planned.LockPath, planned.New)
	if err != nil {
		return problems(diag.Diagnostics{notWritten(planned.LockPath, err)})
	}
	exports, unwritten := writeExports(files)
	planned.Exports = exports
	runs, ds, err := runner.configured(ctx)
	ds = append(unwritten, ds...)
	if err != nil {
		ds = append(ds, failure(err))
	}
	ds = a.judged(ds)
	v.Applied(planned, written, runs, ds)
	return done(exitFor(ds))
}

// ask asks for the plan to be accepted.
func (a *app) ask(ctx context.Context, v view.Apply) outcome {
	v.Ask()
	return a.awaitYes(ctx, "accepts the plan")
}

// holder says who writes the lock, for somebody who finds it in use.
func holder(operation string) plan.Holder {
	who := "somebody"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		who += "@" + host
	}
	return plan.Holder{Operation: operation, Who: who, PID: os.Getpid(), Since: time.Now()}
}
