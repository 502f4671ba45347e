package main

import (
	"bytes"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
)

const graphHelp = `graph writes a graph as another file. The format "json" is memplan's own: every tensor with its shape, every op in the
order of the plan. It can be planned like any other graph file, and edited by hand. Constants above 1 KiB are written
without their content: such a file gives the same plan, and cannot be run.`

// graphFormats are the values of -format.
var graphFormats = []string{"json"}

func (a *app) graphCommand() *cobra.Command {
	var format, name string
	cmd := command("graph [flags] [FILE or DIR]", "Write a graph in another format", graphHelp,
		func(ctx context.Context, path string) {
			v := view.NewGraph(a.flags.json, a.term, a.sources)
			a.finish(v, a.graph(ctx, v, path, name))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().StringVar(&format, "format", "json", "write the format `NAME`: "+diag.Enumerate(graphFormats, "or"))
	cmd.Flags().StringVar(&name, "graph", "", "write the graph `NAME` of a configuration that has several")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if slices.Contains(graphFormats, format) {
			return nil
		}
		return &misuseError{diag.New(diag.InvalidFlag, "The flag -format does not take the value %q.%s The formats are %s.", format, diag.DidYouMean(format, graphFormats), diag.Enumerate(graphFormats, "and"))}
	}
	return cmd
}

func (a *app) graph(ctx context.Context, v view.Graph, path, name string) (o outcome) {
	j, ds := a.open("graph", path)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, err := a.planJob(ctx, j)
	if err != nil || result == nil {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	defer closing(result, &o)
	g, more := choose(result, name)
	if ds = a.judged(append(ds, more...)); ds.HasErrors() {
		return problems(ds)
	}
	var text bytes.Buffer
	if err := native.Write(&text, g); err != nil {
		return fault(err)
	}
	v.Result(text.Bytes(), ds)
	return done(exitOK)
}

// choose returns the named graph, or the only one.
func choose(result *planner.Result, name string) (*graph.Graph, diag.Diagnostics) {
	var names []string
	for i := range result.Plan.Graphs {
		names = append(names, result.Plan.Graphs[i].Name)
	}
	if name == "" && len(names) == 1 {
		return result.Graphs[0], nil
	}
	if at := slices.Index(names, name); at >= 0 {
		return result.Graphs[at], nil
	}
	if name == "" {
		return nil, diag.Diagnostics{diag.New(diag.WrongArguments, "The configuration has %s, and one can be written at a time. Name it with -graph: %s.", counted(len(names), "graph"), diag.Enumerate(names, "or"))}
	}
	return nil, diag.Diagnostics{diag.New(diag.WrongArguments, "The configuration has no graph %q.%s Its graphs are %s.", name, diag.DidYouMean(name, names), diag.Quoted(names))}
}
