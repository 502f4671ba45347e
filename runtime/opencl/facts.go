package opencl

import (
	"strings"

	"github.com/memplan/memplan/runtime/opencl/cl"
)

// facts are what a device says of itself, as far as it matters for running.
type facts struct {
	// maxAlloc is in bytes, maxWidth and maxHeight are texels, zero without images.
	maxAlloc, maxWidth, maxHeight int64
	maxGroup                      int64
	// float64 says that kernels may use double.
	float64 bool
}

func readFacts(api cl.API, d cl.Device) (f facts, err error) {
	for what, value := range map[cl.Info]*int64{
		cl.DeviceMaxAllocSize: &f.maxAlloc, cl.DeviceImage2DMaxWidth: &f.maxWidth, cl.DeviceImage2DMaxHeight: &f.maxHeight,
		cl.DeviceMaxWorkGroupSize: &f.maxGroup,
	} {
		answer, err := api.DeviceInfo(d, what)
		if err != nil {
			return f, err
		}
		*value = int64(cl.Number(answer))
	}
	extensions, err := api.DeviceInfo(d, cl.DeviceExtensions)
	f.float64 = strings.Contains(cl.Text(extensions), "cl_khr_fp64")
	return f, err
}
