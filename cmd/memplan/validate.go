package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

const validateHelp = `validate reads a configuration and everything it names, and reports every problem at once: of the configuration, of the graphs, and
of the names that the configuration has for their tensors. Only what is wrong with the syntax is told by itself. It plans, so that
a configuration that is valid also fits; it writes nothing. With -syntax-only it reads the configuration's files alone, and looks
at nothing but their syntax: variables need no values then, and graph files need not be there.

Exit status: 0 valid; 1 not; 2 wrong use of the command line.`

func (a *app) validateCommand() *cobra.Command {
	var syntaxOnly bool
	cmd := command("validate [flags] [FILE or DIR]", "Check a configuration and the graphs it names", validateHelp,
		func(ctx context.Context, path string) {
			v := view.NewValidate(a.flags.json, a.term, a.sources)
			if syntaxOnly {
				a.finish(v, a.validateSyntax(v, path))
				return
			}
			a.finish(v, a.validate(ctx, v, path))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().BoolVar(&syntaxOnly, "syntax-only", false, "look at the syntax of the configuration's files only")
	return cmd
}

func (a *app) validateSyntax(v view.Validate, path string) outcome {
	in, ds := a.recognise(path)
	switch {
	case ds.HasErrors():
		return problems(ds)
	case in.kind != configInput:
		return problem(diag.WrongArguments, "-syntax-only is for configurations, and %q is none. Leave it out.", filepath.ToSlash(path))
	}
	module, ds := syntax.Open(a.disk(), filepath.ToSlash(in.path))
	a.files = module.Sources()
	ds = a.judged(ds)
	v.Result(fmt.Sprintf("the syntax of %s", counted(len(module.Files)+len(module.Variables), "file")), ds)
	return done(exitFor(ds))
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
