package main

import (
	"context"
	"errors"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/host"
	"github.com/memplan/memplan/runtime/opencl"
)

// bench is a device with the memory of a plan and a graph loaded, ready for runs of that graph.
type bench struct {
	graph  string
	dev    device.Device
	walker *exec.Runner
}

// prepare readies the graph of each run of the configuration in turn, so that what a device cannot run shows before
// anything is written. The last one stays for the runs.
func (r *runner) prepare(ctx context.Context) (ds diag.Diagnostics, err error) {
	told := map[string]bool{}
	for _, run := range r.job.cfg.Runs {
		if told[run.Graph.Name] {
			continue
		}
		told[run.Graph.Name] = true
		stop := r.progress.show(r.term, run.Name, 1)
		_, more, err := r.walker(ctx, run)
		stop()
		if ds = append(ds, more...); err != nil {
			return ds, err
		}
	}
	return ds, nil
}

// walker returns the graph of a run, loaded on its device; nil when a diagnostic says why it cannot be. One graph is loaded
// at a time: its memory is freed when another one is wanted.
func (r *runner) walker(ctx context.Context, run *config.Run) (*exec.Runner, diag.Diagnostics, error) {
	name := run.Graph.Name
	if refused := r.refused[name]; refused != nil {
		return nil, r.allAt(run, refused), nil
	}
	if r.bench != nil && r.bench.graph == name {
		return r.bench.walker, nil, r.bench.walker.Reset()
	}
	if err := r.leave(); err != nil {
		return nil, nil, err
	}
	b := &bench{graph: name}
	r.bench = b
	ds, err := r.connect(b, run)
	if err == nil && !ds.HasErrors() {
		var more diag.Diagnostics
		b.walker, more, err = exec.New(ctx, r.result.Plan, name, r.graph(name), b.dev, exec.Options{Poison: r.options.poison, Before: r.upstream(run), Watch: r.progress.watch})
		ds = append(ds, more...)
		r.logDevice(b)
	}
	if ds.HasErrors() {
		if r.refused == nil {
			r.refused = map[string]diag.Diagnostics{}
		}
		r.refused[name] = ds
		return nil, r.allAt(run, ds), errors.Join(err, r.leave())
	}
	return b.walker, r.allAt(run, ds), err
}

// logDevice tells why an OpenCL device does not join launches, if it does not.
func (r *runner) logDevice(b *bench) {
	if d, ok := b.dev.(*opencl.Device); ok && r.log != nil {
		r.log.Debug("prepared", "graph", b.graph, "device", d.Name(), "unjoined", d.Unjoined())
	}
}

// deviceName is the name of the configuration's device that a run's graph is planned for.
func deviceName(run *config.Run) string {
	if run.Graph.Device == nil {
		return ""
	}
	return run.Graph.Device.Name
}

// connect makes the device of a run. An OpenCL device that cannot hold the plan is refused before anything is allocated.
func (r *runner) connect(b *bench, run *config.Run) (ds diag.Diagnostics, err error) {
	if r.driverOf(run) == hostDriver {
		b.dev, err = host.New(host.Options{})
		return nil, err
	}
	if r.opencl == nil {
		if r.opencl, ds, err = opencl.Connect(opencl.Options{Timed: r.options.profile || r.options.trace != ""}); r.opencl == nil {
			return ds, err
		}
	}
	if ds = append(ds, r.held(run, r.opencl.Facts())...); !ds.HasErrors() {
		b.dev = r.opencl.NewDevice()
	}
	return ds, nil
}

// leave frees the memory of the present run's graph.
func (r *runner) leave() error {
	b := r.bench
	if r.bench = nil; b == nil || b.dev == nil {
		return nil
	}
	return b.dev.Close()
}

// close frees everything.
func (r *runner) close() error {
	err := r.leave()
	if r.opencl != nil {
		err = errors.Join(err, r.opencl.Close())
		r.opencl = nil
	}
	return err
}
