package main

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
)

// hostDriver is the driver of the device that every memplan has.
const hostDriver = "host"

// devices are the values of -device: the drivers that this memplan has.
var devices = []string{hostDriver}

// deviceFlag reads "-device NAME". It is empty unless the user gave it: the configuration decides then.
type deviceFlag string

// Set takes the name of a device.
func (f *deviceFlag) Set(name string) error {
	if !slices.Contains(devices, name) {
		return fmt.Errorf("this memplan runs on %s.%s", diag.Enumerate(devices, "and"), diag.DidYouMean(name, devices))
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
		return nil
	case driver == "none":
		d = diag.New(diag.Unrunnable, "Graph %q belongs to device %q, whose driver is \"none\": it is planned only. To run it on the host with the same placements, give -device host.",
			run.Graph.Name, run.Graph.Device.Name)
	default:
		d = diag.New(diag.Unrunnable, "Graph %q belongs to device %q, whose driver is %q, and this memplan runs on %s only. To run it there with the same placements, give -device host.",
			run.Graph.Name, run.Graph.Device.Name, driver, diag.Enumerate(devices, "and"))
	}
	return diag.Diagnostics{r.at(run, d)}
}

// refusals collects the refusals of all runs of the configuration, for a verb that does nothing by halves.
func (r *runner) refusals() (ds diag.Diagnostics) {
	for _, run := range r.job.cfg.Runs {
		ds = append(ds, r.refusal(run)...)
	}
	return ds
}
