package main

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// The drivers that graphs run on. Every machine has the host.
const (
	hostDriver   = "host"
	openclDriver = "opencl"
)

// devices are the values of -device.
var devices = []string{hostDriver, openclDriver}

// deviceFlag reads "-device NAME". It is empty unless the user gave it: the configuration decides then.
type deviceFlag string

// Set takes the name of a device.
func (f *deviceFlag) Set(name string) error {
	if !slices.Contains(devices, name) {
		return fmt.Errorf("this memplan runs on %s. Name one of them.%s", diag.Enumerate(devices, "and"), diag.DidYouMean(name, devices))
	}
	*f = deviceFlag(name)
	return nil
}

// String is the name, "" when none was given.
func (f *deviceFlag) String() string { return string(*f) }

// Type names the value in the help.
func (f *deviceFlag) Type() string { return "NAME" }

// deviceHelp describes the flag -device.
func deviceHelp() string {
	return "run on `NAME`, " + diag.Enumerate(devices, "or") + ", whatever the drivers of the configuration's devices"
}

// driverOf is the driver that a run asks for.
func (r *runner) driverOf(run *config.Run) string {
	switch {
	case r.options.device != "":
		return string(r.options.device)
	case run.Graph.Device == nil:
		return hostDriver
	}
	return run.Graph.Device.Driver
}

// refusal says why a run cannot be executed at all: nothing runs on another device than it was declared for unless the
// user asks for just that.
func (r *runner) refusal(run *config.Run) diag.Diagnostics {
	g := r.graph(run.Graph.Name)
	driver := r.driverOf(run)
	var d diag.Diagnostic
	switch {
	case g != nil && g.Format == "intervals":
		d = diag.New(diag.Unrunnable, "Graph %q comes from an interval file, which gives sizes and lifetimes and no operators: it is planned and never run. Run the model that the intervals were taken from.", run.Graph.Name)
	case slices.Contains(devices, driver):
		return r.withoutContent(run, g)
	default:
		d = diag.New(diag.Unrunnable, "Graph %q belongs to device %q, whose driver is %q: it is planned only. To run it on the host with the same placements, give -device host.",
			run.Graph.Name, run.Graph.Device.Name, driver)
	}
	return diag.Diagnostics{r.at(run, d)}
}

// withoutContent refuses a run of a graph whose constants were left out of its file, all of them at once. A single one is
// named when it is uploaded.
func (r *runner) withoutContent(run *config.Run, g *graph.Graph) diag.Diagnostics {
	var missing []string
	if g != nil {
		for i := range g.Tensors {
			if t := &g.Tensors[i]; t.Role == graph.Constant && !graph.HasContent(t.Data) {
				missing = append(missing, t.Name)
			}
		}
	}
	if len(missing) < 2 {
		return nil
	}
	return diag.Diagnostics{r.at(run, diag.New(diag.ConstantNotUploaded,
		"%d constants of graph %q have no content in its file, %q among them. \"memplan graph\" leaves out those above 1 KiB: run the model that the file was written from.",
		len(missing), run.Graph.Name, missing[0]))}
}

// refusals collects the refusals of all runs of the configuration, for a verb that does nothing by halves.
func (r *runner) refusals() (ds diag.Diagnostics) {
	for _, run := range r.job.cfg.Runs {
		ds = append(ds, r.refusal(run)...)
	}
	return ds
}
