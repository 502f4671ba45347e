package main

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/opencl"
)

// runOptions adjust the runs of one invocation.
type runOptions struct {
	// inputs are the files given on the command line, by tensor; they replace what a run says.
	inputs map[string]string
	// outputs is the directory to write to; with perRun each run has its own in it.
	outputs    string
	perRun     bool
	iterations int
	poison     bool
	// profile measures every step; so does trace, the file for the steps of the last iterations, unless it is empty.
	profile bool
	trace   string
	// device overrides the drivers of devices, unless it is empty.
	device deviceFlag
}

// runner executes runs of a planned job. It is to be closed.
type runner struct {
	job     *job
	result  *planner.Result
	options runOptions
	// bench is the device of the present run, nil before the first; refused says of graphs why they cannot be loaded.
	bench   *bench
	refused map[string]diag.Diagnostics
	// opencl is the session that all runs of that driver work in, nil before the first.
	opencl *opencl.Session
	// traced are the runs so far, for the trace.
	traced []exec.Traced
	// log is told of devices, nil for none.
	log *slog.Logger
	// term shows the progress of runs, nil for none.
	term     *view.Terminal
	progress runProgress
}

// configured executes the runs of the configuration in order and returns those that ran to their end. A run that fails
// does not keep the next from running.
func (r *runner) configured(ctx context.Context) ([]view.RunResult, diag.Diagnostics, error) {
	return r.all(ctx, r.job.cfg.Runs)
}

// runs are those of the configuration or, where it has none and for a graph file, one of each graph with random inputs.
func (r *runner) runs() []*config.Run {
	if len(r.job.cfg.Runs) > 0 {
		return r.job.cfg.Runs
	}
	var runs []*config.Run
	for _, g := range r.job.cfg.Graphs {
		runs = append(runs, &config.Run{Name: g.Name, Graph: g})
	}
	return runs
}

// all executes runs in order.
func (r *runner) all(ctx context.Context, runs []*config.Run) ([]view.RunResult, diag.Diagnostics, error) {
	var results []view.RunResult
	var diags diag.Diagnostics
	for _, run := range runs {
		result, ds, err := r.one(ctx, run)
		diags = append(diags, ds...)
		if err != nil {
			return results, diags, err
		}
		if result != nil {
			results = append(results, *result)
		}
	}
	return results, diags, nil
}

// one executes one run: allocate, iterate, write and compare the outputs.
func (r *runner) one(ctx context.Context, run *config.Run) (result *view.RunResult, ds diag.Diagnostics, err error) {
	if refused := r.refusal(run); len(refused) > 0 {
		return nil, refused, nil
	}
	defer r.progress.show(r.term, run.Name, r.options.iterations)()
	walker, ds, err := r.walker(ctx, run)
	if err != nil || walker == nil {
		return nil, ds, err
	}
	inputs, more := r.inputs(run, walker)
	if ds = append(ds, more...); ds.HasErrors() {
		return nil, ds, nil
	}
	result = &view.RunResult{Name: run.Name, Graph: run.Graph.Name, Device: r.driverOf(run), Iterations: r.options.iterations}
	result.RandomInputs = r.randomInputs(run, walker)
	outputs, more, err := r.iterate(ctx, walker, inputs, result)
	if ds = append(ds, r.allAt(run, more)...); err != nil || ds.HasErrors() {
		return nil, ds, err
	}
	result.PoolBytes = walker.PoolBytes()
	return result, append(ds, r.deliver(run, walker, outputs, result)...), nil
}

// iterate runs the graph and measures the execution of each iteration, and nothing else.
func (r *runner) iterate(ctx context.Context, walker *exec.Runner, inputs map[string]*array.Array, result *view.RunResult) (map[string]*array.Array, diag.Diagnostics, error) {
	if ds := walker.CheckInputs(inputs); ds.HasErrors() {
		return nil, ds, nil
	}
	took := make([]time.Duration, result.Iterations)
	var profiles []*exec.Profile
	var first int64
	for i := range took {
		r.progress.iteration.Store(int64(i))
		start := time.Now()
		profile, ds, err := r.execute(ctx, walker, inputs)
		took[i] = time.Since(start)
		if err != nil || ds.HasErrors() {
			return nil, ds, err
		}
		if profile != nil {
			profiles = append(profiles, profile)
		}
		if i == 0 {
			first = walker.Allocations()
		}
	}
	result.AllocationsAfterFirst = walker.Allocations() - first
	result.Latency = latencyOf(took)
	r.keepProfiles(walker, profiles, result)
	outputs, err := walker.Outputs()
	return outputs, nil, err
}

// execute runs the graph once, with a profile where one is asked for.
func (r *runner) execute(ctx context.Context, walker *exec.Runner, inputs map[string]*array.Array) (*exec.Profile, diag.Diagnostics, error) {
	if r.options.profile || r.options.trace != "" {
		return walker.Profile(ctx, inputs)
	}
	ds, err := walker.Execute(ctx, inputs)
	return nil, ds, err
}

// latencyOf sums up durations; the percentile is the nearest rank.
func latencyOf(took []time.Duration) view.Latency {
	slices.Sort(took)
	ms := func(rank int) float64 { return float64(took[rank].Microseconds()) / 1000 }
	n := len(took)
	median := ms((n - 1) / 2)
	if n%2 == 0 {
		median = (median + ms(n/2)) / 2
	}
	return view.Latency{Min: ms(0), Median: median, P95: ms((n*95+99)/100 - 1)}
}

// upstream are the graphs that the inputs of the run's graph come from.
func (r *runner) upstream(run *config.Run) []exec.Upstream {
	var before []exec.Upstream
	for _, g := range r.job.cfg.Upstream(run.Graph) {
		before = append(before, exec.Upstream{Name: g.Name, Graph: r.graph(g.Name)})
	}
	return before
}

func (r *runner) graph(name string) *graph.Graph {
	for i := range r.result.Plan.Graphs {
		if r.result.Plan.Graphs[i].Name == name {
			return r.result.Graphs[i]
		}
	}
	return nil
}

// at gives a diagnostic the place of the run, unless it is a made-up one.
func (r *runner) at(run *config.Run, d diag.Diagnostic) diag.Diagnostic {
	if run.Range.Filename == "" {
		return d
	}
	return d.At(run.Range)
}

// allAt gives those diagnostics the place of the run that have none of their own.
func (r *runner) allAt(run *config.Run, ds diag.Diagnostics) diag.Diagnostics {
	placed := slices.Clone(ds)
	for i := range placed {
		if placed[i].Subject == nil {
			placed[i] = r.at(run, placed[i])
		}
	}
	return placed
}
