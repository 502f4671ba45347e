package main

import (
	"bufio"
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

const unlockHelp = `force-unlock takes the right to write a lock away from the memplan that has it, and asks before it does.

The right ends with the process that has it, however that ends: after a crash there is nothing to take away. It is needed on
file systems that several machines share, when a machine is gone and the file system does not notice. A memplan that is
still at work goes on writing: make sure that there is none.

Exit status: 0 nobody has the right now; 1 problems, or the answer was not "yes"; 2 wrong use of the command line.`

func (a *app) unlockCommand() *cobra.Command {
	var force bool
	cmd := command("force-unlock [flags] [FILE or DIR]", "Take the right to write a lock away from whoever has it", unlockHelp,
		func(ctx context.Context, path string) {
			v := view.NewUnlock(a.flags.json, a.term, a.sources)
			a.finish(v, a.unlock(ctx, v, path, force))
		})
	cmd.Flags().BoolVar(&force, "force", false, "do not ask")
	return cmd
}

func (a *app) unlock(ctx context.Context, v view.Unlock, path string, force bool) outcome {
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	lock := in.path
	if in.plan == nil {
		lock = plan.LockPath(in.path, in.dir)
	}
	if in.kind == savedInput {
		return problems(a.planInstead("force-unlock", in))
	}
	lock = filepath.ToSlash(lock)
	guard, held, err := plan.Acquire(lock, holder("force-unlock"))
	switch {
	case err != nil:
		return problems(diag.Diagnostics{notWritten(lock, err)})
	case guard != nil:
		v.Result(lock, nil, false)
		return outcome{err: guard.Release()}
	}
	if !force {
		if a.flags.json || !a.interactive {
			return problem(diag.NobodyToAsk, "%s force-unlock asks before it takes the lock away, and there is no terminal to answer on. Give -force.", held[0].Detail)
		}
		v.Ask(lock, plan.HolderOf(lock))
		if o := a.awaitYes(ctx, "takes the lock away"); o.exit != exitOK {
			return o
		}
	}
	_, from, err := plan.Break(lock)
	if err != nil {
		return problems(diag.Diagnostics{notWritten(lock, err)})
	}
	v.Result(lock, from, true)
	return done(exitOK)
}

// awaitYes waits for the answer to a question. An interrupt ends the waiting.
func (a *app) awaitYes(ctx context.Context, effect string) outcome {
	answered := make(chan outcome, 1)
	go func() { answered <- a.answer(effect) }() // which may wait until the process ends
	select {
	case <-ctx.Done():
		return fault(ctx.Err())
	case o := <-answered:
		return o
	}
}

// answer reads the answer to a question; only "yes" has the effect.
func (a *app) answer(effect string) outcome {
	text, err := bufio.NewReader(a.stdin).ReadString('\n')
	text = strings.TrimSpace(text)
	if text == "yes" && err == nil {
		return done(exitOK)
	}
	return problem(diag.NotAccepted, "The answer was %q, and only \"yes\" %s. Nothing was written.", text, effect)
}
