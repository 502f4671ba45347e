package main

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/plan"
)

const graphHelp = `graph draws the plan of a graph for Graphviz, or with -format=mermaid for Mermaid: the ops coloured by the memory scope of
their results, or, with -type=lifetimes, a bar for each tensor from its first step to its last.

  memplan graph | dot -Tsvg > graph.svg
  memplan graph -type=lifetimes | neato -n -Tsvg > lifetimes.svg

Mermaid draws up to 500 arrows unless its maxEdges is raised.

The format "json" is memplan's own: every tensor with its shape, every op in the order of the plan. It can be planned like any
other graph file, and edited by hand. Constants above 1 KiB are written with a digest instead of their content: such a
file gives the same plan, and cannot be run.`

// graphFormats are the values of -format, graphTypes those of -type.
var (
	graphFormats = []string{"dot", "mermaid", "json"}
	graphTypes   = []string{"ops", "lifetimes"}
)

// graphFlags are the flags of graph alone.
type graphFlags struct{ format, name, kind string }

func (a *app) graphCommand() *cobra.Command {
	var f graphFlags
	cmd := command("graph [flags] [FILE or DIR]", "Draw a graph, or write it as JSON", graphHelp,
		func(ctx context.Context, path string) {
			v := view.NewGraph(a.flags.json, a.term, a.sources)
			a.finish(v, a.graph(ctx, v, path, f))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().StringVar(&f.format, "format", "dot", "write the format `NAME`: "+diag.Enumerate(graphFormats, "or"))
	cmd.Flags().StringVar(&f.kind, "type", "ops", "draw the `KIND` of diagram: "+diag.Enumerate(graphTypes, "or"))
	cmd.Flags().StringVar(&f.name, "graph", "", "write the graph `NAME` of a configuration that has several")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if err := oneOf("format", f.format, graphFormats); err != nil {
			return err
		}
		if f.format == "json" && f.kind != "ops" {
			return &misuseError{diag.New(diag.WrongArguments, "-type is the kind of a diagram, and the format \"json\" is none. Give -format=dot or -format=mermaid.")}
		}
		return oneOf("type", f.kind, graphTypes)
	}
	return cmd
}

func (a *app) graph(ctx context.Context, v view.Graph, path string, f graphFlags) (o outcome) {
	j, result, ds, failed := a.openAndPlan(ctx, "graph", path)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	if len(result.Plan.Graphs) == 0 {
		return problems(append(ds, noGraph(j)...))
	}
	g, more := choose(result, f.name)
	if ds = a.judged(append(ds, more...)); ds.HasErrors() {
		return problems(ds)
	}
	var text bytes.Buffer
	if err := writeGraph(&text, result, g, f); err != nil {
		return fault(err)
	}
	v.Result(f.format, text.Bytes(), ds)
	return done(exitOK)
}

// writeGraph writes a graph in the format and kind that the flags say.
func writeGraph(w io.Writer, result *planner.Result, g *graph.Graph, f graphFlags) error {
	if f.format == "json" {
		return native.Write(w, result.Plannable[slices.Index(result.Graphs, g)])
	}
	write := map[string]func(io.Writer, *plan.Plan, string) error{
		"dot ops": export.DOT, "dot lifetimes": export.DOTLifetimes, "mermaid ops": export.Mermaid, "mermaid lifetimes": export.MermaidLifetimes,
	}[f.format+" "+f.kind]
	return write(w, result.Plan, result.Plan.Graphs[slices.Index(result.Graphs, g)].Name)
}

// oneOf refuses the value of a flag that is none of a list.
func oneOf(flag, value string, values []string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return &misuseError{diag.New(diag.InvalidFlag, "The flag -%s does not take the value %q.%s It takes %s.", flag, value, diag.DidYouMean(value, values), diag.Enumerate(values, "or"))}
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
