package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

const outputHelp = `output plans and prints the values of the configuration's output blocks, for scripts.

NAME prints one of them; with -raw a text, number or truth value as it is, without quotes and without an end of line, and
with -json its value alone. Sensitive values are hidden in the list, and printed when they are asked for by name with
-raw or -json. What is no output and is a path is taken for FILE or DIR.

Exit status: 0 printed; 1 problems, among them checks that fail; 2 wrong use of the command line.`

func (a *app) outputCommand() *cobra.Command {
	var raw bool
	var name string
	cmd := command("output [flags] [NAME] [FILE or DIR]", "Print the values of the outputs", outputHelp,
		func(ctx context.Context, path string) {
			v := view.NewOutputs(a.flags.json, raw, a.term, a.sources)
			a.finish(v, a.output(ctx, v, path, name))
		})
	a.configFlags(cmd.Flags())
	ofConfigurations(cmd.Flags())
	cmd.Flags().BoolVar(&raw, "raw", false, "print the output NAME without quotes and end of line")
	run := cmd.RunE
	cmd.Args = func(_ *cobra.Command, args []string) error {
		var rest []string
		name, rest = outputName(args)
		switch {
		case len(rest) > 1:
			return onePath(cmd, rest)
		case raw && a.flags.json:
			return &misuseError{diag.New(diag.WrongArguments, "-raw and -json are two forms of one value. Give one of them.")}
		case raw && name == "":
			return &misuseError{diag.New(diag.WrongArguments, "-raw prints one output. Name it, as in: memplan output -raw NAME")}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, rest := outputName(args)
		return run(cmd, rest)
	}
	return cmd
}

// outputName tells the name of an output from a path: what exists, or is written as paths are, is a path. The rest is what
// is left of the arguments.
func outputName(args []string) (name string, rest []string) {
	for i, arg := range args {
		if _, err := os.Stat(arg); err == nil || strings.ContainsAny(arg, "./\\") {
			continue
		}
		return arg, slices.Delete(slices.Clone(args), i, i+1)
	}
	return "", args
}

func (a *app) output(ctx context.Context, v view.Outputs, path, name string) (o outcome) {
	j, result, ds, failed := a.openAndPlan(ctx, "output", path)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	outputs := outputsOf(result)
	ds = a.judged(ds)
	if name == "" {
		v.All(outputs, ds)
		return done(exitFor(ds))
	}
	at := slices.IndexFunc(outputs, func(o view.Output) bool { return o.Name == name })
	if at < 0 {
		return problems(append(ds, noOutput(j, name, outputs)))
	}
	value := eval.Plain(outputs[at].Value)
	if !value.IsWhollyKnown() {
		return problems(append(ds, diag.New(diag.OutputHasNoValue, "The output %q could not be evaluated. The reason is reported with it.", name)))
	}
	if fault := v.One(outputs[at], ds); fault != nil {
		return problems(append(ds, *fault))
	}
	return done(exitFor(ds))
}

func noOutput(j *job, name string, outputs []view.Output) diag.Diagnostic {
	var names []string
	for _, o := range outputs {
		names = append(names, o.Name)
	}
	if len(names) == 0 {
		return diag.New(diag.NoSuchOutput, "%q declares no outputs. Add an output block: output \"%s\" { value = ... }", j.path, name)
	}
	return diag.New(diag.NoSuchOutput, "%q has no output %q.%s Its outputs are %s.", j.path, name, diag.DidYouMean(name, names), diag.Quoted(names))
}
