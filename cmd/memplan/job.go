package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
)

// job is a configuration to work on; for a graph file, the one that stands for it.
type job struct {
	// path is what the user named, and lockPath where its lock lies, both with forward slashes.
	path, lockPath string
	// again are the flags that shaped the plan, as view.Planned has them.
	again string
	bare  bool
	cfg   *config.Config
	// inputs are the files that the command reads.
	inputs *inputFiles
	// diags are the warnings of loading.
	diags diag.Diagnostics

	// lock is what the lock holds, nil when there is none; was the same under the names that the configuration has now, of which
	// renamed are others.
	lock, was *plan.Plan
	renamed   []planner.Rename
	// guard keeps other writers away from the lock, nil in commands that do not write it.
	guard *plan.Guard
}

// open loads what a path leads to for a verb that needs a configuration or a graph file.
func (a *app) open(verb, path string) (*job, diag.Diagnostics) {
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return nil, ds
	}
	return a.load(verb, in)
}

func (a *app) load(verb string, in *input) (*job, diag.Diagnostics) {
	if in.plan != nil {
		return nil, a.planInstead(verb, in)
	}
	j := &job{path: filepath.ToSlash(in.path), lockPath: filepath.ToSlash(plan.LockPath(in.path, in.dir)), again: a.flags.again(), bare: in.kind == graphInput, inputs: &a.inputs}
	a.inputs.add(j.lockPath)
	if ds := a.checkFlags(j); ds.HasErrors() {
		return nil, ds
	}
	if j.bare {
		a.graphFile = j.path
		j.cfg = config.Bare(j.path, a.dimensions())
	} else {
		j.cfg, j.diags = config.Load(a.disk(), j.path, a.variables())
	}
	a.files = j.cfg.Files
	a.ignores = syntax.FindIgnores(j.cfg.Files)
	a.logger().Debug("loaded", "path", j.path, "graphs", len(j.cfg.Graphs), "pools", len(j.cfg.Pools), "digest", j.cfg.Digest())
	if j.diags.HasErrors() {
		ds, err := planner.Survey(j.cfg, j.openSource)
		if err != nil {
			ds = append(ds, failure(err))
		}
		return nil, slices.Concat(j.diags, ds)
	}
	if a.flags.algorithm != "" {
		j.cfg.Planner.Algorithm = a.flags.algorithm
		j.cfg.Planner.Origins["algorithm"] = "command line"
	}
	return j, nil
}

// checkFlags refuses flags that say nothing about what was named.
func (a *app) checkFlags(j *job) diag.Diagnostics {
	switch {
	case j.bare && len(a.flags.variables) > 0:
		return diag.Diagnostics{diag.New(diag.WrongArguments, "%q is a graph file, which has no variables. Bind its dimensions with -dim NAME=N, or write a configuration.", j.path)}
	case !j.bare && len(a.flags.dims) > 0:
		return diag.Diagnostics{diag.New(diag.WrongArguments, "-dim binds dimensions of a graph file, and %q is a configuration. Set dims in its graph block.", j.path)}
	}
	return nil
}

func (a *app) dimensions() map[string]config.Dim {
	dims := make(map[string]config.Dim, len(a.flags.dims))
	for name, n := range a.flags.dims {
		dims[name] = config.Dim{Value: n}
	}
	return dims
}

// planJob plans the job, and lets what the lock holds stay where it is as far as that costs nothing. The diagnostics include
// those of loading.
func (a *app) planJob(ctx context.Context, j *job) (*planner.Result, diag.Diagnostics, error) {
	if ds, err := j.readLock(); err != nil || ds.HasErrors() {
		return nil, slices.Concat(j.diags, ds), err
	}
	var found found
	defer a.term.ProgressOf(func() string { return "Planning " + j.path + found.text() })()
	start := time.Now()
	options := planner.Options{Open: j.openSource, Version: version(), Previous: j.was}
	options.Reading, options.Effort.Report, options.Effort.Spent = found.read, found.note, found.spent
	result, ds, err := planner.Plan(ctx, j.cfg, options)
	errors, warnings := ds.Count()
	a.logger().Info("planned", "path", j.path, "lock", j.lockPath, "took", time.Since(start), "errors", errors, "warnings", warnings)
	return result, slices.Concat(j.diags, j.underPath(ds), a.overwrites(j)), err
}

// planOrSay is planJob for verbs that show nothing without a plan: there is either one or an outcome that says why not.
func (a *app) planOrSay(ctx context.Context, j *job) (*planner.Result, diag.Diagnostics, outcome) {
	result, ds, err := a.planJob(ctx, j)
	if err == nil && result != nil {
		return result, ds, outcome{}
	}
	if result != nil {
		err = errors.Join(err, result.Close())
	}
	return nil, ds, outcome{exit: exitProblems, diags: ds, err: err}
}

// openAndPlan is planOrSay for what a path leads to.
func (a *app) openAndPlan(ctx context.Context, verb, path string) (*job, *planner.Result, diag.Diagnostics, outcome) {
	j, ds := a.open(verb, path)
	if ds.HasErrors() {
		return nil, nil, ds, problems(ds)
	}
	result, ds, failed := a.planOrSay(ctx, j)
	return j, result, ds, failed
}

// underPath gives faults of a graph file the path that the user named it by, where the importer knows only its name.
func (j *job) underPath(ds diag.Diagnostics) diag.Diagnostics {
	if !j.bare {
		return ds
	}
	out := slices.Clone(ds)
	for i := range out {
		if at := out[i].Subject; at != nil && at.Filename == filepath.Base(j.path) {
			moved := *at
			moved.Filename, out[i].Context = j.path, nil
			out[i].Subject = &moved
		}
	}
	return out
}

// openSource opens a graph file by its path in the configuration.
func (j *job) openSource(path string) (*source.File, error) {
	return openGraph(j.beside(path), j.inputs)
}

// beside resolves a path of the configuration.
func (j *job) beside(path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.FromSlash(j.cfg.Dir), path)
}

// readLock reads the lock of the job, once, and gives what it holds the names that the configuration has now.
func (j *job) readLock() (diag.Diagnostics, error) {
	old, ds, err := plan.ReadLock(j.lockPath)
	if err != nil {
		return diag.Diagnostics{unreadable(j.lockPath, err)}, nil
	}
	j.lock = old
	j.was, j.renamed = planner.Moved(j.cfg, old)
	return ds, nil
}

// compare says how the plan differs from the lock.
func (j *job) compare(result *planner.Result, ds diag.Diagnostics) *view.Planned {
	change := plan.Diff(j.was, result.Plan)
	change.Identical = change.Identical && len(j.renamed) == 0 // the lock has the old names
	return &view.Planned{
		Path: j.path, LockPath: j.lockPath, Again: j.again, Old: j.lock, New: result.Plan, Change: change, Renamed: j.renamed,
		Outputs: outputsOf(result), Checks: checksOf(result), Diagnostics: ds,
	}
}

// outputDirectory is where runs write when the user names no place: beside the configuration, after its name.
func (j *job) outputDirectory() string {
	return strings.TrimSuffix(strings.TrimSuffix(j.lockPath, ".json"), ".lock") + ".out"
}
