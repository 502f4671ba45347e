package opencl

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// DeviceVariable names the environment variable that chooses a device: a part of its name, its platform's or its version.
const DeviceVariable = "MEMPLAN_OPENCL_DEVICE"

// Found is a device of a platform.
type Found struct {
	Platform     cl.Platform
	PlatformName string
	Device       cl.Device
	Name         string
	// Version is that of OpenCL with the driver's own text.
	Version string
	// Type has the bits of cl.DeviceType.
	Type uint64
}

// Find lists the devices of all platforms in the order of the loader. No OpenCL, no platform and no device are
// diagnostics that say what to install.
func Find(api cl.API) ([]Found, diag.Diagnostics, error) {
	platforms, err := api.Platforms()
	var failed *cl.Error
	if errors.As(err, &failed) && failed.Code == cl.PlatformNotFound {
		platforms, err = nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if len(platforms) == 0 {
		return nil, diag.Diagnostics{diag.New(diag.NoOpenCL, "The OpenCL library is there, but no driver is installed. %s", howToInstall)}, nil
	}
	var all []Found
	for _, p := range platforms {
		found, err := devicesOf(api, p)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		var names []string
		for _, p := range platforms {
			name, err := api.PlatformInfo(p, cl.PlatformName)
			if err != nil {
				return nil, nil, err
			}
			names = append(names, cl.Text(name))
		}
		return nil, diag.Diagnostics{diag.New(diag.NoOpenCL, "OpenCL has %s, and no device there. %s", diag.Quoted(names), whereDevicesAre(names))}, nil
	}
	return all, nil, nil
}

// whereDevicesAre is the next step where platforms have no device.
func whereDevicesAre(platforms []string) string {
	if slices.Contains(platforms, "rusticl") {
		return "Mesa's rusticl has devices of the drivers alone that the environment variable RUSTICL_ENABLE names, such as llvmpipe for any processor, and of those only when libclc is installed."
	}
	return howToInstall
}

// howToInstall is the next step where a machine has no OpenCL.
const howToInstall = "Install a driver of your device; one for any processor is, on Debian, in the packages pocl-opencl-icd and ocl-icd-libopencl1. To run on the host instead, give -device host."

func devicesOf(api cl.API, p cl.Platform) ([]Found, error) {
	platform, err := api.PlatformInfo(p, cl.PlatformName)
	if err != nil {
		return nil, err
	}
	devices, err := api.Devices(p)
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, d := range devices {
		name, err := api.DeviceInfo(d, cl.DeviceName)
		if err != nil {
			return nil, err
		}
		kind, err := api.DeviceInfo(d, cl.DeviceType)
		if err != nil {
			return nil, err
		}
		version, err := api.DeviceInfo(d, cl.DeviceVersion)
		if err != nil {
			return nil, err
		}
		found = append(found, Found{p, cl.Text(platform), d, cl.Text(name), cl.Text(version), cl.Number(kind)})
	}
	return found, nil
}

// List describes every OpenCL device of the machine, in the order of the loader. Diagnostics say what the machine lacks.
func List(o Options) ([]Facts, diag.Diagnostics, error) {
	api := o.API
	if api == nil {
		var diags diag.Diagnostics
		var err error
		if api, diags, err = load(); err != nil || len(diags) > 0 {
			return nil, diags, err
		}
	}
	all, diags, err := Find(api)
	if err != nil || len(diags) > 0 {
		return nil, diags, err
	}
	facts := make([]Facts, len(all))
	for i, f := range all {
		if facts[i], err = Describe(api, f); err != nil {
			return nil, nil, fmt.Errorf("describe %s: %w", f.Name, err)
		}
	}
	return facts, nil, nil
}

// load opens the system's library.
func load() (cl.API, diag.Diagnostics, error) {
	api, err := cl.Load()
	var missing *cl.LoadError
	if errors.As(err, &missing) {
		return nil, diag.Diagnostics{diag.New(diag.NoOpenCL, "This machine has no OpenCL that can be used: %v. %s", missing, howToInstall)}, nil
	}
	return api, nil, err
}

// choose takes the device that the environment names, else the first GPU, else the first accelerator, else the first.
func choose(all []Found) (Found, diag.Diagnostics) {
	if wanted := os.Getenv(DeviceVariable); wanted != "" {
		var names []string
		for _, f := range all {
			if isNamed(wanted, f.Name, f.PlatformName, f.Version) {
				return f, nil
			}
			names = append(names, f.PlatformName+", "+f.Name)
		}
		return Found{}, diag.Diagnostics{diag.New(diag.NoOpenCL, "%s is %q, and no device has that in its name, its platform's or its version; there are %s. Change the variable.",
			DeviceVariable, wanted, diag.Quoted(names))}
	}
	for _, kind := range []uint64{cl.TypeGPU, cl.TypeAccelerator} {
		for _, f := range all {
			if f.Type&kind != 0 {
				return f, nil
			}
		}
	}
	return all[0], nil
}
