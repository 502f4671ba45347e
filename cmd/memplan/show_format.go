package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/plan"
)

// showFormat is what show prints a plan as.
type showFormat struct {
	name, against string
	options       export.Options
}

// ownFormats are the values of show's -format beside those of export.
var ownFormats = []string{"table", "bars"}

func (f *showFormat) names() []string { return append(slices.Clone(ownFormats), export.Names()...) }

func (f *showFormat) isExport() bool { return !slices.Contains(ownFormats, f.name) }

func (f *showFormat) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "format", "table", "print the plan in the format `NAME`: "+diag.Enumerate(f.names(), "or"))
	flags.StringVar(&f.against, "against", "", "compare with the saved plan or lock `PLAN` in the page of -format=html")
	exportOptionFlags(flags, &f.options)
}

// check refuses what cannot be meant.
func (f *showFormat) check() error {
	if err := knownFormat(f.name, f.names()); err != nil {
		return err
	}
	if f.against != "" && f.name != "html" {
		return &misuseError{diag.New(diag.WrongArguments, "-against compares two plans in one page, which only -format=html makes.")}
	}
	return nil
}

// showAs prints a plan in a format of export. What is planned has its graph, for the formats that need one.
func (a *app) showAs(ctx context.Context, v view.Export, path, graph string, f *showFormat) (o outcome) {
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	if in.plan != nil {
		return a.showSavedAs(v, in, graph, f)
	}
	j, ds := a.load("show", in)
	if ds.HasErrors() {
		return problems(ds)
	}
	j.planFor(f.name)
	result, ds, failed := a.planOrSay(ctx, j)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	s, more := j.subject(result, f.name, graph)
	return a.showSubject(v, s, f, a.judged(append(ds, more...)))
}

// showSavedAs prints a saved plan or a lock, which have no graph beside them.
func (a *app) showSavedAs(v view.Export, in *input, graph string, f *showFormat) outcome {
	p, ds := a.readPlan(in)
	if ds.HasErrors() {
		return problems(ds)
	}
	format, _ := export.Find(f.name)
	if format.NeedsGraph {
		return problems(append(ds, diag.New(diag.NotExported, "%q is a plan without its graph, and the format %s needs that. Name the configuration or the graph file.", filepath.ToSlash(in.path), f.name)))
	}
	if graph == "" && len(p.Graphs) == 1 {
		graph = p.Graphs[0].Name
	}
	return a.showSubject(v, &export.Subject{Plan: p, Graph: graph}, f, ds)
}

// showSubject prints what there is to print, or the diagnostics that stand against it.
func (a *app) showSubject(v view.Export, s *export.Subject, f *showFormat, ds diag.Diagnostics) outcome {
	if ds.HasErrors() {
		return problems(ds)
	}
	if f.against != "" {
		old, more := a.earlier(f.against)
		if more.HasErrors() {
			return problems(append(ds, more...))
		}
		s.Old, s.OldName = old, filepath.ToSlash(f.against)
	}
	format, _ := export.Find(f.name)
	data, more := renderedAs(format, s, &f.options)
	if more.HasErrors() {
		return problems(append(ds, more...))
	}
	v.Text(view.Exported{Graph: s.Graph, Format: f.name, Bytes: int64(len(data))}, data, ds)
	return done(exitFor(ds))
}

// earlier reads the plan to compare with.
func (a *app) earlier(path string) (*plan.Plan, diag.Diagnostics) {
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return nil, ds
	}
	if in.plan == nil {
		return nil, diag.Diagnostics{diag.New(diag.UnknownFileKind, "%q is not a plan. Name a saved plan or a lock.", filepath.ToSlash(path))}
	}
	return a.readPlan(in)
}
