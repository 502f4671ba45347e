package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/explain"
	"github.com/memplan/memplan/planner/plan"
)

const showHelp = `show prints a plan in full: every tensor with its place, its size, its lifetime and the reason, and a map of each pool,
addresses upwards and steps to the right. FILE is a configuration or a graph, which is planned, a saved plan or a lock.
With -json it prints the plan in its documented format.

With -tensor it says all there is to know of one tensor: where it is, when, why, what was ruled out by which number, and
which tensors have the same bytes at other times. With -json that is {"tensors": [...]}, one for each graph that has it.

With -format it prints the plan as another file: "bars" is the maps and images alone, and "memplan export" says what the
others are. With -against PLAN the page of -format=html has that saved plan or lock and this one side by side.

With -config it prints no plan but the configuration: "builtin:NAME" as it is written, FILE or DIR with its modules, every
value in effect and where each block comes from. What depends on the plan stands as it is written, and values of sensitive
variables are left out.`

func (a *app) showCommand() *cobra.Command {
	var asConfig bool
	var tensor, graph string
	f := showFormat{name: "table"}
	cmd := command("show [flags] [FILE or DIR or PLAN or LOCK]", "Show every tensor of a plan, with its place and the reason", showHelp,
		func(ctx context.Context, path string) {
			if asConfig {
				v := view.NewConfig(a.flags.json, a.term, a.sources)
				a.finish(v, a.showConfig(v, path))
				return
			}
			if tensor != "" {
				v := view.NewTensor(a.flags.json, a.term, a.sources)
				a.finish(v, a.show(ctx, path, showTensor(v, graph, tensor)))
				return
			}
			if f.isExport() {
				v := view.NewExport(a.flags.json, a.term, a.sources)
				a.finish(v, a.showAs(ctx, v, path, graph, &f))
				return
			}
			v := view.NewShow(a.flags.json, a.term, a.sources)
			a.finish(v, a.show(ctx, path, showAll(v, f.name == "bars")))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asConfig, "config", false, "show the configuration in effect, or the text of a builtin module")
	cmd.Flags().StringVar(&tensor, "tensor", "", "explain the tensor `NAME`")
	cmd.Flags().StringVar(&graph, "graph", "", "explain the tensor of the graph `NAME`, or write that graph, only")
	f.add(cmd.Flags())
	cmd.PreRunE = func(*cobra.Command, []string) error {
		switch {
		case graph != "" && tensor == "" && !f.isExport():
			return &misuseError{diag.New(diag.WrongArguments, "-graph says whose tensor is meant. Name the tensor with -tensor.")}
		case asConfig && tensor != "":
			return &misuseError{diag.New(diag.WrongArguments, "-config shows the configuration and -tensor a part of the plan. Give one of them.")}
		case f.name != "table" && (asConfig || tensor != ""):
			return &misuseError{diag.New(diag.WrongArguments, "-format is for the whole plan, and -config and -tensor show something else. Give one of them.")}
		}
		return f.check()
	}
	return cmd
}

// shower shows a plan; ds are the warnings of planning, and errors of checks that failed.
type shower func(p *plan.Plan, ds diag.Diagnostics) outcome

func showAll(v view.Show, bars bool) shower {
	return func(p *plan.Plan, ds diag.Diagnostics) outcome {
		show := v.Result
		if bars {
			show = v.Bars
		}
		if err := show(p, ds); err != nil {
			return fault(err)
		}
		return done(exitFor(ds))
	}
}

func showTensor(v view.Tensor, graph, tensor string) shower {
	return func(p *plan.Plan, ds diag.Diagnostics) outcome {
		found, unknown := explain.Tensor(p, graph, tensor)
		if unknown.HasErrors() {
			return problems(append(ds, unknown...))
		}
		v.Result(found, ds)
		return done(exitFor(ds))
	}
}

func (a *app) show(ctx context.Context, path string, show shower) (o outcome) {
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	if in.plan != nil {
		return a.showPlan(in, show)
	}
	j, ds := a.load("show", in)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, failed := a.planOrSay(ctx, j)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	return show(result.Plan, a.judged(ds))
}

// showPlan shows a saved plan or a lock as it is.
func (a *app) showPlan(in *input, show shower) outcome {
	p, ds := a.readPlan(in)
	if ds.HasErrors() {
		return problems(ds)
	}
	return show(p, ds)
}

// readPlan reads a saved plan or a lock.
func (a *app) readPlan(in *input) (p *plan.Plan, ds diag.Diagnostics) {
	name := filepath.ToSlash(in.path)
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
	}
	return p, ds
}
