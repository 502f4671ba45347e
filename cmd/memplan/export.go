package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/plan"
)

const exportHelp = `export plans and writes the placement as a file of another system, or as a picture:

%FORMATS%
"tvm" has a storage_id for each pool and each image, the storage_scope of each tensor, and "offset", the bytes from the start
of the storage. TVM's own runtimes do not read "offset" and would put all tensors of a pool on top of each other: for them,
and for readers that refuse it, give -no-offset. Tensors then share a storage_id only where they start at the same byte,
which any runtime places soundly but in more memory. Views that start inside of another tensor cannot be written so: plan
without "concat" among the views.

"tflm-offline" is checked against what the runtime does, which runs the operators in the order of the file. A model file
without a configuration is planned for that: in that order, with views of reshapes and without rewrites.

docs/exports.md describes all of them. "memplan show -format" writes the same from a saved plan or a lock, where the format
needs no more than that.`

// exportFlags are the flags of export alone.
type exportFlags struct {
	format, graph, out string
	options            export.Options
}

// formatList says in a line each which formats there are.
func formatList() string {
	var b strings.Builder
	for _, f := range export.Formats() {
		b.WriteString("  " + f.Name + strings.Repeat(" ", max(1, 14-len(f.Name))) + strings.ReplaceAll(f.Doc, "`", "") + "\n")
	}
	return b.String()
}

func (a *app) exportCommand() *cobra.Command {
	var flags exportFlags
	cmd := command("export [flags] [FILE or DIR]", "Write the placement as a file of another system", strings.ReplaceAll(exportHelp, "%FORMATS%", formatList()),
		func(ctx context.Context, path string) {
			v := view.NewExport(a.flags.json, a.term, a.sources)
			a.finish(v, a.export(ctx, v, path, &flags))
		})
	a.configFlags(cmd.Flags())
	cmd.Flags().StringVar(&flags.format, "format", "", "write the format `NAME`: "+diag.Enumerate(export.Names(), "or"))
	cmd.Flags().StringVar(&flags.graph, "graph", "", "write the graph `NAME` of a configuration that has several")
	cmd.Flags().StringVarP(&flags.out, "out", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().BoolVar(&flags.options.TVM.NoOffset, "no-offset", false, "leave out the list of offsets of a TVM graph, which TVM's own runtimes do not read")
	exportOptionFlags(cmd.Flags(), &flags.options)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if flags.format == "" {
			return &misuseError{diag.New(diag.WrongArguments, "\"memplan export\" needs a format. Give -format=NAME: %s.", diag.Enumerate(export.Names(), "or"))}
		}
		return knownFormat(flags.format, export.Names())
	}
	return cmd
}

// exportOptionFlags adds the flags for what some formats leave open.
func exportOptionFlags(flags *pflag.FlagSet, o *export.Options) {
	flags.StringVar(&o.Prefix, "prefix", "", "begin the identifiers of C with `NAME` instead of the graph's name")
	flags.StringSliceVar(&o.Arena, "arena", nil, "take the flat pools `NAME,...`, one after the other, as the arena of tflm-offline")
	flags.StringVar(&o.Target, "target", "", "name the target `NAME` of tvmc in usmp")
}

func knownFormat(name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return &misuseError{diag.New(diag.InvalidFlag, "The flag -format does not take the value %q.%s The formats are %s.", name, diag.DidYouMean(name, known), diag.Enumerate(known, "and"))}
}

func (a *app) export(ctx context.Context, v view.Export, path string, flags *exportFlags) (o outcome) {
	a.outputs = append(a.outputs, outputFile{"-o", flags.out})
	j, ds := a.open("export", path)
	if ds.HasErrors() {
		return problems(ds)
	}
	j.planFor(flags.format)
	result, ds, failed := a.planOrSay(ctx, j)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	if len(result.Plan.Graphs) == 0 {
		ds = append(ds, noGraph(j)...)
	} else if f, _ := export.Find(flags.format); f.OneGraph || flags.graph != "" {
		_, more := choose(result, flags.graph)
		ds = append(ds, more...)
	}
	if ds = a.judged(ds); ds.HasErrors() {
		return problems(ds)
	}
	data, subject, more := j.rendered(result, flags.format, flags.graph, &flags.options)
	if more.HasErrors() {
		return problems(append(ds, more...))
	}
	file := view.Exported{Graph: subject.Graph, Format: flags.format, Path: filepath.ToSlash(flags.out), Bytes: int64(len(data))}
	if flags.out == "" {
		v.Text(file, data, ds)
		return done(exitOK)
	}
	if err := plan.WriteFile(flags.out, data); err != nil {
		return problems(append(ds, notWritten(flags.out, err)))
	}
	v.Written(file, ds)
	return done(exitOK)
}

// planFor has a graph file without a configuration planned as the reader of the format will run it.
func (j *job) planFor(format string) {
	if j.bare && format == "tflm-offline" {
		j.cfg.Planner.Order, j.cfg.Planner.Views, j.cfg.Planner.Rewrite = "source", []string{"reshape"}, []string{}
	}
}
