package main

import (
	"context"
	"slices"
	"time"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/host"
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
	// device overrides the drivers of devices, unless it is empty.
	device deviceFlag
}

// runner executes runs of a planned job.
type runner struct {
	job     *job
	result  *planner.Result
	options runOptions
}

// configured executes the runs of the configuration in order and returns those that ran to their end. A run that fails
// does not keep the next from running.
func (r *runner) configured(ctx context.Context) ([]view.RunResult, diag.Diagnostics, error) {
	return r.all(ctx, r.job.cfg.Runs)
}

// once executes each graph once with random inputs, for a configuration without runs or a graph file.
func (r *runner) once(ctx context.Context) ([]view.RunResult, diag.Diagnostics, error) {
	var runs []*config.Run
	for _, g := range r.job.cfg.Graphs {
		runs = append(runs, &config.Run{Name: g.Name, Graph: g})
	}
	return r.all(ctx, runs)
}

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
	dev, err := host.New(host.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if closeErr := dev.Close(); err == nil {
			err = closeErr
		}
	}()
	walker, ds, err := exec.New(ctx, r.result.Plan, run.Graph.Name, r.graph(run.Graph.Name), dev, exec.Options{Poison: r.options.poison, Before: r.upstream(run)})
	if err != nil || ds.HasErrors() {
		return nil, r.allAt(run, ds), err
	}
	inputs, more := r.inputs(run, walker)
	if ds = append(r.allAt(run, ds), more...); ds.HasErrors() {
		return nil, ds, nil
	}
	result = &view.RunResult{Name: run.Name, Graph: run.Graph.Name, Device: r.driverOf(run), Iterations: r.options.iterations}
	result.RandomInputs = r.randomInputs(run, walker)
	outputs, more, err := iterate(ctx, walker, inputs, result)
	if ds = append(ds, r.allAt(run, more)...); err != nil || ds.HasErrors() {
		return nil, ds, err
	}
	result.PoolBytes = walker.PoolBytes()
	return result, append(ds, r.deliver(run, walker, outputs, result)...), nil
}

// iterate runs the graph and measures the execution of each iteration, and nothing else.
func iterate(ctx context.Context, walker *exec.Runner, inputs map[string]*array.Array, result *view.RunResult) (map[string]*array.Array, diag.Diagnostics, error) {
	if ds := walker.CheckInputs(inputs); ds.HasErrors() {
		return nil, ds, nil
	}
	took := make([]time.Duration, result.Iterations)
	var first int64
	for i := range took {
		start := time.Now()
		ds, err := walker.Execute(ctx, inputs)
		took[i] = time.Since(start)
		if err != nil || ds.HasErrors() {
			return nil, ds, err
		}
		if i == 0 {
			first = walker.Allocations()
		}
	}
	result.AllocationsAfterFirst = walker.Allocations() - first
	result.Latency = latencyOf(took)
	outputs, err := walker.Outputs()
	return outputs, nil, err
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

func (r *runner) allAt(run *config.Run, ds diag.Diagnostics) diag.Diagnostics {
	if run.Range.Filename == "" {
		return ds
	}
	return ds.At(run.Range)
}
