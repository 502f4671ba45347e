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
		at := slices.IndexFunc(result.Plan.Graphs, func(g plan.Graph) bool { return block.Graph != nil && g.Name == block.Graph.Name })
		if at < 0 {
			diags = append(diags, diag.New(diag.NotExported, "The plan has no graph for the export %q. Plan again.", block.Name).At(block.Range))
			continue
		}
		name := result.Plan.Graphs[at].Name
		var text bytes.Buffer
		if err := export.TVM(&text, result.Plan, name, result.Graphs[at], export.TVMOptions{NoOffset: !block.Offset}); err != nil {
			diags = append(diags, cannotExport(err).At(block.Range))
			continue
		}
		out = append(out, exported{block: block, path: j.beside(block.Path), graph: name, data: text.Bytes()})
	}
	return out, diags
}

func cannotExport(err error) diag.Diagnostic {
	return diag.New(diag.NotExported, "The plan cannot be put into TVM's terms: %v.", err)
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
		found, err := os.ReadFile(e.path)
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
		diags = append(diags, diag.New(diag.ExportDiffers, "The file %q of the export %q %s. Write it with \"memplan apply %s\".", filepath.ToSlash(e.path), e.block.Name, what, j.path).At(e.block.Range))
	}
	return diags
}
