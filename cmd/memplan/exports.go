package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/plan"
)

// exported is the content of the file of an export block.
type exported struct {
	block *config.Export
	// path is the file, graph the name of what is written there.
	path, graph string
	data        []byte
}

// exports makes the files of the configuration's export blocks, in order of name, and writes none of them.
func (j *job) exports(result *planner.Result) ([]exported, diag.Diagnostics) {
	var out []exported
	var diags diag.Diagnostics
	for _, block := range j.cfg.Exports {
		name := ""
		if block.Graph != nil {
			name = block.Graph.Name
		}
		data, subject, ds := j.rendered(result, block.Format, name, exportOptions(block))
		if ds.HasErrors() {
			diags = append(diags, ds.At(block.Range)...)
			continue
		}
		out = append(out, exported{block: block, path: j.beside(block.Path), graph: subject.Graph, data: data})
	}
	return out, diags
}

func exportOptions(block *config.Export) *export.Options {
	o := &export.Options{TVM: export.TVMOptions{NoOffset: !block.Offset}, Prefix: block.Prefix, Target: block.Target}
	for _, pool := range block.Arena {
		o.Arena = append(o.Arena, pool.Name)
	}
	return o
}

// rendered writes a plan in a format: the named graph of it or, when none is named, the only one, or all of them.
func (j *job) rendered(result *planner.Result, format, graph string, o *export.Options) ([]byte, *export.Subject, diag.Diagnostics) {
	s, ds := j.subject(result, format, graph)
	if ds.HasErrors() {
		return nil, nil, ds
	}
	f, _ := export.Find(format)
	data, ds := renderedAs(f, s, o)
	return data, s, ds
}

// subject is what is written in a format.
func (j *job) subject(result *planner.Result, format, graph string) (*export.Subject, diag.Diagnostics) {
	f, ok := export.Find(format)
	if !ok {
		return nil, notExported("No format is called %q.%s The formats are %s.", format, diag.DidYouMean(format, export.Names()), diag.Enumerate(export.Names(), "and"))
	}
	s := &export.Subject{Plan: result.Plan, Graph: graph}
	if graph == "" && len(result.Plan.Graphs) == 1 {
		s.Graph = result.Plan.Graphs[0].Name
	}
	if len(result.Plan.Graphs) == 0 {
		return nil, noGraph(j)
	}
	at := slices.IndexFunc(result.Plan.Graphs, func(g plan.Graph) bool { return g.Name == s.Graph })
	switch {
	case at >= 0:
		s.Planned = result.Graphs[at]
		s.Source = func() ([]byte, error) { return os.ReadFile(j.beside(result.Plan.Graphs[at].Source)) }
	case graph != "":
		return nil, notExported("The plan has no graph %q. Plan again.", graph)
	case f.OneGraph:
		return nil, notExported("The plan has %s, and a file of format %s holds one. Name it.", counted(len(result.Plan.Graphs), "graph"), f.Name)
	}
	return s, nil
}

func noGraph(j *job) diag.Diagnostics {
	return notExported("%q declares no graph, and so there is nothing to write. Add a graph block.", j.path)
}

func notExported(detail string, args ...any) diag.Diagnostics {
	return diag.Diagnostics{diag.New(diag.NotExported, detail, args...)}
}

func renderedAs(f export.Format, s *export.Subject, o *export.Options) ([]byte, diag.Diagnostics) {
	var text bytes.Buffer
	if err := export.Write(&text, f, s, o); err != nil {
		return nil, notExported("The plan cannot be written in the format %s: %v.", f.Name, err)
	}
	return text.Bytes(), nil
}

// writeExports writes the files, each all at once, and lists those that it wrote.
func writeExports(files []exported) ([]view.Exported, diag.Diagnostics) {
	out := []view.Exported{}
	var diags diag.Diagnostics
	for _, e := range files {
		err := os.MkdirAll(filepath.Dir(e.path), 0o755)
		if err == nil {
			err = plan.WriteFile(e.path, e.data)
		}
		if err != nil {
			diags = append(diags, notWritten(e.path, err).At(e.block.Range))
			continue
		}
		out = append(out, view.Exported{Graph: e.graph, Format: e.block.Format, Path: filepath.ToSlash(e.path), Bytes: int64(len(e.data))})
	}
	return out, diags
}

// staleExports reports files that are not what the plan exports.
func staleExports(j *job, files []exported) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, e := range files {
		found, err := plan.ReadRegular(e.path)
		if err == nil && bytes.Equal(found, e.data) {
			continue
		}
		what := "is not what the plan exports"
		switch {
		case errors.Is(err, fs.ErrNotExist):
			what = "does not exist"
		case err != nil:
			what = fmt.Sprintf("cannot be read: %v", err)
		}
		diags = append(diags, diag.New(diag.ExportDiffers, "The file %q of the export %q %s. Write it with \"memplan apply %s%s\".", filepath.ToSlash(e.path), e.block.Name, what, j.again, j.path).At(e.block.Range))
	}
	return diags
}
