package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/opencl"
)

const deviceCommandHelp = `device asks OpenCL what devices this machine has.

  memplan device list            every device in a line
  memplan device show [NAME]     every fact of the devices that have NAME in their name, their
                                 platform's or their version
  memplan device show -hcl       the same as device blocks, ready to be pasted into a configuration

What a driver for processors, such as PoCL, tells of its largest allocation and of the sides of its images follows the memory
that is free at the moment, so that two calls may differ: declare the least that a run must get. Mesa's rusticl has devices of the
drivers alone that RUSTICL_ENABLE names, such as llvmpipe; it compiles each kernel when that is first used, which may take minutes for
a network and seconds when its cache has them.

Graphs of a device with the driver "opencl" run on the first GPU, else on the first device. The environment variable
` + opencl.DeviceVariable + ` chooses another one by a part of its name, its platform's or its version, MEMPLAN_OPENCL_LIBRARY
another OpenCL library.`

func (a *app) deviceCommand() *cobra.Command {
	var asHCL bool
	show := func(full bool) func(*cobra.Command, []string) error {
		return func(_ *cobra.Command, args []string) error {
			v := view.NewDevices(a.flags.json, asHCL, a.term, a.sources)
			a.finish(v, a.device(v, strings.Join(args, " "), full))
			return nil
		}
	}
	parent := &cobra.Command{Use: "device [flags] list | show [NAME]", Short: "Show the OpenCL devices of this machine", Long: deviceCommandHelp, Args: noSuchDeviceVerb, RunE: show(false)}
	list := &cobra.Command{Use: "list", Short: "List the OpenCL devices", Long: deviceCommandHelp, Args: noArguments, RunE: show(false)}
	one := &cobra.Command{Use: "show [NAME]", Short: "Show every fact of OpenCL devices", Long: deviceCommandHelp, RunE: show(true)}
	parent.PersistentFlags().BoolVar(&asHCL, "hcl", false, "write device blocks for a configuration")
	parent.AddCommand(list, one)
	return parent
}

// noSuchDeviceVerb refuses a word that is none of device's own verbs.
func noSuchDeviceVerb(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	verbs := []string{"list", "show"}
	return &misuseError{diag.New(diag.WrongArguments, "\"memplan device\" has no command %q.%s Its commands are %s.", args[0], diag.DidYouMean(args[0], verbs), diag.Enumerate(verbs, "and"))}
}

func (a *app) device(v view.Devices, name string, full bool) outcome {
	all, ds, err := opencl.List(opencl.Options{})
	if err != nil || ds.HasErrors() {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	var names []string
	var chosen []opencl.Facts
	for _, d := range all {
		names = append(names, fmt.Sprintf("%q of %q", d.Name, d.Platform))
		if d.IsNamed(name) {
			chosen = append(chosen, d)
		}
	}
	if len(chosen) == 0 {
		return problem(diag.NoOpenCL, "No OpenCL device has %q in its name, its platform's or its version. There is %s. Give a part of one of these names.", name, strings.Join(names, ", "))
	}
	if full {
		v.Show(chosen, ds)
	} else {
		v.List(chosen, ds)
	}
	return done(exitOK)
}
