package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
)

const validateHelp = `validate reads a configuration and everything it names, and reports every problem at once. It plans, so that a
configuration that is valid also fits; it writes nothing.

Exit status: 0 valid; 1 not; 2 wrong use of the command line.`

func (a *app) validateCommand() *cobra.Command {
	cmd := command("validate [flags] [FILE or DIR]", "Check a configuration and the graphs it names", validateHelp,
		func(ctx context.Context, path string) {
			v := view.NewValidate(a.flags.json, a.term, a.sources)
			a.finish(v, a.validate(ctx, v, path))
		})
	a.configFlags(cmd.Flags())
	return cmd
}

func (a *app) validate(ctx context.Context, v view.Validate, path string) (o outcome) {
	j, ds := a.open("validate", path)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, err := a.planJob(ctx, j)
	if err != nil {
		return outcome{diags: ds, err: err}
	}
	defer closing(result, &o)
	about := fmt.Sprintf("%s has %s and %s", j.path, counted(len(j.cfg.Graphs), "graph"), counted(len(j.cfg.Pools), "pool"))
	if result != nil {
		ds = append(ds, (&runner{job: j, result: result}).faults()...)
	}
	ds = a.judgedAll(ds)
	v.Result(about, ds)
	return done(exitFor(ds))
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
