package main

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/plan"
)

const exportHelp = `export plans and writes the placement of a graph as a file of another system.

The format "tvm" is the graph JSON of TVM's graph executor: a storage_id for each pool and each image, the storage_scope of
each tensor, and "offset", the bytes from the start of the storage. TVM's own runtimes do not read "offset" and would put all
tensors of a pool on top of each other: for them, and for readers that refuse it, give -no-offset. Tensors then share a
storage_id only where they start at the same byte, which any runtime places soundly but in more memory. Views that start
inside of another tensor cannot be written so: plan without "concat" among the views.`

// exportFormats are the values of -format.
var exportFormats = []string{"tvm"}

// exportFlags are the flags of export alone.
type exportFlags struct {
	format, graph, out string
	noOffset           bool
}

func (a *app) exportCommand() *cobra.Command {
	var flags exportFlags
	cmd := command("export [flags] [FILE or DIR]", "Write the placement as a file of another system", exportHelp,
		func(ctx context.Context, path string) {
			v := view.NewExport(a.flags.json, a.term, a.sources)
			a.finish(v, a.export(ctx, v, path, flags))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().StringVar(&flags.format, "format", "tvm", "write the format `NAME`: "+diag.Enumerate(exportFormats, "or"))
	cmd.Flags().BoolVar(&flags.noOffset, "no-offset", false, "leave out the list of offsets, which TVM's own runtimes do not read")
	cmd.Flags().StringVar(&flags.graph, "graph", "", "write the graph `NAME` of a configuration that has several")
	cmd.Flags().StringVarP(&flags.out, "out", "o", "", "write to `FILE` instead of standard output")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if slices.Contains(exportFormats, flags.format) {
			return nil
		}
		return &misuseError{diag.New(diag.InvalidFlag, "The flag -format does not take the value %q.%s The format is %s.", flags.format, diag.DidYouMean(flags.format, exportFormats), diag.Enumerate(exportFormats, "or"))}
	}
	return cmd
}

func (a *app) export(ctx context.Context, v view.Export, path string, flags exportFlags) (o outcome) {
	j, ds := a.open("export", path)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, err := a.planJob(ctx, j)
	if err != nil || result == nil {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	defer closing(result, &o)
	g, more := choose(result, flags.graph)
	if ds = a.judged(append(ds, more...)); ds.HasErrors() {
		return problems(ds)
	}
	name := result.Plan.Graphs[slices.Index(result.Graphs, g)].Name
	var text bytes.Buffer
	if err := export.TVM(&text, result.Plan, name, g, export.TVMOptions{NoOffset: flags.noOffset}); err != nil {
		return problems(append(ds, cannotExport(err)))
	}
	if flags.out == "" {
		v.Text(text.Bytes(), ds)
		return done(exitOK)
	}
	if err := plan.WriteFile(flags.out, text.Bytes()); err != nil {
		return problems(append(ds, notWritten(flags.out, err)))
	}
	v.Written(view.Exported{Graph: name, Format: flags.format, Path: filepath.ToSlash(flags.out), Bytes: int64(text.Len())}, ds)
	return done(exitOK)
}
