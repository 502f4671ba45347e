package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner/graph/source"
)

// inputFiles are files that a command reads, and that it must not write over. Several goroutines may add to them.
type inputFiles struct {
	mu    sync.Mutex
	paths []string
}

func (in *inputFiles) add(paths ...string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, path := range paths {
		if !slices.Contains(in.paths, path) {
			in.paths = append(in.paths, path)
		}
	}
}

// sameAs is the input that a path to be written leads to, "" when there is none: they have the same path, or the operating
// system says that they are one file, links followed. Devices and pipes are not overwritten by writing to them.
func (in *inputFiles) sameAs(out string) string {
	in.mu.Lock()
	defer in.mu.Unlock()
	there, err := os.Stat(out)
	if err == nil && !there.Mode().IsRegular() {
		return ""
	}
	for _, path := range slices.Sorted(slices.Values(in.paths)) {
		if absolute(path) == absolute(out) {
			return path
		}
		if info, failed := os.Stat(path); err == nil && failed == nil && os.SameFile(info, there) {
			return path
		}
	}
	return ""
}

// absolute is a path without what can be written in several ways. Where the current directory is gone, that is all.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return filepath.Clean(path)
}

// refuse is the rule that no output overwrites an input. The owner is whose path it is: a flag, or a block.
func (in *inputFiles) refuse(owner, out string) diag.Diagnostics {
	if out == "" {
		return nil
	}
	taken := in.sameAs(out)
	if taken == "" {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.FileNotWritten, "%q of %s is the file %q, which this command reads. It was left alone: give %s another path.",
		filepath.ToSlash(out), owner, filepath.ToSlash(taken), owner)}
}

// outputFile is a file that a flag names, to be written when all else is done.
type outputFile struct{ flag, path string }

// overwrites refuses the outputs of flags and of export blocks that are inputs. What the plan is made of is known once it is
// planned; arrays of runs are read later, and count as well.
func (a *app) overwrites(j *job) (ds diag.Diagnostics) {
	for _, run := range j.cfg.Runs {
		a.arrays.add(arraysOf(j, run)...)
	}
	refuse := func(owner, path string) diag.Diagnostics {
		if refused := a.inputs.refuse(owner, path); refused != nil {
			return refused
		}
		return a.arrays.refuse(owner, path)
	}
	for _, out := range append(slices.Clone(a.outputs), outputFile{"-sarif", a.flags.sarif}) {
		ds = append(ds, refuse(out.flag, out.path)...)
	}
	for _, e := range j.cfg.Exports {
		if e.Path != "" {
			ds = append(ds, refuse("the export \""+e.Name+"\"", j.beside(e.Path)).At(e.Range)...)
		}
	}
	return ds
}

func arraysOf(j *job, run *config.Run) (paths []string) {
	for _, in := range run.Inputs {
		if in.NPY != "" {
			paths = append(paths, j.beside(in.NPY))
		}
	}
	for _, e := range run.Expects {
		paths = append(paths, j.beside(e.NPY))
	}
	return paths
}

// overwrites refuses outputs of runs that are inputs. An array that another run reads, or this one as an input, may be
// written: so is a state kept. What an output is compared with may not, it would always be equal.
func (r *runner) overwrites(runs []*config.Run) (ds diag.Diagnostics) {
	for _, run := range runs {
		g := r.graph(run.Graph.Name)
		if g == nil {
			continue
		}
		var expected inputFiles
		for _, e := range run.Expects {
			expected.add(r.job.beside(e.NPY))
		}
		owner := "the run \"" + run.Name + "\""
		for _, file := range fileNames(tensorNames(tensorsOf(g, g.Outputs))) {
			out := r.outputPath(run, file)
			refused := append(r.job.inputs.refuse(owner, out), expected.refuse(owner, out)...)
			ds = append(ds, r.allAt(run, refused)...)
		}
	}
	return ds
}

// disk reads files and remembers which.
type disk struct {
	syntax.Disk
	inputs *inputFiles
}

func (a *app) disk() syntax.Reader { return disk{inputs: &a.inputs} }

// ReadFile implements [syntax.Reader].
func (d disk) ReadFile(name string) ([]byte, error) {
	content, err := d.Disk.ReadFile(name)
	if err == nil {
		d.inputs.add(name)
	}
	return content, err
}

// graphFiles is the directory of a graph file, and remembers what is opened in it.
type graphFiles struct {
	fs.FS
	dir    string
	inputs *inputFiles
}

// Open implements [fs.FS].
func (g graphFiles) Open(name string) (fs.File, error) {
	file, err := g.FS.Open(name)
	if err == nil {
		g.inputs.add(filepath.Join(g.dir, filepath.FromSlash(name)))
	}
	return file, err
}

// Stat implements [fs.StatFS].
func (g graphFiles) Stat(name string) (fs.FileInfo, error) { return fs.Stat(g.FS, name) }

// openGraph opens a graph file, which is an input as is what it refers to. It may be a link; what it refers to must lie in
// its own directory.
func openGraph(path string, inputs *inputFiles) (*source.File, error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	file, err := source.Open(graphFiles{source.Confined(dir, name), dir, inputs}, name)
	return file, source.Missing(err, dir)
}
